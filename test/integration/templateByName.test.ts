import '../support/shortPauses';

import type { IDataObject } from 'n8n-workflow';

import { ProcessedStore } from '../n8n/processedStore';
import { action, loadContext, runAction } from '../support/contexts';
import { newProcess } from '../support/newProcess';
import { wordsWith } from '../support/problemWords';
import {
	byId,
	contract,
	creationsAt,
	despite,
	failureOf,
	mapped,
	useService,
	v2,
} from '../support/service';
import { templateProblems } from '../../nodes/SignVerify/templateForm/templateProblems';
import { valueProblems } from '../../nodes/SignVerify/text/textProblems';

const service = useService();

const byName = (value: string) => ({ __rl: true, mode: 'name', value });

/** Replaces the account's templates. A name alone stands for a version 2 template without fields. */
function haveTemplates(...listed: Array<string | IDataObject>) {
	newProcess();
	service.sandbox.faults.clear();
	const templates = listed.map((one, index): IDataObject => {
		const template = typeof one === 'string' ? { name: one } : one;
		return { templateID: `id-${index}`, status: 'ACTIVE', form: [], ...template };
	});
	for (const version of ['v1', 'v2']) {
		const own = templates.filter((template) => (template.version ?? 'v2') === version);
		service.sandbox.faults.set({
			endpoint: version === 'v2' ? 'GET /templates/v2' : 'GET /templates',
			response: { status: 200, body: { success: true, responseData: { templates: own } } },
		});
	}
}

const form = (templateId: IDataObject, parameters: IDataObject = {}): IDataObject => ({
	...v2,
	templateId,
	fields: mapped({}),
	...parameters,
});

/** What would be sent, without sending it. The templates of this file aren't in the sandbox. */
async function previewed(
	templateId: IDataObject,
	items: IDataObject[] = [{}],
	parameters: IDataObject = {},
) {
	const output = await runAction(service.credential(), {
		parameters: form(templateId, { options: { ...despite, neverSend: true }, ...parameters }),
		items,
	});
	return output.map(({ json }) => json.templateId);
}

const refusal = async (...of: Parameters<typeof previewed>) =>
	await failureOf(previewed(...of)).then(({ message, description }) => ({ message, description }));

/** The form of fields that the editor loads. */
async function loaded(templateId: IDataObject) {
	const context = loadContext(service.credential(), form(templateId));
	return await action.methods.resourceMapping.getTemplateFields.call(context);
}

const draft = (name: string, key?: string) => ({ name, status: 'DRAFT', ...(key ? { key } : {}) });

test('a document is created from the template with the name, and from the one with the key', async () => {
	for (const name of ['Employment contract', ' EMPLOYMENT\u00a0 contract\u200b ']) {
		const parameters = { ...v2, templateId: byName(name) };
		expect(await runAction(service.credential(), { parameters })).toMatchObject([
			{ json: { outcome: 'sent', templateId: contract, title: 'Employment contract' } },
		]);
	}
	expect(creationsAt(service).map(({ body }) => body)).toMatchObject([
		{ templateID: contract },
		{ templateID: contract },
	]);
});

/** A grant, which is inactive, and a debt. */
const grantAndDebt = [draft('Förderungsvertrag'), 'Forderungsvertrag'];

