import '../support/shortPauses';

import type { IBinaryKeyData, IDataObject, INodeExecutionData } from 'n8n-workflow';

import { DocumentToSend } from '../../nodes/SignVerify/operations/document/documentToSend';
import { valueProblems } from '../../nodes/SignVerify/text/textProblems';
import { ProcessedStore } from '../n8n/processedStore';
import { runAction, type RunSetup } from '../support/contexts';
import { failureOf, v2 } from '../support/service';
import { until } from '../support/until';
import { verificationWait, signatureWait, useWaitingTest } from '../support/waiting';

const {
	service,
	host,
	begin,
	beginVerification,
	requested,
	call,
	lastDocument,
	lastIdentity,
	sign,
} = useWaitingTest();
const sent = () => service.sandbox.documents().length + service.sandbox.identityRequests().length;

/**
 * An item from an untrusted source. n8n gives an item's `error` a special meaning, and `__proto__` and
 * `constructor` could change an object.
 */
const item = () =>
	JSON.parse(
		'{"reference":"C-7","error":"none","documentId":"own","__proto__":{"isAdmin":true},"constructor":1}',
	) as IDataObject;
const included = { includeInput: true };
const request = { resource: 'identity', operation: 'request', email: 'ada@example.com' };
const run = async (setup: RunSetup) =>
	await runAction(service.credential(), { items: [item()], ...setup });

/** Expects `input` to contain all of the item's fields and the rest of the output to contain none of them. */
function expectInput(json: IDataObject | undefined): void {
	expect(JSON.stringify(json?.input)).toBe(JSON.stringify(item()));
	expect(Object.keys(json ?? {})).not.toContain('error');
	expect(json).not.toHaveProperty('reference');
	expect(json?.documentId).not.toBe('own');
	expect(json && 'isAdmin' in json).toBe(false);
}

/** The first item's files from an untrusted source, as n8n stores them: references to their content. */
const files = () =>
	JSON.parse(
		`{${['document', 'inputDocument', 'scan', '__proto__', 'constructor']
			.map(
				(name) => `"${name}":{"data":"${name}","mimeType":"text/plain","id":"filesystem:${name}"}`,
			)
			.join()}}`,
	) as IBinaryKeyData;

/** Expects an item to contain all the files of its input under their own names, except those in `renamed`. */
function expectFiles(item: INodeExecutionData | undefined, renamed: Record<string, string>): void {
	const binary = item?.binary ?? {};
	const newNames = new Map(Object.entries(renamed));
	for (const [name, file] of Object.entries(files())) {
		const found = Object.entries(binary).find(([own]) => own === (newNames.get(name) ?? name));
		expect([name, found?.[1]]).toEqual([name, file]);
	}
	if (Object.keys(renamed).length > 0) expect(item?.json.renamedFiles).toEqual(renamed);
	else expect(item?.json).not.toHaveProperty('renamedFiles');
	expect('data' in binary).toBe(false);
}

