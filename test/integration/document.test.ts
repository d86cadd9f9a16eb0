import { createHash } from 'node:crypto';

import type { IDataObject, ResourceMapperValue } from 'n8n-workflow';

import { ProcessedStore } from '../n8n/processedStore';
import { operationNamed } from '../operations';
import { action, loadContext, runAction, type RunSetup } from '../support/contexts';
import { clientOf } from '../support/credentials';
import { allExamples } from '../support/exampleFiles';
import { otherTemplate } from '../support/problemWords';
import {
	ada,
	byId,
	failureOf,
	contract,
	creationsAt,
	fields,
	mapped,
	templateFor,
	useService,
	v1Setup,
	v2,
} from '../support/service';
import { valueProblems } from '../../nodes/SignVerify/text/textProblems';
import { peopleProblems } from '../../nodes/SignVerify/operations/sendingProblems';
import { columnProblems } from '../../nodes/SignVerify/columns/columnProblems';

const service = useService();

const creations = () => creationsAt(service);

describe('Document: Send for Signature', () => {
	test('sends a document from a version 2 template and returns the document', async () => {
		const [item] = await runAction(service.credential(), { parameters: v2 });
		await service.sandbox.idle();

		const [call] = creations();
		expect(call).toMatchObject({
			method: 'POST',
			path: '/templates/createDocumentByTemplateV2',
			query: {},
			status: 200,
			body: { templateID: contract, country: 'Mexico', inputs: fields, signatories: [ada] },
		});
		expect(Object.keys(call?.body as object).sort()).toEqual([
			'country',
			'inputs',
			'signatories',
			'templateID',
		]);
		expect(call?.headers.authorization).toBe(`Bearer ${call?.headers.token}`);
		expect(call?.violation).toBeUndefined();

		const document = service.sandbox.documents().at(-1);
		expect(item).toMatchObject({
			json: {
				documentId: document?.documentID,
				title: document?.title,
				status: 'PENDING',
				templateId: contract,
				country: 'Mexico',
				signatories: [{ ...ada, role: 'employee', signed: false }],
				createdAt: new Date(document?.addedOn ?? 0).toISOString(),
				warnings: [],
			},
			pairedItem: { item: 0 },
		});
		expect(service.sandbox.mails().some((mail) => mail.to.includes(ada.email))).toBe(true);
	});

	test('completes the signature positions of a document from a version 1 template and returns the raw response', async () => {
		const { template, inputs, parameters } = v1Setup(service);
		const corner = { email: ada.email, page: 1 };
		const signPositions = {
			position: [
				{ email: 'ADA@example.com', page: 2 },
				{ email: ada.email, page: 1, x: 10, y: 20, width: 100, height: 40 },
				// On each page size, the position that ends exactly at the edges of the page is allowed.
				{ ...corner, pageSize: 'legal', x: 432, y: 948 },
				{ ...corner, pageSize: 'a4', x: 415.28, y: 781.89 },
				{ ...corner, pageSize: 'custom', pageWidth: 200, pageHeight: 100, x: 20, y: 40 },
			],
		};
		const options = { signPositions, output: 'raw' };
		const [raw] = await runAction(service.credential(), { parameters: { ...parameters, options } });

		const page = { width: 612, height: 792 };
		const onPage = (width: number, height: number) =>
			expect.objectContaining({
				parentImageSize: { width, height },
				viewport: { width, height },
			}) as unknown;
		expect(creations()[0]).toMatchObject({
			path: '/templates/createDocumentByTemplate',
			status: 200,
			body: {
				templateID: template.templateID,
				country: 'Mexico',
				inputs,
				signatories: [ada],
				staticSignPositions: [
					{
						user: { email: ada.email },
						coordinates: { x: 365, y: 680 },
						page: 2,
						pageY: 680,
						pageYv2: 680,
						color: '#1f4fd8',
						imageSize: { width: 180, height: 60 },
						parentImageSize: page,
						viewport: page,
					},
					expect.objectContaining({
						coordinates: { x: 10, y: 20 },
						page: 1,
						imageSize: { width: 100, height: 40 },
					}),
					onPage(612, 1008),
					onPage(595.28, 841.89),
					onPage(200, 100),
				],
			},
		});
		expect(creations()[0]?.violation).toBeUndefined();
		expect(raw?.json).toMatchObject({
			documentID: service.sandbox.documents().at(-1)?.documentID,
			logsStatus: expect.any(Array) as unknown[],
		});
	});
});

