import fc from 'fast-check';
import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { unknownSummary } from '../../nodes/SignVerify/api/documents';
import { eventRow, events } from '../../nodes/SignVerify/api/events';
import { readNotification } from '../../nodes/SignVerify/api/notification';
import { simplifyNotification } from '../../nodes/SignVerify/events/output';
import { DocumentSchema } from '../../sandbox/schemas/document';
import { SignatorySchema } from '../../sandbox/schemas/signatory';
import { sampleOf } from '../support/schemaSample';
import { triggerNode, completed, file } from '../support/triggerNode';
import { processorTimeOf } from '../support/processorTime';
import { coded, silence } from '../support/standIn';
import { useVirtualTime } from '../support/virtualTime';

const signing = { url: 'https://sign.example/secret-link', expiry: 1_767_225_600_000 };
const signatory = (email: string, isSigned: number | string) => ({
	signatoryID: `id-${email}`,
	emailID: email,
	name: `Name of ${email}`,
	isSigned,
	password: 'pass-word',
	verificationCode: '4711',
	signing,
});

const document = {
	documentID: 'doc-1',
	title: 'Lease',
	status: 'PENDING',
	templateID: 'tpl-1',
	country: 'Mexico',
	createdBy: { emailID: 'HR@example.com' },
	signatory: [
		signatory('a@example.com', 1),
		signatory('b@example.com', '1'),
		{ ...signatory('c@example.com', 0), _id: 7 },
		// An entry like createdBy can follow the last signatory (docs/dev/service.md#document).
		{ userID: 'u', adminID: 'a', fullName: 'Creator', emailID: 'x@example.com', isSigned: '0' },
	],
};

const simplify = (event: string, body: IDataObject, include?: string[]) =>
	simplifyNotification(readNotification(event, body), { include });

const many = <Entry>(entry: Entry) => Array.from({ length: 5000 }, () => entry);