describe('Include Input Fields', () => {
	test.each<[string, IDataObject]>([
		['a document', v2],
		['an identity request', request],
	])(
		'is off by default for %s and, when on, returns the item\'s fields under "input"',
		async (_name, form) => {
			const [without] = await run({ parameters: form });
			expect(without?.json).not.toHaveProperty('input');
			const [simplified] = await run({ parameters: { ...form, options: included } });
			expectInput(simplified?.json);
			expect(simplified?.json).toMatchObject(
				form === v2 ? { status: 'PENDING' } : { email: 'ada@example.com' },
			);
		},
	);

	test('adds the input to raw output', async () => {
		const [raw] = await run({ parameters: { ...v2, options: { ...included, output: 'raw' } } });
		expectInput(raw?.json);
	});

	test('adds the input to the output with Never Send and to each skipped item', async () => {
		const neverSending = { ...v2, options: { ...included, neverSend: true } };
		const [checked] = await run({ parameters: neverSending });
		expectInput(checked?.json);
		expect(checked?.json.outcome).toBe('nothing');

		const store = new ProcessedStore();
		const items = [item(), { row: 2 }, { row: 3 }];
		const perItem = items.map(() => ({ options: { ...included, sendOnceKey: 'k' } }));
		const first = await run({ parameters: v2, store, items, perItem });
		expect(first.map(({ json }) => [json.outcome, json.input])).toEqual([
			['sent', item()],
			['skipped', { row: 2 }],
			['skipped', { row: 3 }],
		]);
		const again = await run({ parameters: v2, store, items, perItem });
		expectInput(again[0]?.json);
		expect(again.map(({ json }) => json.outcome)).toEqual(['skipped', 'skipped', 'skipped']);
	});

	test('does not add anything to an item with an error', async () => {
		const outputs = await run({
			items: [item(), item()],
			perItem: [{}, { country: '' }],
			parameters: { ...v2, options: included },
			continueOnFail: true,
		});
		expectInput(outputs[0]?.json);
		expect(Object.keys(outputs[1]?.json ?? {})).toEqual(['error']);
	});

	test('rejects a value that is neither true nor false, and nothing is sent', async () => {
		const before = sent();
		const parameters = { ...v2, options: { includeInput: 'perhaps' } };
		expect((await failureOf(run({ parameters }))).message).toBe(
			`Include Input Fields: ${valueProblems.notTrueOrFalse.problem}`,
		);
		expect(sent()).toBe(before);
	});

	test('rejects more than 100 nested inputs, so a loop cannot nest them endlessly', async () => {
		const nested = (depth: number): IDataObject =>
			Array.from({ length: depth - 1 }).reduce<IDataObject>((input) => ({ input }), { row: 1 });
		const parameters = { ...v2, options: included };
		const [most] = await run({ parameters, items: [nested(100)] });
		expect(most?.json.input).toEqual(nested(100));
		const before = sent();
		expect((await failureOf(run({ parameters, items: [nested(101)] }))).message).toBe(
			`Include Input Fields: ${valueProblems.tooManyEarlierInputs(100).problem}`,
		);
		expect(sent()).toBe(before);
	});

	test.each(['simplified', 'raw'])(
		'adds the input to the %s output when an event ends a wait',
		async (output) => {
			const options = { ...included, output };
			const execution = await begin({ ...signatureWait({ options }), items: [item()] });
			expect(execution.status).toBe('waiting');
			expectInput(execution.output[0]?.json);
			await sign();
			expectInput(execution.output[0]?.json);
			if (output === 'raw') return;
			expect(execution.output[0]?.json).toMatchObject({
				documentId: lastDocument(),
				outcome: 'completed',
			});
		},
	);

	test('is off by default, so the output for an event contains no "input"', async () => {
		const execution = await begin({ ...signatureWait(), items: [{ input: { row: 1 } }] });
		await sign();
		expect(execution.output[0]?.json).not.toHaveProperty('input');
	});

	test('adds the input to the output when a wait reaches its time limit', async () => {
		const execution = await begin({ ...signatureWait({ options: included }), items: [item()] });
		const [output] = await execution.timeOut();
		expectInput(output?.json);
		expect(output?.json).toMatchObject({ documentId: lastDocument(), outcome: 'timedOut' });
	});

	test('is evaluated only before the document is sent, so an error in it cannot hide a sent document', async () => {
		const realSend = DocumentToSend.prototype.send;
		const send = jest.spyOn(DocumentToSend.prototype, 'send');
		send.mockImplementationOnce(async function (this: DocumentToSend) {
			const sentItem = await realSend.call(this);
			const [input] = [...host.n8n.database.executions.values()].at(-1)?.workflow.items ?? [];
			if (input) input.wanted = 'maybe';
			return sentItem;
		});
		const store = new ProcessedStore();
		const options = { includeInput: '={{ $json.wanted }}', sendOnceKey: "={{ 'k' }}" };
		const items = [{ wanted: true, reference: 'C-7' }];
		const before = sent();
		const execution = await begin({ ...signatureWait({ options }), items, store });
		send.mockRestore();
		expect(execution.status).toBe('waiting');
		expect(sent()).toBe(before + 1);
		await sign();
		expect(execution.output[0]?.json).toMatchObject({
			outcome: 'completed',
			input: { reference: 'C-7' },
		});
	});

	test('stores the input only once while the execution waits', async () => {
		const items = [{ text: 'x'.repeat(10_000) }];
		const sizeOf = async (setup: RunSetup) => {
			const execution = await begin({ ...setup, items });
			const { contextData } = execution.entity.data.executionData;
			return JSON.stringify(contextData).length;
		};
		const without = await sizeOf(signatureWait());
		const withInput = await sizeOf(signatureWait({ options: included }));
		expect(withInput - without).toBe(',"includesInput":true'.length);
	});

	test('adds the input to the output for a verification, even if the person has already finished it', async () => {
		const validationId = await requested();
		const existing = verificationWait(validationId, { options: included });
		const execution = await begin({ ...existing, items: [item()] });
		expect(execution.status).toBe('waiting');
		await service.sandbox.completeIdentity(validationId, 'pass');
		await until('the execution continues', () => execution.status === 'success');
		const later = await begin({ ...existing, items: [item()] });
		for (const { output } of [execution, later]) {
			expectInput(output[0]?.json);
			expect(output[0]?.json).toMatchObject({ validationId, passed: true });
		}
	});

	test.each<[string, IDataObject]>([
		['a document', { ...v2, options: included }],
		['raw output', { ...v2, options: { ...included, output: 'raw' } }],
		['Never Send', { ...v2, options: { ...included, neverSend: true } }],
		['an identity request', { ...request, options: included }],
		[
			'a wait without Download Files',
			signatureWait({ options: { ...included, neverSend: true } }).parameters,
		],
	])('keeps the files of the input under their own names: %s', async (_name, parameters) => {
		const [output] = await run({ parameters, binary: files() });
		expectFiles(output, {});
		expect(Object.keys(output?.binary ?? {})).toEqual(Object.keys(files()));
	});

	test('keeps no files if the option is off, the input has none, or the item fails', async () => {
		const [off] = await run({ parameters: v2, binary: files() });
		const [none] = await run({ parameters: { ...v2, options: included } });
		const failing = { ...v2, country: '', options: included };
		const [failed] = await run({ parameters: failing, binary: files(), continueOnFail: true });
		expect(Object.keys(failed?.json ?? {})).toEqual(['error']);
		for (const output of [off, none, failed]) expect(output).not.toHaveProperty('binary');
	});

	/** The names in `files` whose files the wait downloads, and what they are renamed to. */
	const downloads = { downloadFiles: true, files: ['document', 'certificate'], options: included };
	const renamed = { document: 'inputDocument2' };

	test('renames a file of a skipped or checked item as it would be renamed after the wait', async () => {
		const store = new ProcessedStore();
		const options = { ...included, sendOnceKey: "={{ 'k' }}" };
		const setup = {
			...signatureWait({ ...downloads, options }),
			items: [item()],
			binary: files(),
			store,
		};
		const execution = await begin(setup);
		await sign();
		expectFiles(execution.output[0], renamed);
		const skipped = await begin(setup);
		expect(skipped.output[0]?.json.outcome).toBe('skipped');
		expectFiles(skipped.output[0], renamed);
		const unreadable = {
			...setup,
			...signatureWait({ ...downloads, options, files: ['unknown'] }),
		};
		expectFiles((await begin({ ...unreadable, items: [item()] })).output[0], renamed);
		const neverSending = { ...downloads, options: { ...included, neverSend: true } };
		const [preview] = await run({ ...signatureWait(neverSending), binary: files() });
		expectFiles(preview, renamed);
	});

	test.each(['simplified', 'raw'])(
		'keeps the files next to the downloads in the %s output when an event ends a wait',
		async (output) => {
			const options = { ...included, output };
			const execution = await begin({
				...signatureWait({ ...downloads, options }),
				items: [item()],
				binary: files(),
			});
			await sign();
			const [signed] = execution.output;
			expectFiles(signed, renamed);
			expect(signed?.binary).toMatchObject({
				document: { mimeType: 'application/pdf' },
				certificate: { mimeType: 'application/pdf' },
			});
			expectInput(signed?.json);
			if (output === 'raw') return;
			expect(signed?.json.attachmentFields).toBe('document,certificate');
			const checksums = Object.entries(signed?.json ?? {}).filter(([name]) => /Sha256$/.test(name));
			const checksum = expect.stringMatching(/^[\da-f]{64}$/) as string;
			expect(checksums).toEqual([
				['documentSha256', checksum],
				['certificateSha256', checksum],
			]);
		},
	);

	test('never returns the input file under the name of a download that is missing', async () => {
		const execution = await begin({
			...signatureWait(downloads),
			items: [item()],
			binary: files(),
		});
		const Document = { documentID: lastDocument(), status: 'COMPLETED' };
		await call({ type: 'completedDocument', Document });
		const [signed] = execution.output;
		expectFiles(signed, renamed);
		expect(signed?.json.missingFiles).toMatchObject([
			{ file: 'document' },
			{ file: 'certificate' },
		]);
		expect(signed?.binary).not.toHaveProperty('document');
	});

	test.each<[string, IDataObject, Record<string, string>]>([
		['with Download Files', downloads, renamed],
		['without Download Files', { options: included }, {}],
	])('keeps the files when a wait reaches its time limit, %s', async (_name, form, names) => {
		const execution = await begin({ ...signatureWait(form), items: [item()], binary: files() });
		const [output] = await execution.timeOut();
		expect(output?.json.outcome).toBe('timedOut');
		expectInput(output?.json);
		expectFiles(output, names);
	});

	test('keeps the files when a wait for a verification ends', async () => {
		const setup = { items: [item()], binary: files() };
		const execution = await beginVerification({ options: included }, setup);
		await service.sandbox.completeIdentity(lastIdentity(), 'pass');
		await until('the execution continues', () => execution.status === 'success');
		expectFiles(execution.output[0], {});
	});

	test.each([1, 2, 3, 4])(
		'keeps a file and a download of the same name if an expression returns other files the time after %i',
		async (times) => {
			const wanted = `={{ $json.reads.push(1) > ${times} ? ['document'] : ['certificate'] }}`;
			const own = { data: 'own', mimeType: 'text/plain' };
			const execution = await begin({
				...signatureWait({ ...downloads, files: wanted }),
				items: [{ reads: [] }],
				binary: { document: own },
			});
			await sign();
			const { binary = {} } = execution.output[0] ?? {};
			expect(Object.values(binary)).toContainEqual(own);
			expect(Object.keys(binary)).toHaveLength(2);
		},
	);
});
