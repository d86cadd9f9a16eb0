import type { IDataObject } from 'n8n-workflow';

import { createFromTemplate } from '../../nodes/SignVerify/operations/document/createFromTemplate';
import { DocumentToSend } from '../../nodes/SignVerify/operations/document/documentToSend';
import { action, executeContext, runAction } from '../support/contexts';
import { newProcess } from '../support/newProcess';
import {
	byId,
	creationsAt,
	failureOf,
	useService,
	v1Setup,
	v2 as parameters,
} from '../support/service';
import { ProcessedStore } from '../n8n/processedStore';

const service = useService();
const endpoint = 'POST /templates/createDocumentByTemplateV2';

/** n8n's, of the test. */
let store: ProcessedStore;
beforeEach(() => (store = new ProcessedStore()));

/** A run in which each item has a key. */
async function run(keys: unknown[], more = {}) {
	return await runAction(service.credential(), {
		parameters,
		store,
		items: keys.map(() => ({})),
		perItem: keys.map((sendOnceKey) => ({ options: { sendOnceKey } })),
		...more,
	});
}

const noKey = 'Send Once Key: the expression returns no text or number for this item';
const tooManyDigits = 'the number has too many digits to be exact';
const creations = () => creationsAt(service);

describe('Send Once Key', () => {
	test('a run again sends nothing twice, and says so', async () => {
		const keys = Array.from({ length: 40 }, (_, index) => `contract-${index}`);
		const sent = await run(keys);
		expect(sent.every(({ json }) => json.documentId)).toBe(true);
		expect(creations()).toHaveLength(40);

		const again = await run([...keys, 'contract-40']);
		expect(creations()).toHaveLength(41);
		expect(again.slice(0, 40).map(({ json }) => json)).toEqual(
			keys.map((sendOnceKey) => ({
				skipped: true,
				sendOnceKey,
				reason: 'This key was already sent',
			})),
		);
		expect(again[40]?.json.documentId).toBeTruthy();
	});

	const form = { ...parameters, options: { sendOnceKey: 'k' } };
	const identity = { resource: 'identity', email: 'ada@example.com', options: form.options };

	test.each<[string, boolean, IDataObject, { id?: string; host?: string }]>([
		['is skipped by a node that was added again', true, form, { id: 'another' }],
		['is skipped by a node that now waits', true, { ...form, operation: 'sendAndWait' }, {}],
		['is another one for another account', false, form, { host: 'localhost' }],
		['is another one for an identity', false, { ...identity, operation: 'request' }, {}],
	])('a key that was sent %s', async (_name, skipped, changed, { id, host = '127.0.0.1' }) => {
		await runAction(service.credential(), { parameters: form, store });
		const baseUrl = service.sandbox.baseUrl.replace('127.0.0.1', host);
		const keeper = service.credential({ baseUrl });
		const hints: Array<{ message: string }> = [];
		const settings = id ? { id } : {};
		const [item] = await runAction(keeper, { parameters: changed, store, hints, settings });
		expect(item?.json.skipped ?? false).toBe(skipped);
		expect(hints.some(({ message }) => message.startsWith('Skipped every item'))).toBe(skipped);
	});

	test('is another one for another template', async () => {
		await run(['k']);
		const older = { ...v1Setup(service).parameters, options: form.options };
		const [item] = await runAction(service.credential(), { parameters: older, store });
		expect(item?.json.documentId).toBeTruthy();
	});

	test('a certain failure frees the key', async () => {
		const answer = { status: 400, body: { success: false, message: 'no' } };
		service.sandbox.faults.set({ endpoint, times: 1, answer });
		await failureOf(run(['k']));
		expect(store.size).toBe(0);
		expect((await run(['k']))[0]?.json.documentId).toBeTruthy();
	});

	test('an unknown fate keeps the key, and says so now and later', async () => {
		const hints: Array<{ message: string }> = [];
		service.sandbox.faults.set({ endpoint, times: 1, reset: 'after' });
		const error = await failureOf(run(['k']));
		expect(error.description).toContain(
			'The Send Once Key "k" is stored, so another run skips this item.',
		);
		expect((await run(['k'], { hints }))[0]?.json).toMatchObject({
			skipped: true,
			sendOnceKey: 'k',
			mayHaveBeenCreated: true,
		});
		expect(hints.map(({ message }) => message)).toEqual([expect.stringContaining('may have sent')]);
		expect(creations()).toHaveLength(1);
	});

	test.each([
		[
			'when sending began, it may have been sent',
			() => jest.spyOn(DocumentToSend.prototype, 'send'),
			1,
		],
		['before that, it was not', () => jest.spyOn(createFromTemplate, 'prepare'), 0],
	] as const)('if the node itself fails %s', async (_name, spyOnStep, kept) => {
		const failing = spyOnStep() as jest.SpyInstance;
		failing.mockRejectedValueOnce(new RangeError('stack overflow'));
		const error = await failureOf(run(['k']));
		failing.mockRestore();
		expect(store.size).toBe(kept);
		expect(error.message).toBe(
			kept
				? 'The node itself failed (stack overflow), so the document may have been created'
				: 'stack overflow',
		);
	});

	// As docs/send-to-many.md says.
	test('more or other spaces make no other key, but a space between and another case do', async () => {
		const same = ['C 1', ' C  1 ', 'C\u00a01', 'C\u200b 1'];
		const outputs = await run([...same, 'C1', 'c 1']);
		expect(outputs.map(({ json }) => json.skipped === true)).toEqual([
			...[false, true, true, true],
			...[false, false],
		]);
		expect(creations()).toHaveLength(3);
	});

	test('a key that cannot be freed hides no refusal, and is said to be kept', async () => {
		const answer = { status: 422, body: { success: false, message: 'no' } };
		service.sandbox.faults.set({ endpoint, times: 1, answer });
		const setup = { parameters: form, store };
		const context = executeContext(service.credential(), setup);
		Object.assign(context.helpers, {
			clearAllProcessedItems: async () => await Promise.reject(new Error('database is locked')),
		});
		const error = await failureOf(action.execute.call(context));
		expect(error.message).toBe('The service rejected the request (HTTP 422: no)');
		expect(error.description).toContain(
			'The Send Once Key "k" is stored, so another run skips this item.',
		);
	});

	test('a key in its normal form is one key', async () => {
		await run(['Caf\u00e9 1']);
		const again = await run(['Cafe\u0301\u00a0\u200b1', 'Caf\u00e9 1']);
		expect(again.map(({ json }) => json.skipped)).toEqual([true, true]);
		expect(creations()).toHaveLength(1);
	});

	test('a template that is chosen by its other ID is no other document', async () => {
		await run(['k']);
		const [item] = await runAction(service.credential(), {
			parameters: {
				...{ resource: 'template', operation: 'get', output: 'raw' },
				templateId: parameters.templateId,
			},
		});
		const templateId = byId(String(item?.json._id));
		expect(templateId.value).not.toBe(parameters.templateId.value);
		const again = await run(['k'], { parameters: { ...parameters, templateId } });
		expect(again[0]?.json.skipped).toBe(true);
		expect(creations()).toHaveLength(1);
	});

	test.each([
		['that the account no longer has', 200],
		['whose list cannot be loaded', 400],
	])(
		'a key that was sent with a template %s is skipped, and a new one is refused',
		async (_, status) => {
			await run(['k']);
			newProcess();
			const body = { success: status === 200, responseData: [] };
			for (const endpoint of ['GET /templates/v2', 'GET /templates']) {
				service.sandbox.faults.set({ endpoint, answer: { status, body } });
			}
			expect((await run(['k']))[0]?.json.skipped).toBe(true);
			await failureOf(run(['k', 'new']));
			expect(store.size).toBe(1);
			expect(creations()).toHaveLength(1);
		},
	);

	test('a run that died while sending leaves the key unknown, not sent', async () => {
		await run(['k']);
		store.forgetAnswers();
		const unknown = { json: { skipped: true, mayHaveBeenCreated: true } };
		const again = [await run(['k']), await run(['k'])];
		expect(again).toMatchObject([[unknown], [unknown]]);
	});

	test('a key costs two writes, however many there are', async () => {
		await run(Array.from({ length: 100 }, (_, index) => `k${index}`));
		expect(store.writes).toBe(200);
	});

	test('an n8n that cannot keep keys sends nothing', async () => {
		const context = executeContext(service.credential(), {
			parameters: { ...parameters, options: { sendOnceKey: 'k' } },
		});
		Object.assign(context, { node: undefined });
		const error = await failureOf(action.execute.call(context));
		expect(error.message).toBe("Send Once Key: this version of n8n can't store it");
		expect(creations()).toHaveLength(0);
	});

	test.each([[null], [''], [undefined]])(
		'an expression that gives %j for an item does not send it unprotected',
		async (key) => {
			const options = { sendOnceKey: '={{ $json.contractNumber }}' };
			const error = await failureOf(run([key], { parameters: { ...parameters, options } }));
			expect(error.message).toBe(noKey);
			expect(creations()).toHaveLength(0);
		},
	);

	test('a number is a key', async () => {
		await run([0, 17]);
		expect((await run([0, '17'])).every(({ json }) => json.skipped)).toBe(true);
	});

	test('an option left empty is no key', async () => {
		const options = { sendOnceKey: '' };
		await run([''], { parameters: { ...parameters, options } });
		expect(creations()).toHaveLength(1);
	});

	test.each([
		['a list', ['a'], noKey],
		['true', true, noKey],
		['a number beyond 2^53', 2 ** 53, `Send Once Key: ${tooManyDigits}`],
	])('%s is refused before anything is sent', async (_name, key, message) => {
		expect((await failureOf(run([key]))).message).toBe(message);
		expect(creations()).toHaveLength(0);
	});

	describe('an answer that is lost in a list', () => {
		const keys = Array.from({ length: 60 }, (_, index) => `C-${index + 1}`);
		const oneByOne = () => service.credential({ parallelRequests: 1 });
		const list = async (more = {}) => {
			const setup = {
				...{ parameters, store, items: keys.map(() => ({})) },
				perItem: keys.map((sendOnceKey) => ({ options: { sendOnceKey } })),
				...more,
			};
			return await runAction(oneByOne(), setup);
		};

		test('does not stop the rest, and the list is run again until nobody is missing', async () => {
			service.sandbox.faults.set({ endpoint, times: 2, reset: 'after' });
			const error = await failureOf(list());
			expect(error.message).toMatch(/so the document may have been created \[item 1\]$/);
			expect(String(error.description).split('\n').slice(1)).toEqual([
				'Run the whole list again. Items that were sent are skipped.',
				"Check only these in your provider's account, because they may have been sent: C-1 (item 1), C-2 (item 2). They are skipped as well. To send one that isn't there, give it another Send Once Key.",
				expect.stringMatching(/^Sent in this run \(58\): items 3 to 60\. More: /),
			]);
			expect(creations()).toHaveLength(60);
			const again = await list();
			expect(again.map(({ json }) => json.mayHaveBeenCreated === true)).toEqual(
				keys.map((_, index) => index < 2),
			);
			expect(again.every(({ json }) => json.skipped)).toBe(true);
			expect(creations()).toHaveLength(60);
		});

		test('stops the rest if it is the third, because the service is down then', async () => {
			service.sandbox.faults.set({ endpoint, reset: 'after' });
			const error = await failureOf(list());
			expect(error.description).toContain(
				': C-1 (item 1), C-2 (item 2), C-3 (item 3). They are skipped as well.',
			);
			expect(error.description).toContain(
				'another Send Once Key.\n57 of 60 items were not started.',
			);
			service.sandbox.faults.clear();
			await list();
			expect(creations()).toHaveLength(60);
		});

		test('stops the rest where the items have no keys', async () => {
			service.sandbox.faults.set({ endpoint, times: 1, reset: 'after' });
			const error = await failureOf(list({ perItem: [] }));
			expect(error.description).toContain('59 of 60 items were not started.');
			expect(error.description).not.toContain('Run the whole list again');
			expect(creations()).toHaveLength(1);
		});

		test('a refusal stops the rest, and says so of the item first', async () => {
			const answer = { status: 422, body: { success: false, message: 'no' } };
			service.sandbox.faults.set({ endpoint, times: 1, answer });
			const error = await failureOf(list());
			expect(error.description).toMatch(
				/^Correct what the message names, and run the node again\. The document was not created\.\nRun the whole list again. Items that were sent are skipped\.\n59 of 60 items were not started\. More: /,
			);
			await list();
			expect(creations().length).toBe(61);
		});
	});
});
