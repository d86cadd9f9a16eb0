import type { IDataObject } from 'n8n-workflow';

import type { Template } from '../../nodes/SignVerify/api/templates';
import { readVariables } from '../../nodes/SignVerify/operations/document/variables';
import { csvHeader } from '../../nodes/SignVerify/operations/template/fields';
import type { ItemContext } from '../../nodes/SignVerify/operations/types';

/** What "Map Automatically" fills into fields with these keys and labels. */
function filled(labels: Record<string, string>, json: IDataObject, hints: string[] = []) {
	const item = {
		parameter: () => 'autoMapInputData',
		input: { json },
		hint: (text: string) => hints.push(text),
	} as unknown as ItemContext;
	return readVariables(item, templateWith(labels));
}

function templateWith(labels: Record<string, string>): Template {
	const inputs = Object.entries(labels).map(([key, label]) => ({ key, label, isRequired: false }));
	return { name: 'Lease', inputs } as unknown as Template;
}

describe('Map Automatically', () => {
	test('fills a field without a label from no column without a name', () => {
		expect(filled({ rent: '', city: ' ' }, { '': 'x', ' ': 'y' })).toEqual({});
	});

	test.each<[string, IDataObject, string]>([
		['the key', { rent: 'key', 'Monthly Rent': 'label', Rent: 'other' }, 'key'],
		['the label', { 'monthly rent ': 'label', Rent: 'other' }, 'label'],
		['the key in other case', { Rent: 'other' }, 'other'],
		['the label, if the key is empty', { rent: '', 'Monthly Rent': 'label' }, 'label'],
		['the label, if the key is null', { rent: null, 'Monthly Rent': 'label' }, 'label'],
		['the key in other case, if all others are empty', { rent: '', RENT: 'other' }, 'other'],
		['the filled one of two columns', { 'Monthly Rent': 'label', 'MONTHLY RENT': '' }, 'label'],
		['the key, if its value is 0', { rent: 0, 'Monthly Rent': 'label' }, '0'],
		['the key, if its value is false', { rent: false, 'Monthly Rent': 'label' }, 'false'],
	])('uses the column with %s', (_name, json, rent) => {
		expect(filled({ rent: 'Monthly Rent' }, json)).toEqual({ rent });
	});

	test.each<[Record<string, string>, string]>([
		[{ rent: 'City', city: 'Rent' }, 'rent,city'],
		[{ name_1: 'Name', Name: 'name_1', name: '' }, 'name_1,Name,name'],
		[{ rent: 'Rent', 'City, "old"': '' }, 'rent,"City, ""old"""'],
		[{}, ''],
	])(
		'fills each field of %j from the CSV file whose header Template: Get gives',
		(labels, header) => {
			expect(csvHeader(templateWith(labels))).toBe(header);
			const cells = header.match(/"(?:[^"]|"")*"|[^,]+/g) ?? [];
			const columns = cells.map((each) => each.replace(/^"|"$/g, '').replaceAll('""', '"'));
			const row = Object.fromEntries(columns.map((column, at) => [column, `value ${at}`]));
			const wanted = Object.keys(labels).map((key, at) => [key, `value ${at}`]);
			expect(filled(labels, row)).toEqual(Object.fromEntries(wanted));
		},
	);
});

test.each([
	['Start date', 'March 1st', true],
	['start_date', '1/3/2027', true],
	['Start date', '2027-03-01', false],
	['Start date', '2027-03-01T00:00:00Z', false],
	['Start date', '', false],
	['Candidate', 'March 1st', false],
])('the field "%s" with "%s": a hint with the format: %s', (label, value, hinted) => {
	const hints: string[] = [];
	expect(filled({ field: label }, { field: value }, hints)).toEqual(value ? { field: value } : {});
	expect(hints).toEqual(hinted ? [expect.stringContaining('such as 2027-03-31')] : []);
});