test.each<[string, Array<string | IDataObject>, string, string]>([
	['a name', ['Lease', 'Sale'], 'Lease', 'id-0'],
	['a name in another case', ['Nómina', 'Sale'], 'nómina', 'id-0'],
	['a name with other spaces', ['Sale', 'Lease 2'], ' lease\u00a0  2 ', 'id-1'],
	['a name of an apostrophe', ['Sale', "'"], "'", 'id-1'],
	['a name without its apostrophes', ['Contrat d’essai', 'Sale'], "contrat d'essai", 'id-0'],
	['a grant, although a debt is active', grantAndDebt, 'Förderungsvertrag', 'id-0'],
	['a debt, beside a grant', grantAndDebt, 'forderungsvertrag', 'id-1'],
	['rent beside tax', ['Thuế nhà', 'Thuê nhà'], 'thuê nhà', 'id-1'],
	['tax beside rent', ['Thuế nhà', 'Thuê nhà'], 'thuế nhà', 'id-0'],
	[
		'a name with a letter that was typed in its place',
		['Închiriați', 'Sale'],
		'Închiriaţi',
		'id-0',
	],
	['a number in two parts', ['Anexo 11', 'Anexo 1 1'], 'anexo 1  1', 'id-1'],
	['a number in one part', ['Anexo 11', 'Anexo 1 1'], 'anexo 11', 'id-0'],
	['a name as it is written', ['NDA', 'nda'], 'nda', 'id-1'],
	['an active name as it is written', [draft('NDA'), 'nda'], 'nda', 'id-1'],
	['an active name before an inactive key', [draft('Sale', 'nda'), 'nda'], 'nda', 'id-1'],
	[
		'a name that is the key of another one',
		['lease', { name: 'Sale', key: 'lease' }],
		'lease',
		'id-0',
	],
	['the active one of two equal names', [draft('Lease'), 'Lease', 'LEASE'], 'Lease', 'id-1'],
	['one of several inactive ones', [draft('NDA'), draft('nda'), 'Sale'], 'NDA', 'id-0'],
	["an inactive one's name in the list", ['NDA', draft('nda')], 'nda (status DRAFT)', 'id-1'],
	['a name and a key of one template', [{ name: 'NDA', key: 'nda' }, 'Sale'], 'Nda', 'id-0'],
	['a key', [{ name: 'Lease', key: 'lease-2024' }, 'Sale'], 'lease-2024', 'id-0'],
	['a key in another case', [{ name: 'Lease', key: 'LEASE_24' }, 'Sale'], 'lease_24', 'id-0'],
	['a name that looks like an ID', [{ name: contract }, 'Sale'], contract, 'id-0'],
	['the ID of a template without a name', [{ templateID: 'lease-7' }], 'lease-7', 'lease-7'],
	['a template of version 1', [{ name: 'Lease', version: 'v1', inputs: [] }], 'Lease', 'id-0'],
	['a name that is long', ['Lease '.repeat(200)], 'Lease '.repeat(200), 'id-0'],
	['an inactive template, as by its ID', [{ name: 'Lease', status: 'DRAFT' }], 'Lease', 'id-0'],
	['a name with words of the form', ['toString', '__proto__'], '__proto__', 'id-1'],
])('%s finds its template', async (_what, templates, name, id) => {
	haveTemplates(...templates);
	expect(await previewed(byName(name))).toEqual([id]);
});

describe.each(['Rent &amp; deposit', 'Contrato {{cliente}}', 'undefined', 'Espa\u00c3\u00b1a'])(
	'The name %j, which looks like a mistake,',
	(name) => {
		const stops = { options: { neverSend: true } };

		test.each([name, '={{ $json.template }}'])(
			'finds its template if it comes from %j',
			async (value) => {
				haveTemplates(name, 'Sale');
				expect(await previewed(byName(value), [{ template: name }], stops)).toEqual(['id-0']);
			},
		);

		test('is explained if no template has it', async () => {
			haveTemplates('Lease', 'Sale');
			const { message } = await refusal(
				byName('={{ $json.template }}'),
				[{ template: name }],
				stops,
			);
			expect(message).toContain('Template: ');
			expect(message).not.toContain(templateProblems.noneWithName(name, 'Lease, Sale').problem);
		});
	},
);

