import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../../nodes/SignVerify/errors/inputError';
import { valueProblems } from '../../nodes/SignVerify/text/textProblems';
import { sendDocument } from '../../nodes/SignVerify/operations/document/send';
import { DocumentToSend } from '../../nodes/SignVerify/operations/document/documentToSend';
import { keyProblems } from '../../nodes/SignVerify/operations/sendingProblems';
import { columnProblems } from '../../nodes/SignVerify/columns/columnProblems';
import { action, executeContext, runAction } from '../support/contexts';
import { withDocsLink } from '../support/errors';
import { newProcess } from '../support/newProcess';
import {
	byId,
	creationsAt,
	despite,
	failureOf,
	useService,
	v1Setup,
	v2 as parameters,
} from '../support/service';
import { ProcessedStore } from '../n8n/processedStore';

const service = useService();
const endpoint = 'POST /templates/createDocumentByTemplateV2';

/** n8n's key store. Each test starts with an empty one. */
let store: ProcessedStore;
beforeEach(() => (store = new ProcessedStore()));

/** Runs the node once, with one item for each of these keys. */
async function run(keys: unknown[], more = {}) {
	return await runAction(service.credential(), {
		parameters,
		store,
		items: keys.map(() => ({})),
		perItem: keys.map((sendOnceKey) => ({ options: { sendOnceKey } })),
		...more,
	});
}

const noKey = `Send Once Key: ${keyProblems.noValue.problem}`;
const tooManyDigits = valueProblems.tooManyDigits.problem;
const creations = () => creationsAt(service);

