import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readPdf } from '../../sandbox/demo/papers/read';
import type { Sandbox } from '../../sandbox';
import { fetchFile } from '../../host/onboarding';
import {
	type CallResponse,
	createV1,
	createV2,
	type Http,
	httpAt,
	people,
	signedIn,
	start,
	stopAll,
} from './serviceKit';

/** Templates in the form that the Get many templates action returns when Output is set to Raw. */
const templateV2 = {
	_id: '64aa00000000000000000001',
	templateID: '64aa0000000000000000a001',
	name: 'Work contract',
	description: 'For people who are new',
	key: 'work_contract',
	status: 'ACTIVE',
	signatories: [
		{ key: 'employee', type: 'signature', _id: '1' },
		{ key: 'head_of-team', type: 'signature', _id: '2' },
	],
	form: [
		{ key: 'Full name {of} person', type: 'text', isRequired: true, label: 'Full name', _id: '3' },
		{ key: 'bonus', type: 'text', isRequired: false, label: 'Bonus', _id: '4' },
	],
	formSignatory: [{ key: 'iban', type: 'text', isRequired: true, label: 'Your IBAN', _id: '5' }],
};
const templateV1 = {
	_id: '64aa00000000000000000002',
	templateID: '64aa0000000000000000a002',
	userID: 'somebody',
	name: 'Lease',
	description: '',
	inputs: [{ key: 'rent', type: 'text', isRequired: true, label: 'Rent' }],
};

let sandbox: Sandbox;
let http: Http;
beforeEach(async () => {
	sandbox = await start();
	http = await signedIn(sandbox);
});
afterEach(stopAll);

const importJson = (value: unknown) => sandbox.importTemplates(JSON.stringify(value));
type List = CallResponse<{ templates: Array<Record<string, unknown>> }>;
const listed = async (path: string, at = http) =>
	(await at.get<List>(path)).data.responseData.templates;

test.each([
	['null', { ...templateV2, inputs: null }, 'v2'],
	['empty', { ...templateV2, inputs: [] }, 'v2'],
	['empty', { ...templateV1, form: [], signatories: [] }, 'v1'],
])("imports a template with the other version's lists %s", (_name, template, version) => {
	const { taken } = importJson([template]);
	expect(taken).toMatchObject([{ version, fields: expect.arrayContaining([expect.anything()]) }]);
});

test('two templates with one ID are imported if each version has one, and a document uses the right one', async () => {
	const { templateID } = templateV2;
	const { taken, refused } = importJson([templateV2, { ...templateV1, templateID }]);
	expect({ versions: taken.map(({ version }) => version), refused }).toEqual({
		versions: ['v2', 'v1'],
		refused: [],
	});
	expect((await listed('/templates'))[0]).toMatchObject({ templateID, name: 'Lease' });
	expect((await listed('/templates/v2'))[0]).toMatchObject({ templateID, name: 'Work contract' });
	const body = { templateID, country: 'Mexico', inputs: { rent: '900' }, signatories: people };
	expect((await http.post(createV1, body)).status).toBe(200);
	const [document] = sandbox.documents();
	expect(document?.title).toBe('Lease');
	for (const { email } of people) await sandbox.sign(document?.documentID ?? '', email);
	const url = sandbox.documents()[0]?.documentFileObj.url ?? '';
	expect((await readPdf(await fetchFile(url))).text).toContain('Rent: 900');
});

test('imports keys as they are, with the spaces around them', async () => {
	const form = [{ key: ' rent ', type: 'text', isRequired: true, label: 'Rent' }];
	importJson([{ ...templateV2, form }]);
	const [first] = await listed('/templates/v2');
	expect(first?.form).toMatchObject([{ key: ' rent ' }]);
});

test.each([
	['a list of templates', [templateV2, templateV1]],
	['a list of n8n items', [{ json: templateV2, pairedItem: { item: 0 } }, { json: templateV1 }]],
	[
		'a response from the service',
		{ success: true, responseData: { templates: [templateV2, templateV1] } },
	],
	[
		'a list of items that contain responses from the service',
		[{ templates: [templateV2] }, { json: { responseData: [templateV1] } }],
	],
	['a single template', templateV2],
])('%s is imported', (_what, value) => {
	const { taken, refused, replaced } = importJson(value);
	expect(taken.map(({ name }) => name)).toEqual(
		value === templateV2 ? ['Work contract'] : ['Work contract', 'Lease'],
	);
	expect(refused).toEqual([]);
	expect(replaced).toEqual([]);
});