test.each<[string, Array<string | IDataObject>, string, string]>([
	[
		'the same name twice',
		['Lease', 'Lease'],
		'Lease',
		templateProblems.severalWithName('Lease', '"Lease (ID id-0)", "Lease (ID id-1)"').problem,
	],
	[
		'a name that differs from two names only in case',
		['LEASE', 'Lease'],
		'lease',
		templateProblems.severalWithName('lease', '"Lease (ID id-1)", "LEASE (ID id-0)"').problem,
	],
	[
		'a name that differs from a name only in its accents, whose name comes first',
		['Contrato de nomina 2', 'Nómina', 'Sale', 'Nomina 3'],
		'nomina',
		templateProblems.noneWithName('nomina', 'Nómina, Contrato de nomina 2, Nomina 3, Sale').problem,
	],
	[
		'a name that differs from a key only in its accents, whose template comes first',
		['A', { name: 'Sale', key: 'nómina' }],
		'nomina',
		templateProblems.noneWithName('nomina', 'Sale, A').problem,
	],
	[
		"an inactive template's name that is another template's key",
		[draft('Lease'), { name: 'Sales contract', key: 'lease' }],
		'Lease',
		templateProblems.severalWithName('Lease', '"Sales contract", "Lease (status DRAFT)"').problem,
	],
	[
		"an inactive template's name that an active one has in other capitals",
		[draft('NDA'), 'nda'],
		'NDA',
		templateProblems.severalWithName('NDA', '"nda (ID id-1)", "NDA (status DRAFT)"').problem,
	],
	[
		"a key that is another template's name in other capitals",
		['nda', { name: 'Sales contract', key: 'NDA' }],
		'NDA',
		templateProblems.severalWithName('NDA', '"nda (ID id-0)", "Sales contract"').problem,
	],
	[
		'a name that two inactive templates have',
		[draft('NDA'), draft('NDA'), 'Sale'],
		'NDA',
		templateProblems.severalWithName(
			'NDA',
			'"NDA (status DRAFT) (ID id-0)", "NDA (status DRAFT) (ID id-1)"',
		).problem,
	],
	[
		'a name that two active and an inactive template have',
		['NDA', draft('NDA'), 'NDA'],
		'NDA',
		templateProblems.severalWithName(
			'NDA',
			'"NDA (ID id-0)", "NDA (ID id-2)", "NDA (status DRAFT)"',
		).problem,
	],
	[
		'the same name in both versions',
		['Lease', { name: 'Lease', version: 'v1', inputs: [] }],
		'Lease',
		templateProblems.severalWithName('Lease', '"Lease (ID id-0)", "Lease (version 1)"').problem,
	],
	[
		'the same name with another description',
		['Lease', { name: 'Lease', description: 'for 2027' }],
		'Lease',
		templateProblems.severalWithName('Lease', '"Lease (ID id-0)", "Lease – for 2027"').problem,
	],
	[
		'only a part of a name',
		['Equipment handover', 'Sale'],
		'Handover',
		templateProblems.noneWithName('Handover', 'Equipment handover, Sale').problem,
	],
	["a template's ID", ['Lease'], 'id-0', templateProblems.noneWithName('id-0', 'Lease').problem],
	[
		'nothing but apostrophes',
		['Lease', '`'],
		"'’",
		templateProblems.noneWithName("'’", '`, Lease').problem,
	],
	[
		'any name in an empty account',
		[],
		'Lease',
		templateProblems.noneWithName('Lease', 'none').problem,
	],
])('%s is refused, and the names are shown', async (_what, templates, name, message) => {
	haveTemplates(...templates);
	expect((await refusal(byName(name))).message).toContain(message);
});

test('an error shows the closest names first, a bounded number of them, and IDs instead of long names', async () => {
	const others = Array.from({ length: 300 }, (_, index) => `A very long name ${index} `.repeat(20));
	haveTemplates(...others, 'Contract of employment');
	const { message } = await refusal(byName('Employment contract'));
	const first = 'Contract of employment, id-0, …';
	expect(message).toMatch(
		wordsWith(templateProblems.noneWithName('Employment contract', first).problem),
	);
	expect(message).toContain('and 281 more');
	expect(await previewed(byName('id-0'))).toEqual(['id-0']);
	expect(message.length).toBeLessThan(2000);
	haveTemplates(...others.map(() => 'Lease'));
	const twins = await refusal(byName('Lease'));
	expect(twins.message).toContain('and 295 more');
	expect(twins.message.length).toBeLessThan(2000);
});

test.each([
	['', valueProblems.notSelected.problem],
	[' \u00a0\u200b ', valueProblems.notSelected.problem],
	['={{ $json.template }}', valueProblems.noValue.problem],
	['={{ undefined }}', valueProblems.noValue.problem],
	['{{ $json.template }}', valueProblems.typedExpression.problem],
	['={{ ({ name: "Lease" }) }}', valueProblems.notText('an object ({"name":"Lease"})').problem],
])('%j as a name is refused before anything is sent', async (name, problem) => {
	haveTemplates('Lease');
	const { message, description } = await refusal(byName(name));
	expect(message).toContain('Template');
	expect(message).toContain(problem);
	expect(description).toContain('Nothing was sent');
});

test('each item can have its own template, and a wrong name stops the whole list', async () => {
	haveTemplates('Lease', { name: 'Sale', key: 'sale' });
	const templateId = byName('={{ $json.kind }}');
	const items = ['Lease', 'sale', 'LEASE'].map((kind) => ({ kind }));
	expect(await previewed(templateId, items)).toEqual(['id-0', 'id-1', 'id-0']);
	const { description } = await refusal(templateId, [...items, { kind: 'Rent' }]);
	expect(description).toContain(templateProblems.noneWithName('Rent', 'Lease, Sale').problem);
});

