import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { variablesOf } from '../../nodes/SignVerify/api/templates';
import type { Template } from '../../nodes/SignVerify/api/types';
import { InputError } from '../../nodes/SignVerify/errors/inputError';
import { createItemContexts } from '../../nodes/SignVerify/item/item';
import { readSignatories } from '../../nodes/SignVerify/operations/document/signatories';
import { readVariables } from '../../nodes/SignVerify/operations/document/variables';
import {
	columnsOfTemplate,
	csvHeader,
	formRolesOf,
} from '../../nodes/SignVerify/templateForm/roles';
import { detailsPage } from '../../nodes/SignVerify/templateForm/webForm';
import { everything, seed } from '../support/sample';

/*
 * Template: Get promises columns to users: a header for a CSV file, and the questions of a web form. Map
 * Automatically searches for the columns. Whatever the template's roles and fields are called, each person and
 * each field must get the value of the column that was promised for it.
 */

/** Few words in many spellings, so that the names of a template's roles and fields often collide. */
const words = [
	...['employee', 'employee name', 'employee email', 'Name (Employee)', 'Email (Employee)'],
	...['employee email email', 'signatory 1 name', 'signatory 1 email', '1', '1 email', 'f 2'],
	...['signatory 2 name', 'signatory 2 email', '2 name', '2 email'],
	...['rent', 'user', 'submitted at', 'form mode'],
];
const spellings: Array<(word: string) => string> = [
	(word) => word,
	(word) => word.slice(0, 1).toUpperCase() + word.slice(1),
	(word) => word.toUpperCase(),
	(word) => word.replaceAll(' ', '_'),
	(word) => word.replaceAll(' ', '.'),
	(word) => word.replaceAll(' ', ''),
	(word) => word.replaceAll(/ (.)/g, (_space, letter: string) => letter.toUpperCase()),
	(word) => word.replace('e', 'é'),
	(word) => word.replace('e', 'è'),
	(word) => `${word} *`,
	(word) => `${word}_`,
];
const name = fc
	.tuple(fc.constantFrom(...words), fc.constantFrom(...spellings))
	.map(([word, spelled]) => spelled(word));

/** Makes a template of version 2 with these roles, or of version 1 without roles. */
function templateOf(roles: string[], fields: Array<{ key: string; label: string }>): Template {
	const list = fields.map((field) => ({ ...field, isRequired: false }));
	const template =
		roles.length > 0
			? { templateVersion: 'v2', signatories: roles.map((key) => ({ key })), form: list }
			: { templateVersion: 'v1', inputs: list };
	return { templateID: 't', name: 'Lease', ...template } as unknown as Template;
}

const templates = fc
	.record({
		isVersion2: fc.boolean(),
		roles: fc.array(name, { minLength: 1, maxLength: 3 }),
		fields: fc.uniqueArray(fc.record({ key: name, label: fc.oneof(name, fc.constant('')) }), {
			maxLength: 5,
			selector: ({ key }) => key,
		}),
	})
	.map(({ isVersion2, roles, fields }) => templateOf(isVersion2 ? roles : [], fields));

/** Returns what a run with one item reads for each person and each field, by key, with its warnings. */
function readAutomatically(template: Template, json: IDataObject) {
	const automatic = { mappingMode: 'autoMapInputData', value: null };
	const form: IDataObject = {
		specifySignatories: 'byRole',
		signatoryRoles: automatic,
		specifyFields: 'oneByOne',
		fields: automatic,
	};
	const item = createItemContexts(
		{
			getTimezone: () => 'America/Mexico_City',
			getInputData: () => [{ json }],
			getNodeParameter: (parameter: string) => form[parameter],
			getNode: () => ({ parameters: form }),
		} as never,
		undefined as never,
		{ fields: [] },
	).contextOf(0);
	const people = readSignatories(item, template);
	const ofPeople = formRolesOf(template).flatMap(({ nameId, emailId }, index) => [
		[nameId, people[index]?.name ?? ''],
		[emailId, people[index]?.email ?? ''],
	]);
	return {
		people: Object.fromEntries(ofPeople) as Record<string, string>,
		fields: readVariables(item, template),
		warnings: item.warnings,
	};
}