describe('A simplified event', () => {
	test.each([
		['a long log', { signatory: many({}), logsStatus: many({ operationType: 'SIGNED' }) }],
		['a long address', { signatory: [{ emailID: `${'a@'.repeat(100_000)},` }] }],
	])('is generated quickly from a document with %s', (_name, Document) => {
		expect(processorTimeOf(() => simplify('signDocument', { Document }))).toBeLessThan(500);
	});

	test('of the type signDocument shows who has signed and who has not', () => {
		const body = {
			type: 'signDocument',
			addedOn: 1_767_225_600_000,
			Document: { ...document, webhookData: { signatory: signatory('b@example.com', 1) } },
		};
		expect(simplify('signDocument', body)).toEqual({
			...unknownSummary,
			event: 'signDocument',
			documentId: 'doc-1',
			title: 'Lease',
			status: 'PENDING',
			signatory: { email: 'b@example.com', name: 'Name of b@example.com' },
			signatories: [
				{ email: 'a@example.com', name: 'Name of a@example.com', signed: true },
				{ email: 'b@example.com', name: 'Name of b@example.com', signed: true },
				{ email: 'c@example.com', name: 'Name of c@example.com', signed: false },
			].map((person) => ({ ...person, signedAt: null })),
			signatoryEmails: 'a@example.com, b@example.com, c@example.com',
			notSignedCount: 1,
			notSignedEmails: 'c@example.com',
			linksExpireAt: '2026-01-01T00:00:00.000Z',
			sentBy: 'hr@example.com',
			templateId: 'tpl-1',
			country: 'Mexico',
			happenedAt: '2026-01-01T00:00:00.000Z',
			eventId: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
		});
	});

	test('sets "signed" for the person who has just signed, even if the list is outdated', () => {
		const signed = (event: string, signer: object) =>
			(
				simplify(event, { Document: { ...document, webhookData: { signatory: signer } } })
					.signatories as IDataObject[]
			).map((person) => person.signed);
		const all = [true, true, true];
		expect(signed('signDocument', signatory('c@example.com', 0))).toEqual(all);
		expect(signed('signDocument', { emailID: 'C@example.com ' })).toEqual(all);
		expect(signed('signDocument', { _id: 7 })).toEqual(all);
		// The list may identify people by a different kind of ID than the event.
		expect(signed('signDocument', { _id: 'other', emailID: 'c@example.com' })).toEqual(all);
		// Two people can share an email address, so a different ID of the same kind identifies a different
		// person.
		const others = [{}, { emailID: '' }, { signatoryID: 'x', emailID: 'c@example.com' }];
		for (const signer of others)
			expect(signed('signDocument', signer)).toEqual([true, true, false]);
		expect(signed('sendDocument', { emailID: 'c@example.com' })).toEqual([true, true, false]);
	});

	test('ignores malformed addresses and links and shows when the first open link expires', () => {
		const expiry = (value: unknown, isSigned = 0) => ({ isSigned, signing: { expiry: value } });
		const list = (...signatory: object[]) =>
			simplify('sendDocument', { Document: { signatory: signatory as IDataObject[] } });
		const nobody = { signatoryEmails: '', notSignedEmails: '', linksExpireAt: null };
		expect(list()).toMatchObject(nobody);
		const several = ['a@example.com,b@example.com', 'A <a@example.com>', 'a@example.com\nb@x.com'];
		const odd = [' ', null, ...several].map((emailID) => ({ emailID }));
		expect(list(...odd, expiry(null), expiry(0), expiry('-1'))).toMatchObject(nobody);
		expect(list(expiry(3000), expiry('2000'), expiry(1000, 1), expiry('never'))).toMatchObject({
			linksExpireAt: '1970-01-01T00:00:02.000Z',
			notSignedCount: 3,
		});
	});

	const logEntry = (emailID: string, addedOn: number, more: IDataObject = {}) => ({
		operationType: 'SIGNED',
		operationBy: { name: 'N', emailID },
		operationData: {},
		sourceIP: '192.0.2.1:443',
		addedOn,
		...more,
	});
	const [first, second, third, creator] = document.signatory;
	const detailed = {
		...document,
		signatory: [
			{ ...first, fieldArray: [{ type: 'TEXT', value: 'Blue' }], isInvalidSignature: false },
			{ ...second, fieldArray: [], isInvalidSignature: true, invalidSignatureReason: 'blurred' },
			third,
			creator,
		],
		logsStatus: [
			logEntry('a@example.com', 500, { operationType: 'SENT_FOR_SIGNATURE' }),
			logEntry('', 1000, { operationData: { signatoryID: 'id-b@example.com' } }),
			logEntry(' A@Example.com', 2000),
			{ operationType: 'SIGNED', operationData: { signatoryID: 'id-a@example.com' } },
		],
		formAnswer: { color: 'Blue' },
		documentHash: '',
	};

	test.each<[string[], IDataObject, IDataObject[]]>([
		[[], {}, [{}, {}, {}]],
		[['other', 'constructor'], {}, [{}, {}, {}]],
		[['signingLinks'], {}, [{ signing }, { signing }, { signing }]],
		[['history'], { logsStatus: detailed.logsStatus }, [{}, {}, {}]],
		[
			['answers'],
			{ formAnswer: detailed.formAnswer },
			[
				{ fieldArray: [{ type: 'TEXT', value: 'Blue' }], isInvalidSignature: false },
				{ isInvalidSignature: true, invalidSignatureReason: 'blurred' },
				{},
			],
		],
	])(
		'contains only the additional fields selected in Include: %j',
		(include, ofDocument, ofEach) => {
			const without = simplify('signDocument', { Document: detailed });
			const people = without.signatories as IDataObject[];
			// The time of a signature is always shown, because it is not a secret.
			expect(people.map(({ signedAt }) => signedAt)).toEqual([
				'1970-01-01T00:00:02.000Z',
				'1970-01-01T00:00:01.000Z',
				null,
			]);
			expect(simplify('signDocument', { Document: detailed }, include)).toEqual({
				...without,
				...ofDocument,
				signatories: people.map((person, index) => ({ ...person, ...ofEach[index] })),
			});
		},
	);

	test('trims the addresses and joins them for an email node', () => {
		const signatory = [
			{ emailID: ' ana.torres@example.com\n', isSigned: 1 },
			{ emailID: 'ben.cruz@mail.example.com', isSigned: 0 },
		];
		expect(simplify('sendDocument', { Document: { signatory } })).toMatchObject({
			signatoryEmails: 'ana.torres@example.com, ben.cruz@mail.example.com',
			notSignedEmails: 'ben.cruz@mail.example.com',
		});
	});

	test.each(['history', ['history']])(
		"contains what the trigger's Include option selects: %j",
		async (include) => {
			const { call } = triggerNode({ options: { include } });
			const body = { type: 'signDocument', Document: { ...detailed, documentID: typeof include } };
			const [item] = (await call({ body })).items;
			expect(item?.json.logsStatus).toEqual(detailed.logsStatus);
			expect(item?.json).not.toHaveProperty('formAnswer');
		},
	);

	test("is the trigger's output, unless raw output is selected", async () => {
		const body = { type: 'signDocument', addedOn: 1, Document: document };
		const itemOf = async (output: string) => {
			const [item] = (await triggerNode({ output }, { instance: output }).call({ body })).items;
			return item?.json;
		};
		const simplified = await itemOf('simplified');
		expect(simplified).toEqual(simplify('signDocument', body));
		expect(await itemOf('raw')).toEqual(body);
	});

	test('contains the country and the roles of a document that this execution has sent', () => {
		const roles = [
			{ email: 'A@example.com', role: 'Employer' },
			{ email: 'b@example.com', role: 'Employee' },
		];
		const itemOf = (country?: string) =>
			simplifyNotification(
				readNotification('completedDocument', { Document: { ...document, country } }),
				{ knownDocument: { country: 'Chile', roles } },
			);
		const output = itemOf();
		expect(output.country).toBe('Chile');
		expect(Object.keys(itemOf('Peru')).sort()).toEqual(Object.keys(output).sort());
		const people = output.signatories as IDataObject[];
		expect(people.map(({ email, role }) => [email, role])).toEqual([
			['a@example.com', 'Employer'],
			['b@example.com', 'Employee'],
			['c@example.com', null],
		]);
	});

	test('begins with the fields that the next node needs', () => {
		const first = (output: IDataObject) => Object.keys(output).slice(0, 3);
		const body = { validationId: 'v', status: 'COMPLETED' };
		expect(first(simplify('completedDocument', { Document: document }))).toEqual([
			'event',
			'documentId',
			'title',
		]);
		expect(first(simplify('VERIFICATION_REQUEST_FINISHED', body))).toEqual([
			'event',
			'passed',
			'validationId',
		]);
	});

	test.each(['completedDocument', 'sendDocument', 'signDocument'])(
		'has the same fields for every body of %s, with file fields only if the event can have files',
		(event) => {
			const signed = { ...document, webhookData: { signatory: document.signatory[0] } };
			const full = simplify(event, { addedOn: 1, Document: signed });
			const empty = simplify(event, { Document: { signatory: [{}] } });
			expect(Object.keys(empty)).toEqual(Object.keys(full));
			expect(Object.values(empty)).not.toContain(undefined);
			const [person = {}, other = {}] = [empty, full].map(
				({ signatories }) => (signatories as IDataObject[])[0],
			);
			expect(Object.keys(person)).toEqual(Object.keys(other));
			expect('documentUrl' in full).toBe(event !== 'signDocument');
			expect('signatory' in full).toBe(event !== 'completedDocument');
		},
	);

	test('keeps everything in an undocumented event except secrets and personal results', () => {
		const body = {
			type: 'VERIFICATION_REQUEST_FINISHED',
			validationId: 'v',
			event: 'its own',
			results: { ocr: { curp: 'X' }, score: { overall: 1 }, at: 3 },
			Document: document,
		};
		const output = simplify('VERIFICATION_REQUEST_FINISHED', body);
		expect(output).toMatchObject({
			event: 'VERIFICATION_REQUEST_FINISHED',
			type: 'VERIFICATION_REQUEST_FINISHED',
			validationId: 'v',
			results: { at: 3 },
			documentId: 'doc-1',
			Document: { documentID: 'doc-1', signatory: [{ emailID: 'a@example.com' }, {}, {}, {}] },
			received: { event: 'its own' },
		});
		expect(JSON.stringify(output)).not.toMatch(/pass-word|4711|secret-link|curp|overall/);
	});

	describe('hides unselected personal data', () => {
		/**
		 * Fields, grouped by the choice of Include that adds them. Those under "raw" appear only in raw
		 * output.
		 */
		const marks = {
			answers: ['formAnswer', 'fieldArray', 'invalidSignatureReason', 'documentHash'],
			history: ['logsStatus'],
			signingLinks: ['signing'],
			raw: [
				'password',
				'verificationCode',
				'phone',
				'biometric',
				'ocr',
				'score',
				'sourceIP',
				'photo',
				'signature',
				'signatureArray',
				'attachment',
				'attachmentUrl',
				'documentImage',
				'formSignatory',
				'curp',
				'claveDeElector',
				'birthDate',
				'address',
				'faceRecognition',
				// A service may spell names differently, as in the next three.
				'Biometric',
				'source_ip',
				'SIGNATURE',
			],
		};
		const names = Object.values(marks).flat();
		const personal = fc.tuple(
			fc.constantFrom(...names),
			fc.constantFrom<(mark: string) => unknown>(
				(mark) => mark,
				(mark) => [mark],
				(mark) => ({ value: mark }),
				(mark) => [{ list: [{ value: mark }] }],
			),
		);
		/** Where the field is: in the Document, a signatory, webhookData, the body, or a nested object. */
		const place = fc.constantFrom('document', 'signatory', 'webhookData', 'body', 'nested');
		const include = fc.subarray(['answers', 'history', 'signingLinks']);

		const bodyWith = (where: string, field: IDataObject): IDataObject => {
			const sample = (at: string) => (where === at ? field : {});
			const person = { emailID: 'ada@example.com', name: 'Ada', ...sample('signatory') };
			const webhookData = { signatory: { ...person, ...sample('webhookData') } };
			const Document = {
				documentID: 'd',
				title: 'Lease',
				signatory: [person],
				webhookData,
				...sample('document'),
			};
			return { Document, ...sample('body'), more: [{ in: sample('nested') }] };
		};

		test.each(events.map(({ type }) => type))('in %s', (event) => {
			fc.assert(
				fc.property(
					personal,
					place,
					include,
					fc.boolean(),
					([name, shape], where, chosen, isBare) => {
						const { Document, ...rest } = bodyWith(where, { [name]: shape('MARK') as IDataObject });
						// An event with a documented body may arrive without its Document.
						const body = isBare ? { ...rest, document: Document } : { Document, ...rest };
						const shown = JSON.stringify(simplify(event, body, chosen));
						const choice = Object.entries(marks).find(([, fields]) => fields.includes(name))?.[0];
						if (!chosen.includes(choice as never)) expect(shown).not.toContain('MARK');
						// For an event without a documented body, the output is the entire body, so it
						// contains the included field.
						else if (!eventRow(event).body) {
							expect(shown).toContain('MARK');
						}
					},
				),
				{ numRuns: 500 },
			);
		});

		test("in any event with the contract's complete Document", () => {
			const signatories = sampleOf(SignatorySchema) as IDataObject;
			const sample = { ...(sampleOf(DocumentSchema) as IDataObject), signatory: [signatories] };
			const forbidden = new Set(names.map((name) => name.toLowerCase()));
			const found = (value: unknown): string[] =>
				typeof value !== 'object' || value === null
					? []
					: Object.entries(value).flatMap(([name, inner]) => [
							...(forbidden.has(name.toLowerCase()) ? [name] : []),
							...found(inner),
						]);
			for (const { type } of events) {
				const output = simplify(type, { type, Document: sample });
				// The name and the email address of the person who signed are always shown, so leave them out
				// of the search.
				delete output.signatory;
				expect({ type, found: found(output) }).toEqual({ type, found: [] });
			}
		});
	});

	test.each<[IDataObject, IDataObject]>([
		[{}, { validationId: null, passed: null }],
		[{ validationId: 'v' }, { validationId: 'v', passed: null }],
		[
			{ data: { sessionId: 's' }, status: 'rejected' },
			{ validationId: 's', passed: false },
		],
		[
			{ validationId: 'v', data: { validationId: 'w' }, status: 'OK' },
			{ validationId: null, passed: null, received: { validationId: 'v' } },
		],
		[
			{ validationId: 'v', results: { score: { overall: { status: 'OK' } } }, passed: 'yes' },
			{ validationId: 'v', passed: true, received: { passed: 'yes' } },
		],
	])('shows the request and its result for the identity event %j', (body, expected) => {
		expect(simplify('VERIFICATION_REQUEST_FINISHED', body)).toMatchObject(expected);
		expect(simplify('failedBiometric', { a: 1 })).not.toHaveProperty('passed');
	});

	test('contains the entire body under `received` only if one of its own fields overrides a field of the body', () => {
		const type = 'VERIFICATION_REQUEST_FINISHED';
		const body = { validationId: 'v', status: 'REJECTED' };
		const receivedIn = (more: IDataObject) => simplify(type, { ...body, ...more }).received;
		expect(receivedIn({})).toBeUndefined();
		expect(receivedIn({ event: type, passed: false })).toBeUndefined();
		const hidden = { event: 'its own', passed: false };
		expect(receivedIn(hidden)).toEqual({ ...body, ...hidden });
	});
});

