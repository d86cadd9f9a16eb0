import { type IDataObject, NodeHelpers, tryToParseJsonToFormFields } from 'n8n-workflow';

import { ServiceClient } from '../../nodes/SignVerify/account/client';
import { SignVerify } from '../../nodes/SignVerify/SignVerify.node';
import { readCountry } from '../../nodes/SignVerify/operations/document/country';
import { searchCountryNames } from '../../nodes/SignVerify/text/countryNames';
import { DocumentToSend } from '../../nodes/SignVerify/operations/document/documentToSend';
import type { InputError } from '../../nodes/SignVerify/errors/inputError';
import { createItemContexts, type ItemContext } from '../../nodes/SignVerify/item/item';
import type { Template } from '../../nodes/SignVerify/api/types';
import { readVariables } from '../../nodes/SignVerify/operations/document/variables';
import type { Finding } from '../../nodes/SignVerify/text/finding';
import { isSameValue, readId, readNumber } from '../../nodes/SignVerify/form/valueReaders';
import { readSignatories } from '../../nodes/SignVerify/operations/document/signatories';
import { remedyForCell, remedyForColumns } from '../../nodes/SignVerify/columns/columnNames';
import { explained } from '../../nodes/SignVerify/columns/columnsRead';
import { warnIfInactive } from '../../nodes/SignVerify/templateForm/templateChoice';
import { csvHeader } from '../../nodes/SignVerify/templateForm/roles';
import { detailsPage, valuesForPage } from '../../nodes/SignVerify/templateForm/webForm';
import { contentProblems } from '../../nodes/SignVerify/text/contentMistakes';
import { dateProblems } from '../../nodes/SignVerify/text/dates';
import { valueProblems } from '../../nodes/SignVerify/text/textProblems';
import { columnProblems } from '../../nodes/SignVerify/columns/columnProblems';
import { templateProblems } from '../../nodes/SignVerify/templateForm/templateProblems';
import { wordsWith } from '../support/problemWords';
import { expectLinear } from '../support/growth';
import { countriesWithLists } from '../support/realLists';
import { peopleProblems } from '../../nodes/SignVerify/operations/sendingProblems';

describe('The country list', () => {
	const found = (filter?: string) => searchCountryNames(filter).map(({ name }) => name);

	test('contains each present-day country once, sorted by name', () => {
		const all = found();
		for (const name of [
			'Mexico',
			'United States',
			'Germany',
			'Côte d’Ivoire',
			'Japan',
			'Zimbabwe',
		]) {
			expect(all).toContain(name);
		}
		expect(new Set(all).size).toBe(all.length);
		expect(all).toEqual([...all].sort((left, right) => left.localeCompare(right)));
		expect(all.length).toBeGreaterThan(240);
	});

	test.each([
		['mex', ['Mexico']],
		['cote d', ['Côte d’Ivoire']],
		['TURKIYE', ['Türkiye']],
		['turkey', ['Türkiye']],
		['gb', ['United Kingdom']],
		['UK', ['United Kingdom', 'Ukraine']],
		['deutsch', ['Germany']],
		['españ', ['Spain']],
		['usa', ['United States']],
		['México', ['Mexico']],
		["Côte d'Ivoire", ['Côte d’Ivoire']],
		['Alemania', ['Germany']],
		['United States of America', ['United States']],
		['U.S.A.', ['United States']],
		['mx', ['Mexico']],
		['Narnia', []],
	])('shows these names for the search "%s": %j', (filter, names) => {
		expect(found(filter)).toEqual(names);
	});
});

describe('A country', () => {
	/** Returns the country that is sent if a user enters this name, and the warnings about it. */
	const sent = (text: string, saved: IDataObject = { country: { mode: 'name', value: text } }) => {
		const item = createItemContexts(
			{
				getNode: () => ({ parameters: saved }),
				getNodeParameter: () => text,
			} as never,
			undefined as never,
			{ fields: [] },
		).contextOf(0);
		return { country: readCountry(item), warnings: item.warnings };
	};

	test.each([
		...['Mexico', 'México', 'MX', 'mx', 'estados unidos', 'Alemania', 'Hong Kong', 'Türkiye'],
		...['USA', 'United States of America', 'Great Britain', 'Czech Republic', 'Turkey'],
		...['Trinidad & Tobago', "Côte d'Ivoire", 'Guinea Bissau', 'Deutschland', 'XK'],
	])('is sent without a warning if it is "%s"', (text) => {
		expect(sent(text)).toEqual({ country: text, warnings: [] });
	});

	test.each([
		...['State of Israel', 'Swiss Confederation', 'Hashemite Kingdom of Jordan', 'Germny'],
		...['Narnia', '日本', 'Україна', 'España y Portugal'],
	])('is sent as written, with a warning, if it is "%s"', (text) => {
		expect(sent(text)).toEqual({
			country: text,
			warnings: [
				expect.stringContaining(`Country: ${peopleProblems.unknownCountry(text).problem}.`),
			],
		});
	});

	test('from the list is sent without a warning even if Node has since changed its name', () => {
		const saved = { country: { mode: 'list', value: 'Turkey (old)' } };
		expect(sent('Turkey (old)', saved).warnings).toEqual([]);
	});

	test('is refused if it is certainly a mistake', () => {
		expect(() => sent('undefined')).toThrow(
			`Country: ${contentProblems.noValue.problem('undefined')}`,
		);
	});
});

/**
 * Returns the values that Map Automatically fills into fields with these keys and labels.
 * @param otherRows The other items of the run.
 */
function filled(
	labels: Record<string, string>,
	json: IDataObject,
	warnings: string[] = [],
	otherRows: IDataObject[] = [],
) {
	return readVariables(itemWith(json, warnings, otherRows), templateWith(labels));
}

/** The value of a form whose fields are mapped automatically, as n8n saves it. */
const automatic = { mappingMode: 'autoMapInputData', value: null };

/**
 * Makes an item whose fields are mapped automatically. The item's warnings are added to `warnings`.
 * @param otherRows The other items of the run.
 */
function itemWith(
	json: IDataObject,
	warnings: string[] = [],
	otherRows: IDataObject[] = [],
): ItemContext {
	const item = createItemContexts(
		{
			getTimezone: () => 'America/Mexico_City',
			getInputData: () => [json, ...otherRows].map((row) => ({ json: row })),
			getNodeParameter: (name: string) => (name === 'specifyFields' ? 'oneByOne' : undefined),
			getNode: () => ({
				type: 'n8n-nodes-signverify.signVerify',
				parameters: { fields: automatic },
			}),
			getMode: () => 'webhook',
			getWorkflow: () => ({ active: true }),
		} as never,
		new ServiceClient({} as never),
		{ fields: [] },
	).contextOf(0);
	return {
		...item,
		warnings: [],
		judge(field, finding) {
			item.judge(field, finding);
			warnings.push(...item.warnings.slice(warnings.length));
		},
	};
}

function templateWith(labels: Record<string, string>): Template {
	const inputs = Object.entries(labels).map(([key, label]) => ({
		key,
		label,
		type: 'text',
		isRequired: false,
	}));
	return { name: 'Lease', inputs } as unknown as Template;
}

test('The preview lists only the fields that are sent, each under the name in the form', () => {
	const template = templateWith({ a: 'Name', Name: '', constructor: '', b: 'Rent', c: 'Rent' });
	const inputs = { a: '1', Name: '2', b: '3', c: '4' };
	const body = { templateID: 't', country: 'Mexico', inputs, signatories: [] };
	const { fields } = new DocumentToSend({} as ItemContext, {
		template,
		body,
		signedRoles: [],
		output: 'simplified',
	}).preview();
	expect(fields).toEqual({ 'Name (a)': '1', Name: '2', 'Rent (b)': '3', 'Rent (c)': '4' });
});

