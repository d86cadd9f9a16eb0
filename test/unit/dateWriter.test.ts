import { execFileSync } from 'node:child_process';

import type { IDataObject, INodePropertyOptions } from 'n8n-workflow';

import { contentProblems } from '../../nodes/SignVerify/text/contentMistakes';
import { dateProblems } from '../../nodes/SignVerify/text/dates';
import { createItemContexts } from '../../nodes/SignVerify/item/item';
import type { Template, TemplateVariable } from '../../nodes/SignVerify/api/types';
import { readVariables } from '../../nodes/SignVerify/operations/document/variables';
import {
	dateLanguageProblems,
	dateLanguages,
	readDateWriter,
	writeDatesOption,
} from '../../nodes/SignVerify/operations/document/dateWriter';
import { root } from '../../scripts/tools';

const { DateTime } = jest.requireActual<{
	DateTime: { fromISO(text: string, options: { zone: string }): unknown };
}>('luxon');

const field: TemplateVariable = {
	key: 'start',
	type: 'text',
	label: 'Start date',
	isRequired: false,
};

const template = {
	templateVersion: 'v2',
	form: [
		field,
		{ key: 'file', type: 'text', label: 'File', isRequired: false },
		{ key: 'number', type: 'number', label: 'Number', isRequired: false },
	],
} as unknown as Template;

/** Creates the items of a run, one for each language. */
function itemsWith(languages: unknown[], json: IDataObject = {}) {
	const fields = { mappingMode: 'autoMapInputData', value: null };
	const formWith = (writeDatesIn: unknown): IDataObject => ({
		specifyFields: 'oneByOne',
		fields,
		options: writeDatesIn === undefined ? {} : { writeDatesIn },
	});
	const perItem = languages.map(formWith);
	const read = (name: string, itemIndex: number) =>
		name
			.split('.')
			.reduce<unknown>(
				(value, part) => (value as IDataObject | undefined)?.[part],
				perItem[itemIndex],
			);
	const hasOne = new Set(languages).size === 1;
	const { contextOf } = createItemContexts(
		{
			getTimezone: () => 'America/New_York',
			getMode: () => 'webhook',
			getWorkflow: () => ({ active: true }),
			getInputData: () => languages.map(() => ({ json })),
			getNode: () => ({
				type: 'n8n-nodes-signverify.signVerify',
				parameters: hasOne ? perItem[0] : formWith('={{ $json.language }}'),
			}),
			getNodeParameter: read,
			evaluateExpression: () => Object.keys(json),
		} as never,
		undefined as never,
		{ fields: [] },
	);
	return languages.map((_, itemIndex) => contextOf(itemIndex));
}

/** Returns what is sent for a value, and the item's warnings. */
function sent(value: unknown, writeDatesIn?: unknown) {
	const json = { start: value, file: value, number: value } as IDataObject;
	const [item] = itemsWith([writeDatesIn], json);
	const { start, file, number } = readVariables(item!, template);
	const isOf = (label: string) => (warning: string) => warning.startsWith(`${label}: `);
	const ofFile = item!.warnings.filter(isOf('File'));
	const warnings = item!.warnings.filter((one) => !isOf('File')(one) && !isOf('Number')(one));
	return { start, file, number, warnings, ofFile };
}