test.each([
	['#1F4FD8', '#1F4FD8'],
	['#fff', '#fff'],
	['#1f4fd880', '#1f4fd880'],
	['1f4fd8', '#1f4fd8'],
	['  #1f4fd8 ', '#1f4fd8'],
	[123456, '#123456'],
])('sends the color %j of a signature position as %s', async (color, sent) => {
	expect(await colorSentFor('={{ $json.color }}', { color })).toBe(sent);
});

test("sends the default color of a signature position if n8n's field for it is cleared", async () => {
	expect(await colorSentFor(null)).toBe('#1f4fd8');
});

async function colorSentFor(color: string | null, item: IDataObject = {}): Promise<unknown> {
	const signPositions = { position: [{ email: ada.email, color }] };
	const parameters = { ...v1Setup(service).parameters, options: { signPositions } };
	await runAction(service.credential(), { parameters, items: [item] });
	const [creation] = creations();
	expect(creation?.violation).toBeUndefined();
	const { staticSignPositions } = creation?.body as { staticSignPositions: IDataObject[] };
	return staticSignPositions[0]?.color;
}

test.each(['', ' ', '\u00a0', '\u200b', [' ']])(
	'leaves out an optional field whose value is %j',
	async (workplace) => {
		const values = { ...fields, workplace };
		const automatic = { mappingMode: 'autoMapInputData', value: null };
		for (const form of [mapped(values), automatic]) {
			const parameters = { ...v2, fields: form };
			await runAction(service.credential(), { parameters, items: [values] });
			expect((creations().at(-1)?.body as IDataObject).inputs).toEqual(fields);
		}
	},
);

test.each([
	['manually', {}],
	['automatically', { fields: { mappingMode: 'autoMapInputData', value: null } }],
])(
	'leaves out an optional field without a value, or sends empty text with Send Empty Fields (mapped %s)',
	async (_how, form) => {
		const sent = async (options: IDataObject) => {
			const parameters = { ...v2, ...form, options };
			await runAction(service.credential(), { parameters, items: [{ ...fields }] });
			return (creations().at(-1)?.body as IDataObject).inputs;
		};
		const optional = Object.fromEntries(
			service.sandbox
				.templates()
				.find(({ templateID }) => templateID === contract)!
				.fields.filter(({ isRequired }) => !isRequired)
				.map(({ key }) => [key, '']),
		);
		expect(Object.keys(optional)).toContain('workplace');
		expect(await sent({})).toEqual(fields);
		expect(await sent({ sendEmptyFields: true })).toEqual({ ...fields, ...optional });
		expect(await sent({ sendEmptyFields: false })).toEqual(fields);
	},
);

const bob = { email: 'bob@example.com', name: 'Bob Builder' };

/** The people assigned to the two roles in the sandbox's two-signatory template. */
const first = { 'first_party.name': ada.name, 'first_party.email': ada.email };
const second = { 'second_party.name': bob.name, 'second_party.email': bob.email };

/** Makes a form for the two-role template, with the required fields filled in. */
function twoPlaces() {
	const template = templateFor(2, service.sandbox);
	const inputs = Object.fromEntries(
		template.fields.map(({ key }) => [key, key.includes('date') ? '2027-02-01' : 'a value']),
	);
	const templateId = byId(template.templateID);
	const rest = { ...v2, specifySignatories: 'byRole', signatories: undefined };
	return { parameters: { ...rest, templateId, fields: mapped(inputs) }, template };
}

async function send(parameters: IDataObject) {
	return await runAction(service.credential(), { parameters });
}

describe('a template without roles (version 1)', () => {
	const byRole = () => ({ ...v1Setup(service).parameters, specifySignatories: 'byRole' });

	test('offers fields for five people but requires only the first one', async () => {
		const load = action.methods.resourceMapping.getSignatoryRoles;
		const { fields } = await load.call(loadContext(service.credential(), byRole()));
		expect(fields.map(({ displayName }) => displayName)).toEqual(
			[1, 2, 3, 4, 5].flatMap((n) => [`Name (Signatory ${n})`, `Email (Signatory ${n})`]),
		);
		const needed = fields.filter(({ required }) => required);
		expect(needed.map(({ id }) => id)).toEqual(['1.name', '1.email']);
	});

	test('requires at least one person and rejects a gap between people', async () => {
		const sendTo = async (value: IDataObject) =>
			await send({ ...byRole(), signatoryRoles: mapped(value) });
		await expect(sendTo({})).rejects.toThrow(`Email (Signatory 1): ${valueProblems.empty.problem}`);
		await expect(
			sendTo({
				'1.name': ada.name,
				'1.email': ada.email,
				'3.name': bob.name,
				'3.email': bob.email,
			}),
		).rejects.toThrow(`Email (Signatory 2): ${valueProblems.empty.problem}`);
		expect(creations()).toHaveLength(0);
	});
});