describe('Map Automatically', () => {
	/** Makes a form of many fields, and an item of many columns, one of which belongs to a field. */
	const wideForm = (columnCount: number, fieldCount: number) => {
		const numbered = (length: number, entryOf: (at: number) => [string, string]) =>
			Object.fromEntries(Array.from({ length }, (_, at) => entryOf(at)));
		return {
			labels: numbered(fieldCount, (at) => [`key_${at}`, `Label ${at}`]),
			json: { ...numbered(columnCount, (at) => [`Column ${at}`, 'x']), 'Label 3': 'x' },
		};
	};

	test.each<[string, IDataObject, string]>([
		['the label', { rent: 'key', 'Monthly Rent': 'label', Rent: 'other' }, 'label'],
		['the key', { rent: 'key', Rent: 'other' }, 'key'],
		['the label', { 'monthly rent ': 'label' }, 'label'],
		['the key in a different case', { Rent: 'other' }, 'other'],
		[
			'the label if the column with the key is empty',
			{ rent: '', 'Monthly Rent': 'label' },
			'label',
		],
		[
			'the label if the column with the key is null',
			{ rent: null, 'Monthly Rent': 'label' },
			'label',
		],
		['the key in a different case if all others are empty', { rent: '', RENT: 'other' }, 'other'],
		[
			'the label, not an empty one in capitals',
			{ 'Monthly Rent': 'label', 'MONTHLY RENT': '' },
			'label',
		],
		['the key, even if its value is 0', { rent: 0, 'Monthly Rent': '' }, '0'],
		['the key, even if its value is false', { rent: false, 'Monthly Rent': [] }, 'false'],
		['the label, even if its value is 0', { rent: 17, 'Monthly Rent': 0 }, '0'],
	])('uses the column with %s', (_name, json, rent) => {
		expect(filled({ rent: 'Monthly Rent' }, json)).toEqual({ rent });
	});

	test('rejects two columns that match equally well, unless their values are the same', () => {
		const read = (json: IDataObject) => filled({ rent: 'Monthly Rent' }, json);
		expect(() => read({ Rent: 'a', RENT: 'b' })).toThrow(
			`Monthly Rent: ${columnProblems.severalMatch('Rent, RENT').problem}`,
		);
		expect(() => read({ 'MONTHLY RENT': 'a', 'Monthly Rent': 'b' })).toThrow(
			columnProblems.severalMatch('MONTHLY RENT, Monthly Rent').problem,
		);
		for (const same of ['a', ' a ', ['a'], '', ' ', [], [null]]) {
			expect(read({ Rent: 'a', RENT: same })).toEqual({ rent: 'a' });
		}
		expect(read({ Rent: 5, RENT: '5' })).toEqual({ rent: '5' });
	});

	test.each<[string, Record<string, string>, IDataObject, string]>([
		[
			'two fields with the same label',
			{ begin: 'Date', end: 'Date' },
			{ Date: 'x' },
			'Fields: the column Date matches two fields, "Date" (begin) and "Date" (end)',
		],
	])('rejects a column that matches %s', (_name, labels, json, message) => {
		expect(() => filled(labels, json)).toThrow(message);
	});

	test.each<[string, Record<string, string>, IDataObject, IDataObject]>([
		[
			"if the field's own column is empty",
			{ title: 'Contract', contract: 'Title' },
			{ title: 'x', contract: '' },
			{ title: 'x' },
		],
		['if the two keys differ only in case', { a: '', A: '' }, { a: 'x' }, { a: 'x' }],
		[
			'if the field has a column of its own',
			{ begin: 'Date', end: 'Date' },
			{ begin: '2027-02-01', Date: '2027-02-02' },
			{
				begin: '2027-02-01',
				end: '2027-02-02',
			},
		],
	])("does not fill a field from another field's column %s", (_name, labels, json, inputs) => {
		expect(filled(labels, json)).toEqual(inputs);
	});

	test('takes the column named after the label instead of the row\'s own "id", and warns', () => {
		const labels = { id: 'ID number' };
		const warnings: string[] = [];
		expect(filled(labels, { id: 17, 'ID number': 'X-1' }, warnings)).toEqual({ id: 'X-1' });
		expect(warnings).toEqual([
			expect.stringContaining(
				`ID number: ${columnProblems.otherDiffers('ID number', 'id').problem}`,
			),
		]);
		const none: string[] = [];
		expect(filled(labels, { id: 'X-1', 'ID number': 'X-1' }, none)).toEqual({ id: 'X-1' });
		expect(filled(labels, { id: 'A\u00a01 ', 'ID number': 'A 1' }, none)).toEqual({ id: 'A 1' });
		expect(filled(labels, { id: ' ', 'ID number': 'X-1' }, none)).toEqual({ id: 'X-1' });
		expect(filled(labels, { id: 17 }, none)).toEqual({ id: '17' });
		expect(none).toEqual([]);
	});

	test("leaves a column with a field's key to that field, and warns if another field has this label", () => {
		const labels = { id: 'ID number', row: 'id' };
		const warned = (json: IDataObject) => {
			const warnings: string[] = [];
			const inputs = filled(labels, json, warnings);
			return { inputs, warnings };
		};
		const noColumn = expect.stringContaining(
			columnProblems.noneForOptionalFields('id').problem,
		) as unknown;
		expect(warned({ id: 17 })).toEqual({ inputs: { id: '17' }, warnings: [noColumn] });
		expect(warned({ id: 17, 'ID number': 'X-1' })).toEqual({
			inputs: { id: 'X-1' },
			warnings: [
				expect.stringContaining(columnProblems.otherDiffers('ID number', 'id').problem),
				noColumn,
			],
		});
		expect(warned({ id: 17, row: 2 })).toEqual({ inputs: { id: '17', row: '2' }, warnings: [] });
	});

	test('treats a column that only other rows have as an empty cell', () => {
		const item = itemWith({ other: 'x' }, [], [{ Rent: 'y' }]);
		const required = {
			...templateWith({}),
			inputs: [{ key: 'rent', label: 'Rent', isRequired: true }],
		};
		expect(() => readVariables(item, required as never)).toThrow(
			`Rent: ${valueProblems.empty.problem}`,
		);
		const missing = {
			...required,
			inputs: [...required.inputs, { key: 'b', label: 'B', isRequired: true }],
		};
		expect(() => readVariables(item, missing as never)).toThrow(
			`B: ${columnProblems.noneForField('other').problem}`,
		);
	});

	test('finds the columns of many fields in linear time', async () => {
		await expectLinear(20_000, (columnCount) => {
			const { labels, json } = wideForm(columnCount, columnCount / 100);
			return () => expect(filled(labels, json)).toEqual({ key_3: 'x' });
		});
	});

	test("normalizes the columns' names only for the first item", () => {
		const normalize = jest.spyOn(String.prototype, 'normalize');
		const callsFor = (columnCount: number) => {
			const { labels, json } = wideForm(columnCount, 20);
			const item = itemWith(json);
			// Items with the same template share one object.
			const template = templateWith(labels);
			return ['first item', 'second item'].map(() => {
				normalize.mockClear();
				expect(readVariables(item, template)).toEqual({ key_3: 'x' });
				return normalize.mock.calls.length;
			});
		};
		try {
			const [fewAtFirst = 0, few = 0] = callsFor(100);
			const [manyAtFirst = 0, many = 0] = callsFor(1000);
			expect(manyAtFirst).toBeGreaterThan(fewAtFirst);
			expect(many).toBe(few);
			// There are 20 fields, whose names aren't normalized for each item either.
			expect(many).toBeLessThan(20);
		} finally {
			normalize.mockRestore();
		}
	});

	test('finds the columns of each template anew, even if their fields have the same names', () => {
		const item = itemWith({ Rent: '1', City: 'Lima' });
		const read = (labels: Record<string, string>) => readVariables(item, templateWith(labels));
		expect(read({ a: 'Rent', b: 'City' })).toEqual({ a: '1', b: 'Lima' });
		expect(read({ a: 'City', b: 'Rent' })).toEqual({ a: 'Lima', b: '1' });
		expect(read({ b: 'Rent', City: 'a' })).toEqual({ b: '1', City: 'Lima' });
	});

	test.each<[Record<string, string>, string]>([
		[{ rent: 'City', city: 'Rent' }, 'rent,city'],
		[{ name_1: 'Name', Name: 'name_1', name: '' }, 'name_1,Name,name'],
		[{ rent: 'Rent', 'City, "old"': '' }, 'rent,"City, ""old"""'],
	])('fills each field in %j from its column in the CSV header', (labels, header) => {
		expect(csvHeader(templateWith(labels))).toBe(`Signatory 1 name,Signatory 1 email,${header}`);
		const row = Object.fromEntries(Object.keys(labels).map((key) => [key, `value of ${key}`]));
		expect(filled(labels, row)).toEqual(row);
	});
});

