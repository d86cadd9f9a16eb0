import {
	type INodeProperties,
	type INodePropertyOptions,
	updateDisplayOptions,
} from 'n8n-workflow';

import { variablesOf } from '../../api/templates';
import type { Template, TemplateVariable } from '../../api/types';
import {
	adviceForForm,
	foldedName,
	isFromForm,
	labelOfVariable,
	listOfColumns,
	ownColumns,
	remedyForCell,
	remedyForColumns,
	remedyWithoutColumns,
	shortList,
	shownNames,
} from '../../columns/columnNames';
import { columnsInWords, columnsOf, valuesIn } from '../../columns/columnMatching';
import { mistakeInParts } from '../../columns/columnsRead';
import { readItemText } from '../../columns/itemText';
import { columnProblems } from '../../columns/columnProblems';
import { type EnteredText, fieldOf } from '../../form/field';
import { readSwitch } from '../../form/savedForm';
import { enteredText, isUnfilled, onlyText, readChoice } from '../../form/valueReaders';
import { type ItemContext, rememberFor } from '../../item/item';
import { noValues, readMapped, readValues } from '../../item/mapper';
import { columnsOfTemplate, formRolesOf, rolesField } from '../../templateForm/roles';
import { checkNames, loadedField, templateLocator } from '../../templateForm/templateChoice';
import { unreadColumns, unreadWithOtherAccents } from '../../templateForm/unreadColumns';
import { mistakeInField } from '../../text/contentMistakes';
import { textOfDate } from '../../text/dates';
import type { Severity } from '../../text/finding';
import { MissingValue, readAll, readEach } from '../../errors/inputError';
import { valueProblems } from '../../text/textProblems';
import { settleSync, valueOf } from '../../util/async';
import { remember } from '../../util/singleFlight';
import { countryField } from './country';
import { type DateWriter, readDateWriter } from './dateWriter';
import { signPositionsOption } from './signPositions';

/** The name of the form for a template's variables. */
const section = 'Fields';

