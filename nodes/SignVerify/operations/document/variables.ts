import type { INodeProperties } from 'n8n-workflow';

import { variablesOf } from '../../api/templates';
import type { Template, TemplateVariable } from '../../api/types';
import { mistakeInField } from '../../input/content';
import { textOfDate } from '../../input/dates';
import type { Finding } from '../../input/finding';
import { reasonInColumns } from '../../input/reasonInColumns';
import { fieldOf } from '../../input/field';
import { InputError, MissingValue, readAll, readEach } from '../../input/inputError';
import type { ItemContext } from '../../input/item';
import { noValues, readMapped } from '../../input/mapper';
import { enteredText, isUnfilled, onlyText } from '../../input/parameters';
import { readSwitch } from '../../input/savedForm';
import {
	adviceForForm,
	isFromForm,
	labelOfVariable,
	listOfColumns,
	remedyForCell,
	remedyWithoutColumns,
	shortList,
	shownNames,
} from '../../templateForm/columnNames';
import { columnsOf, columnsOfRun, valuesIn } from '../../templateForm/columns';
import { checkNames, loadedField } from '../../templateForm/fields';
import { missingColumn, mistakeInParts, withMissingColumn } from '../../templateForm/missingColumn';
import { columnsOfRole, formRolesOf } from '../../templateForm/roles';

/** The name of the form for a template's variables. */
const section = 'Fields';

export const variablesField = loadedField(
	{
		displayName: section,
		name: 'fields',
		description:
			"Values for the template's fields. Write dates the way they should appear in the contract.",
		builderHint: {
			propertyHint: 'Load the keys with the loadOptions method getTemplateKeys.',
		},
	},
	// Show only the required fields. Users add the optional fields with "Add field".
	{ resourceMapperMethod: 'getTemplateFields', supportAutoMap: true, addAllFields: false },
);

/** The option for services that don't accept a document in which a key of the template is missing. */
export const emptyFieldsOption: INodeProperties = {
	displayName: 'Send Empty Fields',
	name: 'sendEmptyFields',
	type: 'boolean',
	default: true,
	description:
		'Whether to send optional fields without a value as empty text instead of leaving them out',
};

/**
 * Reads the values for the template's fields, by key (docs/dev/service.md#create-a-document-version-1,
 * #create-a-document-version-2). In "Map automatically" mode, reads them from the item's columns
 * ({@link columnsOf}).
 * @param hasPeople Whether the item's signatories are right, so that the document is sent.
 * @returns Only strings: numbers and booleans become strings, {@link textOfDate} formats dates, and a list
 * that contains just one string or number is treated as that value. A field without a value is left out, or,
 * with {@link emptyFieldsOption}, empty.
 * @throws InputError for a field that isn't in the template, for a required field without a value, for an
 * object or any other list, for a value that must be a mistake, and for a form that cannot be parsed.
 */
export function readVariables(
	item: ItemContext,
	template: Template,
	hasPeople = true,
): Record<string, string> {
	const variables = variablesOf(template);
	const form = readMapped(item, fieldOf(variablesField));
	if (form.isMissing && variables.length > 0) throw noValues(section);
	const isAutomatic = form.mode === 'autoMapInputData';
	const columns = isAutomatic ? fieldsInColumns(item, template) : undefined;
	const values = columns ? valuesIn(item.input.json, columns) : form.values;
	const names = shownNames(variables);
	const knownNames = variables.map(({ key }) => key);
	checkNames(item, values, { field: variablesField, knownNames });
	const unmatched = isAutomatic ? variables.filter(({ key }) => values.get(key) === undefined) : [];
	const { inputs } = readAll({
		inputs: () =>
			readEach(variables, (variable) => {
				const { key } = variable;
				const field = `${section}: ${names.get(key) ?? key}`;
				const value = values.get(key);
				const column = columns?.get(key);
				const entered = { field, value, saved: form.saved[key], isAutomatic, column };
				return [key, readVariable(item, variable, entered)] as const;
			}),
		unmatched: () => warnOfUnmatched(item, unmatched),
		emptyColumns: () => {
			if (columns && hasPeople) warnOfEmptyColumns(item, columns, values);
		},
	});
	const sendsEmpty = readSwitch(item, fieldOf(emptyFieldsOption, 'options'));
	return Object.fromEntries(sendsEmpty ? inputs : inputs.filter(([, text]) => text !== ''));
}

/**
 * Returns the item's columns for the fields, by field key.
 * @throws InputError if no column matches any field, or for the same reasons as {@link columnsOf}.
 */
function fieldsInColumns(item: ItemContext, template: Template): Map<string, string | undefined> {
	const variables = variablesOf(template);
	const { json } = item.input;
	const people = formRolesOf(template).flatMap(columnsOfRole);
	const columns = columnsOf(item, variables, section, people);
	const unfilled = variables.filter(({ key }) => columns.get(key) === undefined);
	if (variables.length > 0 && unfilled.length === variables.length) {
		throw new MissingValue(
			section,
			`none of the item's columns matches a field. The fields are ${shortList(variables.map(labelOfVariable))}; the columns are ${listOfColumns(columnsOfRun(item))}`,
			remedyWithoutColumns(json, variables),
		);
	}
	return columns;
}

