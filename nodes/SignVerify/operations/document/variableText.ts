import type { TemplateVariable } from '../../api/types';
import { columnsInWords } from '../../columns/columnMatching';
import { adviceForForm, remedyForCell } from '../../columns/columnNames';
import { columnProblems } from '../../columns/columnProblems';
import { readItemText } from '../../columns/itemText';
import { MissingValue } from '../../errors/inputError';
import type { EnteredText } from '../../form/field';
import { enteredText, isUnfilled, onlyText } from '../../form/valueReaders';
import type { ItemContext } from '../../item/item';
import { mistakeInField } from '../../text/contentMistakes';
import { textOfDate } from '../../text/dates';
import type { Severity } from '../../text/finding';
import { valueProblems } from '../../text/textProblems';
import type { DateWriter } from './dateWriter';

interface EnteredVariable extends EnteredText {
	/** Whether the value comes from one of the item's columns ("Map automatically"). */
	isAutomatic: boolean;
	column: string | undefined;
}

/** Reads the value of one field; '' if it has none. */
export function readVariable(
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
 * The severity if a part of an expression has no column. Some nodes leave out empty cells, so if a run has
 * only one item, as in a loop, an optional part may just as well be an empty cell.
 */
export function severityOfPart({ context }: ItemContext, isRequired: boolean): Severity {
	return context.getInputData().length === 1 && !isRequired ? 'warning' : 'looksWrong';
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