test('the form asks for a name and an email for each role, and Leave Last Roles Empty makes the last roles optional', async () => {
	const { parameters } = twoPlaces();
	const load = async (more: IDataObject = {}) =>
		await action.methods.resourceMapping.getSignatoryRoles.call(
			loadContext(service.credential(), { ...parameters, ...more }),
		);
	const { fields } = await load();
	expect(fields.map(({ id, required }) => [id, required])).toEqual([
		...Object.keys(first).map((id) => [id, true]),
		...Object.keys(second).map((id) => [id, true]),
	]);
	expect(fields[0]?.displayName).toBe('Name (first party)');
	for (const leaveLastRolesEmpty of [true, '={{ $json.few }}']) {
		const { fields: fewer } = await load({ options: { leaveLastRolesEmpty } });
		expect(fewer.map(({ required }) => required)).toEqual([true, true, false, false]);
	}
	const older = await load({ templateId: v1Setup(service).parameters.templateId });
	expect(older.fields.map(({ required }) => required)).toEqual([
		...[true, true],
		...Array.from({ length: 8 }, () => false),
	]);
	// The form for the template's fields already reports the missing template, so the form for its roles does
	// not report it again.
	expect(await load({ templateId: byId('nothing') })).toEqual({ fields: [] });
});

test('the forms saved in the examples match those that the node loads', async () => {
	const { getSignatoryRoles: signatoryRoles, getTemplateFields } = action.methods.resourceMapping;
	const forms = { signatoryRoles, fields: getTemplateFields };
	const nodes = allExamples.flatMap(({ file, workflow }) =>
		workflow.nodes.map(({ parameters }) => ({ file, parameters })),
	);
	const saved = { count: 0 };
	for (const { file, parameters } of nodes) {
		for (const [name, load] of Object.entries(forms)) {
			const schema = (parameters[name] as Partial<ResourceMapperValue> | undefined)?.schema;
			if (!schema?.length) continue;
			saved.count++;
			const { fields } = await load.call(loadContext(service.credential(), parameters));
			expect([file, schema]).toEqual([file, fields]);
		}
	}
	expect(saved.count).toBeGreaterThan(10);
});

test("the keys that AI builders can ask for are those of the template's fields and people", async () => {
	const { parameters } = twoPlaces();
	const context = loadContext(service.credential(), parameters);
	const { getSignatoryRoles, getTemplateFields } = action.methods.resourceMapping;
	const keys = await action.methods.loadOptions.getTemplateKeys.call(context);
	const keysOf = (parameter: string) =>
		keys
			.filter(({ description = '' }) => description.startsWith(`A key in ${parameter}.value`))
			.map(({ value }) => value);
	const idsOf = ({ fields }: { fields: Array<{ id: string }> }) => fields.map(({ id }) => id);
	expect(keysOf('signatoryRoles')).toEqual(idsOf(await getSignatoryRoles.call(context)));
	expect(keysOf('signatoryRoles')).not.toEqual([]);
	expect(keysOf('fields')).toEqual(idsOf(await getTemplateFields.call(context)));
	expect(keysOf('fields')).not.toEqual([]);
});

test('signatories are sent in the order of the roles, even if the form lists them in a different order', async () => {
	const { parameters } = twoPlaces();
	await send({ ...parameters, signatoryRoles: mapped({ ...second, ...first }) });
	expect(creations().map(({ body }) => body)).toEqual([
		expect.objectContaining({ signatories: [ada, bob] }),
	]);
});

