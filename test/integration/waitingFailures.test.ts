import type { IDataObject } from 'n8n-workflow';

import type { Fault } from '../../sandbox';
import { failureOf } from '../support/service';
import { proving, signing, useWaitingTest } from '../support/waiting';

const { service, begin, sign, registrations, lastDocuments } = useWaitingTest();
const retry = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
const items = [{}, {}, {}];

const registrationFaults: Array<[string, string, Omit<Fault, 'endpoint'>]> = [
	['one 502', 'POST /webhooks', { times: 1, answer: { status: 502, body: 'bad' } }],
	['a broken connection', 'POST /webhooks', { times: 1, reset: 'before' }],
	['a lost answer', 'POST /webhooks', { times: 1, reset: 'after' }],
	['400', 'POST /webhooks', { answer: { status: 400, body: {} } }],
	['403', 'POST /webhooks', { answer: { status: 403, body: {} } }],
	['a refused token', 'POST /access/token', { answer: { status: 401, body: {} } }],
	['a list that fails', 'GET /webhooks', { answer: { status: 400, body: {} } }],
];

describe.each(registrationFaults)('where the registration meets %s', (_, endpoint, fault) => {
	const once = 'times' in fault;

	test.each([
		['document', signing()],
		['identity', proving()],
	])(
		'On Error: Continue gives one error for each %s, and nothing is sent',
		async (_kind, setup) => {
			const sent = () =>
				service.sandbox.documents().length + service.sandbox.identityRequests().length;
			const before = sent();
			service.sandbox.faults.set({ ...fault, endpoint: forKind(endpoint, setup.parameters) });
			const execution = await begin({ ...setup, items, continueOnFail: true });
			expect(execution.status).toBe('success');
			expect(execution.output.map(({ json }) => Object.keys(json))).toEqual(
				items.map(() => ['error']),
			);
			expect(execution.output.map(({ pairedItem }) => pairedItem)).toEqual([
				{ item: 0 },
				{ item: 1 },
				{ item: 2 },
			]);
			expect(sent()).toBe(before);
			service.sandbox.faults.clear();
		},
	);

	test(
		once ? 'Retry On Fail sends each document once' : 'Retry On Fail sends nothing',
		async () => {
			const before = service.sandbox.documents().length;
			service.sandbox.faults.set({ ...fault, endpoint });
			const run = begin({ ...signing(), items, settings: retry });
			if (!once) {
				await failureOf(run);
				expect(service.sandbox.documents()).toHaveLength(before);
				return;
			}
			const execution = await run;
			expect(execution.status).toBe('waiting');
			expect(service.sandbox.documents()).toHaveLength(before + 3);
			for (const id of lastDocuments(3)) await sign(id);
			expect(execution.output.map(({ json }) => json.completed)).toEqual([true, true, true]);
			// Also the one whose answer was lost.
			await registrations(0);
		},
	);
});

function forKind(endpoint: string, { resource }: IDataObject): string {
	return resource === 'identity' && endpoint === 'POST /webhooks'
		? 'POST /webhooks/verify'
		: endpoint;
}

test('the first of several items fails, with Retry On Fail: the others are waited for once', async () => {
	service.sandbox.faults.set({
		endpoint: 'POST /templates/createDocumentByTemplateV2',
		times: 1,
		reset: 'after',
	});
	const before = service.sandbox.documents().length;
	const execution = await begin({
		...signing({ options: { parallelRequests: 1 } }),
		items,
		settings: retry,
		continueOnFail: true,
	});
	expect(execution.status).toBe('waiting');
	// The first one was created although its answer was lost.
	expect(service.sandbox.documents()).toHaveLength(before + 3);
	const [, ...waitedFor] = lastDocuments(3);
	for (const id of waitedFor) await sign(id);
	expect(execution.status).toBe('success');
	expect(execution.output).toMatchObject([
		{ json: { error: { mayHaveBeenCreated: true } } },
		{ json: { documentId: waitedFor[0], completed: true } },
		{ json: { documentId: waitedFor[1], completed: true } },
	]);
});

test('what was sent is named where n8n cannot put the execution to wait', async () => {
	const before = service.sandbox.documents().length;
	const execution = await begin({ ...signing(), continueOnFail: true, cannotWait: true });
	expect(service.sandbox.documents()).toHaveLength(before + 1);
	const [document] = lastDocuments(1);
	expect(execution.output).toMatchObject([
		{ json: { error: { message: expect.stringContaining(`document ${document}`) as string } } },
	]);
	await registrations(0);
});