/** Makes a template of version 2 with these roles. */
function withRoles(keys: string[], labels: Record<string, string> = {}): Template {
	return { ...templateWith(labels), signatories: keys.map((key) => ({ key })) };
}

describe('A CSV header', () => {
	test.each<[string, string[], Record<string, string>, string]>([
		[
			'contains two columns for each role',
			['tenant', 'co_owner'],
			{},
			'tenant name,tenant email,co owner name,co owner email',
		],
		[
			'contains a single column for a signatory and a field that share a key',
			['tenant'],
			{ tenant_name: '', rent: '' },
			'tenant name,tenant email,rent',
		],
		[
			'contains a single column for a signatory and a field that share a label',
			['tenant'],
			{ who: 'Tenant name *' },
			'tenant name,tenant email',
		],
		[
			'contains separate columns for two fields with the same name',
			['tenant'],
			{ tenant_name: '', who: 'Tenant name' },
			'tenant.name,tenant email,tenant_name,who',
		],
		[
			"contains the signatory's own column if a field's key is the signatory's label",
			['employee'],
			{ 'Employee email': 'Employee email', f_2: 'Employee email' },
			'employee name,employee.email,Employee email,f_2',
		],
		[
			'contains a column of its own for a field that is named like two signatories',
			['tenant'],
			{ tenant_name: 'Tenant email' },
			'tenant.name,tenant.email,tenant_name',
		],
		[
			'identifies roles with the same name by their keys',
			['a_b', 'a b'],
			{},
			'a_b.name,a_b.email,a b.name,a b.email',
		],
		[
			'contains unique columns even if two fields differ only in case',
			['tenant'],
			{ 'Tenant name': '', 'tenant name': '' },
			'tenant.name,tenant email,Tenant name,tenant name',
		],
	])('%s', (_name, keys, labels, header) => {
		const template = withRoles(keys, labels);
		expect(csvHeader(template)).toBe(header);
		const json = Object.fromEntries(
			header
				.split(',')
				.map((name, at) => [name, name.endsWith('email') ? `p${at}@example.com` : `Person ${at}`]),
		);
		const warnings: string[] = [];
		expect(automaticPeople(template, json, { warnings })).toHaveLength(keys.length);
		expect(Object.keys(filled(labels, json, warnings))).toEqual(Object.keys(labels));
		expect(warnings).toEqual([]);
	});

	test("leads each person's contract to the person, not to a field with the same name", () => {
		const template = withRoles(['employee'], {
			'Employee email': 'Employee email',
			f_2: 'Employee email',
		});
		const json = {
			'employee name': 'Ana Gil',
			'employee.email': 'ana@example.com',
			'Employee email': 'office@example.com',
			f_2: 'x',
		};
		expect(automaticPeople(template, json)).toEqual([
			{ name: 'Ana Gil', email: 'ana@example.com' },
		]);
		expect(readVariables(itemWith(json), template)).toEqual({
			'Employee email': 'office@example.com',
			f_2: 'x',
		});
	});
});

/** Returns the signatories that Map Automatically finds. */
function automaticPeople(
	template: Template,
	json: IDataObject,
	{ leaveLastRolesEmpty = false, warnings = [] as string[] } = {},
) {
	const item = itemWith(json, warnings);
	const form: Record<string, unknown> = {
		specifySignatories: 'byRole',
		signatoryRoles: automatic,
		'options.leaveLastRolesEmpty': leaveLastRolesEmpty,
	};
	return readSignatories(
		{ ...item, parameter: (name) => form[name], rawParameter: (name) => form[name] },
		template,
	);
}

describe('A web form', () => {
	/** Returns the fields that n8n's Form node shows, read as n8n reads them. */
	const pageOf = (template: Template, json?: IDataObject, otherRows: IDataObject[] = []) => {
		const values = json && valuesForPage(itemWith(json, [], otherRows), template);
		const page = detailsPage(template, values);
		// n8n inserts the JSON into the node's parameter like this.
		return tryToParseJsonToFormFields(
			'{{ $json.formFields }}'.replace('{{ $json.formFields }}', page ?? ''),
		);
	};
	const answers = (
		template: Template,
		without: 'nothing' | 'optional' = 'nothing',
	): IDataObject => {
		const answered = pageOf(template).map((field, index) => {
			const isAddress = /email/i.test(field.fieldLabel);
			const value = isAddress ? `p${index}@example.com` : `Answer ${index}`;
			const isAnswered = without === 'nothing' || field.requiredField;
			return [field.fieldName, isAnswered ? value : ''];
		});
		return {
			...(Object.fromEntries(answered) as IDataObject),
			submittedAt: '2027-02-01T10:00:00Z',
			formMode: 'production',
		};
	};

	test.each<[string, string[], Record<string, string>, string[]]>([
		[
			'asks for each person and each field once',
			['tenant'],
			{ tenant_name: 'Tenant name', rent: 'Rent' },
			['Name (tenant)', 'Email (tenant)', 'Rent'],
		],
		[
			'tells roles with the same name apart by their keys',
			['a_b', 'a b'],
			{},
			['Name (a b)', 'Email (a b)', 'Name (a b)', 'Email (a b)'],
		],
		[
			'shows any label as it is',
			['tenant'],
			{ one: "$'000", two: '$&', three: 'A < B', four: '"', five: '{{ 1 + 1 }}', six: '' },
			['Name (tenant)', 'Email (tenant)', "$'000", '$&', 'A ＜ B', '"', '{{ 1 + 1 }}', 'six'],
		],
		[
			'tells fields with the same label apart by their keys',
			['tenant'],
			{ "$'1": 'Rent', b: 'Rent' },
			['Name (tenant)', 'Email (tenant)', "$'1", 'b'],
		],
		[
			'asks only for people if there are no fields',
			['tenant'],
			{},
			['Name (tenant)', 'Email (tenant)'],
		],
	])('%s', (_name, keys, labels, questions) => {
		const template = withRoles(keys, labels);
		expect(pageOf(template).map(({ fieldLabel }) => fieldLabel)).toEqual(questions);
		const json = answers(template);
		expect(Object.keys(json)).toHaveLength(questions.length + 2);
		expect(automaticPeople(template, json)).toHaveLength(keys.length);
		expect(Object.keys(filled(labels, json))).toEqual(Object.keys(labels));
	});

	test('of a template without roles requires one person and offers more, after the fields', () => {
		const template: Template = { ...templateWith({ rent: 'Rent' }), templateVersion: 'v1' };
		const required = pageOf(template).filter(({ requiredField }) => requiredField);
		expect(required.map(({ fieldLabel }) => fieldLabel)).toEqual([
			'Name (Signatory 1)',
			'Email (Signatory 1)',
		]);
		expect(pageOf(template)[2]).toMatchObject({ fieldName: 'rent' });
		const json = answers(template, 'optional');
		expect(automaticPeople(template, json)).toHaveLength(1);
		expect(automaticPeople(template, answers(template))).toHaveLength(5);
	});

	test('takes an address that n8n would refuse in a question for an email address', () => {
		const template = withRoles(['tenant']);
		expect(pageOf(template).map(({ fieldType }) => fieldType)).toEqual(['text', 'text']);
		for (const email of ["o'neil@example.com", 'josé@example.com', 'ana@xn--bcher-kva.example']) {
			const json = { ...answers(template), 'tenant email': email };
			expect(automaticPeople(template, json)).toMatchObject([{ email }]);
		}
		const json = { ...answers(template), 'tenant email': 'ana.example.com' };
		expect(() => automaticPeople(template, json)).toThrow(
			valueProblems.notEmail('ana.example.com').problem,
		);
	});

	/** The text in each question as a browser shows it, by the answer's name. */
	const shownIn = (template: Template, json: IDataObject, otherRows?: IDataObject[]) =>
		Object.fromEntries<unknown>(
			pageOf(template, json, otherRows).map(({ fieldName = '', defaultValue = '' }) => [
				fieldName,
				defaultValue,
			]),
		);

	test('shows the earlier answers if it is shown again, even those that n8n would change', () => {
		const texts = ['A < B & C > D', `$& $' "=1+1" {{ 1 + 1 }}`, '<b>', '0', "O'Neil\nline 2"];
		const labels = Object.fromEntries(texts.map((_, index) => [`f_${index}`, `Field ${index}`]));
		const template = withRoles(['tenant', 'user'], { ...labels, user: '', error: '', rest: '' });
		const json = {
			...answers(template),
			...Object.fromEntries(texts.map((text, index) => [`f_${index}`, text])),
			rest: '',
			user: { email: 'office@example.com' },
		};
		const added = ['submittedAt', 'formMode', 'user'];
		const expected = Object.fromEntries(
			Object.entries(json).filter(([column]) => !added.includes(column)),
		);
		expect(shownIn(template, json)).toEqual(expected);
		// What n8n's error output adds isn't an answer.
		const failed = { ...json, error: { message: 'Rent: required, but empty' } };
		expect(shownIn(template, failed)).toEqual({ ...expected, error: '' });
		// A browser drops the line breaks of a question with one line.
		const types = pageOf(template, json).map(({ fieldName, fieldType }) => [fieldName, fieldType]);
		expect(types.filter(([, type]) => type !== 'text')).toEqual([['f_4', 'textarea']]);
	});

	test('is filled in from a row, as Map Automatically would read it', () => {
		const labels = { rent: 'Monthly rent', floor: 'Floor', start: '', end: '' };
		const template = withRoles(['tenant'], labels);
		// n8n's Data Table node returns dates as objects.
		const end = new Date(2027, 1, 1) as unknown as string;
		const row = {
			'TENANT NAME': 'Ana Gil',
			monthly_rent: 950,
			Floor: ['2'],
			start: {},
			end,
			id: 7,
		};
		expect(shownIn(template, row)).toEqual({
			'tenant name': 'Ana Gil',
			'tenant email': '',
			rent: '950',
			floor: '2',
			start: '',
			end: '2027-02-01',
		});
	});

	test('stays empty where the item has nothing to show, and refuses no item', () => {
		const template = withRoles(['tenant'], { rent: 'Rent' });
		const nothing = { 'tenant name': '', 'tenant email': '', rent: '' };
		for (const json of [{}, { id: 7 }, { rent: 'x'.repeat(100_001) }, { rent: true, other: 1 }])
			expect(shownIn(template, json)).toEqual({
				...nothing,
				rent: json.rent === true ? 'true' : '',
			});
		// Which of the two is right is the decision of whoever fills in the page.
		const ambiguous = { 'Rent ': '900', ' rent': '950', 'tenant name': 'Ana Gil' };
		expect(shownIn(template, ambiguous)).toEqual({ ...nothing, 'tenant name': 'Ana Gil' });
	});

	test('is missing if the Form node cannot output the name of an answer', () => {
		expect(detailsPage(withRoles(['tenant'], { 'a<b': 'Rent' }))).toBeNull();
	});

	test.each<[string[], Record<string, string>, string[]]>([
		[['tenant'], { submittedAt: 'Sent on' }, ['submittedAt_']],
		[['tenant'], { formMode: '', user: 'User' }, ['formMode_', 'user_']],
		[['tenant'], { user: '', USER_: '', user__: '' }, ['user___', 'USER_', 'user__']],
		[['user'], { User: '', submitted_at: '' }, ['User', 'submitted_at']],
	])(
		'of the roles %j and the fields %j names no answer like a column that the form adds',
		(roles, labels, names) => {
			const template = withRoles(roles, labels);
			const fields = pageOf(template).slice(2);
			expect(fields.map(({ fieldName }) => fieldName)).toEqual(names);
			expect(fields.map(({ fieldLabel }) => fieldLabel)).toEqual(
				Object.entries(labels).map(([key, label]) => label || key),
			);
			const json = { ...answers(template), user: { email: 'clerk@example.com' } };
			const warnings: string[] = [];
			expect(automaticPeople(template, json, { warnings })).toHaveLength(1);
			expect(readVariables(itemWith(json, warnings), template)).toEqual(
				Object.fromEntries(Object.keys(labels).map((key, index) => [key, `Answer ${index + 2}`])),
			);
			expect(warnings).toEqual([]);
		},
	);
});