test('three people can fill three roles, two of which have the same name', async () => {
	const signatories = ['signer', 'signer', 'witness'].map((key) => ({ key, type: 'signature' }));
	const template = { _id: 'twins', templateID: 'twins', name: 'Twins', status: 'ACTIVE' };
	const responseData = { accessToken: 'a', templates: [{ ...template, signatories }] };
	const response = { status: 200, body: { success: true, responseData } };
	service.sandbox.faults.set({ endpoint: '*', response });
	const rest = { ...v2, specifySignatories: 'byRole', signatories: undefined };
	const parameters = { ...rest, templateId: byId('twins'), fields: mapped({}) };
	const load = action.methods.resourceMapping.getSignatoryRoles;
	const { fields } = await load.call(loadContext(service.credential(), parameters));
	const expected = ['Ada', 'Ben', 'Cleo'].map((name) => ({
		name: `${name} Lee`,
		email: `${name}@example.com`,
	}));
	const texts = expected.flatMap(({ name, email }) => [name, email]);
	const value = Object.fromEntries(fields.map(({ id }, index) => [id, texts[index]]));
	await send({ ...parameters, signatoryRoles: mapped(value) });
	expect(creationsAt(service).at(-1)?.body).toMatchObject({ signatories: expected });
});

test.each([
	[
		'every role is empty',
		{},
		`: Name (first party), Email (first party), Name (second party), Email (second party): ${valueProblems.empty.problem}`,
	],
	[
		'a role has no email address',
		{ ...second, 'first_party.name': 'Ada' },
		`Email (first party): ${valueProblems.empty.problem}`,
	],
	[
		'a role has no name',
		{ ...second, 'first_party.email': ada.email },
		`Name (first party): ${valueProblems.empty.problem}`,
	],
	['a role is no longer in the template', { 'old.name': 'Ada' }, `${otherTemplate}: old.name`],
])('nothing is sent when %s', async (_name, value, message) => {
	const { parameters } = twoPlaces();
	const signatoryRoles = mapped(value);
	await expect(send({ ...parameters, signatoryRoles })).rejects.toThrow(message);
	expect(creations()).toHaveLength(0);
});

test('the form of another template causes one short error with the labels of its fields, and nothing is sent', async () => {
	const load = action.methods.resourceMapping;
	const filled = async (method: 'getTemplateFields' | 'getSignatoryRoles') => {
		const context = loadContext(service.credential(), { templateId: v2.templateId });
		const { fields: schema } = await load[method].call(context);
		return { ...mapped(Object.fromEntries(schema.map(({ id }) => [id, 'Ada']))), schema };
	};
	const fields = await filled('getTemplateFields');
	const signatoryRoles = await filled('getSignatoryRoles');
	const { parameters } = twoPlaces();
	const cases: Array<[IDataObject, string]> = [
		[{ fields }, 'Employee name, Job title, Start date and 2 more'],
		[{ fields, signatoryRoles }, 'Name (employee), Email (employee)'],
	];
	for (const [form, labels] of cases) {
		const people = { signatoryRoles: mapped({ ...first, ...second }) };
		const error = await failureOf(send({ ...parameters, ...people, ...form }));
		expect(error.message).toBe(`${otherTemplate}: ${labels}`);
		expect(error.description).toContain('Nothing was sent.');
		expect(error.description).not.toContain('Mapping Column Mode');
	}
	const { templateId } = parameters as { templateId: IDataObject };
	const value = `={{ '${String(templateId.value)}' }}`;
	const error = await failureOf(
		send({ ...parameters, fields, templateId: { ...templateId, value } }),
	);
	expect(error.description).toMatch(/Mapping Column Mode\b.*\bMap Automatically\b/);
	expect(creations()).toHaveLength(0);
});

describe('the number of people', () => {
	const one = { specifySignatories: 'oneByOne', signatories: { signatory: [ada] } };

	test('must match the number of roles, or nothing is sent and the error names the roles', async () => {
		const { parameters, template } = twoPlaces();
		const sending = send({ ...parameters, ...one });
		const roles = 'first party, second party';
		const facts = { template: String(template.name), roles, count: 1, option: '' };
		await expect(sending).rejects.toThrow(
			`Signatories: ${peopleProblems.otherCount(facts).problem}`,
		);
		expect(creations()).toHaveLength(0);
	});

	test.each([
		['by role', { signatoryRoles: mapped(first) }],
		['one by one', one],
		[
			'by an expression',
			{ specifySignatories: 'expression', signatoriesList: JSON.stringify([ada]) },
		],
	])(
		'can be lower, but not higher, than the number of roles if Leave Last Roles Empty is on (people entered %s)',
		async (_how, fewer) => {
			const { parameters } = twoPlaces();
			const free = { ...parameters, options: { leaveLastRolesEmpty: true } };
			await send({ ...free, ...fewer });
			expect(creations()[0]?.body).toMatchObject({ signatories: [ada] });
			const third = { email: 'eve@example.com', name: 'Eve Third' };
			const more = { specifySignatories: 'expression', signatoriesList: [ada, bob, third] };
			await expect(send({ ...free, ...more })).rejects.toThrow(/, but you entered 3 people$/);
		},
	);
});

