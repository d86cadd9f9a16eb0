import '../support/shortPauses';

import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { listOf, objectOf } from '../../nodes/SignVerify/util/values';
import { ProcessedStore } from '../n8n/processedStore';
import { runAction, type RunSetup } from '../support/contexts';
import { despite, v2 } from '../support/service';
import { signatureWait, useWaitingTest } from '../support/waiting';

const { service, begin, beginVerification, requested, call, lastDocument, lastIdentity, sign } =
	useWaitingTest();

const fateOf = ({ json }: INodeExecutionData) => (json.error ?? json) as IDataObject;
/** Each item's outcome, and whether it contains a note. */
const fatesOf = (items: INodeExecutionData[]) =>
	items.map((item) => [fateOf(item).outcome, typeof fateOf(item).note]);

/** The operations that send, with a call that creates something. */
const sending = [
	['a document', v2, 'POST /templates/createDocumentByTemplateV2'],
	[
		'a document in raw output',
		{ ...v2, options: { output: 'raw' } },
		'POST /templates/createDocumentByTemplateV2',
	],
	[
		'an identity request',
		{ resource: 'identity', operation: 'request', email: 'ada@example.com' },
		'POST /identity/validation/request',
	],
] as const;

describe.each<readonly [string, IDataObject, string]>(sending)('The outcome of %s', (...entry) => {
	const [, form, endpoint] = entry;
	const options = (form.options ?? {}) as IDataObject;
	const run = async (more: IDataObject = {}, setup: Partial<RunSetup> = {}, others = {}) =>
		await runAction(service.credential({ parallelRequests: 1 }), {
			parameters: { ...form, ...others, options: { ...options, ...more } },
			continueOnFail: true,
			...setup,
		});

	test('is sent, with the key of an item that has one', async () => {
		const [plain, keyed] = [...(await run()), ...(await run({ sendOnceKey: "={{ 'C-1' }}" }))];
		expect(plain?.json).toMatchObject({ outcome: 'sent' });
		expect(plain?.json).not.toHaveProperty('sendOnceKey');
		expect(plain?.json).not.toHaveProperty('note');
		expect(keyed?.json).toMatchObject({ outcome: 'sent', sendOnceKey: 'C-1' });
	});

	test.each<[string, IDataObject, IDataObject]>([
		['nothing', { inTestRuns: 'nothing' }, {}],
		['nothing', {}, { neverSend: true }],
		['test', { inTestRuns: 'me', testEmail: 'me@example.com' }, {}],
	])('is %s in a test with %j and the options %j', async (outcome, others, options) => {
		const output = await run(options, { mode: 'manual' }, others);
		expect(fatesOf(output)).toEqual([[outcome, 'string']]);
	});

	test('comes first, followed by the key and the people, and the input comes last', async () => {
		const store = new ProcessedStore();
		const key = { sendOnceKey: "={{ 'C-1' }}", includeInput: true };
		const setup = { store, items: [{ row: 1 }, { row: 2 }], mode: 'manual' as const };
		const items = [
			...(await run(key, setup)),
			...(await run(key, setup, { inTestRuns: 'realPeople' })),
		];
		expect(items.map(({ json }) => json.outcome)).toEqual([
			'nothing',
			'skipped',
			'sent',
			'skipped',
		]);
		const people = form === sending[2][1] ? ['email'] : ['signatories'];
		for (const { json } of items) {
			const names = Object.keys(json);
			const isRaw = options.output === 'raw' && json.outcome === 'sent';
			const first = ['outcome', 'sendOnceKey', ...(isRaw ? ['title'] : people)];
			expect(names.slice(0, first.length)).toEqual(first);
			const last = json.outcome === 'sent' ? ['input'] : ['note', 'input'];
			expect(names.slice(-last.length)).toEqual(last);
			for (const person of isRaw ? [] : listOf(json.signatories)) {
				expect(Object.keys(objectOf(person)).slice(0, 2)).toEqual(['email', 'name']);
			}
		}
	});

	test('is nothing with a note that names the warnings if there are any', async () => {
		const [warned] = await run({ ...despite, sendOnceKey: 'the same for all' }, { mode: 'manual' });
		expect(warned?.json.warnings).not.toEqual([]);
		expect(warned?.json.note).toBe(
			'Nothing was sent, because this is a test. Before you send it, check each value named in warnings.',
		);
		const [plain] = await run({}, { mode: 'manual' });
		expect(plain?.json.note).toBe('Nothing was sent, because this is a test.');
	});

	test('is skipped or check if the key was used, and the same for a repetition in the list', async () => {
		const store = new ProcessedStore();
		const twice = { store, items: [{}, {}] };
		const key = { sendOnceKey: "={{ 'C-1' }}" };
		expect(fatesOf(await run(key, twice))).toEqual([
			['sent', 'undefined'],
			['skipped', 'string'],
		]);
		expect(fatesOf(await run(key, { store }))).toEqual([['skipped', 'string']]);
		store.forgetAnswers();
		const again = await run(key, { store });
		expect(again[0]?.json).toMatchObject({ outcome: 'check', sendOnceKey: 'C-1' });
		expect(again[0]?.json.note).toMatch(/if it isn't, send it from that account\.$/);
	});

	test('is check if the response is lost, and its note depends on whether there is a key', async () => {
		const lose = () => service.sandbox.faults.set({ endpoint, times: 1, reset: 'after' });
		lose();
		const [plain] = await run();
		lose();
		const [keyed] = await run({ sendOnceKey: "={{ 'C-1' }}" });
		for (const item of [plain, keyed]) {
			expect(Object.keys(item?.json ?? {})).toEqual(['error']);
			expect(item?.json.error).toMatchObject({ outcome: 'check' });
		}
		expect((plain?.json.error as IDataObject).note).toMatch(/if it isn't, send it again\.$/);
		expect((keyed?.json.error as IDataObject).note).toMatch(
			/if it isn't, send it from that account\.$/,
		);
	});

	test("is failed for a wrong value and after a rejection, whose words aren't in the note", async () => {
		const wrong = { perItem: [form === sending[2][1] ? { email: 'x' } : { country: '' }] };
		const [invalid] = await run({}, wrong);
		const response = { status: 400, body: { success: false, message: 'Out of credits' } };
		service.sandbox.faults.set({ endpoint, times: 1, response });
		const [rejected] = await run();
		for (const item of [invalid, rejected]) {
			expect(Object.keys(item?.json ?? {})).toEqual(['error']);
			expect(item?.json.error).toMatchObject({ outcome: 'failed' });
		}
		expect((invalid?.json.error as IDataObject).note).toContain('check it');
		const { message, note } = rejected?.json.error as Record<string, string>;
		expect(message).toContain('Out of credits');
		expect(note).not.toContain('credits');
	});

	test('is failed for every item if the credential cannot be used', async () => {
		const credential = service.credential({ userId: '' });
		const items = await runAction(credential, {
			parameters: form,
			items: [{}, {}],
			continueOnFail: true,
		});
		expect(fatesOf(items)).toEqual([
			['failed', 'string'],
			['failed', 'string'],
		]);
	});
});

test('the operations that send nothing and wait for nothing have no outcome', async () => {
	const failing = { resource: 'identity', operation: 'get', validationId: 'nothing' };
	const [item] = await runAction(service.credential(), {
		parameters: failing,
		continueOnFail: true,
	});
	expect(item?.json.error).not.toHaveProperty('outcome');
	expect(item?.json.error).not.toHaveProperty('note');
});

describe.each(['simplified', 'raw'])(
	'The outcome of a wait for a document, with %s output',
	(output) => {
		const wait = (options: IDataObject = {}, form: IDataObject = {}) =>
			signatureWait({ ...form, options: { output, ...options } });

		test('is completed once everyone has signed, even in a test', async () => {
			const tester = { inTestRuns: 'me', testEmail: 'me@example.com' };
			for (const setup of [wait(), { ...wait({}, tester), mode: 'manual' as const }]) {
				const execution = await begin(setup);
				await sign();
				expect(fatesOf(execution.output)).toEqual([['completed', 'undefined']]);
				expect(execution.output[0]?.json.testRecipient).toBe(
					'mode' in setup ? 'me@example.com' : undefined,
				);
			}
		});

		test.each([
			['canceled', { isCanceled: true }],
			[
				'signed with an invalid signature',
				{
					status: 'PENDING',
					signatory: [{ emailID: 'ada@example.com', isSigned: 1, isInvalidSignature: true }],
				},
			],
		])('is ended if the document is %s', async (_what, fields) => {
			const execution = await begin(wait());
			const Document = { documentID: lastDocument(), ...fields };
			expect((await call({ type: 'completedDocument', Document }))[0]).toBe(200);
			expect(fatesOf(execution.output)).toEqual([['ended', 'string']]);
		});

		test('is timedOut from the start in what leaves at the limit', async () => {
			const execution = await begin(wait());
			expect(fatesOf(execution.output)).toEqual([['timedOut', 'string']]);
			expect(fatesOf(await execution.timeOut())).toEqual([['timedOut', 'string']]);
		});

		test('is that of sending if nothing is awaited', async () => {
			const key = { sendOnceKey: "={{ 'C-1' }}" };
			const store = new ProcessedStore();
			await begin({ ...wait(key), store });
			const again = await begin({ ...wait(key), store });
			expect(fatesOf(again.output)).toEqual([['skipped', 'string']]);
			store.forgetAnswers();
			expect(fatesOf((await begin({ ...wait(key), store })).output)).toEqual([['check', 'string']]);
			const never = await begin(wait({ neverSend: true }));
			expect(fatesOf(never.output)).toEqual([['nothing', 'string']]);
		});

		test('advises against sending a document again that was sent, but cannot be awaited', async () => {
			const execution = await begin({ ...wait(), cannotWait: true, continueOnFail: true });
			const { outcome, note } = fateOf(execution.output[0] ?? { json: {} });
			expect(outcome).toBe('check');
			expect(note).toContain("don't send it again");
		});
	},
);

describe('The outcome of a wait for a verification', () => {
	test.each([
		['completed', 'pass', 'undefined'],
		['ended', 'fail', 'string'],
	] as const)('is %s if the person completes it with the result "%s"', async (...row) => {
		const [outcome, result, note] = row;
		const execution = await beginVerification();
		await service.sandbox.completeIdentity(lastIdentity(), result);
		await service.sandbox.idle();
		expect(fatesOf(execution.output)).toEqual([[outcome, note]]);
	});

	test('is known at once if the verification was already over', async () => {
		const validationId = await requested();
		await service.sandbox.completeIdentity(validationId, 'pass');
		const parameters = { resource: 'identity', operation: 'sendAndWait', validationId };
		const execution = await begin({ parameters });
		expect(execution.status).toBe('success');
		expect(fatesOf(execution.output)).toEqual([['completed', 'undefined']]);
	});

	test('is timedOut from the start in what leaves at the limit', async () => {
		const execution = await beginVerification();
		expect(fatesOf(execution.output)).toEqual([['timedOut', 'string']]);
		expect(fatesOf(await execution.timeOut())).toEqual([['timedOut', 'string']]);
	});
});