const variablesField = loadedField(
	{
		displayName: section,
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

const fieldSources = [
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
const specifyFieldsField: INodeProperties = {
	displayName: 'Specify Fields',
	name: 'specifyFields',
	type: 'options',
	noDataExpression: true,
	options: [...fieldSources],
	default: 'oneByOne',
	displayOptions: { show: { '@tool': [true] } },
};

const fieldsObjectField: INodeProperties = {
	displayName: section,
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
			names.map(([key, name]) => [key, taken.has(foldedName(name)) ? `${section}: ${name}` : name]),
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

/**
 * Reads the values for the template's fields, by key (docs/dev/service.md#create-a-document-version-1,
 * #create-a-document-version-2). In "Map automatically" mode, reads them from the item's columns
 * ({@link columnsOf}).
 * @param hasPeople Whether the item's signatories are right, so that the document is sent.
 * @returns Only strings: numbers and booleans become strings, {@link textOfDate} formats dates, and a list
 * that contains just one string or number is treated as that value. With Write Dates In, days are written
 * out. A field without a value is left out, or, with {@link emptyFieldsOption}, empty.
 * @throws InputError for a field that isn't in the template, for a required field without a value, for an
 * object or any other list, for a value that must be a mistake, and for a form that cannot be parsed.
 */
export function readVariables(
	item: ItemContext,
	template: Template,
	hasPeople = true,
): Record<string, string> {
	const variables = variablesOf(template);
	const source = item.parameter(specifyFieldsField.name);
	const from = readChoice(source, specifyFieldsField.displayName, fieldSources).value;
	const isObject = from === 'expression';
	const field = isObject ? fieldsObjectField : variablesField;
	const knownNames = variables.map(({ key }) => key);
	const advice = `The keys are ${shortList(knownNames)}.`;
	const names = fieldNames(template);
	const form = isObject
		? readValues(item, fieldOf(field), { names, advice })
		: readMapped(item, fieldOf(field), names);
	if (form.isMissing && variables.length > 0) throw noValues(section, advice);
	const isAutomatic = form.mode === 'autoMapInputData';
	const columns = isAutomatic ? fieldsInColumns(item, template) : undefined;
	const values = columns ? valuesIn(item.input.json, columns) : form.values;
	const object = isObject ? item.rawParameter(field.name) : undefined;
	if (!isAutomatic) checkNames(item, values, { field, knownNames });
	const unmatched = isAutomatic ? variables.filter(({ key }) => values.get(key) === undefined) : [];
	const dates = settleSync(() => readDateWriter(item));
	const dateWriter = dates.ok ? dates.value : undefined;
	const { inputs, writer } = readAll({
		writer: () => valueOf(dates),
		inputs: () =>
			readEach(variables, (variable) => {
				const { key } = variable;
				const label = names.get(key) ?? key;
				const value = values.get(key);
				const column = columns?.get(key);
				// Which part of the expression made the value is unknown, so only a missing value is explained by it.
				const saved = variable.isRequired && isUnfilled(value) ? object : undefined;
				const entered = { label, value, saved: saved ?? form.saved[key], isAutomatic, column };
				return { variable, label, text: readVariable(item, variable, entered, dateWriter) };
			}),
		missingParts: () => {
			const isRequired = variables.some((variable) => variable.isRequired);
			item.judge(section, mistakeInParts(item, object, severityOfPart(item, isRequired)));
		},
		unmatched: () => {
			warnOfUnmatched(item, template, unmatched);
		},
		emptyColumns: () => {
			if (columns && hasPeople) warnOfEmptyColumns(item, columns, values);
		},
	});
	const sendsEmpty = readSwitch(item, fieldOf(emptyFieldsOption, 'options'));
	const sent = sendsEmpty ? inputs : inputs.filter(({ text }) => text !== '');
	return Object.fromEntries(
		sent.map(({ variable, label, text }) => [variable.key, writer.write(text, variable, label)]),
	);
}

/**
 * @throws InputError if no column matches any field, unless all their cells may be empty, and the errors of {@link
 * columnsOf}.
 */
function fieldsInColumns(item: ItemContext, template: Template): Map<string, string | undefined> {
	const variables = variablesOf(template);
	const { json } = item.input;
	const form = rememberFor(item, template, `form of ${section}`, () => ({
		section,
		names: fieldNames(template),
		wanted: variables,
		owners: new Map(
			columnsOfTemplate(template).map(({ name, field }) => [name, field?.key ?? null]),
		),
	}));
	const columns = columnsOf(item, form);
	const unfilled = variables.filter(({ key }) => columns.get(key) === undefined);
	if (variables.length > 0 && unfilled.length === variables.length) {
		const remedy = remedyWithoutColumns(json, variables);
		const mayAllBeEmpty =
			Object.keys(json).length > 0 &&
			// The data isn't nested in the item.
			remedy === remedyForColumns &&
			!variables.some(({ isRequired }) => isRequired);
		if (!mayAllBeEmpty) {
			throw new MissingValue(section, {
				...columnProblems.noneMatchesAnyField(
					shortList(variables.map(labelOfVariable)),
					columnsInWords(item, variables),
				),
				remedy,
			});
		}
	}
	return columns;
}

/**
 * Informs about optional fields without a matching column, which may just as well be a column that is empty in every
 * row. If the accents of an unused column are the only difference, it's probably theirs. A required field without a
 * column is an error ({@link checkPresent}).
 */
function warnOfUnmatched(
	item: ItemContext,
	template: Template,
	unmatched: TemplateVariable[],
): void {
	const optional = unmatched.filter(({ isRequired }) => !isRequired);
	if (optional.length === 0) return;
	const json = ownColumns(item.input.json);
	const names = fieldNames(template);
	const others = unreadWithOtherAccents(item, template);
	readEach(optional, ({ key }) => {
		const other = others.get(key)?.find((column) => !isUnfilled(json[column]));
		if (other === undefined) return;
		const problem = columnProblems.otherAccents(other);
		item.judge(names.get(key) ?? key, { severity: 'likely', ...problem });
	});
	const unread = unreadColumns(item, template);
	const fields = shortList(optional.map(labelOfVariable));
	const formAdvice = adviceForForm(item.input.json, optional);
	const rename =
		unread.length > 0
			? `If its column has a different name, rename the column. Nothing uses these columns: ${listOfColumns(unread)}. `
			: '';
	const remedy = `A field without a value is left out. ${rename}${formAdvice}`.trim();
	// One item's warning is enough, because usually all items have the same columns.
	const problem = columnProblems.noneForOptionalFields(fields);
	item.remember(`${section}: ${fields}. ${remedy}`, () =>
		item.judge(section, { severity: 'possible', ...problem, remedy }),
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
	item.judge(section, { severity: 'possible', ...columnProblems.allEmpty(shortList(names)) });
}

interface EnteredVariable extends EnteredText {
	/** Whether the value comes from one of the item's columns ("Map automatically"). */
	isAutomatic: boolean;
	column: string | undefined;
}

/** Reads the value of one field; '' if it has none. */
function readVariable(
	item: ItemContext,
	variable: TemplateVariable,
	entered: EnteredVariable,
	dateWriter: DateWriter | undefined,
): string {
	return readItemText(item, entered, {
		read() {
			if (variable.isRequired) checkPresent(item, variable, entered);
			return textOfVariable(entered);
		},
		missingPart: severityOfPart(item, variable.isRequired),
		isOptional: !variable.isRequired,
		mistakeIn(text, value) {
			const judged = dateWriter?.dayIn(text, variable) ?? text;
			const ofObject = judged === text ? textOfDate(onlyText(value))?.finding : undefined;
			return (
				ofObject ??
				mistakeInField(judged, variable, () => item.context.getTimezone()) ??
				dateWriter?.mistakeIn(text, variable)
			);
		},
	});
}

/**
 * How certain a mistake is if a part of an expression has no column. Some nodes leave out empty cells, so if a run has
 * only one item, as in a loop, an optional part may just as well be an empty cell.
 */
function severityOfPart({ context }: ItemContext, isRequired: boolean): Severity {
	return context.getInputData().length === 1 && !isRequired ? 'possible' : 'likely';
}

/** @throws InputError if a required field has no value. */
function checkPresent(
	item: ItemContext,
	variable: TemplateVariable,
	{ label, value, isAutomatic, column }: EnteredVariable,
): void {
	if (isAutomatic && value === undefined) {
		throw new MissingValue(label, {
			...columnProblems.noneForField(columnsInWords(item, [variable])),
			remedy:
				adviceForForm(item.input.json, [variable]) ||
				'Give the columns the same names as the fields, or select Map Each Column Manually.',
		});
	}
	if (!isUnfilled(value)) return;
	throw new MissingValue(label, {
		...valueProblems.empty,
		remedy:
			column !== undefined
				? remedyForCell(column)
				: 'Enter a value, or check what the expression returns for this item.',
	});
}

/**
 * Converts a value to a string, because the service accepts only strings. A missing value, and one that contains
 * only invisible characters, becomes an empty string.
 */
function textOfVariable({ label, value: entered, isAutomatic }: EnteredVariable): string {
	if (isUnfilled(entered)) return '';
	const value = onlyText(entered);
	const date = textOfDate(value);
	if (date) return date.text;
	return enteredText(
		typeof value === 'boolean' ? String(value) : value,
		label,
		remedyForParts(value, isAutomatic),
	);
}

/** What to do about a list or an object. Only the entries of a list of texts, such as selected checkboxes, can be joined. */
function remedyForParts(value: unknown, isAutomatic: boolean): string {
	if (!Array.isArray(value)) {
		return 'Use a single property instead, such as {{ $json.address.city }}.';
	}
	if (!value.every((entry) => typeof entry === 'string')) {
		return 'Use one of its entries instead, such as {{ $json.company[1] }}, or a property of an entry, such as {{ $json.client[0].plain_text }}.';
	}
	return isAutomatic
		? 'Join the values before this node: in an Edit Fields node, add .join(", ") after the list.'
		: 'Join the values: add .join(", ") after the list in the expression.';
}