describe('The columns that n8n adds to an answer of its form', () => {
	const added = {
		submittedAt: '2027-02-01T10:00:00Z',
		formMode: 'production',
		user: { id: 'u', email: 'clerk@example.com' },
	};
	const required = (key: string) =>
		({ inputs: [{ key, label: '', isRequired: true }] }) as unknown as Template;

	test.each([
		'submittedat',
		'SubmittedAt',
		'submitted_at',
		'formmode',
		'form mode',
		'User',
		'USER',
	])('do not fill the field "%s" if its question was left empty', (key) => {
		const warnings: string[] = [];
		expect(filled({ [key]: '' }, { [key]: '', ...added }, warnings)).toEqual({});
		expect(filled({ [key]: '' }, { [key]: 'x', ...added }, warnings)).toEqual({ [key]: 'x' });
		expect(warnings).toEqual([]);
	});

	test.each(['submittedAt', 'submitted_at', 'formMode', 'user'])(
		'do not fill the field "%s" without a question, and the message names the next step',
		(key) => {
			const json = { rent: '5', ...added };
			const remedy = 'select Map Each Column Manually';
			const template = required(key);
			for (const fields of [
				template,
				{ ...template, inputs: [...(template.inputs ?? []), { key: 'rent', label: '' }] },
			]) {
				expect(thrownBy(() => readVariables(itemWith(json), fields as Template))).toMatchObject({
					message: expect.stringMatching(new RegExp(`^(Fields|${key}): `)),
					description: expect.stringContaining(remedy),
				});
			}
			const warnings: string[] = [];
			expect(filled({ [key]: '', rent: '' }, json, warnings)).toEqual({ rent: '5' });
			expect(warnings).toEqual([expect.stringContaining(remedy)]);
		},
	);

	test('are not in the message about any other field', () => {
		const error = thrownBy(() =>
			readVariables(itemWith({ rent: '5', ...added }), required('city')),
		);
		expect((error as { description: string }).description).not.toContain('submittedAt');
	});

	test('fill fields as before if the item does not come from a form', () => {
		const { submittedAt, user } = added;
		expect(filled({ submitted_at: '' }, { submittedAt })).toEqual({ submitted_at: submittedAt });
		expect(filled({ user: '' }, { user: 'Ana' })).toEqual({ user: 'Ana' });
		expect(filled({ user: '' }, { user: 'Ana', submittedAt })).toEqual({ user: 'Ana' });
		expect(() => filled({ user: '' }, { user })).toThrow('user: ');
	});

	test('are columns of the other items in a run that come from elsewhere', () => {
		const template = templateWith({ user: '', rent: '' });
		const answered = { rent: '5', ...added };
		const row = { rent: '6', user: 'Ana' };
		expect(readVariables(itemWith(answered, [], [row]), template)).toEqual({ rent: '5' });
		expect(readVariables(itemWith(row, [], [answered]), template)).toEqual(row);
	});
});