test("imported templates are listed with all their fields, before the sandbox's own templates", async () => {
	importJson([templateV2, templateV1]);
	const [v2] = await listed('/templates/v2');
	expect(v2).toMatchObject({
		...templateV2,
		signatories: [
			{ key: 'employee', type: 'signature' },
			{ key: 'head_of-team', type: 'signature' },
		],
		form: templateV2.form.map(({ key, label, isRequired }) => ({ key, label, isRequired })),
		formSignatory: [{ key: 'iban', label: 'Your IBAN', isRequired: true }],
	});
	const [v1] = await listed('/templates');
	expect(v1).toMatchObject({ ...templateV1, userID: sandbox.account.userId });
	expect(importJson([{ ...templateV2, name: 'Renamed' }]).replaced).toMatchObject([
		{ templateID: templateV2.templateID },
	]);
	expect((await listed('/templates/v2'))[0]?.name).toBe('Renamed');
});

test('a document from an imported template can be signed, and its file contains the fields with their values', async () => {
	importJson([templateV2, templateV1]);
	const wanting = await http.post(createV2, {
		templateID: templateV2.templateID,
		country: 'Mexico',
		inputs: { bonus: '100' },
		signatories: people.slice(0, 2),
	});
	expect(wanting.data.message).toContain('Full name {of} person');
	const made = await http.post(createV2, {
		templateID: templateV2.templateID,
		country: 'Mexico',
		inputs: { 'Full name {of} person': 'Ada {{bonus}} Lovelace' },
		signatories: people.slice(0, 2),
	});
	const { documentID } = made.data.responseData;
	for (const { email } of people.slice(0, 2)) await sandbox.sign(documentID, email);
	const [document] = sandbox.documents();
	expect(document?.status).toBe('COMPLETED');
	const { text } = await readPdf(await fetchFile(document?.documentFileObj.url ?? ''));
	for (const part of [
		'Work contract',
		'Full name: Ada {{bonus}} Lovelace',
		'Bonus: (not stated)',
		'employee',
		'head of team',
		'Your IBAN: Yes',
		`Signed by: ${people[1]?.name}`,
	]) {
		expect(text.replace(/\s+/g, ' ')).toContain(part);
	}
	const old = await http.post(createV1, {
		templateID: templateV1.templateID,
		country: 'Mexico',
		inputs: { rent: '900' },
		signatories: people.slice(0, 1),
	});
	expect(old.status).toBe(200);
});

const field = (changes: object) => ({
	...templateV1,
	inputs: [{ ...templateV1.inputs[0], ...changes }],
});
const own = '65f1c0de0000000000000201';

test.each([
	['without an ID', { ...templateV2, templateID: '', _id: undefined }, 'doesn’t have an ID'],
	[
		'from simplified output',
		{ templateId: 'x', name: 'Work contract', fields: [] },
		'Set Output to Raw',
	],
	[
		'that belongs to neither version',
		{ templateID: 'x', name: 'Work contract' },
		'doesn’t contain any fields or roles',
	],
	[
		'whose fields are not a list',
		{ ...templateV2, form: {}, signatories: [] },
		'form isn’t a list',
	],
	[
		'that contains a field without a key',
		field({ key: '' }),
		'Entry 1 in inputs doesn’t have a key',
	],
	[
		'with a field named "__proto__"',
		JSON.parse('{"templateID":"x","inputs":[{"key":"__proto__"}]}'),
		'__proto__',
	],
	[
		'with a question named "constructor"',
		{ ...templateV2, formSignatory: [{ key: 'constructor' }] },
		'constructor',
	],
	[
		'with too many fields',
		{ ...templateV2, form: Array(201).fill(templateV2.form[0]) },
		'more than 200',
	],
	['whose name is too long', { ...templateV2, name: 'x'.repeat(501) }, 'longer than 500'],
	[
		"with the ID of one of the sandbox's own templates",
		{ ...templateV2, templateID: own },
		'own templates already has this ID',
	],
	['whose ID and version are already in the list', templateV1, 'the same ID and version'],
	['that is plain text', 'Work contract', 'isn’t a template'],
])('a template %s is rejected, and the others are imported', (_what, wrong, reason) => {
	const { taken, refused } = importJson([templateV1, wrong]);
	expect(taken.map(({ name }) => name)).toEqual(['Lease']);
	expect(refused).toEqual([
		{ title: expect.any(String) as string, reason: expect.stringContaining(reason) as string },
	]);
	expect({}).not.toHaveProperty('key');
});

