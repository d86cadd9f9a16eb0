import type { IDataObject } from 'n8n-workflow';

import { ServiceClient } from '../../nodes/SignVerify/account/client';
import type { Template } from '../../nodes/SignVerify/api/types';
import { createItemContexts } from '../../nodes/SignVerify/item/item';
import { misspelledColumns } from '../../nodes/SignVerify/templateForm/unreadColumns';

const templateWith = (labels: string[], isRequired = false) =>
	({
		templateID: 't',
		templateVersion: 'v2',
		name: 'Lease',
		signatories: [{ key: 'tenant' }],
		form: labels.map((label, index) => ({ key: `f${index}`, label, type: 'text', isRequired })),
	}) as unknown as Template;

/** The columns that are taken for the first field's, in a list with these rows. */
function found(template: Template, rows: IDataObject[], parameters: IDataObject = {}) {
	const { contextOf } = createItemContexts(
		{
			getInputData: () => rows.map((json) => ({ json })),
			getNode: () => ({ parameters }),
		} as never,
		new ServiceClient({} as never),
		{ fields: [] },
	);
	return misspelledColumns(contextOf(0), template).get('f0') ?? [];
}

describe('A column that nothing reads', () => {
	test.each([
		['Salary', 'Salery'],
		['Salary', 'Salry'],
		['Salary', 'Sallary'],
		['Salary', 'Slaary'],
		['Región', 'Regon'],
		['Monthly salary', 'Montly sallary'],
		['Ημερομηνία', 'Ημερμηνία'],
		['Phone 1', 'Phnoe 1'],
		['Employer address', 'employer_adress'],
		['Workplace', 'work_palce'],
	])('is taken for the field %s if it is called %s', (label, column) => {
		expect(found(templateWith([label]), [{ [column]: 'x' }])).toEqual([column]);
	});

	test.each([
		['Salary', 'salaries'],
		['Salary', 'Celery'],
		['Salary', 'Salary range'],
		['Salary', ''],
		['Phone 1', 'Phone 2'],
		['Rate', 'Date'],
		['Rent', 'Rest'],
		['Stage', 'State'],
		['Article 11', 'Article 12'],
		['Start date', 'End date'],
		['Employer', 'Employee'],
		['Employer address', 'Employee address'],
		['Employer address', 'employeeAddress'],
		['Trainer', 'Trainee'],
		['Miete', 'Mieter'],
		['Position', 'Positions'],
	])('is not taken for the field %s if it is called %s', (label, column) => {
		expect(found(templateWith([label]), [{ [column]: 'x' }])).toEqual([]);
	});

	test('is only one that has neither the name of another field or of a role nor an expression that reads it', () => {
		const template = templateWith(['Salary', 'Salery']);
		expect(found(template, [{ Salery: 'x' }])).toEqual([]);
		const tenant = templateWith(['Tenant nane']);
		expect(found(tenant, [{ 'Tenant name': 'x', 'Tenant nabe': 'x' }])).toEqual(['Tenant nabe']);
		const one = templateWith(['Salary']);
		expect(found(one, [{ Salery: 'x' }, { Salarry: 'x' }])).toEqual(['Salery', 'Salarry']);
		const parameters = { options: { sendOnceKey: "={{ $json['Salery'].trim() }}" } };
		expect(found(one, [{ Salery: 'x', Salarry: 'x' }], parameters)).toEqual(['Salarry']);
	});

	test('is not looked for if the field is required, because that is an error anyway', () => {
		expect(found(templateWith(['Salary'], true), [{ Salery: 'x' }])).toEqual([]);
	});

	test('is one of the first 500, so that a list of any width takes a limited time', () => {
		const others = (count: number) =>
			Object.fromEntries(Array.from({ length: count }, (_, n) => [`Other ${n}`, 'x']));
		const template = templateWith(['Salary']);
		expect(found(template, [{ ...others(499), Salery: 'x' }])).toEqual(['Salery']);
		expect(found(template, [{ ...others(500), Salery: 'x' }])).toEqual([]);
		const long = 'Salary'.repeat(20);
		expect(found(templateWith([long]), [{ [long.replace('al', 'a')]: 'x' }])).toEqual([]);
	});
});
