import { identityFinished } from '../support/events';
import {
	identitiesFor,
	numbered,
	numberedWith,
	problemOfId,
	problemOfCompletion,
	requestIdentity,
	type Service,
	token,
	unknownId,
} from './service';
import type { Entries, OperationEntry } from '.';

const creation = 'POST /identity/validation/request';
const requestEndpoint = 'GET /identity/validation/request/:validationId';
const resultsOf = 'GET /identity/session/results/:sessionId';
const emailOf = (n: number) => `person-${n}@example.com`;

const request: OperationEntry = {
	parameters: { email: '={{ $json.email }}' },
	calls: { token, call: creation },
	prepare: async (_service, count) => numbered(count, (n) => ({ email: emailOf(n) })),
	malformed: { email: 'not an address' },
	created: (sandbox, { email }) => identitiesFor(sandbox, String(email)),
	problemOf: (sandbox, { email }, { json }) =>
		problemOfId(json.validationId, identitiesFor(sandbox, String(email))),
};

/** Requests a verification for each item, and completes the verifications that `isDone` selects. */
const asked = async (service: Service, count: number, isDone: (n: number) => boolean) =>
	await numberedWith(count, async (n) => {
		const id = await requestIdentity(service, emailOf(n));
		if (isDone(n)) await service.sandbox.completeIdentity(id, 'pass');
		return { email: emailOf(n), id };
	});

const sendAndWait: OperationEntry = {
	parameters: { validationId: '={{ $json.id }}' },
	calls: {
		token,
		call: requestEndpoint,
		registration: 'POST /webhooks/verify',
		webhooks: 'GET /webhooks',
		deletion: 'DELETE /webhooks',
		results: resultsOf,
	},
	prepare: async (service, count) => await asked(service, count, () => false),
	malformed: { id: '' },
	absent: () => ({ id: unknownId }),
	problemOf(sandbox, { email }, { json }) {
		const { validationId, status } = json;
		const found = sandbox.identityRequests().find((one) => one.validationId === validationId);
		return (
			problemOfCompletion(status, found?.status) ??
			problemOfId(validationId, identitiesFor(sandbox, String(email)))
		);
	},
	waits: {
		event: identityFinished,
		finish: async (sandbox, id) => void (await sandbox.completeIdentity(id, 'pass')),
		other: async (service) => await requestIdentity(service, 'somebody.else@example.com'),
	},
};

const get: OperationEntry = {
	parameters: { validationId: '={{ $json.id }}' },
	calls: { token, call: requestEndpoint },
	// Only every other person has finished. Some output fields exist only after that, and the tests need both
	// cases.
	prepare: async (service, count) => await asked(service, count, (n) => n % 2 === 0),
	malformed: { id: '' },
	absent: () => ({ id: unknownId }),
	problemOf: (_sandbox, { email }, { json }) =>
		json.email === email ? undefined : `the request of ${String(json.email)}`,
	simplified: ['validationId', 'email', 'status', 'createdAt', 'customerId', 'backgroundCheck'],
};

const getResults: OperationEntry = {
	parameters: { validationId: '={{ $json.id }}' },
	calls: { token, call: resultsOf },
	prepare: async (service, count) => await asked(service, count, () => true),
	malformed: { id: '' },
	absent: () => ({ id: unknownId }),
	problemOf: (_sandbox, _item, { json }) => (json.customerId ? undefined : 'there are no results'),
	simplified: [
		'passed',
		'nameMatches',
		'isOfAge',
		'isExpired',
		'validationId',
		'customerId',
		'score',
		'failedChecks',
	],
};

export const identity: Entries = { get, getResults, request, sendAndWait };
