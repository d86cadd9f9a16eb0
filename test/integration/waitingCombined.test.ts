import { runAction } from '../support/contexts';
import { proving, signing, useWaitingTest, waitingFor } from '../support/waiting';

const { service, begin, lastDocuments, lastIdentity, sign, registrations, call } = useWaitingTest();

const registered = () => service.sandbox.webhooks().map(({ webHookUrl }) => webHookUrl);
const withLimit = { options: { limitWaitTime: { values: { amount: 2, unit: 'hours' } } } };

describe('a node that waits again in the same execution, as in a loop', () => {
	/** Waits for one document, then for the next one, while a fault is on. */
	async function twice(setup = signing()) {
		const execution = await begin(setup);
		await sign();
		expect(execution.status).toBe('success');
		await execution.again();
		expect(execution.status).toBe('waiting');
		return execution;
	}

	test.each([
		['slow', { delayMs: 300 }],
		['refused once', { times: 1, answer: { status: 500 } }],
		['refused for good', { answer: { status: 500 } }],
	])('keeps its registration where the removal of the first one is %s', async (_, fault) => {
		service.sandbox.faults.set({ endpoint: 'DELETE /webhooks', ...fault });
		const execution = await twice();
		await new Promise((resolve) => setTimeout(resolve, 800));
		await sign();
		expect(execution.status).toBe('success');
		expect(execution.output).toMatchObject([{ json: { documentId: lastDocuments(1)[0] } }]);
	});

	test('keeps its registration where the limit of the first wait has passed', async () => {
		const execution = await begin(signing(withLimit));
		execution.passLimit();
		await execution.timeOut();
		await execution.again(signing());
		await registrations(1);
		await sign();
		expect(execution.output).toMatchObject([{ json: { timedOut: false, completed: true } }]);
	});

	test('keeps its registration where n8n continues it at the limit of the first wait', async () => {
		const execution = await begin(signing(withLimit));
		await sign();
		await execution.again();
		await registrations(1);
		const before = registered();
		// Nothing is passed on, and an event finds the same registration at any moment.
		await execution.timeOut();
		expect(execution.status).toBe('waiting');
		expect(registered()).toEqual(before);
		await sign();
		expect(execution.output).toMatchObject([{ json: { timedOut: false, completed: true } }]);
	});

	test('is not ended by an event that comes to the address of the first wait', async () => {
		service.sandbox.faults.set({ endpoint: 'DELETE /webhooks', answer: { status: 500 } });
		const execution = await begin(signing());
		const [address = ''] = registered();
		await sign();
		await execution.again();
		const documentID = lastDocuments(1)[0];
		const event = { type: 'completedDocument', Document: { documentID } };
		expect(await call(event, address)).toEqual([200, 'This wait is over.']);
		expect(execution.status).toBe('waiting');
	});

	test('is told by a later run that the registration of the first wait is orphaned', async () => {
		service.sandbox.faults.set({ endpoint: 'DELETE /webhooks', answer: { status: 500 } });
		const execution = await twice();
		expect(registered()).toHaveLength(2);
		service.sandbox.faults.clear();
		await begin(signing());
		await registrations(2);
		expect(execution.status).toBe('waiting');
	});
});

describe('several items', () => {
	test('that name the same document are completed by its one event', async () => {
		await begin(signing());
		const [document = ''] = lastDocuments(1);
		const execution = await begin({ ...waitingFor(document), items: [{}, {}, {}] });
		await sign(document);
		expect(execution.status).toBe('success');
		expect(execution.output.map(({ json }) => json.completed)).toEqual([true, true, true]);
	});

	test('of which two name the same document wait for the third', async () => {
		await begin(signing());
		await begin(signing());
		const [first = '', second = ''] = lastDocuments(2);
		const perItem = [first, second, first].map((documentId) => ({ documentId }));
		const execution = await begin({ ...waitingFor(first), perItem, items: [{}, {}, {}] });
		await sign(first);
		expect(execution.status).toBe('waiting');
		await sign(second);
		expect(execution.output.map(({ json }) => json.documentId)).toEqual([first, second, first]);
		expect(execution.output.map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 1 },
			{ item: 2 },
		]);
	});
});

