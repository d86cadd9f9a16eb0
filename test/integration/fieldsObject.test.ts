import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { toolProperties } from '../../nodes/SignVerify/operations/nodeForm';
import { withDefaults } from '../n8n/execute';
import { action, runAction } from '../support/contexts';
import { otherTemplate } from '../support/problemWords';
import {
	ada,
	byId,
	contract,
	creationsAt,
	failureOf,
	fields,
	mapped,
	useService,
	v2,
} from '../support/service';
import { valueProblems } from '../../nodes/SignVerify/text/textProblems';
import { columnProblems } from '../../nodes/SignVerify/columns/columnProblems';

// Specify Fields set to Using an Expression: the values come as one object, keyed by the template's fields.
const service = useService();
const byExpression = (fieldsObject: unknown, more: IDataObject = {}): IDataObject => ({
	...v2,
	specifyFields: 'expression',
	fieldsObject: fieldsObject as IDataObject,
	...more,
});
const run = async (parameters: IDataObject, item: IDataObject = {}) =>
	await runAction(service.credential(), { parameters, items: [item] });
const refusal = async (parameters: IDataObject, item: IDataObject = {}) => {
	const error = await failureOf(run(parameters, item));
	expect(creationsAt(service)).toEqual([]);
	return [error.message, error.description];
};
const sentInputs = () => creationsAt(service).map(({ body }) => (body as IDataObject).inputs);

const returned = '={{ $json.fields }}';
const notObject = (shown: string) => valueProblems.notValues(shown).problem;