describe('Signatories from columns', () => {
	const ana = { name: 'Ana Gil', email: 'ana@example.com' };
	const ben = { name: 'Ben Ray', email: 'ben@example.com' };
	const anas = (name: string, email: string) => ({ [name]: ana.name, [email]: ana.email });
	const bens = (name: string, email: string) => ({ [name]: ben.name, [email]: ben.email });

	test.each([
		['under the names in the CSV header', anas('Dueño name', 'Dueño email')],
		['under names in capitals with extra spaces', anas(' DUEÑO  NAME', 'dueño Email ')],
		['under names without accents', anas('Dueno name', 'dueno e-mail')],
		['under the labels in the form', anas('Name (Dueño)', 'Email (Dueño)')],
		['under the names that the form saves', anas('dueño.name', 'dueño.email')],
		['under names in camel case and snake case', anas('dueñoName', 'dueño_email')],
	])('are found %s', (_name, json) => {
		expect(automaticPeople(withRoles(['dueño']), json)).toEqual([ana]);
	});

	test.each([
		['HR Director name', 'HR Director Email'],
		['Hr director name', 'hr_director email'],
		['hr director name', 'Hr Director E-mail'],
	])('are found in any capitals, as in "%s" and "%s"', (name, email) => {
		for (const key of ['hr_director', 'HR director', 'HR_Director']) {
			const warnings: string[] = [];
			const json = { ...anas(name, email), ...bens('Employee name', 'Employee email') };
			expect(automaticPeople(withRoles([key, 'employee']), json, { warnings })).toEqual([ana, ben]);
			expect(warnings).toEqual([]);
		}
	});

	const two = withRoles(['tenant', 'owner']);
	const tenant = anas('Tenant name', 'Tenant email');
	const owner = bens('Owner name', 'Owner email');

	test('are in the order of the roles', () => {
		expect(automaticPeople(two, { ...owner, ...tenant })).toEqual([ana, ben]);
	});

	test('are left out only if their columns exist and are blank', () => {
		const blank = { 'Owner name': ' ', 'Owner email': '' };
		expect(automaticPeople(two, { ...tenant, ...blank }, { leaveLastRolesEmpty: true })).toEqual([
			ana,
		]);
		expect(thrownBy(() => automaticPeople(two, { ...tenant, ...blank }))).toMatchObject({
			message: expect.stringContaining(`Email (owner): ${valueProblems.empty.problem}`),
		});
		expect(
			thrownBy(() =>
				automaticPeople(
					two,
					{ ...tenant, 'Owner name': '', Owner: '' },
					{ leaveLastRolesEmpty: true },
				),
			),
		).toMatchObject({
			message: `Signatories: ${columnProblems.noneForPeople('owner email', 'Tenant name, Tenant email, Owner name, Owner').problem}`,
			description: remedyForColumns,
		});
		expect(
			thrownBy(() => automaticPeople(two, tenant, { leaveLastRolesEmpty: true })),
		).toMatchObject({
			message: `Signatories: ${columnProblems.noneForPeople('owner name, owner email', 'Tenant name, Tenant email').problem}`,
		});
	});

	test('are not read from nested objects, but the error names the object that contains the data', () => {
		const error = thrownBy(() => automaticPeople(two, { headers: {}, body: tenant }));
		expect(error).toMatchObject({
			message: `Signatories: ${columnProblems.noneForPeople('tenant name, tenant email, owner name, owner email', 'headers, body').problem}`,
			description: expect.stringMatching(/\bWebhook\b.*"body"/),
		});
	});

	test('are not limited in number if the template has no roles', () => {
		const first = anas('Signatory 1 name', 'Signatory 1 email');
		const second = bens('Signatory 2 name', 'Signatory 2 email');
		const none = templateWith({});
		expect(automaticPeople(none, first)).toEqual([ana]);
		expect(automaticPeople(none, { ...first, ...second })).toEqual([ana, ben]);
		const blank = { 'Signatory 2 name': '', 'Signatory 2 email': '' };
		expect(automaticPeople(none, { ...first, ...blank })).toEqual([ana]);
		expect(() => automaticPeople(none, { ...first, 'Signatory 2 name': '' })).toThrow(
			columnProblems.noneForPeople(
				'Signatory 2 email',
				'Signatory 1 name, Signatory 1 email, Signatory 2 name',
			).problem,
		);
		expect(() => automaticPeople(none, second)).toThrow(
			columnProblems.noneForPeople(
				'Signatory 1 name, Signatory 1 email',
				'Signatory 2 name, Signatory 2 email',
			).problem,
		);
	});

	test("are told apart if a role is identified by a number that is also another role's key", () => {
		const template = withRoles(['tenant', 'tenant', '2']);
		const names = ['Tenant name', 'Signatory 2 name', '2 name'];
		const emails = ['Tenant email', 'Signatory 2 email', '2 email'];
		const row = Object.fromEntries([
			...names.map((column) => [column, `The ${column}`]),
			...emails.map((column, index) => [column, `p${index}@example.com`]),
		]) as IDataObject;
		expect(automaticPeople(template, row)).toEqual(
			names.map((column, index) => ({ name: `The ${column}`, email: `p${index}@example.com` })),
		);
	});

	test('are told apart by their columns in the advice for an empty cell', () => {
		const json = { ...tenant, 'Owner name': ' ', 'owner.email': '' };
		const { parts } = thrownBy(() => automaticPeople(two, json)) as InputError;
		expect(parts.map(({ field, description }) => [field, description])).toEqual([
			['Name (owner)', remedyForCell('Owner name')],
			['Email (owner)', remedyForCell('owner.email')],
		]);
	});

	test('are rejected if two matching columns have different values', () => {
		expect(() =>
			automaticPeople(two, { ...tenant, ...owner, 'TENANT EMAIL': 'x@y.example' }),
		).toThrow(
			`Email (tenant): ${columnProblems.severalMatch('Tenant email, TENANT EMAIL').problem}`,
		);
	});
});

test.each<[string, string, string, string[]]>([
	['Start date', 'March 1st, 2027', 'March 1st, 2027', []],
	['Start date', '2027-03-01', '2027-03-01', []],
	[
		'Start date',
		'2027-03-01T00:00:00-05:00',
		'2027-03-01T00:00:00-05:00',
		['2027-03-01T00:00:00-05:00'],
	],
	[
		'Day',
		'2027-03-01T00:00:00-05:00',
		'2027-03-01T00:00:00-05:00',
		[dateProblems.timestamp('2027-03-01T00:00:00-05:00').problem],
	],
	['start_date', '1/3/2027', '1/3/2027', []],
	['Start date', 'Upon signature', 'Upon signature', []],
	['Start date', 'N/A', 'N/A', []],
	['Start date', ' 1 March ', ' 1 March ', []],
	['Start date', '2027-02-30', '2027-02-30', [contentProblems.missingDay.problem('2027-02-30')]],
	['Start date', '46054', '46054', [contentProblems.spreadsheetDate.problem('46054')]],
	['Fecha de inicio', 'pronto', 'pronto', []],
	['Date approved by', 'John Smith', 'John Smith', []],
	['Rent', 'NULL', 'NULL', [contentProblems.nullOfPrograms.problem('NULL')]],
	['Rent', 'Null', 'Null', []],
	['Rent', 'null', 'null', [contentProblems.null.problem('null')]],
	['Rent', 'See #REF!', 'See #REF!', [contentProblems.spreadsheetError.problem('#REF!')]],
])(
	'The field "%s" with the value "%s" is sent as "%s" (warnings: %j)',
	(label, value, sent, expected) => {
		const warnings: string[] = [];
		expect(filled({ field: label }, { field: value }, warnings)).toEqual({ field: sent });
		expect(warnings).toEqual(
			expected.map((text) => expect.stringContaining(text) as unknown as string),
		);
		for (const warning of warnings) expect(warning).toMatch(new RegExp(`^${label}: `));
	},
);

test.each<[string, unknown, string]>([
	['Start date', new Date(NaN), contentProblems.noValue.problem('Invalid DateTime')],
	['Rent', '#REF!', contentProblems.spreadsheetError.problem('#REF!')],
	['Rent', 'undefined', contentProblems.noValue.problem('undefined')],
	['Rent', 'of [object Object]', contentProblems.wholeObject.problem('[object Object]')],
	['Options', ['a', 'b'], valueProblems.notText('a list (["a","b"])').problem],
	['Options', [{ id: 1 }], valueProblems.notText('a list ([{"id":1}])').problem],
	['Options', [7, 'Acme'], valueProblems.notText('a list ([7,"Acme"])').problem],
	['Options', {}, valueProblems.notText('an object ({})').problem],
	[
		'Link',
		new URL('https://a.example'),
		valueProblems.notText('an object ("https://a.example/")').problem,
	],
])('The field "%s" with the value %j is rejected (error: … %s)', (label, value, words) => {
	const error = thrownBy(() => filled({ field: label }, { field: value } as IDataObject)) as Error;
	expect(error.message).toMatch(new RegExp(`^${label}: `));
	expect(error.message).toContain(words);
});

