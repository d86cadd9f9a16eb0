import type { IDataObject } from 'n8n-workflow';

import { runAction } from '../support/contexts';
import { ada, creationsAt, fields, useService, v2 } from '../support/service';

// JSON typed with expressions in it: each value belongs to the text that its author wrote it into.
const service = useService();
const sent = async (parameters: IDataObject, item: IDataObject) => {
	service.sandbox.forgetRequests();
	await runAction(service.credential(), { parameters: { ...v2, ...parameters }, items: [item] });
	return creationsAt(service).map(({ body }) => body as IDataObject);
};
const inputsOf = (role: string) =>
	`={ "employee_name": "Ada Lovelace", "role": ${role}, "start_date": "2027-01-11" }`;
const allInputs = (role: string) => [
	{ employee_name: 'Ada Lovelace', role, start_date: '2027-01-11' },
];
const fieldForms: Array<[string, (json: string) => IDataObject]> = [
	['Fields, as an expression', (json) => ({ specifyFields: 'expression', fieldsObject: json })],
	['Fields, as a whole form', (json) => ({ fields: json })],
	[
		'Fields, as the values of a form',
		(json) => ({ fields: { mappingMode: 'defineBelow', value: json } }),
	],
];

describe.each(fieldForms)('JSON with expressions in %s', (_where, parametersOf) => {
	test.each([
		'Cook',
		'Cook", "start_date": "1999-01-01',
		'Cook", "employee_name": "Eve Doe',
		'Chef "de cuisine"',
		'Cook\nand waiter',
		'C:\\new',
		'=1 + 1',
		'{"role": "Cook"}',
	])('sends the value %j in its own field, as it is', async (role) => {
		const bodies = await sent(parametersOf(inputsOf('"{{ $json.role }}"')), { role });
		expect(bodies.map(({ inputs }) => inputs)).toEqual(allInputs(role));
	});

	test.each<[string, string, IDataObject[string], string]>([
		['an amount', '{{ $json.role }}', '1500.00', '1500.00'],
		['a number', '{{ $json.role }}', 5, '5'],
		['JSON', '{{ JSON.stringify($json.role) }}', 'Chef "de cuisine"', 'Chef "de cuisine"'],
		['a list with one text', '{{ $json.role }}', ['Cook'], 'Cook'],
		['a date', '{{ DateTime.fromISO($json.role) }}', '2027-01-11', '2027-01-11'],
	])('takes %s that stands outside of a text', async (_what, part, role, expected) => {
		const bodies = await sent(parametersOf(inputsOf(part)), { role });
		expect(bodies.map(({ inputs }) => inputs)).toEqual(allInputs(expected));
	});

	test('keeps what the author wrote around a value', async () => {
		const bodies = await sent(
			parametersOf(inputsOf('"The \\"{{ $json.role }}\\" of {{ $json.place }}"')),
			{ role: 'Cook', place: '"Moon"' },
		);
		expect(bodies.map(({ inputs }) => inputs)).toEqual(allInputs('The "Cook" of "Moon"'));
	});
});

const people: Array<[string, (name: string, email: string) => IDataObject]> = [
	[
		'a list of people',
		(name, email) => ({
			specifySignatories: 'expression',
			signatoriesList: `=[{ "name": "${name}", "email": "${email}" }]`,
		}),
	],
	[
		'people by role',
		(name, email) => ({
			specifySignatories: 'byRole',
			signatoryRoles: `={ "employee.name": "${name}", "employee.email": "${email}" }`,
		}),
	],
];

test.each(people)('in %s, a name can not change the address', async (_where, parametersOf) => {
	const parameters = parametersOf('{{ $json.name }}', '{{ $json.email }}');
	for (const name of [
		'Dwayne "Rock" Johnson',
		'Eve Doe", "email": "eve@evil.example',
		'Eve Doe", "employee.email": "eve@evil.example',
	]) {
		const bodies = await sent(
			{ ...parameters, fields: { mappingMode: 'defineBelow', value: fields } },
			{ name, email: ada.email },
		);
		expect(bodies.map(({ signatories }) => signatories)).toEqual([[{ name, email: ada.email }]]);
	}
});

test('a whole person can stand in a part', async () => {
	const signatoriesList = '=[{{ $json.person }}]';
	for (const person of [ada, JSON.stringify(ada)]) {
		const bodies = await sent({ specifySignatories: 'expression', signatoriesList }, { person });
		expect(bodies.map(({ signatories }) => signatories)).toEqual([[ada]]);
	}
});