describe.each([
	['en-US', 'February 1, 2027', 'February 29, 2028'],
	['es-MX', '1 de febrero de 2027', '29 de febrero de 2028'],
	['de-DE', '1. Februar 2027', '29. Februar 2028'],
	['pt-BR', '1 de fevereiro de 2027', '29 de fevereiro de 2028'],
	['ja-JP', '2027年2月1日', '2028年2月29日'],
])('With Write Dates In %s', (language, day, leapDay) => {
	test.each<readonly [unknown, string]>([
		['2027-02-01', day],
		['2028-02-29', leapDay],
		...[
			'2027-02-01 ',
			'\u00a02027-02-01\r\n',
			'\u200e2027-02-01\u200f',
			'\ufeff2027-02-01\u200b',
		].map((text) => [text, day] as const),
		['\u202a2027-02-01\u202c ', day],
		[['2027-02-01'], day],
		[new Date(2027, 1, 1), day],
		[new Date('2027-02-01'), day],
		...['America/New_York', 'America/Mexico_City', 'Asia/Tokyo', 'Pacific/Kiritimati'].map(
			(zone) => [DateTime.fromISO('2027-02-01', { zone }), day] as const,
		),
	])('%s is written out', (value, text) => {
		expect(sent(value, language)).toMatchObject({ start: text, file: text, warnings: [] });
	});

	test.each([
		...['2027\u201102\u201101', '2027\u201302\u201301', '２０２７-０２-０１', '２０２７／２／１'],
		...['2027/02/01', '2027-2-1', ' 2027/2/01\u00a0'],
		// Midnight where the workflow is.
		...['2027-02-01T05:00:00.000Z', '2027-02-01T00:00:00-05:00', '2027-02-01 05:00:00+00'],
		...[
			'2027-02-01t05:00:00z ',
			'２０２７-０２-０１ ０５：００：００ +0000',
			'2027-02-01 05:00:00 UTC',
		],
		...['2027-02-01 06:00:00 GMT+01:00', '2027-02-01T06:00:00+01:00[Europe/Madrid]'],
		'Mon Feb 01 2027 06:00:00 GMT+0100 (Central European Standard Time)',
		'Mon, 01 Feb 2027 05:00:00 GMT',
	])('%j is written out only in a field for a date', (value) => {
		expect(sent(value, language)).toMatchObject({ start: day, warnings: [], file: value });
	});

	test('a date object that is midnight where the workflow is is written out in a field for a date', () => {
		const value = new Date('2027-02-01T05:00:00.000Z');
		const written = sent(value, language);
		expect(written).toMatchObject({ start: day, warnings: [], file: '2027-02-01T05:00:00.000Z' });
		const { problem } = dateProblems.timestamp('2027-02-01T05:00:00.000Z');
		expect(written.ofFile).toEqual([expect.stringContaining(problem)]);
	});

	test.each(['20270201', '01/02/2027', '13.02.2027', '2027.02.01', '1. 2. 2027'])(
		'%j stays as it is, with a note in a field for a date',
		(value) => {
			const { problem, remedy } = dateProblems.notWrittenOut(value);
			const warnings = [`Start date: ${problem}. ${remedy}`];
			expect(sent(value, language)).toMatchObject({
				start: value,
				file: value,
				warnings,
				ofFile: [],
			});
			expect(sent(value)).toMatchObject({ start: value, warnings: [] });
		},
	);

	test.each<[string | number, string?]>([
		['2027-02-30', contentProblems.missingDay.problem('2027-02-30')],
		['2027-02-29', contentProblems.missingDay.problem('2027-02-29')],
		['46419', contentProblems.spreadsheetDate.problem('46419')],
		[46419, contentProblems.spreadsheetDate.problem('46419')],
		['2027-02-01T00:00:00Z', 'is midnight with a time zone'],
		['1899-12-31', contentProblems.zeroDay.problem('1899-12-31')],
		['1899-12-29'],
		['2200-01-01'],
		['On 2027-02-01'],
		['2027-02-01 and 2027-03-01'],
		['2027-2-30', contentProblems.missingDay.problem('2027-2-30')],
		['2027-02-30T05:00:00Z', contentProblems.missingDay.problem('2027-02-30')],
		['1405/02/31'],
		['01/02/1405'],
		['2027-02-01T10:00:00Z', dateProblems.timestamp('2027-02-01T10:00:00Z').problem],
		['2027-02-01T05:00:01Z', 'is midnight with a time zone'],
		['2200-02-01T05:00:00Z', 'is midnight with a time zone'],
		['2027'],
		['', 'all columns are empty for this item'],
	])(
		'%j stays as it is, with the warning that it has without the option',
		(value, warning = '') => {
			const written = sent(value, language);
			expect(written.start ?? '').toBe(String(value));
			const warnings = warning === '' ? [] : [expect.stringContaining(warning)];
			expect(written.warnings).toEqual(warnings);
			expect(written).toEqual(sent(value));
		},
	);

	test('a field of another type stays as it is', () => {
		expect(sent('2027-02-01', language).number).toBe('2027-02-01');
	});
});