test.each<[unknown, string]>([
	[['a', 'b'], '.join(", ")'],
	[[7, 'Acme'], '{{ $json.company[1] }}'],
	[[7, false], '{{ $json.company[1] }}'],
	[[{ plain_text: 'Acme' }], '{{ $json.client[0].plain_text }}'],
	[[{ url: 'a' }, { url: 'b' }], '{{ $json.client[0].plain_text }}'],
	[{ city: 'Berlin' }, '{{ $json.address.city }}'],
])('The error for the value %j advises %s', (value, advice) => {
	const error = thrownBy(() => filled({ field: 'Field' }, { field: value } as IDataObject));
	expect((error as InputError).description).toContain(advice);
});

test('A field can be a number of type BigInt, which keeps all digits, and is no date', () => {
	const warnings: string[] = [];
	const send = (value: unknown) =>
		filled({ field: 'Number' }, { field: value } as IDataObject, warnings);
	expect(send(12345678901234567890n)).toEqual({ field: '12345678901234567890' });
	expect(send(-7n)).toEqual({ field: '-7' });
	expect(warnings).toEqual([]);
	expect(() => send(10n ** 100_000n)).toThrow(valueProblems.tooLong.problem);
	expect(isSameValue(7n, 8n)).toBe(false);
	expect(isSameValue(7n, '7')).toBe(true);
});

test('A field that is false stops the item, with a sentence for programs that return it for an empty cell', () => {
	for (const value of [false, 'false']) {
		const warnings: string[] = [];
		filled({ field: 'Phone' }, { field: value }, warnings);
		expect(warnings).toEqual([
			expect.stringMatching(/empty cell.*\{\{ \$json\.phone \|\| '' \}\}/),
		]);
	}
});

describe('A failed expression', () => {
	const DateTime = 'DateTime.fromISO';
	test.each([
		[
			`={{ ${DateTime}($json['Start date']).toFormat('d MMMM yyyy') }}`,
			'Invalid DateTime',
			`$json['Start date'] is "soon"`,
		],
		['={{ $json.start.toFormat("d") }}', 'Invalid DateTime', '$json.start is empty'],
		['={{ $json.rent * $json.count }}', 'NaN', '$json.rent is "x" and $json.count is "2"'],
		[
			`={{ $('Form').item.json["Start date"] + '' }}`,
			'undefined',
			`$('Form').item.json["Start date"] is an object`,
		],
	])('is reported with the values that it read: %s', (saved, text, words) => {
		const values: Record<string, unknown> = {
			"{{ $json['Start date'] }}": 'soon',
			'{{ $json.rent }}': 'x',
			'{{ $json.count }}': 2,
			[`{{ $('Form').item.json["Start date"] }}`]: {},
		};
		const json = { 'Start date': '', start: '', rent: '', count: '' };
		const context = {
			evaluateExpression: (part: string) => values[part],
			getInputData: () => [{ json }],
		};
		const remember = (_key: string, make: () => unknown) => make();
		const item = { context, itemIndex: 0, remember } as unknown as ItemContext;
		const mistake: Finding = { severity: 'wrong', problem: 'contains it', remedy: '' };
		const problemOf = (savedAs: string, result: string) =>
			explained(item, mistake, { saved: savedAs, text: result })?.problem;
		expect(problemOf(saved, text)).toBe(`contains it, because ${words}`);
		expect(problemOf(saved, 'soon')).toBe('contains it');
		expect(problemOf(text, text)).toBe('contains it');
	});
});

describe('Columns that are all there, but empty', () => {
	const labels = { rent: 'Rent', city: 'City' };
	const empty = { Rent: '', City: [null], other: 'x' };
	const warned = (
		json: IDataObject,
		fields: Record<string, string> = labels,
		hasPeople = true,
	): string[] => {
		const warnings: string[] = [];
		readVariables(itemWith(json, warnings), templateWith(fields), hasPeople);
		return warnings;
	};

	test('cause a warning', () => {
		expect(warned(empty)).toEqual([
			`Fields: ${columnProblems.allEmpty('Rent, City').problem}. ${columnProblems.allEmpty('').remedy}`,
		]);
	});

	test.each<[string, IDataObject]>([
		['one of them has a value', { ...empty, Rent: 0 }],
		['the item is the answer to a form', { ...empty, submittedAt: 'x', formMode: 'production' }],
	])('cause no warning if %s', (_name, json) => {
		expect(warned(json)).toEqual([]);
	});

	test('cause no warning if there is only one field, no field, or nobody to send to', () => {
		expect(warned(empty, { rent: 'Rent' })).toEqual([]);
		expect(warned(empty, {})).toEqual([]);
		expect(warned(empty, labels, false)).toEqual([]);
	});

	test('cause only the warning about the missing column if one is missing', () => {
		expect(warned({ Rent: '' })).toEqual([
			expect.stringContaining(columnProblems.noneForOptionalFields('City').problem),
		]);
	});
});

describe('Column matching', () => {
	const spanish = { año: 'Año', fecha_inicio: 'Fecha de inicio' };

	test.each<[string, Record<string, string>, IDataObject, Record<string, string>]>([
		[
			'treats spaces like underscores',
			{ start_date: '' },
			{ 'Start date': '2027-02-01' },
			{ start_date: '2027-02-01' },
		],
		[
			'treats camel case like underscores',
			{ start_date: '' },
			{ startDate: '2027-02-01' },
			{ start_date: '2027-02-01' },
		],
		[
			'treats hyphens like spaces',
			{ 'start date': '' },
			{ 'start-date': '2027-02-01' },
			{ 'start date': '2027-02-01' },
		],
		['ignores accents', spanish, { ano: '2027', x: 'y' }, { año: '2027' }],
		[
			"ignores a required field's asterisk",
			{ name: 'Name *' },
			{ Name: 'Ana', x: '' },
			{ name: 'Ana' },
		],
		[
			"ignores an asterisk in a column's name",
			{ name: 'Full name' },
			{ 'Full name *': 'Ana' },
			{ name: 'Ana' },
		],
		['prefers exact names', { año: '', ano: '' }, { año: '1', ano: '2' }, { año: '1', ano: '2' }],
		['does not replace an exact match that is empty', { año: '' }, { año: '', ano: '2' }, {}],
		[
			'leaves a field empty if no checkbox is selected',
			{ a: '', b: '' },
			{ a: 'x', b: [] },
			{ a: 'x' },
		],
		[
			'leaves a field empty if a lookup has no result',
			{ a: '', b: '' },
			{ a: 'x', b: [null] },
			{ a: 'x' },
		],
		[
			'skips an empty column if another one has a value',
			{ start_date: '' },
			{ 'Start date': '', startDate: 'May 2, 2027' },
			{ start_date: 'May 2, 2027' },
		],
	])('%s', (_does, labels, json, sent) => {
		expect(filled(labels, json)).toEqual(sent);
	});

	test.each<[string, Record<string, string>, IDataObject, string]>([
		[
			'two columns that match one field',
			{ año: '' },
			{ Ano: '1', AÑÓ: '2' },
			`año: ${columnProblems.severalMatch('Ano, AÑÓ').problem}`,
		],
		[
			'a column that matches two fields',
			{ año: '', ano: '' },
			{ Anó: '1' },
			`Fields: ${columnProblems.matchesTwoFields('Anó', ['"año" (año)', '"ano" (ano)']).problem}`,
		],
		[
			'an item without columns',
			spanish,
			{},
			`Fields: ${columnProblems.noneMatchesAnyField('Año, Fecha de inicio', 'none').problem}`,
		],
	])('rejects %s', (_name, labels, json, message) => {
		const error = thrownBy(() => filled(labels, json, [], [json])) as Error;
		expect(error.message).toContain(message);
	});

	const webhook = { headers: {}, params: {}, query: {}, body: {} };
	test.each<[IDataObject, RegExp]>([
		[{ ...webhook, body: { año: '2027' } }, /\bWebhook\b.*"body"/],
		[{ ...webhook, body: { other: '2027' } }, /\bWebhook\b.*"body"/],
		[{ ...webhook, body: 'año=2027' }, /\bWebhook\b.*"body"/],
		[{ ...webhook, query: { Ano: '2027' } }, /\bWebhook\b.*"query"/],
		[{ ...webhook, body: [{ año: '1' }, { año: '2' }] }, /\bSplit Out\b.*"body"/],
		[{ id: 'rec1', fields: { 'Fecha de inicio': 'x' } }, /^(?!.*\bWebhook\b).*"fields"/],
		[{ data: [{ año: '1' }] }, /\bSplit Out\b.*"data"/],
	])('suggests how to access the data in %j', (json, words) => {
		expect(thrownBy(() => filled(spanish, json, [], [json]))).toMatchObject({
			description: expect.stringMatching(words),
		});
	});

	test('warns about an empty column if a column with a similar name has a value', () => {
		const warnings: string[] = [];
		filled({ año: '' }, { año: '', ano: '2' }, warnings);
		expect(warnings).toEqual([
			`año: ${columnProblems.onlySimilarFilled('año', 'ano').problem}. ${columnProblems.onlySimilarFilled('', '').remedy}`,
		]);
	});

	test.each([
		['Contract number', 'Contact number'],
		['County', 'Country'],
		['Vertragsdatum', 'Vortragsdatum'],
		['Salary', 'Salery'],
	])('warns that no column is called %s, and that nothing uses %s', (label, column) => {
		const warnings: string[] = [];
		expect(filled({ a: label, b: 'Name' }, { Name: 'x', [column]: 'y' }, warnings)).toEqual({
			b: 'x',
		});
		const { problem } = columnProblems.noneForOptionalFields(label);
		const words = `Fields: ${problem}. … Nothing uses these columns: ${column}.`;
		expect(warnings).toEqual([expect.stringMatching(wordsWith(words, true))]);
	});

	test('warns about optional fields without a column, but not about empty columns', () => {
		const warnings: string[] = [];
		const row = { año: '', other: 'x' };
		filled(spanish, row, warnings, [row]);
		expect(warnings).toEqual([
			expect.stringMatching(
				wordsWith(
					`Fields: ${columnProblems.noneForOptionalFields('Fecha de inicio').problem}. … columns: other.`,
					true,
				),
			),
		]);
	});
});