test('a Send Once Key belongs to the template, whatever it is called, and a new one is another contract', async () => {
	const options = { sendOnceKey: '={{ $json.number }}' };
	const store = new ProcessedStore();
	const keeper = service.credential();
	const send = async (templateId: IDataObject) => {
		const [item] = await runAction(keeper, {
			parameters: { ...v2, templateId, options },
			items: [{ number: 'C-77' }],
			store,
		});
		return item?.json.outcome;
	};
	expect(await send(byId(contract))).toBe('sent');
	expect(await send(byName('employment CONTRACT'))).toBe('skipped');
	const [seed] = service.sandbox.templates().filter(({ templateID }) => templateID === contract);
	haveTemplates({
		name: 'Employment contract',
		templateID: '65f1c0de0000000000000203',
		form: seed?.fields as unknown as IDataObject[],
	});
	const { message } = await failureOf(send(byName('Employment contract')));
	// The sandbox refuses the fields of another template, so the call was made.
	expect(message).not.toContain('skipped');
	expect(creationsAt(service)).toHaveLength(2);
});

test("a missing template is shown by the name that the form showed, which isn't run as an expression", async () => {
	haveTemplates('Lease');
	const selected = (cachedResultName: IDataObject[string], value = 'gone') => ({
		__rl: true,
		mode: 'list',
		value,
		cachedResultName,
	});
	for (const name of ['Employment contract', '={{ $json.name }}', '={{ throw 1 }}']) {
		const { message } = await refusal(selected(name));
		expect(message).toContain(templateProblems.noneWithShownName('gone', name).problem);
	}
	const long = await refusal(selected('Lease '.repeat(1000)));
	expect(long.message.length).toBeLessThan(400);
	// The form shows the expression, so the name is that of an earlier choice.
	for (const saved of [
		selected('Lease', '={{ "gone" }}'),
		{ ...selected('Lease'), mode: 'id' },
		selected(undefined),
		selected({ name: 'Lease' }),
	]) {
		const { message } = await refusal(saved);
		expect(message).toContain(templateProblems.noneWithId('gone').problem);
		expect(message).not.toContain('Lease');
	}
});

test('the editor finds the form of a template by its name or key', async () => {
	const field = { key: 'rent', label: 'Rent', isRequired: true };
	haveTemplates({ name: 'Léase', key: 'lease-24', form: [field] }, 'Sale', 'Sale');
	for (const name of ['Léase', ' léase ', 'LEASE-24']) {
		expect(await loaded(byName(name))).toMatchObject({ fields: [{ id: 'rent' }] });
	}
	expect(await loaded(byName('Lea'))).toEqual({
		fields: [],
		emptyFieldsNotice: 'Your account has no template with this ID or name.',
	});
	expect(await loaded(byName('id-0'))).toMatchObject({ fields: [] });
	expect(await loaded(byId('id-0'))).toMatchObject({ fields: [{ id: 'rent' }] });
	haveTemplates('Sale <b> & Co', 'Sale <b> & Co');
	const several = templateProblems.severalWithName('Sale <b> & Co', '…').problem;
	// The editor shows the notice as HTML.
	expect(await loaded(byName('Sale <b> & Co'))).toEqual({
		fields: [],
		emptyFieldsNotice: expect.stringMatching(wordsWith(several.replaceAll('&', '&amp;'))),
	});
	const context = loadContext(service.credential(), form(byName('Sale <b> & Co')));
	const keys = action.methods.loadOptions.getTemplateKeys.call(context);
	expect((await failureOf(keys)).message).toMatch(wordsWith(several));
});

test('every name in the list finds its own template, even if it is a name or a key of another one', async () => {
	haveTemplates(
		'Lease',
		{ name: 'Lease', description: 'for 2027' },
		{ name: 'Lease', status: 'DRAFT' },
		{ name: 'Lease', version: 'v1', inputs: [] },
		{ name: 'Rent', key: 'Sale' },
		'Sale',
		{ name: 'Loan', key: 'Loan' },
		{ name: 'Debt', key: 'debt' },
		'LOAN',
		'Léase',
		'nda',
		{ name: 'Sales contract', key: 'NDA' },
		draft('Nda'),
		{ name: 'Twin', templateID: '1-lease-a' },
		{ name: 'twin', templateID: '2-lease-A' },
		"'",
		draft('Loan 2'),
		'Loan 2',
	);
	const context = loadContext(service.credential(), form(byName('')));
	const { results } = await action.methods.listSearch.searchTemplates.call(context, '');
	expect(results).toHaveLength(18);
	for (const { name, value } of results) {
		expect([name, await previewed(byName(name))]).toEqual([name, [value]]);
	}
	expect(results.map(({ name }) => name)).toEqual(expect.arrayContaining(['Debt', 'Léase']));
});
