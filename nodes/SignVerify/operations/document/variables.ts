import type { INodeProperties } from 'n8n-workflow';

import { type Template, variablesOf } from '../../api/templates';
import type { TemplateVariable } from '../../api/types';
import { InputError, Problems } from '../inputError';
import { canBeKey, isEmpty } from '../../util/values';
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
		propertyHint:
			'The keys are those that template / get gives in "form" (or "inputs"). Required ones need a value.',
	},
	// Without a template, there is nothing to fill in.
	displayOptions: { hide: { templateId: [''] } },
	typeOptions: loadedWithTemplate({
		resourceMapperMethod: 'getTemplateFields',
		valuesLabel: 'Fields',
		supportAutoMap: true,
		// Optional fields are under "Add field".
		addAllFields: false,
	}),
};

/**
 * Reads what to fill into the template, by key (docs/dev/service.md#create-a-document-version-1,
 * #create-a-document-version-2). "Map automatically" uses the item's properties with the name of a
 * field's key or label.
 * @returns Only texts: numbers and booleans as written, dates as ISO 8601. A field without a value is
 * left out.
 * @throws InputError for a field that the template does not have, a required one without a value, and a
 * value that is a list or an object.
 */
export function readVariables(item: ItemContext, template: Template): Record<string, string> {
	const variables = variablesOf(template);
	const automatic = item.parameter('fields.mappingMode') === 'autoMapInputData';
	const problems = new Problems();
	const given = automatic ? fromItem(item, variables) : item.mapped('fields');
	if (!automatic) {
		const keys = variables.map(({ key }) => key);
		problems.collect(() => checkNames('Fields', given, keys, template));
	}

	// The template's author may call a key "constructor" or "__proto__".
	const inputs = new Map<string, string>();
	for (const variable of variables) {
		const { key, label, isRequired } = variable;
		problems.collect(() => {
			const text = inputOf(given.get(key), label || key);
			if (isRequired && isBlank(text)) throw missing(label || key, key, automatic);
			if (text !== '') inputs.set(key, text);
			if (isOddDate(text, variable)) {
				item.hint(
					`Fields: ${label || key}: a value is not a date such as 2027-03-31. The service may not understand it.`,
				);
			}
		});
	}
	problems.throwIfAny();
	return Object.fromEntries(inputs);
}

/** Whether a field is a date by its type or label, and its value is not written as one. */
function isOddDate(text: string, { key, label, type }: TemplateVariable): boolean {
	const isDate = type === 'date' || /(?<!\p{L})date(?!\p{L})/iu.test(label || key);
	return isDate && !isBlank(text) && !/^\s*\d{4}-\d\d-\d\d(?:T|\s*$)/.test(text);
}

function fromItem(item: ItemContext, variables: TemplateVariable[]): Map<string, unknown> {
	// An empty column must not hide a filled one that also fits.
	const filled = Object.entries(item.input.json).filter(([, value]) => !isEmpty(value));
	const byName = new Map<string, unknown>(filled);
	// A field without a label must not get the value of a column without a name.
	const named = filled.map(([name, value]) => [plain(name), value] as const);
	const byPlainName = new Map<string, unknown>(named.filter(([name]) => name !== ''));
	return new Map(
		variables.map(({ key, label }) => [
			key,
			byName.get(key) ?? byPlainName.get(plain(label ?? '')) ?? byPlainName.get(plain(key)),
		]),
	);
}

function missing(label: string, key: string, automatic: boolean): InputError {
	const property = `Give the input item a property called "${key}" or "${label}"`;
	const byHand = canBeKey(key)
		? 'Enter a value. If it is an expression, check what it gives for this item.'
		: `n8n cannot keep this field in a form. ${property}, and map the fields automatically.`;
	return new InputError(
		`Fields: ${label}`,
		'the template requires a value, and there is none',
		automatic ? `${property}, or map the fields by hand.` : byHand,
	);
}

/** A value as the service accepts it: a text. */
function inputOf(value: unknown, label: string): string {
	if (isEmpty(value)) return '';
	if (typeof value === 'string') return value;
	if (typeof value === 'number' && Number.isFinite(value)) return String(value);
	if (typeof value === 'boolean' || typeof value === 'bigint') return String(value);
	if (value instanceof Date && !Number.isNaN(value.getTime())) return value.toISOString();
	const iso = isoOfDateTime(value);
	if (iso) return iso;
	throw new InputError(
		`Fields: ${label}`,
		`the value must be a text (it is ${kindOf(value)})`,
		'Let the expression give a text or a number, for example one property of the object.',
	);
}

/** A date of n8n's expressions is an object of the library luxon. */
function isoOfDateTime(value: unknown): string | undefined {
	const { toISO } = value as { toISO?: () => unknown };
	if (typeof toISO !== 'function') return undefined;
	const iso = toISO.call(value);
	return typeof iso === 'string' ? iso : undefined;
}

function kindOf(value: unknown): string {
	if (Array.isArray(value)) return 'a list';
	return typeof value === 'number' ? 'not a number' : 'an object';
}

function plain(name: string): string {
	return name.trim().toLowerCase();
}
