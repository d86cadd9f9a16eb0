import { variablesOf } from '../../api/templates';
import type { Template, TemplateVariable } from '../../api/types';
import { InputError, readAll, readEach } from '../../input/inputError';
import type { ItemContext } from '../../input/item';
import { noValues } from '../../input/mapper';
import { enteredText, isBlank, onlyText } from '../../input/parameters';
import { isEmpty, normalName } from '../../util/values';
import { checkNames, loadedField } from '../template/fields';

/** The form for a template's variables, loaded when the template is chosen. */
export const variablesField = loadedField(
	{
		displayName: 'Fields',
		name: 'fields',
		description:
			'What to fill into the template. A date is sent as year-month-day, such as 2027-02-01, and with its time if it has one.',
		builderHint: {
			propertyHint: 'The keys are those that template / get gives in "form" or "inputs".',
		},
	},
	// Optional fields are under "Add field".
	{ resourceMapperMethod: 'getTemplateFields', supportAutoMap: true, addAllFields: false },
);

/**
 * Reads what to fill into the template, by key (docs/dev/service.md#create-a-document-version-1,
 * #create-a-document-version-2). "Map automatically" uses the item's properties with the name of a
 * field's key or label (`normalName`).
 * @returns Only texts: numbers and booleans as written, dates as {@link dateText} says, and of a list of one its
 * text. A field without a value is left out.
 * @throws InputError for a field that the template does not have, a required one without a value, a value that
 * is another list or an object, and a form that cannot be understood.
 */
export function readVariables(item: ItemContext, template: Template): Record<string, string> {
	const variables = variablesOf(template);
	const form = item.mapped('fields', 'Fields');
	if (form.isMissing && variables.length > 0) throw noValues('Fields');
	const automatic = form.mode === 'autoMapInputData';
	const given = automatic ? fromItem(item, variables) : form.values;
	const keys = variables.map(({ key }) => key);
	const { inputs } = readAll({
		names: () => checkNames('Fields', given, keys, template),
		inputs: () =>
			readEach(variables, (variable) => {
				const field = `Fields: ${fieldLabel(variable)}`;
				if (!automatic) item.checkTyped(given.get(variable.key), field);
				const text = readVariable(given.get(variable.key), variable, automatic);
				if (isDateField(variable) && !isBlank(text) && !checkDate(text, field)) {
					item.hint(
						`${field}: a value is not a date such as 2027-03-31. The service may not understand it.`,
					);
				}
				return [variable.key, text] as const;
			}),
	});
	return Object.fromEntries(inputs.filter(([, text]) => text !== ''));
}

function fieldLabel({ key, label }: TemplateVariable): string {
	return label || key;
}

/**
 * What the item's columns fill, by the keys of the fields. A field uses the column of its key. If there is none,
 * or it is empty, it uses the one with the name of its key or its label (`normalName`).
 * @throws InputError if columns with different values fit a field, or one column fits two fields.
 */
function fromItem(item: ItemContext, variables: TemplateVariable[]): Map<string, unknown> {
	const { json } = item.input;
	const keys = new Set(variables.map(({ key }) => key));
	const columns = Object.keys(json).filter((column) => !isEmpty(json[column]));
	const names = new Map(columns.map((column) => [column, normalName(column)]));
	const users = new Map<string, TemplateVariable>();

	const fittingOf = ({ key, label }: TemplateVariable): string[] => {
		if (names.has(key)) return [key];
		const [keyName, labelName] = [key, label].map((name) => normalName(name) || undefined);
		return columns.filter((column) => {
			const name = names.get(column);
			if (!keys.has(column)) return name === keyName || name === labelName;
			// It is the column of another field. It may be meant for this one, too, if this has none.
			return name === labelName && !Object.hasOwn(json, key);
		});
	};
	return new Map(
		readEach(variables, (variable) => {
			const fitting = fittingOf(variable);
			const [value, ...others] = new Set(fitting.map((column) => json[column]));
			if (others.length > 0) {
				throw new InputError(
					`Fields: ${fieldLabel(variable)}`,
					`several columns fit it: ${fitting.join(', ')}`,
					'Rename or remove all but one of them.',
					'several-columns-fit-it',
				);
			}
			for (const column of fitting) {
				const user = users.get(column) ?? variable;
				users.set(column, user);
				// A template can have a key twice.
				if (user.key === variable.key) continue;
				const both = [user, variable].map((field) => `"${fieldLabel(field)}" (${field.key})`);
				throw new InputError(
					'Fields',
					`one column fits two fields, ${both.join(' and ')}: ${column}`,
					'Name your columns by the keys, which are in parentheses.',
					'one-column-fits-two-fields',
				);
			}
			return [variable.key, value];
		}),
	);
}