describe('Send Once Key', () => {
	test('skips already sent items when a list is run again', async () => {
		const keys = Array.from({ length: 40 }, (_, index) => `contract-${index}`);
		const sent = await run(keys);
		expect(sent.every(({ json }) => json.documentId)).toBe(true);
		expect(creations()).toHaveLength(40);

		const again = await run([...keys, 'contract-40']);
		expect(creations()).toHaveLength(41);
		expect(again.slice(0, 40).map(({ json }) => json)).toEqual(
			keys.map((sendOnceKey) => ({
				outcome: 'skipped',
				sendOnceKey,
				title: 'Employment contract',
				signatories: [{ name: 'Ada Lovelace', email: 'ada@example.com' }],
				note: `"${sendOnceKey}" has already been sent, so you have nothing to do. If this is another one, send it from your provider's account.`,
			})),
		);
		expect(again[40]?.json.documentId).toBeTruthy();
	});

	const form = { ...parameters, options: { sendOnceKey: "={{ 'k' }}" } };
	const identity = { resource: 'identity', email: 'ada@example.com', options: form.options };

	test.each<[string, boolean, IDataObject, { id?: string; host?: string }]>([
		[
			'skips a sent item even if the node was deleted and added again',
			true,
			form,
			{ id: 'another' },
		],
		[
			'skips a sent item even if the operation is now sendAndWait',
			true,
			{ ...form, operation: 'sendAndWait' },
			{},
		],
		['lets an item be sent again from a different account', false, form, { host: 'localhost' }],
		[
			'lets an item be sent again as an identity request',
			false,
			{ ...identity, operation: 'request' },
			{},
		],
	])('%s', async (_name, skipped, changed, { id, host = '127.0.0.1' }) => {
		await runAction(service.credential(), { parameters: form, store });
		const baseUrl = service.sandbox.baseUrl.replace('127.0.0.1', host);
		const keeper = service.credential({ baseUrl });
		const hints: Array<{ message: string }> = [];
		const settings = id ? { id } : {};
		const [item] = await runAction(keeper, { parameters: changed, store, hints, settings });
		expect(item?.json.outcome).toBe(skipped ? 'skipped' : 'sent');
		expect(hints.some(({ message }) => message.startsWith('Some items were skipped'))).toBe(
			skipped,
		);
	});

	test('lets an item be sent again with a different template', async () => {
		await run(['k']);
		const older = { ...v1Setup(service).parameters, options: form.options };
		const [item] = await runAction(service.credential(), { parameters: older, store });
		expect(item?.json.documentId).toBeTruthy();
	});

	test('is freed after an error if nothing can have been created', async () => {
		const response = { status: 400, body: { success: false, message: 'no' } };
		service.sandbox.faults.set({ endpoint, times: 1, response });
		await failureOf(run(['k']));
		expect(store.size).toBe(0);
		expect((await run(['k']))[0]?.json.documentId).toBeTruthy();
	});

	test('is kept if the document may have been created, which both the current and the next execution report', async () => {
		const hints: Array<{ message: string }> = [];
		service.sandbox.faults.set({ endpoint, times: 1, reset: 'after' });
		const error = await failureOf(run(['k']));
		expect(error.description).toBe(
			withDocsLink(
				`Check your provider's account for the document. If it's there, don't run this item again. If it isn't, give the item a different Send Once Key, because "k" counts as used, and run the item again.`,
				'may-have-been-created',
			),
		);
		expect((await run(['k'], { hints }))[0]?.json).toMatchObject({
			outcome: 'check',
			sendOnceKey: 'k',
			note: `"k" may have been sent already, to the same people or to others, so look for the document in your provider's account: if it's there for the same people, don't send it again, and if it isn't, send it from that account.`,
		});
		expect(hints.map(({ message }) => message)).toEqual([
			expect.stringContaining('may have used their Send Once Keys'),
		]);
		expect(creations()).toHaveLength(1);
	});

	test.each([
		[
			'is kept if the node itself fails while sending',
			() => jest.spyOn(DocumentToSend.prototype, 'send'),
			1,
		],
		[
			'is freed if the node itself fails before sending',
			() => jest.spyOn(sendDocument, 'prepare'),
			0,
		],
	] as const)('%s', async (_name, spyOnStep, kept) => {
		for (const failure of [
			new RangeError('stack overflow'),
			new InputError('Email', valueProblems.invisibleCharacter),
		]) {
			store = new ProcessedStore();
			const failing = spyOnStep() as jest.SpyInstance;
			failing.mockRejectedValueOnce(failure);
			const error = await failureOf(run(['k']));
			failing.mockRestore();
			expect(store.size).toBe(kept);
			expect(error.message).toBe(
				kept
					? `The node itself failed (${failure.message}), so the document may have been created`
					: failure.message,
			);
		}
	});

	// docs/send-a-list.md describes these rules.
	test('ignores extra and unusual spaces, but not missing spaces or differences in case', async () => {
		const same = ['C 1', ' C  1 ', 'C\u00a01', 'C\u200b 1'];
		const outputs = await run([...same, 'C1', 'c 1']);
		expect(outputs.map(({ json }) => json.outcome === 'skipped')).toEqual([
			false,
			true,
			true,
			true,
			false,
			false,
		]);
		expect(creations()).toHaveLength(3);
	});

	test('is reported as still stored, along with the rejection, if it cannot be freed', async () => {
		const response = { status: 422, body: { success: false, message: 'no' } };
		service.sandbox.faults.set({ endpoint, times: 1, response });
		const setup = { parameters: form, store };
		const context = executeContext(service.credential(), setup);
		Object.assign(context.helpers, {
			clearAllProcessedItems: async () => await Promise.reject(new Error('database is locked')),
		});
		const error = await failureOf(action.execute.call(context));
		expect(error.message).toBe('The service rejected the request (HTTP 422: "no")');
		expect(error.description).toContain(
			'The Send Once Key "k" is stored, so later executions skip this item. Give it a different key before you run it again.',
		);
	});

	test('treats keys with the same Unicode normal form as the same key', async () => {
		await run(['Caf\u00e9 1']);
		const again = await run(['Cafe\u0301\u00a0\u200b1', 'Caf\u00e9 1']);
		expect(again.map(({ json }) => json.outcome)).toEqual(['skipped', 'skipped']);
		expect(creations()).toHaveLength(1);
	});

	test('skips a sent item even if the template is now selected by its other ID', async () => {
		await run(['k']);
		const [item] = await runAction(service.credential(), {
			parameters: {
				resource: 'template',
				operation: 'get',
				output: 'raw',
				templateId: parameters.templateId,
			},
		});
		const templateId = byId(String(item?.json._id));
		expect(templateId.value).not.toBe(parameters.templateId.value);
		const again = await run(['k'], { parameters: { ...parameters, templateId } });
		expect(again[0]?.json.outcome).toBe('skipped');
		expect(creations()).toHaveLength(1);
	});

	test.each([
		['the template no longer exists in the account', 200],
		['the list of templates cannot be loaded', 400],
	])('skips a sent item but rejects a new one if %s', async (_, status) => {
		await run(['k']);
		newProcess();
		const body = { success: status === 200, responseData: [] };
		for (const endpoint of ['GET /templates/v2', 'GET /templates']) {
			service.sandbox.faults.set({ endpoint, response: { status, body } });
		}
		expect((await run(['k']))[0]?.json.outcome).toBe('skipped');
		await failureOf(run(['k', 'new']));
		expect(store.size).toBe(2);
		expect(creations()).toHaveLength(1);
	});

	test('marks a skipped item as possibly created if an earlier execution crashed while sending it', async () => {
		await run(['k']);
		store.forgetAnswers();
		const unknown = { json: { outcome: 'check' } };
		const again = [await run(['k']), await run(['k'])];
		expect(again).toMatchObject([[unknown], [unknown]]);
	});

	test('writes to the database three times for each key, however many keys there are', async () => {
		await run(Array.from({ length: 100 }, (_, index) => `k${index}`));
		expect(store.writes).toBe(300);
	});

	test('is rejected if n8n cannot store keys, and nothing is sent', async () => {
		const context = executeContext(service.credential(), {
			parameters: { ...parameters, options: { sendOnceKey: "={{ 'k' }}" } },
		});
		Object.assign(context, { node: undefined });
		const error = await failureOf(action.execute.call(context));
		expect(error.message).toBe(`Send Once Key: ${keyProblems.notStorable.problem}`);
		expect(creations()).toHaveLength(0);
	});

	test.each([[null], [''], [undefined]])(
		'rejects an item if its expression returns %j, rather than sending it without a key',
		async (key) => {
			const options = { sendOnceKey: '={{ $json.contractNumber }}' };
			const error = await failureOf(run([key], { parameters: { ...parameters, options } }));
			expect(error.message).toBe(
				`${noKey}, because ${columnProblems.missing('contractNumber', 'none').problem}`,
			);
			expect(creations()).toHaveLength(0);
		},
	);

	test('accepts numbers, including 0', async () => {
		await run([0, 17]);
		expect((await run([0, '17'])).map(({ json }) => json.outcome)).toEqual(['skipped', 'skipped']);
	});

	test('refuses the option without a key, and warns of a key that is the same for all items', async () => {
		const withKey = (sendOnceKey: string) => ({
			parameters: { ...parameters, options: { ...despite, sendOnceKey } },
			store,
		});
		const error = await failureOf(runAction(service.credential(), withKey('')));
		expect(error.message).toBe(`Send Once Key: ${valueProblems.empty.problem}`);
		expect(creations()).toHaveLength(0);
		const [sent] = await runAction(service.credential(), withKey('C-1042'));
		expect(sent?.json.warnings).toEqual([
			expect.stringContaining(`Send Once Key: ${keyProblems.sameForAll.problem}`),
		]);
		const [skipped] = await runAction(service.credential(), withKey('C-1042'));
		expect(skipped?.json).toMatchObject({ outcome: 'skipped' });
		expect((await run(['C-1043']))[0]?.json.warnings).toEqual([]);
	});

	test.each([
		['a list', ['a'], noKey],
		['the value true', true, noKey],
		['a number beyond 2^53', 2 ** 53, `Send Once Key: ${tooManyDigits}`],
	])('rejects %s before anything is sent', async (_name, key, message) => {
		expect((await failureOf(run([key]))).message).toBe(message);
		expect(creations()).toHaveLength(0);
	});

	describe('in a list', () => {
		const keys = Array.from({ length: 60 }, (_, index) => `C-${index + 1}`);
		const oneByOne = () => service.credential({ parallelRequests: 1 });
		const list = async (more = {}) => {
			const setup = {
				parameters,
				store,
				items: keys.map(() => ({})),
				perItem: keys.map((sendOnceKey) => ({ options: { sendOnceKey } })),
				...more,
			};
			return await runAction(oneByOne(), setup);
		};

		test('lets the node send the other items after a lost response, but nothing twice when the list is run again', async () => {
			service.sandbox.faults.set({ endpoint, times: 2, reset: 'after' });
			const error = await failureOf(list());
			expect(error.message).toMatch(
				/so the document may have been created \[C-1, Ada Lovelace \(item 1\)\]$/,
			);
			expect(String(error.description).split('\n')).toEqual([
				expect.stringContaining(
					'may have been sent: C-1, Ada Lovelace (item 1), C-2, Ada Lovelace (item 2).',
				),
				expect.stringContaining('the whole list again'),
				expect.stringMatching(/^58 of 60 .*: items 3 to 60\. More: /),
			]);
			expect(creations()).toHaveLength(60);
			const again = await list();
			expect(again.map(({ json }) => json.outcome)).toEqual(
				keys.map((_, index) => (index < 2 ? 'check' : 'skipped')),
			);
			expect(creations()).toHaveLength(60);
		});

		test('lets the node continue until the third lost response, when the service is probably down', async () => {
			service.sandbox.faults.set({ endpoint, reset: 'after' });
			const error = await failureOf(list());
			expect(String(error.description).split('\n')).toEqual([
				expect.stringContaining(
					': C-1, Ada Lovelace (item 1), C-2, Ada Lovelace (item 2), C-3, Ada Lovelace (item 3).',
				),
				expect.stringContaining('the whole list again'),
				expect.stringMatching(/^57 of 60 /),
			]);
			service.sandbox.faults.clear();
			await list();
			expect(creations()).toHaveLength(60);
		});

		test('must be set, or the node stops after the first lost response', async () => {
			service.sandbox.faults.set({ endpoint, times: 1, reset: 'after' });
			const error = await failureOf(list({ perItem: [] }));
			expect(error.description).toContain('\n59 of 60 ');
			expect(error.description).not.toContain('the whole list again');
			expect(creations()).toHaveLength(1);
		});

		test('must be set, or the error lists what may have been sent and what was sent', async () => {
			service.sandbox.faults.set({ endpoint, times: 2, delayMs: 1000, reset: 'after' });
			const three = { parameters, items: [{}, {}, {}] };
			const error = await failureOf(runAction(service.credential(), three));
			expect(error.message).toMatch(/so the document may have been created \[item 1\]$/);
			expect(String(error.description).split('\n')).toEqual([
				expect.stringContaining('may have been sent: items 1 and 2.'),
				expect.stringMatching(/^1 of 3 .*: item 3\.$/),
				expect.stringMatching(
					/^Created: document \w+ \(item 3\)\. More: \S+#may-have-been-created$/,
				),
			]);
			expect(creations()).toHaveLength(3);
		});

		test('does not keep the node from stopping after a rejection, which the error explains first', async () => {
			const response = { status: 422, body: { success: false, message: 'no' } };
			service.sandbox.faults.set({ endpoint, times: 1, response });
			const error = await failureOf(list());
			expect(error.description).toMatch(
				/^The document wasn't created\. .*\n.* the whole list again\. .*\n59 of 60 .* More: /,
			);
			await list();
			expect(creations().length).toBe(61);
		});
	});
});