describe('An accent in the name of a column', () => {
	/** What a list with these columns fills in, and its warnings. Each column contains its own name. */
	const read = (template: Template, columns: string[]) => {
		const warnings: string[] = [];
		const json = Object.fromEntries(columns.map((column) => [column, column]));
		return { values: readVariables(itemWith(json, warnings), template), warnings };
	};
	const labeled = (...labels: string[]) =>
		templateWith(Object.fromEntries(labels.map((label, index) => [`f${index}`, label])));
	const withRequired = ({ inputs = [], ...template }: Template): Template => ({
		...template,
		inputs: inputs.map((one) => ({ ...one, isRequired: true })),
	});
	const required = (...labels: string[]) => withRequired(labeled(...labels));
	const told = (field: string, column: string) =>
		`${field}: ${columnProblems.accentMissing(column).problem}. ${columnProblems.accentMissing('').remedy}`;

	test.each([
		['Tiền thuê', 'TIỀN THUÊ'],
		['Teléfono', 'TELE\u0301FONO'],
		['Oraș', 'Oraş'],
		['Preţ', 'preț'],
		['Fecha de terminación', 'fecha-de-terminación *'],
		['Lønn', 'lønn'],
		['Œuvre', 'oeuvre'],
		["Date d'été", 'date d´été'],
		['Ταχυδρομείο', 'ταχυδρομείο'],
		['שָׁלוֹם', 'שָׁלוֹם'],
	])('counts as the same in "%s" and "%s"', (label, column) => {
		expect(read(labeled(label), [column])).toEqual({ values: { f0: column }, warnings: [] });
	});

	test.each([
		['PRENOM', 'Prénom'],
		['Prénom', 'PRENOM'],
		['Forderung', 'Förderung'],
		['Förderung', 'Forderung'],
		['Número de teléfono', 'Numero de teléfono'],
		['Hòa bình', 'Hoà bình'],
		['Tiền thuê', 'Tien thue'],
		['Løn', 'Lon'],
		['Địa chỉ', 'dia chi'],
		['Łódź', 'Lodz'],
	])('may be missing, which causes a warning: "%s" and "%s"', (label, column) => {
		const warnings = [told(label, column)];
		expect(read(labeled(label), [column])).toEqual({ values: { f0: column }, warnings });
	});

	test('may be missing in one of the names of the field', () => {
		const template = templateWith({ telefono: 'Teléfono', n: 'Número' });
		for (const phone of ['Teléfono', 'telefono']) {
			const values = { telefono: phone, n: 'Número' };
			expect(read(template, [phone, 'Número'])).toEqual({ values, warnings: [] });
		}
		const bare = templateWith({ telefono: 'Phone' });
		expect(read(bare, ['Teléfono']).warnings).toEqual([told('Phone', 'Teléfono')]);
	});

	test('that is missing causes one warning for a list', () => {
		const rows = [1, 2, 3].map(() => ({ Forderung: '1' }));
		const { contextOf } = createItemContexts(
			{
				getInputData: () => rows.map((json) => ({ json })),
				getNodeParameter: (name: string) => (name === 'specifyFields' ? 'oneByOne' : undefined),
				getNode: () => ({ parameters: { fields: automatic } }),
			} as never,
			new ServiceClient({} as never),
			{ fields: [] },
		);
		const template = labeled('Förderung');
		const items = rows.map((_, index) => contextOf(index));
		for (const item of items) expect(readVariables(item, template)).toEqual({ f0: '1' });
		expect(items.map(({ warnings }) => warnings.length)).toEqual([1, 0, 0]);
	});

	const words = [
		['Tiền thuê', 'Tiền thuế'],
		['Lån', 'Län'],
		['Avó', 'Avô'],
		['Cittá', 'Città'],
		['Gênero', 'Género'],
		['Brød', 'Bröd'],
		['Číslo účtu', 'Číslo ůčtu'],
	];

	test.each(words)(
		'makes another word if both names have one, and the error names the column: "%s" and "%s"',
		(label, column) => {
			const listed = `Name, ${column}. Only the accents differ in ${column}`;
			expect(() => read(required(label, 'Name'), [label, 'Name'])).not.toThrow();
			const one = thrownBy(() => read(required(label, 'Name'), ['Name', column])) as Error;
			expect(one.message).toBe(`${label}: ${columnProblems.noneForField(listed).problem}`);
			const all = thrownBy(() => read(required(label), ['Name', column])) as Error;
			expect(all.message).toBe(
				`Fields: ${columnProblems.noneMatchesAnyField(label, listed).problem}`,
			);
		},
	);

	test.each(words)(
		'looks wrong for an optional field, if both names have one: "%s" and "%s"',
		(label, column) => {
			const { values, warnings } = read(labeled(label, 'Name'), ['Name', column]);
			expect(values).toEqual({ f1: 'Name' });
			expect(warnings).toEqual([
				`${label}: ${columnProblems.otherAccents(column).problem}. ${columnProblems.otherAccents('').remedy}`,
				expect.stringContaining(columnProblems.noneForOptionalFields(label).problem),
			]);
			const both = read(labeled(label, column), [column]);
			expect(both.values).toEqual({ f1: column });
			expect(both.warnings).toEqual([
				expect.stringContaining(columnProblems.noneForOptionalFields(label).problem),
			]);
		},
	);

	test('counts although the key of the field has none', () => {
		const rent = withRequired(templateWith({ tien_thue: 'Tiền thuê' }));
		const listed = 'Tiền thuế. Only the accents differ in Tiền thuế';
		expect(() => read(rent, ['Tiền thuế'])).toThrow(
			columnProblems.noneMatchesAnyField('Tiền thuê', listed).problem,
		);
		for (const column of ['Tiền thuê', 'Tien thue']) {
			expect(read(rent, [column])).toEqual({ values: { tien_thue: column }, warnings: [] });
		}
	});

	test('makes no mistake in a row without a value', () => {
		const warnings: string[] = [];
		filled({ f0: 'Lån', f1: 'Name' }, { Name: 'x', Län: '' }, warnings);
		expect(warnings).toEqual([
			expect.stringContaining(columnProblems.noneForOptionalFields('Lån').problem),
		]);
	});

	test('is found in the names of people as well', () => {
		const roles = withRoles(['avó']);
		const columns = (who: string) => ({
			[`${who} name`]: 'Ana',
			[`${who} email`]: 'a@example.com',
		});
		const { message } = thrownBy(() => automaticPeople(roles, columns('Avô'))) as Error;
		const listed = 'Avô name, Avô email. Only the accents differ in Avô name, Avô email';
		expect(message).toContain(columnProblems.noneForPeople('avó name, avó email', listed).problem);
		for (const [who, count] of [
			['Avó', 0],
			['Avo', 2],
		] as const) {
			const warnings: string[] = [];
			expect(automaticPeople(roles, columns(who), { warnings })).toHaveLength(1);
			expect(warnings).toHaveLength(count);
		}
	});

	test.each<[string, string[], string[], IDataObject]>([
		['one with the same', ['Lån'], ['Län', 'Lan', 'Lån'], { f0: 'Lån' }],
		['one without any', ['Forderung'], ['Förderung', 'Forderung'], { f0: 'Forderung' }],
		[
			'one that differs only in its spaces',
			['Forderung Nr'],
			['Förderung Nr', 'forderung_nr'],
			{ f0: 'forderung_nr' },
		],
		[
			"each field's own",
			['Tiền thuê', 'Tiền thuế', 'Tien thue'],
			['tien thue', 'tiền-thuế', 'tiền-thuê'],
			{ f0: 'tiền-thuê', f1: 'tiền-thuế', f2: 'tien thue' },
		],
	])('leads to %s first', (_which, labels, columns, values) => {
		expect(read(labeled(...labels), columns)).toEqual({ values, warnings: [] });
		expect(read(labeled(...labels), [...columns].reverse())).toEqual({ values, warnings: [] });
	});

	test.each<[string, (label: string) => string]>([
		['as it is', (label) => label],
		['in decomposed letters', (label) => label.normalize('NFD')],
		['in small letters', (label) => label.toLowerCase()],
		['without it', (label) => label.normalize('NFD').replace(/[\u0300-\u036f]/g, '')],
	])(
		"keeps no value of a real list from its field, if the list's names are written %s",
		(_how, written) => {
			const lists = countriesWithLists.flatMap((country) =>
				Object.values(country.lists).map((list) => Object.keys(list)),
			);
			expect(lists.flat().filter((name) => name !== name.normalize('NFD')).length).toBeGreaterThan(
				50,
			);
			for (const labels of lists) {
				const columns = labels.map(written);
				expect(Object.values(read(required(...labels), columns).values)).toEqual(columns);
				expect(Object.values(read(required(...columns), labels).values)).toEqual(labels);
			}
		},
	);

	test('that is missing in a column of two fields is an error', () => {
		expect(() => read(labeled('Avó', 'Avô'), ['Avo'])).toThrow(
			columnProblems.matchesTwoFields('Avo', ['"Avó" (f0)', '"Avô" (f1)']).problem,
		);
	});

	test('that is missing in a filled column beside an empty one looks wrong', () => {
		const warnings: string[] = [];
		expect(filled({ f0: 'Lån nr' }, { lån_nr: '', lan_nr: '1' }, warnings)).toEqual({});
		expect(warnings).toEqual([
			expect.stringContaining(columnProblems.onlySimilarFilled('lån_nr', 'lan_nr').problem),
		]);
	});
});