/**
 * A value as the service accepts it: a text; empty if there is none.
 * @param automatic Whether it was looked for among the columns of the item.
 */
function readVariable(entered: unknown, variable: TemplateVariable, automatic: boolean): string {
	const value = onlyText(entered);
	const field = `Fields: ${fieldLabel(variable)}`;
	if (variable.isRequired && isBlank(value)) {
		throw new InputError(
			field,
			'the template requires a value, and there is none',
			automatic
				? `Give the item a column called "${fieldLabel(variable)}".`
				: 'Enter one, or check what its expression gives for this item.',
			'the-template-requires-a-value-and-there-is-none',
		);
	}
	return enteredText(
		typeof value === 'boolean' ? String(value) : (dateText(value) ?? value),
		field,
		'Let the expression give a text or a number, for example one property of the object.',
	);
}

/** A day as a contract has it: year-month-day, with a time or without. */
const yearMonthDay = /^\s*(\d{4}-\d\d-\d\d)(?:T|\s*$)/;

/** How a spreadsheet stores a day: as the number of days since 1900. */
const serialNumber = /^\s*\d{5}\s*$/;

/** Whether a field is a date, by its type or its label. */
function isDateField({ type, label, key }: TemplateVariable): boolean {
	return type === 'date' || /(?<!\p{L})(?:date|fecha)(?!\p{L})/iu.test(label || key);
}

/**
 * Checks the value of a date field. The interface documents no format, so only what is certainly no date is
 * refused.
 * @param field What the form calls the field.
 * @returns Whether it is written as year-month-day.
 * @throws InputError for a day that no calendar has, and for a spreadsheet's number.
 */
function checkDate(text: string, field: string): boolean {
	const [, day] = yearMonthDay.exec(text) ?? [];
	const isDay = day !== undefined && new Date(`${day}T00:00Z`).toJSON()?.startsWith(day);
	if (isDay || (day === undefined && !serialNumber.test(text))) return isDay;
	throw new InputError(
		field,
		`"${text.trim().slice(0, 30)}" is not a date`,
		'Write it as year-month-day, such as 2027-02-01.',
		'is-not-a-date',
	);
}

/**
 * A date of JavaScript, or of n8n's expressions (Luxon), as text. At midnight it is a day, in its own time
 * zone: a contract needs no hours. Otherwise it is the moment in ISO 8601.
 * @returns undefined if the value is no such date.
 */
function dateText(value: unknown): unknown {
	const { toJSON } = Object(value) as { toJSON?: unknown };
	if (typeof toJSON !== 'function') return undefined;
	const moment: unknown = toJSON.call(value);
	const local = value instanceof Date ? localDay(value) : undefined;
	if (local !== undefined || typeof moment !== 'string') return local ?? moment;
	return moment.replace(/^(\d{4}-\d\d-\d\d)T00:00(?::00(?:\.0+)?)?(?:Z|[+-]\d\d:?\d\d)$/, '$1');
}

/** The day of a JavaScript date that is midnight where n8n runs; undefined at any other time. */
function localDay(date: Date): string | undefined {
	const offset = date.getTimezoneOffset() * 60_000;
	const [day, time] = Number.isNaN(date.getTime())
		? []
		: new Date(date.getTime() - offset).toISOString().split('T');
	return time === '00:00:00.000Z' ? day : undefined;
}