/** What every third column of a field lacks: nothing, its value, or the whole column. */
const gaps = fc.record({
	lacks: fc.constantFrom('nothing', 'value', 'column'),
	offset: fc.constantFrom(0, 1, 2),
});
type Gaps = typeof gaps extends fc.Arbitrary<infer One> ? One : never;

/**
 * Checks that each person and each field gets the value of its promised column, without a word, and that a field whose
 * column is missing gets nothing, but not in silence.
 */
function checkPromise(
	template: Template,
	columns: ReturnType<typeof columnsOfTemplate>,
	{ lacks, offset }: Gaps,
	added: IDataObject = {},
): void {
	const cells = columns.flatMap((column, index) => {
		// A role needs a person, so only the columns of fields have gaps.
		const hasGap = column.person === undefined && index % 3 === offset;
		if (hasGap && lacks === 'column') return [];
		const isName = column.person?.key.endsWith('.name');
		const value = isName ? `Person ${index}` : `p${index}@example.com`;
		return [{ ...column, value: hasGap && lacks === 'value' ? '' : value }];
	});
	const json = Object.fromEntries(cells.map(({ name: column, value }) => [column, value]));
	expect(Object.keys(json)).toHaveLength(cells.length);
	const isMissing = cells.length < columns.length;
	let read: ReturnType<typeof readAutomatically>;
	try {
		read = readAutomatically(template, { ...json, ...added });
	} catch (error) {
		expect([isMissing, error]).toEqual([true, expect.any(InputError)]);
		return;
	}
	const people = formRolesOf(template).flatMap(({ nameId, emailId }) => [nameId, emailId]);
	const fields = variablesOf(template).map(({ key }) => key);
	const promised = (form: 'person' | 'field', keys: string[]) =>
		Object.fromEntries(
			keys.map((key) => [key, cells.find((cell) => cell[form]?.key === key)?.value ?? '']),
		);
	expect(read.people).toEqual(promised('person', people));
	const ofFields = Object.fromEntries(fields.map((key) => [key, read.fields[key] ?? '']));
	expect(ofFields).toEqual(promised('field', fields));
	if (lacks === 'nothing') expect(read.warnings).toEqual([]);
	if (isMissing) expect(read.warnings).not.toEqual([]);
}

/** Templates in which one label leads to the column of another field, or of a person. */
const chained: Array<[string[], Record<string, string>]> = [
	[['employee'], { 'employee email': 'employee', employee: 'employee.email' }],
	[['employee'], { employee: 'employee name', user: 'employee.name' }],
	[[], { '1.email': '', 'Signatory 1 email': 'employee' }],
	[[], { 'signatory 1 email': 'Email(Employee)', 'Email(Employee)': '1.email' }],
	[[], { 'signatory 1 email': '1 email', '1.email': '' }],
	[[], { '2.name': '', '2.email': '' }],
	[[], { submittedAt: '', formMode: '', user: '1.email' }],
	[['émployee'], { 'èmployee email': '' }],
	[['employee'], { 'émployee email': '' }],
];

const runs = {
	seed,
	numRuns: everything ? 20_000 : 150,
	examples: chained.map(([roles, labels]): [Template, Gaps] => [
		templateOf(
			roles,
			Object.entries(labels).map(([key, label]) => ({ key, label })),
		),
		{ lacks: 'nothing', offset: 0 },
	]),
};

test('Each person and each field gets the value of its column in the CSV header', () => {
	fc.assert(
		fc.property(templates, gaps, (template, gap) => {
			const header = new Set(csvHeader(template).split(','));
			const columns = columnsOfTemplate(template).filter(({ name: column }) => header.has(column));
			expect(columns.map(({ name: column }) => column)).toEqual([...header]);
			checkPromise(template, columns, gap);
		}),
		runs,
	);
});

test('Each person and each field gets the answer to its question in the web form', () => {
	fc.assert(
		fc.property(templates, gaps, (template, gap) => {
			const columns = columnsOfTemplate(template);
			const page = JSON.parse(detailsPage(template) ?? '') as Array<{ fieldName: string }>;
			expect(new Set(page.map(({ fieldName }) => fieldName))).toEqual(
				new Set(columns.map((column) => column.name)),
			);
			// n8n's form adds these columns, and overwrites answers with these names.
			const added = { submittedAt: '2027-02-01T10:00:00Z', formMode: 'production', user: {} };
			checkPromise(template, columns, gap, added);
		}),
		runs,
	);
});
