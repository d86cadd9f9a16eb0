import { variablesOf } from '../../api/templates';
import type { Template } from '../../api/types';
import { valuesIn } from '../../columns/columnMatching';
import { shortList } from '../../columns/columnNames';
import { mistakeInParts } from '../../columns/columnsRead';
import { readAll, readEach } from '../../errors/inputError';
import { fieldOf } from '../../form/field';
import { readSwitch } from '../../form/savedForm';
import { isUnfilled, readChoice } from '../../form/valueReaders';
import type { ItemContext } from '../../item/item';
import { noValues, readMapped, readValues } from '../../item/mapper';
import { checkNames } from '../../templateForm/templateChoice';
import { settleSync, valueOf } from '../../util/async';
import { readDateWriter } from './dateWriter';
import { fieldsInColumns, warnOfEmptyColumns, warnOfUnmatched } from './variableColumns';
import {
	emptyFieldsOption,
	fieldNames,
	fieldsObjectField,
	fieldSources,
	fieldsSection,
	specifyFieldsField,
	variablesField,
} from './variableFields';
import { readVariable, severityOfPart } from './variableText';

/**
 * Reads the values for the template's fields, by key (docs/dev/service.md#create-a-document-version-1,
 * #create-a-document-version-2). In "Map automatically" mode, reads them from the item's columns
 * ({@link fieldsInColumns}).
 * @param hasPeople Whether the item's signatories are right, so that the document is sent.
 * @returns Only strings: numbers, booleans, and dates become strings, and a list that contains just one string or
 * number is treated as that value. With Write Dates In, days are written
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
	const names = fieldNames(template);
	const { values, saved, object, columns } = readVariableForm(item, template);
	const dates = settleSync(() => readDateWriter(item));
	const dateWriter = dates.ok ? dates.value : undefined;
	const { inputs, writer } = readAll({
		writer: () => valueOf(dates),
		inputs: () =>
			readEach(variables, (variable) => {
				const { key } = variable;
				const label = names.get(key) ?? key;
				const value = values.get(key);
				// Which part of the expression made the value is unknown, so only a missing value is explained by it.
				const ofObject = variable.isRequired && isUnfilled(value) ? object : undefined;
				const entered = {
					label,
					value,
					saved: ofObject ?? saved[key],
					isAutomatic: columns !== undefined,
					column: columns?.get(key),
				};
				return { variable, label, text: readVariable(item, variable, entered, dateWriter) };
			}),
		missingParts: () => {
			const isRequired = variables.some((variable) => variable.isRequired);
			item.judge(fieldsSection, mistakeInParts(item, object, severityOfPart(item, isRequired)));
		},
		unmatched: () => {
			if (columns) warnOfUnmatched(item, template, columns);
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

interface EnteredVariables {
	values: Map<string, unknown>;
	/** Each field's saved value, which may be an expression. */
	saved: Record<string, unknown>;
	/** The saved object with all fields, if the form contains one. */
	object: unknown;
	/** The column that each field's value comes from ("Map automatically"). */
	columns?: Map<string, string | undefined>;
}

function readVariableForm(item: ItemContext, template: Template): EnteredVariables {
	const { name, displayName } = specifyFieldsField;
	const isObject =
		readChoice(item.parameter(name), displayName, fieldSources).value === 'expression';
	const field = isObject ? fieldsObjectField : variablesField;
	const knownNames = variablesOf(template).map(({ key }) => key);
	const advice = `The keys are ${shortList(knownNames)}.`;
	const names = fieldNames(template);
	const { mode, values, saved, isMissing } = isObject
		? readValues(item, fieldOf(field), { names, advice })
		: readMapped(item, fieldOf(field), names);
	if (isMissing && knownNames.length > 0) throw noValues(fieldsSection, advice);
	if (mode === 'autoMapInputData') {
		const columns = fieldsInColumns(item, template);
		return { values: valuesIn(item.input.json, columns), saved, object: undefined, columns };
	}
	checkNames(item, values, { field, knownNames });
	return { values, saved, object: isObject ? item.rawParameter(field.name) : undefined };
}