describe('An object with the fields', () => {
	test.each<[string, unknown, IDataObject]>([
		['from an expression', returned, { fields }],
		['as JSON text from an expression', returned, { fields: JSON.stringify(fields) }],
		['typed as JSON', JSON.stringify(fields), {}],
		[
			'typed as JSON with expressions',
			`=${JSON.stringify({ ...fields, role: '{{ $json.role }}' })}`,
			{ role: fields.role },
		],
		['written as an object', { ...fields, role: '={{ $json.role }}' }, { role: fields.role }],
	])('%s is sent like fields entered one by one', async (_how, value, item) => {
		await run(v2);
		await run(byExpression(value), item);
		const [one, other] = sentInputs();
		expect(other).toEqual(one);
	});

	test('is by default in the column "fields"', async () => {
		await run(withDefaults(action, { ...v2, specifyFields: 'expression' } as INodeParameters), {
			fields,
		});
		expect(sentInputs()).toEqual([fields]);
	});

	test('can belong to a template that the expression chooses', async () => {
		const templateId = byId('={{ $json.template }}');
		await run(byExpression(returned, { templateId }), { template: contract, fields });
		expect(sentInputs()).toEqual([fields]);
	});

	test.each(['={{ 1 + 1 }}', '=Cook', "={{ $('Secret').first().json.key }}", '=1,500.00'])(
		'is data, so a value like %j is never evaluated',
		async (role) => {
			for (const data of [{ ...fields, role }, JSON.stringify({ ...fields, role })]) {
				service.sandbox.forgetRequests();
				const parameters = byExpression(returned);
				if (role.includes('{{')) {
					const [message] = await refusal(parameters, { fields: data });
					expect(message).toContain('Job title: ');
					continue;
				}
				await run(parameters, { fields: data });
				expect(sentInputs()).toEqual([{ ...fields, role }]);
			}
		},
	);

	test('with a key that the template does not have is refused with the right keys', async () => {
		const wrong = { ...fields, Role: 'Cook' };
		for (const templateId of [v2.templateId, byId('={{ $json.template }}')]) {
			const parameters = byExpression(returned, { templateId });
			const item = { fields: wrong, template: contract };
			expect(await refusal(parameters, item)).toEqual([
				`${otherTemplate}: Role`,
				expect.stringContaining('employee_name, role, start_date'),
			]);
		}
	});

	test('without a required field is refused with the name of the field', async () => {
		const { employee_name, start_date } = fields;
		const [message] = await refusal(byExpression(returned), {
			fields: { employee_name, start_date },
		});
		expect(message).toBe(`Job title: ${valueProblems.empty.problem}`);
	});

	test('with a required field from a missing column is refused with the name of the column', async () => {
		const json = `=${JSON.stringify({ ...fields, role: '{{ $json.Post }}' })}`;
		const [message] = await refusal(byExpression(json), { Title: 'Cook' });
		expect(message).toBe(
			`Job title: ${valueProblems.empty.problem}, because ${columnProblems.missing('Post', 'Title').problem}`,
		);
	});

	test('with a part from a missing column causes one warning, or stops', async () => {
		const json = `=${JSON.stringify({ ...fields, role: 'Cook for {{ $json.Pay }}' })}`;
		const warning = `Fields: ${columnProblems.partMissing.problem}, because ${columnProblems.missing('Pay', 'Title').problem}`;
		const stop = { options: {} };
		expect((await refusal(byExpression(json, stop), { Title: 'x' }))[0]).toContain(warning);
		const [sent] = await run(byExpression(json), { Title: 'x' });
		expect(sent?.json.warnings).toEqual([expect.stringContaining(warning)]);
	});

	test.each<[string, unknown, IDataObject, string]>([
		['an empty object', returned, { fields: {} }, valueProblems.noValues.problem],
		['an empty object as JSON', '{}', {}, valueProblems.noValues.problem],
		['nothing', returned, {}, valueProblems.noValues.problem],
		['a list', returned, { fields: [{ role: 'Cook' }] }, notObject('a list ([{"role":"Cook"}])')],
		['a word', returned, { fields: 'Cook' }, notObject('"Cook"')],
		// What a model writes instead of JSON.
		[
			'JSON in a code fence',
			returned,
			{ fields: '```json\n{ "role": "Cook" }\n```' },
			notObject('"```json { "role": "Cook" } ```"'),
		],
		[
			'JSON with single quotes',
			returned,
			{ fields: "{ 'role': 'Cook' }" },
			notObject(`"{ 'role': 'Cook' }"`),
		],
		['JSON that is cut off', returned, { fields: '{ "role": "Co' }, notObject('"{ "role": "Co"')],
		['a list typed as JSON', JSON.stringify([fields]), {}, valueProblems.notJson.problem],
		['broken JSON', '{ "role": }', {}, valueProblems.notJson.problem],
		['no text', '', {}, valueProblems.notJson.problem],
		[
			'an expression typed as text',
			'{ "role": "{{ $json.role }}" }',
			{},
			valueProblems.typedExpression.problem,
		],
	])('is refused if it is %s', async (_what, value, item, problem) => {
		const [message, description] = await refusal(byExpression(value), item);
		expect(message).toContain(`Fields: ${problem}`);
		expect(description).not.toContain("n8n's editor");
		if (value === returned || value === '{}') {
			expect(description).toContain(' employee_name, role, start_date');
		}
	});

	test('may have fields named like what n8n saves with a form', async () => {
		const keys = ['value', 'mappingMode', 'schema', 'matchingColumns', 'toString'];
		const form = keys.map((key, index) => ({
			key,
			type: 'text',
			isRequired: true,
			label: `Label ${index}`,
			_id: String(index),
		}));
		const templateID = '64aa0000000000000000a0f1';
		const imported = {
			_id: '64aa0000000000000000a0f2',
			templateID,
			name: 'Lease',
			description: '',
			key: 'lease',
			status: 'ACTIVE',
			signatories: [{ key: 'tenant', type: 'signature', _id: '1' }],
			form,
			formSignatory: [],
		};
		expect(service.sandbox.importTemplates(JSON.stringify([imported])).refused).toEqual([]);
		const values = Object.fromEntries(keys.map((key) => [key, `the ${key}`]));
		const templateId = byId(templateID);
		for (const [value, item] of [
			[returned, { fields: values }],
			[JSON.stringify(values), {}],
			[values, {}],
		] as const) {
			service.sandbox.forgetRequests();
			await run(byExpression(value, { templateId }), item);
			expect(sentInputs()).toEqual([values]);
		}
	});
});

test('Fields entered one by one stay as they are if the other way of entering them is left in the workflow', async () => {
	const left = { fieldsObject: '={{ $json.gone.fields }}' };
	await run({ ...v2, ...left });
	await run(byExpression(returned, { fields: mapped({ gone: 'x' }) }), { fields });
	expect(sentInputs()).toEqual([fields, fields]);
	expect(creationsAt(service)[0]?.body).toMatchObject({ signatories: [ada] });
});

test.each([
	['a plain node', action.description],
	['a tool', { ...action.description, name: 'signVerifyTool', properties: toolProperties }],
])(
	'%s sends the same fields with and without the parameter that its form may not show',
	async (_what, description) => {
		const filledIn = (form: IDataObject) =>
			withDefaults({ ...action, description }, form as INodeParameters);
		for (const form of [v2, { ...v2, specifyFields: 'oneByOne' }]) await run(filledIn(form));
		await run(filledIn(byExpression(returned)), { fields });
		expect(sentInputs()).toEqual([fields, fields, fields]);
	},
);

test('Specify Fields with any other value is refused', async () => {
	expect(await refusal({ ...v2, specifyFields: 'columns' })).toEqual([
		`Specify Fields: ${valueProblems.notAChoice('').problem}`,
		expect.stringContaining('oneByOne, expression'),
	]);
});
