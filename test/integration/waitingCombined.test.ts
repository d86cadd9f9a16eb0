import { runAction } from '../support/contexts';
import { proving, signing, useWaitingTest } from '../support/waiting';

const { service, begin, lastDocuments, lastIdentity, sign, call } = useWaitingTest();

const registered = () => service.sandbox.webhooks().map(({ webHookUrl }) => webHookUrl);

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

	test('is not ended by an event that comes to the address of the first wait', async () => {
		service.sandbox.faults.set({ endpoint: 'DELETE /webhooks', answer: { status: 500 } });
		const execution = await begin(signing());
		const [address = ''] = registered();
		await sign();
		await execution.again();
		const documentID = lastDocuments(1)[0];
		const event = { type: 'completedDocument', Document: { documentID, status: 'COMPLETED' } };
		expect(await call(event, address)).toEqual([200, 'This wait is over.']);
		expect(execution.status).toBe('waiting');
	});
});

describe('a node that two branches reach', () => {
	test('asks both people, one after the other', async () => {
		const sent = service.sandbox.documents().length;
		const execution = await begin({ ...signing(), branches: 2 });
		for (const count of [1, 2]) {
			expect(execution.status).toBe('waiting');
			expect(service.sandbox.documents()).toHaveLength(sent + count);
			await sign();
		}
		expect([execution.status, execution.runs]).toEqual(['success', 2]);
		expect(execution.output).toMatchObject([{ json: { documentId: lastDocuments(1)[0] } }]);
	});

	test('asks the second one also if the limit ends the first wait', async () => {
		const execution = await begin({ ...proving(), branches: 2 });
		const first = lastIdentity();
		await execution.timeOut();
		expect(execution.status).toBe('waiting');
		expect(lastIdentity()).not.toBe(first);
		await service.sandbox.completeIdentity(lastIdentity(), 'pass');
		await service.sandbox.idle();
		expect(execution.output).toMatchObject([{ json: { validationId: lastIdentity() } }]);
	});
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
		const token = new URL(registered()[0] ?? '').searchParams.get('secret') ?? '';
		expect(token.length).toBeGreaterThan(20);
		const setup = { parameters: { resource: 'webhook', operation: 'getAll' } };
		const listed = JSON.stringify(await runAction(service.credential(), setup));
		expect(listed).toContain('webhook-waiting');
		expect(listed).not.toContain(token);
		expect(listed).not.toContain('a-signature-of-n8n');
	});

	test('does not open with what n8n signs for others', async () => {
		const execution = await begin(signing());
		const event = {
			type: 'completedDocument',
			Document: { documentID: lastDocuments(1)[0], status: 'COMPLETED' },
		};
		const bare = `${execution.address}?signature=of-the-execution`;
		expect(await call(event, bare)).toEqual([401, 'The secret in the URL is missing or wrong.']);
		expect(await call(event, `${bare}&secret=guessed`)).toEqual([200, 'This wait is over.']);
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
