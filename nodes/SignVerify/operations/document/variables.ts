import type { INodeProperties } from 'n8n-workflow';

import { type Template, variablesOf } from '../../api/templates';
import type { TemplateVariable } from '../../api/types';
import { InputError, readAll, readEach } from '../inputError';
import { isEmpty, textOf } from '../../util/values';
import { isBlank } from '../parameters';
import { checkNames, loadedWithTemplate } from '../template/fields';
import type { ItemContext } from '../types';

/** The form for a template's variables, loaded when the template is chosen. */
export const variablesField: INodeProperties = {
	displayName: 'Fields',
	name: 'fields',
	type: 'resourceMapper',
	noDataExpression: true,
	default: { mappingMode: 'defineBelow', value: null },
	description: 'What to fill into the template',
	builderHint: {
		propertyHint: 'The keys are those that template / get gives in "form" or "inputs".',
	},
	// Without a template, there is nothing to fill in.
	displayOptions: { hide: { templateId: [''] } },
	typeOptions: {
		loadOptionsDependsOn: ['templateId.value'],
		resourceMapper: {
			...loadedWithTemplate,
			resourceMapperMethod: 'getTemplateFields',
			valuesLabel: 'Fields',
			supportAutoMap: true,
			// Optional fields are under "Add field".
			addAllFields: false,
		},
	},
};

/**
 * Reads what to fill into the template, by key (docs/dev/service.md#create-a-document-version-1,
 * #create-a-document-version-2). "Map automatically" uses the item's properties with the name of a
 * field's key or label, in upper or lower case.
 * @returns Only texts: numbers and booleans as written, dates as ISO 8601. A field without a value is
 * left out.
 * @throws InputError for a field that the template does not have, a required one without a value, and a
 * value that is a list or an object.
 */
export function readVariables(item: ItemContext, template: Template): Record<string, string> {
	const variables = variablesOf(template);
	const automatic = item.parameter('fields.mappingMode') === 'autoMapInputData';
	const given = automatic ? fromItem(item, variables) : item.mapped('fields', 'Fields');
	const keys = variables.map(({ key }) => key);
	const { inputs } = readAll({
		names: () => checkNames('Fields', given, keys, template),
		inputs: () =>
			readEach(variables, (variable) => {
				const text = readVariable(given.get(variable.key), variable);
				if (isOddDate(text, variable)) {
					item.hint(
						`Fields: ${labelOf(variable)}: a value is not a date such as 2027-03-31. The service may not understand it.`,
					);
				}
				return [variable.key, text] as const;
			}),
	});
	return Object.fromEntries(inputs.filter(([, text]) => text !== ''));
}

function labelOf({ key, label }: TemplateVariable): string {
	return label || key;
}

/** Whether a field is a date by its type or label, and its value is not written as one. */
function isOddDate(text: string, variable: TemplateVariable): boolean {
	const isDate = variable.type === 'date' || /(?<!\p{L})date(?!\p{L})/iu.test(labelOf(variable));
	return isDate && !isBlank(text) && !/^\s*\d{4}-\d\d-\d\d(?:T|\s*$)/.test(text);
}

/** @throws InputError if two columns with different values fit a field. */
function fromItem(item: ItemContext, variables: TemplateVariable[]): Map<string, unknown> {
	// An empty column must not hide a filled one that also fits, nor one without a name fit a field without
	// a label.
	const usable = Object.entries(item.input.json).filter(
		([name, value]) => plain(name) !== '' && !isEmpty(value),
	);
	const columns = new Map(usable);
	const alike = usable.map(([name]) => ({ name, plainName: plain(name) }));
	return new Map(
		readEach(variables, (variable) => {
			const find = (name = '') => {
				const wanted = plain(name);
				const names = columns.has(name)
					? [name]
					: alike.filter(({ plainName }) => plainName === wanted).map((each) => each.name);
				const [value, ...others] = new Set(names.map((each) => columns.get(each)));
				if (others.length === 0) return value;
				throw new InputError(
					`Fields: ${labelOf(variable)}`,
					`several columns fit it: ${names.join(', ')}`,
					'Rename or remove all but one of them.',
				);
			};
			return [variable.key, find(variable.key) ?? find(variable.label)];
		}),
	);
}

function plain(name: string): string {
	return name.trim().toLowerCase();
}

/** A value as the service accepts it: a text; empty if there is none. */
function readVariable(value: unknown, variable: TemplateVariable): string {
	const field = `Fields: ${labelOf(variable)}`;
	if (variable.isRequired && isBlank(value)) {
		throw new InputError(
			field,
			'the template requires a value, and there is none',
			`Enter one, or check what its expression gives for this item. "Map Automatically" uses a property of the item called "${variable.key}".`,
		);
	}
	if (isEmpty(value)) return '';
	// As in JSON: a date of JavaScript, or of n8n's expressions, says then which moment it is.
	const { toJSON } = Object(value) as { toJSON?: unknown };
	const given: unknown = typeof toJSON === 'function' ? toJSON.call(value) : value;
	const text = typeof given === 'number' && !Number.isFinite(given) ? '' : textOf(given);
	if (text) return text;
	throw new InputError(
		field,
		'the value must be a text',
		'Let the expression give a text or a number, for example one property of the object.',
	);
}
