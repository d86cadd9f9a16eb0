import {
	type INodeProperties,
	type INodePropertyOptions,
	updateDisplayOptions,
} from 'n8n-workflow';

import { variablesOf } from '../../api/templates';
import type { Template } from '../../api/types';
import { foldedName, shownNames } from '../../columns/columnNames';
import { formRolesOf, rolesField } from '../../templateForm/roles';
import { loadedField, templateLocator } from '../../templateForm/templateChoice';
import { remember } from '../../util/singleFlight';
import { countryField } from './country';
import { signPositionsOption } from './signPositions';

/** The name of the form for a template's variables. */
export const fieldsSection = 'Fields';

export const variablesField = loadedField(
	{
		displayName: fieldsSection,
		name: 'fields',
		description:
			"Values for the template's fields. Write dates the way they should appear in the contract, or add Write Dates In under Options.",
		builderHint: {
			propertyHint: 'Load the keys with the loadOptions method getTemplateKeys.',
		},
	},
	// Show only the required fields. Users add the optional fields with "Add field".
	{ resourceMapperMethod: 'getTemplateFields', supportAutoMap: true, addAllFields: false },
);

export const fieldSources = [
	{
		name: 'One by One',
		value: 'oneByOne',
		description: 'Enter a value for each field, or use the columns with the same names',
	},
	{
		name: 'Using an Expression',
		value: 'expression',
		description:
			"Use this if the template, and so its fields, aren't known until the workflow runs",
	},
] as const satisfies INodePropertyOptions[];

/** A person maps the fields, so only an agent's tool shows the choice. Any other node keeps what its workflow contains. */
export const specifyFieldsField: INodeProperties = {
	displayName: 'Specify Fields',
	name: 'specifyFields',
	type: 'options',
	noDataExpression: true,
	options: [...fieldSources],
	default: 'oneByOne',
	displayOptions: { show: { '@tool': [true] } },
};

export const fieldsObjectField: INodeProperties = {
	displayName: fieldsSection,
	name: 'fieldsObject',
	type: 'json',
	default: '={{ $json.fields }}',
	required: true,
	displayOptions: { show: { [specifyFieldsField.name]: ['expression'] } },
	description: 'An object with the value of each field, by its key in the template',
};

export const variableFields: INodeProperties[] = [
	specifyFieldsField,
	// @n8n For n8n, a property that isn't displayed has no value, so what depends on it isn't displayed either.
	{ ...specifyFieldsField, type: 'hidden', displayOptions: { show: { '@tool': [false] } } },
	...updateDisplayOptions({ show: { [specifyFieldsField.name]: ['oneByOne'] } }, [variablesField]),
	fieldsObjectField,
];

/** Returns the name of each of the template's fields in the form, by its key. */
export function shownFieldNames(template: Template): Map<string, string> {
	return shownNames(variablesOf(template));
}

const namesByTemplate = new WeakMap<Template, Map<string, string>>();

/**
 * Returns the name of each of the template's fields in messages, by its key. Only if a role, or another part of the
 * form, has the same name, the name begins with that of the form: "Fields: Tenant".
 */
export function fieldNames(template: Template): Map<string, string> {
	return remember(namesByTemplate, template, () => {
		const others = [templateLocator, countryField, rolesField, variablesField, signPositionsOption];
		const taken = new Set(
			[
				...others.map(({ displayName }) => displayName),
				...formRolesOf(template).map(({ label }) => label),
			].map(foldedName),
		);
		const names = [...shownFieldNames(template)];
		return new Map(
			names.map(([key, name]) => [
				key,
				taken.has(foldedName(name)) ? `${fieldsSection}: ${name}` : name,
			]),
		);
	});
}

/** The option for services that don't accept a document in which a key of the template is missing. */
export const emptyFieldsOption: INodeProperties = {
	displayName: 'Send Empty Fields',
	name: 'sendEmptyFields',
	type: 'boolean',
	default: true,
	description:
		'Whether to send optional fields without a value as empty text instead of leaving them out',
};