test('an event that another process lost is accepted when it comes again a minute later', async () => {
	const execution = await begin({ ...signing(), items: [{}, {}] });
	const [first = '', second = ''] = lastDocuments(2);
	const storeOlder = execution.readByAnotherProcess();
	const body = { type: 'completedDocument', Document: { documentID: first } };
	expect(await call(body)).toEqual([200, 'Workflow was started']);
	storeOlder();
	expect(await call(body)).toEqual([503, 'Another event is being processed. Send it again later.']);
	const now = Date.now();
	const clock = jest.spyOn(Date, 'now').mockImplementation(() => now + 60_000);
	expect(await call(body)).toEqual([200, 'Workflow was started']);
	clock.mockRestore();
	await sign(second);
	expect(execution.status).toBe('success');
	expect(execution.output.map(({ json }) => json.completed)).toEqual([true, true]);
});

test('two items without an ID for the same person are completed by an event each', async () => {
	const quirks = { ...service.sandbox.settings.get().quirks, createAnswersOnlySuccess: true };
	service.sandbox.settings.set({ quirks });
	const execution = await begin({ ...signing(), items: [{}, {}] });
	service.sandbox.settings.reset();
	const [first = '', second = ''] = lastDocuments(2);
	await sign(second);
	await service.sandbox.fire('completedDocument', second);
	await service.sandbox.idle();
	expect(execution.status).toBe('waiting');
	await sign(first);
	expect(execution.status).toBe('success');
	expect(execution.output.map(({ json }) => json.documentId).sort()).toEqual(
		[first, second].sort(),
	);
});

test.each(['It is {{ done }}', 'a }} b', '{{', 'He said "{{ hi }}" {it\'s} }}', '`${x}`'])(
	'a node called %s is told of its event',
	async (name) => {
		const execution = await begin({ ...signing(), settings: { name } });
		await sign();
		expect([execution.status, execution.logged]).toEqual(['success', []]);
	},
);

describe('the address of a waiting execution', () => {
	test('is listed without what ends the wait', async () => {
		await begin(signing());
		const wait = new URL(registered()[0] ?? '').searchParams.get('wait') ?? '';
		expect(wait.length).toBeGreaterThan(20);
		const setup = { parameters: { resource: 'webhook', operation: 'getAll' } };
		const listed = JSON.stringify(await runAction(service.credential(), setup));
		expect(listed).toContain('webhook-waiting');
		expect(listed).not.toContain(wait);
		expect(listed).not.toContain('a-signature-of-n8n');
	});

	test('does not open with what n8n signs for others', async () => {
		const execution = await begin(signing());
		const event = { type: 'completedDocument', Document: { documentID: lastDocuments(1)[0] } };
		const bare = `${execution.address}?signature=of-the-execution`;
		expect(await call(event, bare)).toEqual([401, 'The secret in the URL is missing or wrong.']);
		expect(await call(event, `${bare}&wait=guessed`)).toEqual([200, 'This wait is over.']);
		expect(execution.status).toBe('waiting');
	});

	test('says which event it is for, where the body does not', async () => {
		const execution = await begin(proving());
		const validationId = lastIdentity();
		const url = registered()[0];
		await service.sandbox.completeIdentity(validationId, 'pass');
		await call({ type: 'FACE', data: { validationId } }, url);
		expect(execution.status).toBe('success');
	});
});

test('Always Output Data adds no item when the limit is over', async () => {
	const execution = await begin({ ...signing(withLimit), settings: { alwaysOutputData: true } });
	execution.passLimit();
	expect(await execution.timeOut()).toMatchObject([{ json: { timedOut: true } }]);
	expect(execution.output).toHaveLength(1);
});
