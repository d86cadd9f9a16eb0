import { type INode, type INodeParameters, NodeHelpers } from 'n8n-workflow';

import { SignVerify } from '../../nodes/SignVerify/SignVerify.node';
import { operations, toolProperties } from '../../nodes/SignVerify/operations/nodeForm';

// What a person sees depends on n8n's own code, which hides fields, and the values of hidden fields.
const { description } = new SignVerify();
const tool = { ...description, name: 'signVerifyTool', properties: toolProperties };

/** The names of the fields that the form shows, in order, for parameters as the editor has them. */
function shownFields(parameters: INodeParameters, type = description): string[] {
	const node = { type: type.name, typeVersion: 1.1 } as INode;
	const whole = NodeHelpers.getNodeParameters(type.properties, parameters, true, false, node, type);
	return type.properties
		.filter((field) => !['hidden', 'notice'].includes(field.type))
		.filter((field) => NodeHelpers.displayParameter(whole ?? {}, field, node, type))
		.map(({ name }) => name);
}

const chosen = { __rl: true, mode: 'id', value: '64f1c0de5a2b3c4d5e6f7081' };
const sending = operations.filter(({ sends, resource }) => sends && resource === 'document');
/** What needs a template. */
const ofTemplate = ['country', 'specifySignatories', 'signatoryRoles', 'fields'];

describe.each(sending.map(({ name, value }) => [name, { resource: 'document', operation: value }]))(
	'The form of %s',
	(_name, operation) => {
		test('asks for the country, the people and the fields in this order once a template is chosen', () => {
			const before = shownFields(operation);
			expect(before.filter((name) => ofTemplate.includes(name))).toEqual([]);
			const after = shownFields({ ...operation, templateId: chosen });
			const added = after.filter((name) => !before.includes(name));
			expect(added).toEqual(ofTemplate);
			expect(after.slice(after.indexOf('templateId')).slice(1, 3)).toEqual([
				'inTestRuns',
				'country',
			]);
		});

		test('asks for them as well if an expression chooses the template', () => {
			const templateId = { ...chosen, value: '={{ $json.template }}' };
			expect(shownFields({ ...operation, templateId })).toEqual(
				shownFields({ ...operation, templateId: chosen }),
			);
		});

		test('keeps a saved choice of how the fields are entered, without showing it', () => {
			const saved = { ...operation, templateId: chosen, specifyFields: 'expression' };
			const shown = shownFields(saved);
			expect(shown).toContain('fieldsObject');
			expect(shown).not.toContain('fields');
			expect(shown).not.toContain('specifyFields');
		});
	},
);

test("An agent's tool shows how the fields are entered", () => {
	const send = { resource: 'document', operation: 'send', templateId: chosen };
	expect(shownFields(send, tool)).toEqual(expect.arrayContaining(['specifyFields', 'fields']));
	const byExpression = shownFields({ ...send, specifyFields: 'expression' }, tool);
	expect(byExpression).toEqual(expect.arrayContaining(['specifyFields', 'fieldsObject']));
	expect(byExpression).not.toContain('fields');
});