test.each([[undefined], [null], [''], [' ']])(
	'Without a language (%j), a day stays as it is',
	(off) => {
		expect(sent('2027-02-01', off).start).toBe('2027-02-01');
	},
);

test.each(['fa', 'th', 'ar-EG', 'es-419', 'EN-us'])(
	'Any language can be entered, such as %s',
	(tag) => {
		const { start } = sent('2027-02-01', tag);
		expect(start).toBe(
			new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: 'UTC' }).format(
				Date.UTC(2027, 1, 1),
			),
		);
		expect(start).not.toBe('2027-02-01');
	},
);

test.each(['xx', 'Deutsch', 'de_DE', 'english', '-', 'en-US; es', 'x'.repeat(100)])(
	'An unknown language (%s) is refused, because dates would be in English without a word',
	(tag) => {
		const { problem } = dateLanguageProblems.unknown(tag);
		expect(() => sent('2027-02-01', tag)).toThrow(`Write Dates In: ${problem}`);
	},
);

test('Every language in the list writes dates in our calendar, with our digits, and by name', () => {
	expect(new Set(dateLanguages).size).toBe(dateLanguages.length);
	const wrong = dateLanguages.filter((tag) => {
		const { locale, calendar, numberingSystem } = new Intl.DateTimeFormat(tag).resolvedOptions();
		return (
			locale.slice(0, 2) !== tag.slice(0, 2) || calendar !== 'gregory' || numberingSystem !== 'latn'
		);
	});
	expect(wrong).toEqual([]);
});

test.each([
	['es-MX', 'espa', '1 de febrero de 2027'],
	['de-AT', 'deutsch', '1. Februar 2027'],
	['ja-JP', '日本', '2027年2月1日'],
])('In the list, %s is found as "%s" and shows how it writes a date', (tag, typed, example) => {
	const choices = writeDatesOption.options as INodePropertyOptions[];
	// n8n searches only the names.
	const found = choices.filter(({ name }) => name.toLowerCase().includes(typed));
	expect(found.find(({ value }) => value === tag)?.description).toBe(example);
	expect(found.length).toBeLessThan(10);
	expect(choices.filter(({ name }) => /^English.*English/.test(name))).toEqual([]);
});

test.each<[string[], string[]]>([
	[['es-ES'], ['1 de febrero de 2027']],
	[
		['es-ES', 'en-US'],
		['1 de febrero de 2027', 'February 1, 2027'],
	],
])('A formatter is created once for a run and a language (%j)', (languages, days) => {
	const create = jest.spyOn(Intl.DateTimeFormat, 'supportedLocalesOf');
	const items = itemsWith(Array.from({ length: 25 }, () => languages).flat());
	const written = items.map((item) =>
		readDateWriter(item).write('2027-02-01', field, 'Start date'),
	);
	expect(new Set(written)).toEqual(new Set(days));
	expect(create).toHaveBeenCalledTimes(languages.length);
	create.mockRestore();
});

test.each(['America/New_York', 'America/Mexico_City', 'Asia/Tokyo'])(
	'n8n in %s writes the same day',
	(zone) => {
		const program = `
			const { readDateWriter } = require('./nodes/SignVerify/operations/document/dateWriter');
			const { textOfDate } = require('./nodes/SignVerify/text/dates');
			const { DateTime } = require('luxon');
			const item = {
				parameter: () => 'en-US', rawParameter: () => 'en-US', remember: (_, make) => make(), checkTyped() {},
			};
			const { write } = readDateWriter(item);
			const dates = [new Date(2027, 1, 1), DateTime.fromISO('2027-02-01')];
			const days = ['2027-02-01', ...dates.map((date) => textOfDate(date).text)];
			console.log(days.map((day) => write(day, { key: 'k', label: 'Start', type: 'text' })).join(' | '));`;
		const printed = execFileSync(process.execPath, ['--require', 'tsx/cjs', '-e', program], {
			cwd: root,
			env: { ...process.env, TZ: zone },
		});
		expect(printed.toString().trim()).toBe(Array(3).fill('February 1, 2027').join(' | '));
	},
);