/** Warns of optional fields without a matching column. A required one is an error ({@link checkPresent}). */
function warnOfUnmatched(item: ItemContext, unmatched: TemplateVariable[]): void {
	const optional = unmatched.filter(({ isRequired }) => !isRequired);
	if (optional.length === 0) return;
	const problem = `no column matches ${shortList(optional.map(labelOfVariable))}`;
	const remedy =
		`The columns are ${listOfColumns(columnsOfRun(item))}. These fields are left out for all items without a matching column. If that's what you want, add a column for each of them, and leave it empty. ${adviceForForm(item.input.json, optional)}`.trim();
	// One item's warning is enough, because usually all items have the same columns.
	item.remember(`${section}: ${problem}. ${remedy}`, () =>
		item.judge(section, { severity: 'likely', problem, remedy }),
	);
}

/**
 * Warns of an item with people whose columns for the fields are all there, but empty: an earlier step may have
 * lost the values. A single empty field is nothing unusual, and whoever fills in a form sees its empty fields.
 */
function warnOfEmptyColumns(
	item: ItemContext,
	columns: Map<string, string | undefined>,
	values: Map<string, unknown>,
): void {
	const names = [...columns.values()].filter((column) => column !== undefined);
	if (columns.size < 2 || names.length < columns.size || isFromForm(item.input.json)) return;
	if (![...values.values()].every(isUnfilled)) return;
	item.judge(section, {
		severity: 'likely',
		problem: `all columns are empty for this item: ${shortList(names)}`,
		remedy: 'Check the step that should fill in these columns.',
	});
}

/** A field's value, before any checks. */
interface EnteredVariable {
	/** The field's name for messages. */
	field: string;
	value: unknown;
	/** The value as saved in the workflow, which may be an expression. */
	saved: unknown;
	/** Whether the value comes from one of the item's columns ("Map automatically"). */
	isAutomatic: boolean;
	/** The column that the value comes from, if there is one. */
	column: string | undefined;
}

/** Reads the value of one field; '' if it has none. */
function readVariable(
	item: ItemContext,
	variable: TemplateVariable,
	entered: EnteredVariable,
): string {
	const { field, saved } = entered;
	if (!entered.isAutomatic) item.checkTyped(entered.value, field);
	if (variable.isRequired) {
		withMissingColumn(item, saved, () => checkPresent(item, variable, entered));
	}
	const { text, finding } = textOfVariable(entered);
	const mistake = finding ?? mistakeInField(text, variable, () => item.execute.getTimezone());
	item.judge(field, mistake && explained(item, mistake, { saved, text }));
	item.judge(field, mistakeInParts(item, saved));
	return text;
}

/** Adds to a mistake in the text that an expression returned which columns caused it. */
function explained(
	item: ItemContext,
	mistake: Finding,
	{ saved, text }: { saved: unknown; text: string },
): Finding {
	const { problem } = mistake;
	const reason = reasonInColumns(item, saved, text);
	const missing = reason === '' ? undefined : missingColumn(item, saved);
	if (!missing) return { ...mistake, problem: problem + reason };
	return { ...mistake, problem: `${problem}, because ${missing.reason}`, remedy: missing.remedy };
}

/** @throws InputError if a required field has no value. */
function checkPresent(
	item: ItemContext,
	variable: TemplateVariable,
	{ field, value, isAutomatic, column }: EnteredVariable,
): void {
	if (isAutomatic && value === undefined) {
		throw new MissingValue(
			field,
			`the item has no matching column. The columns are ${listOfColumns(columnsOfRun(item))}`,
			adviceForForm(item.input.json, [variable]) ||
				'Give the columns the same names as the fields, or select Map Each Column Manually.',
		);
	}
	if (!isUnfilled(value)) return;
	throw new MissingValue(
		field,
		'required, but empty',
		column !== undefined
			? remedyForCell(column)
			: 'Enter a value, or check what the expression returns for this item.',
	);
}

/**
 * Converts a value to a string, because the service accepts only strings. A missing value, and one that contains
 * only invisible characters, becomes an empty string.
 */
function textOfVariable({ field, value: entered, isAutomatic }: EnteredVariable): {
	text: string;
	finding?: Finding;
} {
	if (isUnfilled(entered)) return { text: '' };
	const value = onlyText(entered);
	if (Array.isArray(value)) {
		throw new InputError(
			field,
			'expected text, but got a list, such as the options selected with checkboxes',
			isAutomatic
				? 'Join the values before this node: in an Edit Fields node, add .join(", ") after the list.'
				: 'Join the values: add .join(", ") after the list in the expression.',
		);
	}
	const date = textOfDate(value);
	if (date) return date;
	const text = enteredText(
		typeof value === 'boolean' ? String(value) : value,
		field,
		'Use a single property instead, such as {{ $json.address.city }}.',
	);
	return { text };
}