describe('a list of people with roles', () => {
	const listed = (...people: IDataObject[]) => ({
		...twoPlaces().parameters,
		specifySignatories: 'expression',
		signatoriesList: people,
	});

	test.each([
		['in the order of the roles', 'first party', 'second_party'],
		['with roles in another case', 'FIRST PARTY', 'Second-Party'],
		['with roles that the template lacks', 'Landlord', 'Tenant'],
		['with one role', '', 'Second party'],
		['with other values', { id: 1 }, 2],
	])('is sent as it is %s', async (_how, role, Role) => {
		await send(listed({ ...ada, role }, { ...bob, Role }));
		expect(creations()[0]?.body).toMatchObject({ signatories: [ada, bob] });
	});

	test.each<[string, IDataObject[], string]>([
		[
			"two people in each other's place",
			[
				{ ...ada, role: 'Second party' },
				{ ...bob, role: 'First party' },
			],
			'Signatory 1: ',
		],
		[
			'one person in the place of another role',
			[ada, { ...bob, ROLE: 'first_party' }],
			'Signatory 2: ',
		],
		['a single person with the last role', [{ ...ada, role: 'Second party' }], ''],
	])('is refused with %s', async (_what, people, entry) => {
		const error = await failureOf(
			send({ ...listed(...people), options: { leaveLastRolesEmpty: people.length < 2 } }),
		);
		expect(`${error.message} ${error.description}`).toContain(entry);
		expect(`${error.message} ${error.description}`).toContain('first party, second party');
		expect(creations()).toHaveLength(0);
	});
});

describe('people who are mapped automatically', () => {
	const automatic = { mappingMode: 'autoMapInputData', value: null, schema: [] };
	const row = {
		'First party name': ada.name,
		'FIRST PARTY E-MAIL': ada.email,
		'second_party name': bob.name,
		'Second party email': bob.email,
	};
	const sendRows = async (rows: IDataObject[], more: IDataObject = {}) => {
		const { parameters } = twoPlaces();
		return await runAction(service.credential(), {
			parameters: { ...parameters, signatoryRoles: automatic, ...more },
			items: rows,
			perItem: rows.map(({ key }) =>
				key === undefined ? {} : { options: { sendOnceKey: key as string } },
			),
			store: new ProcessedStore(),
		});
	};

	test('are sent in the order of the roles, and only once for each Send Once Key', async () => {
		const other = { ...row, 'Second party email': 'eve@example.com' };
		const rows = [
			{ ...row, key: 'C-1' },
			{ ...other, key: 'C-2' },
			{ ...row, key: 'C-1' },
		];
		const sent = await sendRows(rows);
		expect(creations().map(({ body }) => (body as IDataObject).signatories)).toEqual([
			[ada, bob],
			[ada, { ...bob, email: 'eve@example.com' }],
		]);
		expect(sent[2]?.json).toMatchObject({ outcome: 'skipped', sendOnceKey: 'C-1' });
	});

	test('are returned with their roles with Never Send', async () => {
		const [checked] = await sendRows([row], { options: { neverSend: true } });
		expect(checked?.json.signatories).toEqual([
			{ ...ada, signed: false, role: 'first party' },
			{ ...bob, signed: false, role: 'second party' },
		]);
		expect(creations()).toHaveLength(0);
	});

	test('are not sent if a column is missing, and the error names that column', async () => {
		const { 'Second party email': secondEmail, ...short } = row;
		expect(secondEmail).toBeDefined();
		await expect(
			sendRows([short, short], { options: { leaveLastRolesEmpty: true } }),
		).rejects.toMatchObject({
			message: 'Nothing was sent, because both items have a problem.',
			description: expect.stringContaining(
				`Both items: Signatories: ${columnProblems.noneForPeople('second party email', Object.keys(short).join(', ')).problem}`,
			),
		});
		expect(creations()).toHaveLength(0);
	});

	test('are read from the columns that the form lists for signatories', async () => {
		const { parameters } = twoPlaces();
		const { getSignatoryRoles, getTemplateFields } = action.methods.resourceMapping;
		const context = () => loadContext(service.credential(), parameters);
		expect(await getSignatoryRoles.call(context())).toMatchObject({
			emptyFieldsNotice:
				'Columns for the signatories: first party name, first party email, second party name, second party email',
		});
		const { emptyFieldsNotice } = await getTemplateFields.call(context());
		expect(emptyFieldsNotice).toMatch(/^Columns for the fields: \w/);
	});
});

