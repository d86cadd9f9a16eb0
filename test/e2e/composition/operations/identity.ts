import { identityFinished } from '../../../support/client';
import { identitiesFor, requestIdentity } from '../service';
import type { OperationUnderTest } from './types';
import { numbered, numberedWith } from './values';

const token = 'POST /access/token';
const creation = 'POST /identity/validation/request';
const emailOf = (n: number) => `person-${n}@example.com`;
const unknown = '65f1c0de00000000000000ff';

/** identity / request */
export const request: OperationUnderTest = {
	words: 'Identity: Request',
	parameters: { resource: 'identity', operation: 'request', email: '={{ $json.email }}' },
	calls: { token, call: creation },
	prepare: async (_service, count) => numbered(count, (n) => ({ email: emailOf(n) })),
	malformed: { email: 'not an address' },
	created: (sandbox, { email }) => identitiesFor(sandbox, String(email)),
	problemOf(sandbox, { email }, { json }) {
		const ids = identitiesFor(sandbox, String(email));
		return ids.includes(String(json.validationId))
			? undefined
			: `validationId ${String(json.validationId)}, but the person got ${JSON.stringify(ids)}`;
	},
};

/** identity / sendAndWait */
export const sendAndWait: OperationUnderTest = {
	...request,
	words: 'Identity: Request and Wait Until Verified',
	parameters: { resource: 'identity', operation: 'sendAndWait', email: '={{ $json.email }}' },
	calls: {
		token,
		call: creation,
		registration: 'POST /webhooks/verify',
		webhooks: 'GET /webhooks',
		deletion: 'DELETE /webhooks',
	},
	problemOf(sandbox, item, output) {
		const { validationId, status } = output.json;
		const found = sandbox.identityRequests().find((each) => each.validationId === validationId);
		const said = String(validationId);
		if (found?.status !== 'COMPLETED') return `request ${said} is ${found?.status ?? 'nowhere'}`;
		if (status !== 'COMPLETED') return `the output says that request ${said} is ${String(status)}`;
		return request.problemOf(sandbox, item, output);
	},
	waits: {
		event: identityFinished,
		finish: async (sandbox, id) => void (await sandbox.completeIdentity(id, 'pass')),
		other: async (service) => await requestIdentity(service, 'somebody.else@example.com'),
	},
};

/** identity / get */
export const get: OperationUnderTest = {
	words: 'Identity: Get',
	parameters: { resource: 'identity', operation: 'get', validationId: '={{ $json.id }}' },
	calls: { token, call: 'GET /identity/validation/request/:validationId' },
	prepare: async (service, count) =>
		await numberedWith(count, async (n) => ({
			email: emailOf(n),
			id: await requestIdentity(service, emailOf(n)),
		})),
	malformed: { id: '' },
	absent: () => ({ id: unknown }),
	problemOf: (_sandbox, { email }, { json }) =>
		json.emailId === email ? undefined : `the request of ${String(json.emailId)}`,
};

/** identity / getResults */
export const getResults: OperationUnderTest = {
	words: 'Identity: Get Results',
	parameters: { resource: 'identity', operation: 'getResults', sessionId: '={{ $json.id }}' },
	calls: { token, call: 'GET /identity/session/results/:sessionId' },
	async prepare(service, count) {
		const items = await get.prepare(service, count);
		for (const { id } of items) await service.sandbox.completeIdentity(String(id), 'pass');
		return items;
	},
	malformed: { id: '' },
	absent: () => ({ id: unknown }),
	problemOf: (_sandbox, _item, { json }) => (json.customerId ? undefined : 'there are no results'),
};