/** Imitates a Luxon date from an n8n expression. JSON shows such a date in its own time zone. */
const { DateTime: luxonDates } = jest.requireActual<{
	DateTime: { fromISO(text: string, options: { setZone: true }): unknown };
}>('luxon');
const luxon = (text: string) => luxonDates.fromISO(text, { setZone: true });

test.each<[string, unknown, string]>([
	['a JavaScript date at midnight in UTC as that day', new Date('2027-02-01'), '2027-02-01'],
	[
		"a JavaScript date at midnight in n8n's time zone as that day",
		new Date(2027, 1, 1),
		'2027-02-01',
	],
	[
		'a JavaScript date with a time other than midnight in full',
		new Date('2027-02-01T09:30Z'),
		'2027-02-01T09:30:00.000Z',
	],
	['a Luxon date at midnight as that day', luxon('2027-02-01T00:00:00.000+01:00'), '2027-02-01'],
	[
		'a Luxon date with a time other than midnight in full',
		luxon('2027-02-01T09:30:00.000+01:00'),
		'2027-02-01T09:30:00.000+01:00',
	],
	[
		'text unchanged, even if it is a date at midnight',
		'2027-02-01T00:00:00Z',
		'2027-02-01T00:00:00Z',
	],
])('Map Automatically sends %s', (_name, value, text) => {
	expect(filled({ day: 'Day' }, { day: value as string })).toEqual({ day: text });
});

test('The error for a required field without a value suggests a fix that fits the mapping mode', () => {
	const template = {
		inputs: [{ key: 'rent', label: 'Monthly Rent', isRequired: true }],
	} as unknown as Template;
	const item = (mappingMode: string) => ({
		...itemWith({ rent: '' }),
		rawParameter: () => ({ mappingMode, value: null }),
	});
	expect(thrownBy(() => readVariables(item('autoMapInputData'), template))).toMatchObject({
		description: remedyForCell('rent'),
	});
	expect(thrownBy(() => readVariables(item('defineBelow'), template))).toMatchObject({
		description: expect.not.stringContaining('column'),
	});
});

test.each([
	['ACTIVE', []],
	[' active ', []],
	['', []],
	[undefined, []],
	['paused', [expect.stringContaining(templateProblems.inactive('Lease', 'PAUSED').problem)]],
	['DRAFT', [expect.stringContaining(templateProblems.inactive('Lease', 'DRAFT').problem)]],
])('A template with the status %j causes the warnings %j', (status, expected) => {
	const warnings: string[] = [];
	warnIfInactive(itemWith({}, warnings), { name: 'Lease', status } as Template);
	expect(warnings).toEqual(expected);
});

test('A notice warns that executing the node emails real people only if it does', () => {
	const isShown = (inTestRuns: string, options: IDataObject = {}, operation = 'send') => {
		const { properties } = new SignVerify().description;
		const values = { resource: 'document', operation, inTestRuns, options };
		return properties
			.filter(({ type }) => type === 'notice')
			.filter((field) => NodeHelpers.displayParameter(values, field, null, null))
			.some(({ displayName }) =>
				displayName.startsWith('Executing this step emails real people. To send nothing, '),
			);
	};
	for (const operation of ['send', 'sendAndWait']) {
		expect(isShown('realPeople', {}, operation)).toBe(true);
		expect(isShown('realPeople', { neverSend: false, output: 'raw' }, operation)).toBe(true);
		expect(isShown('realPeople', { neverSend: true }, operation)).toBe(false);
		expect(isShown('nothing', {}, operation)).toBe(false);
		expect(isShown('me', {}, operation)).toBe(false);
	}
	expect(isShown('realPeople', {}, 'download')).toBe(false);
});

const thrownBy = (work: () => unknown): unknown => {
	try {
		work();
	} catch (error) {
		return error;
	}
	return undefined;
};

describe('A number in a form', () => {
	test('is accepted as an ID if it is a safe integer', () => {
		expect(readId(Number.MAX_SAFE_INTEGER, 'Webhook', 'Choose one.')).toBe('9007199254740991');
	});

	test.each<[unknown, { min?: number; max?: number; isWhole?: boolean }, string]>([
		[0, {}, 'a number above 0'],
		['', { min: 0 }, 'a number of at least 0'],
		['  ', { min: 0 }, 'a number of at least 0'],
		[undefined, {}, 'a number above 0'],
		[null, { min: 0 }, 'a number of at least 0'],
		['wide', {}, 'a number above 0'],
		[0.5, { min: 1, max: 40 }, 'a number of at least 1 and at most 40'],
		[41, { min: 1, max: 40 }, 'a number of at least 1 and at most 40'],
		[1.5, { isWhole: true }, 'a whole number above 0'],
		[Infinity, {}, 'a number above 0'],
	])('is rejected: %p with the limits %p', (value, range, words) => {
		expect(thrownBy(() => readNumber(value, 'Width', range))).toMatchObject({
			message: `Width: ${valueProblems.notInRange(words).problem}`,
			description: valueProblems.notInRange(words).remedy,
		});
	});
});