test.each([
	['text that is not JSON', 'Name;Template', 'isn’t JSON'],
	['an empty list', '[]', 'doesn’t contain any templates'],
	['an empty response', '{"responseData":{"templates":[]}}', 'doesn’t contain any templates'],
	['a deeply nested list', '['.repeat(5000) + ']'.repeat(5000), 'doesn’t contain any templates'],
	[
		'a list of 1.6 million empty entries',
		`[${'{},'.repeat(1_600_000)}{}]`,
		'has more than 1000 entries',
	],
	[
		'a list of 1,001 entries',
		JSON.stringify(Array(1001).fill(templateV1)),
		'has more than 1000 entries',
	],
	['text larger than 5 MB', JSON.stringify('x'.repeat(5_000_001)), 'larger than 5 MB'],
])('%s is rejected, and nothing is imported', (_what, text, reason) => {
	expect(() => sandbox.importTemplates(text)).toThrow(reason);
	expect(sandbox.templates()).toHaveLength(6);
});

test('a sandbox keeps at most 1,000 imported templates, but can still replace one with a new version', () => {
	const many = Array.from({ length: 1001 }, (_, index) => ({
		...templateV1,
		templateID: `t-${index}`,
	}));
	expect(importJson(many.slice(0, 1000)).taken).toHaveLength(1000);
	const { taken, refused } = importJson(many.slice(1000));
	expect(taken).toEqual([]);
	expect(refused).toHaveLength(1);
	expect(refused[0]?.reason).toContain('1000 imported templates');
	expect(importJson([{ ...templateV1, templateID: 't-3', name: 'Newer' }]).replaced).toMatchObject([
		{ templateID: 't-3' },
	]);
});

test.each(['DRAFT', 'inactive', 'Archived'])(
	'an imported template with the status "%s" cannot be used to create a document',
	async (status) => {
		importJson([{ ...templateV2, status }]);
		const body = {
			templateID: templateV2.templateID,
			country: 'Mexico',
			inputs: {},
			signatories: people,
		};
		expect((await http.post(createV2, body)).data.message).toBe('Template is not active');
		importJson([{ ...templateV2, status: 'PUBLISHED' }]);
		expect((await http.post(createV2, body)).data.message).toContain('required key');
	},
);

test('imported templates and their documents survive a restart if the sandbox has a data folder, and a document keeps its fields when its template changes', async () => {
	const dataFolder = await mkdtemp(join(tmpdir(), 'sandbox-'));
	const first = await start({ dataFolder });
	const page = httpAt(first.url);
	const form = new FormData();
	form.set('text', JSON.stringify([templateV1]));
	const { status, data } = await page.post<string>('/templates/import', form);
	expect(status).toBe(200);
	expect(data).toContain('1 template imported');
	const body = {
		templateID: templateV1.templateID,
		country: 'Mexico',
		inputs: { rent: '1' },
		signatories: people,
	};
	await (await signedIn(first)).post(createV1, body);
	await first.close();
	const second = await start({ dataFolder });
	expect(second.documents()).toHaveLength(1);
	expect((await listed('/templates', await signedIn(second)))[0]).toMatchObject({ name: 'Lease' });
	second.importTemplates(
		JSON.stringify([{ ...templateV1, inputs: [{ ...templateV1.inputs[0], key: 'price' }] }]),
	);
	const [{ documentID = '' } = {}] = second.documents();
	for (const { email } of people) await second.sign(documentID, email);
	const url = second.documents()[0]?.documentFileObj.url ?? '';
	expect((await readPdf(await fetchFile(url))).text).toContain('Rent: 1');
	await second.close();
	await rm(dataFolder, { recursive: true, force: true });
});