test('the list of columns in a form shows labels as text, not as HTML', async () => {
	const form = [{ key: 'a', label: '<img src=x> & more', isRequired: true }];
	const template = {
		_id: 't',
		templateID: 't',
		name: 'T',
		status: 'ACTIVE',
		form,
		signatories: [],
	};
	const responseData = { accessToken: 'a', templates: [template] };
	const response = { status: 200, body: { success: true, responseData } };
	service.sandbox.faults.set({ endpoint: '*', response });
	const load = action.methods.resourceMapping.getTemplateFields;
	const context = loadContext(service.credential(), { ...v2, templateId: byId('t') });
	expect(await load.call(context)).toMatchObject({
		emptyFieldsNotice: 'Columns for the fields: &lt;img src=x> &amp; more',
	});
});

test('an empty role before a filled one is rejected, because the service would assign the person to the empty role', async () => {
	const { parameters } = twoPlaces();
	const free = { ...parameters, options: { leaveLastRolesEmpty: true } };
	await expect(send({ ...free, signatoryRoles: mapped(second) })).rejects.toThrow(
		`Name (first party), Email (first party): ${valueProblems.empty.problem}`,
	);
	expect(creations()).toHaveLength(0);
});

const all = ['document', 'certificate', 'pscCertificate'];
const download = async (parameters: object, setup: Partial<RunSetup> = {}) =>
	await runAction(service.credential(), {
		parameters: { resource: 'document', operation: 'download', ...parameters },
		...setup,
	});

describe("a signed document's files", () => {
	/** A signed document as the trigger returns it. */
	let signed: IDataObject;
	beforeAll(async () => {
		const { sandbox } = service;
		const { prepare } = operationNamed('document/download');
		[signed = {}] = await prepare({ sandbox, client: clientOf(sandbox) }, 1);
	});

	test("are downloaded directly from the links in the trigger's simplified output", async () => {
		const [item] = await download({ files: all }, { items: [signed] });
		const checksums = all.map((name) => [`${name}Sha256`, expect.any(String) as string]);
		expect(item?.json).toEqual({
			...signed,
			...Object.fromEntries(checksums),
			attachmentFields: all.join(','),
		});
		expect(item?.pairedItem).toEqual({ item: 0 });
		expect(Object.keys(item?.binary ?? {}).sort()).toEqual([...all].sort());
		for (const name of all) {
			const file = item?.binary?.[name];
			const bytes = Buffer.from(file?.data ?? '', 'base64');
			const checksum = createHash('sha256').update(bytes).digest('hex');
			expect(item?.json[`${name}Sha256`]).toBe(checksum);
			expect(file?.mimeType).toBe('application/pdf');
			expect(file?.fileName).toMatch(
				/^Employment contract – Ada Lovelace – [\da-f]{6}( - .*)?\.pdf$/,
			);
			expect(bytes.toString('latin1')).toMatch(/^%PDF/);
		}
	});

	test("are downloaded from a URL in the form and added to the item's existing files", async () => {
		const binary = { photo: { data: 'AA==', mimeType: 'image/png' } };
		const { certificateUrl } = signed;
		const [item] = await download({ files: 'certificate', certificateUrl }, { binary });
		expect(Object.keys(item?.binary ?? {})).toEqual(['photo', 'certificate']);
		expect(item?.json).toEqual({
			certificateSha256: expect.any(String) as string,
			attachmentFields: 'certificate',
		});
	});

	test('are attached next to those of the event, and no longer missing', async () => {
		const reason = 'The file is not there yet';
		const late = all.slice(1).map((file) => ({ file, reason }));
		const [item] = await download(
			{ files: ['certificate'] },
			{
				items: [{ ...signed, attachmentFields: 'document', missingFiles: late }],
				binary: { document: { data: 'AA==', mimeType: 'application/pdf' } },
			},
		);
		expect(item?.json).toMatchObject({
			attachmentFields: 'document,certificate',
			missingFiles: [{ file: 'pscCertificate', reason }],
		});
	});
});