/**
 * Sends an event to a trigger that downloads files. Returns the item that starts the workflow, and the calls.
 */
async function receive(body: IDataObject, setting: Parameters<typeof triggerNode>[1] = {}) {
	const { call, fetched } = triggerNode(
		{ downloadFiles: true },
		{ fetch: () => file('%PDF-content'), ...setting },
	);
	const { items } = await call({ body });
	return { item: items[0], fetched };
}

useVirtualTime();

describe('Download Files', () => {
	test.each(['false', '', false])('is off if its value is %j', async (downloadFiles) => {
		const { call, fetched } = triggerNode({ downloadFiles });
		const [item] = (await call({ body: completed({ documentURL: at('d') }) })).items;
		expect(fetched).toEqual([]);
		expect(item).not.toHaveProperty('binary');
		expect(item?.json).toMatchObject({ attachmentFields: '', missingFiles: [] });
	});

	test('does not attach anything if the event does not contain a document', async () => {
		const { item, fetched } = await receive({ type: 'failedBiometric', a: 1 });
		expect(item).toMatchObject({ json: { event: 'failedBiometric', a: 1 }, binary: {} });
		expect(item?.json).not.toHaveProperty('missingFiles');
		expect(fetched).toEqual([]);
	});

	test('attaches a file even if its link begins with http://', async () => {
		const link = 'http://files.example/d';
		const { item } = await receive({ ...completed({ documentURL: link }), type: 'sendDocument' });
		expect(Object.keys(item?.binary ?? {})).toEqual(['document']);
	});

	const at = (name: string) => `https://files.example/${name}`;
	const three = () =>
		completed({
			documentURL: at('d'),
			certificateURL: at('c'),
			pscCertificateURL: at('p'),
		});
	const missing = (item: { json: IDataObject } | undefined) => item?.json.missingFiles;

	test.each<[string, string | undefined, unknown]>([
		['Lease – Ana Torres', 'Lease', 'Ana Torres'],
		['Lease', 'Lease', ''],
		['Lease', 'Lease', { first: 'Ana' }],
		['document – Ana Torres', '', 'Ana Torres'],
		['document – Ana Torres', undefined, 'Ana Torres'],
	])(
		'begins file names with "%s" for the document %j and the first signatory %j',
		async (expected, title, name) => {
			const signatory = [{ name }, { name: 'Ben Cruz' }] as IDataObject[];
			const { item } = await receive({
				...three(),
				Document: { ...three().Document, title, signatory },
			});
			expect(Object.values(item?.binary ?? {}).map(({ fileName }) => fileName)).toEqual(
				['', ' - certificate', ' - PSC certificate'].map((suffix) => `${expected}${suffix}.pdf`),
			);
		},
	);

	test('lists a file as missing if a completed document does not contain a link to it', async () => {
		const { item } = await receive(completed({ documentURL: at('d') }));
		expect(item?.json.attachmentFields).toBe('document');
		expect(missing(item)).toEqual(
			['certificate', 'pscCertificate'].map((name) => ({
				file: name,
				reason: "the event didn't contain a link to it",
			})),
		);
	});

	test('lists missing files in the raw event but does not change anything else', async () => {
		const body = completed({ documentURL: at('d') });
		const form = { downloadFiles: true, files: ['document', 'certificate'], output: 'raw' };
		const { call } = triggerNode(form, { fetch: () => file('%PDF-content') });
		const [item] = (await call({ body })).items;
		const reason = "the event didn't contain a link to it";
		expect(item?.json).toEqual({ ...body, missingFiles: [{ file: 'certificate', reason }] });
		expect(Object.keys(item?.binary ?? {})).toEqual(['document']);
	});

	test.each([
		[
			"its link isn't a URL that begins with http:// or https://",
			'ftp://files.example/x',
			() => undefined,
		],
		[
			"its link isn't a URL that begins with http:// or https://",
			'x-https://files.example',
			() => undefined,
		],
		[
			"Couldn't download the document: https://files.example is refusing connections",
			at('d'),
			() => {
				throw coded('ECONNREFUSED');
			},
		],
	])('states the reason for a missing file: %s (%s)', async (reason, documentURL, fetch) => {
		const body = { ...completed({ documentURL }), type: 'sendDocument' };
		const { item } = await receive(body, { fetch });
		expect(missing(item)).toEqual([{ file: 'document', reason }]);
	});

	test("lists a file as missing if n8n cannot store it, but omits n8n's reason", async () => {
		const body = { ...completed({ documentURL: at('d') }), type: 'sendDocument' };
		const store = async () => await Promise.reject(new Error('at /some/folder'));
		const { item } = await receive(body, { store });
		expect(missing(item)).toEqual([{ file: 'document', reason: "n8n couldn't store it" }]);
	});

	test.each<[string, IDataObject['files'], string[]]>([
		['all files by default', undefined, ['document', 'certificate', 'pscCertificate']],
		['the chosen files', ['certificate', 'document'], ['document', 'certificate']],
		['the file that an expression selects', 'pscCertificate', ['pscCertificate']],
	])('attaches %s', async (_name, files, attached) => {
		const { call, fetched } = triggerNode(
			{ downloadFiles: true, files },
			{ fetch: () => file('%PDF-content') },
		);
		const [item] = (await call({ body: three() })).items;
		expect(Object.keys(item?.binary ?? {})).toEqual(attached);
		expect(item?.json).toMatchObject({ attachmentFields: attached.join(','), missingFiles: [] });
		expect(fetched.filter(({ url }) => url.startsWith('https://files.'))).toHaveLength(
			attached.length,
		);
	});

	test.each([[['photo']], [[]], [null]])(
		'rejects an event if Files is %j, so the service sends the event again',
		async (files) => {
			const { call, logged } = triggerNode({
				downloadFiles: true,
				files: files ?? '={{ $json.x }}',
			});
			expect((await call({ body: three() })).status).toBe(500);
			expect(logged.join()).toContain('Files: ');
		},
	);

	test('ends after ten seconds with the files that have arrived', async () => {
		const body = three();
		const fetch = async (options: IHttpRequestOptions) =>
			options.url === at('d') ? file('%PDF-content') : await silence({ options });
		const start = performance.now();
		const { item } = await receive(body, { fetch });
		expect(performance.now() - start).toBe(10_000);
		expect(Object.keys(item?.binary ?? {})).toEqual(['document']);
		expect(missing(item)).toEqual(
			[
				['certificate', 'certificate'],
				['pscCertificate', 'PSC certificate'],
			].map(([name, noun]) => ({
				file: name,
				reason: `Couldn't download the ${noun}: the download didn't finish within 10 s`,
			})),
		);
	});
});
