import { type IDataObject, isExpression } from 'n8n-workflow';

import type { Finding } from '../text/finding';
import { InputError, MissingValue, readEach } from '../errors/inputError';
import { valueProblems } from '../text/textProblems';
import { isObject, objectOf, textOf } from '../util/values';
import type { EnteredText, Field } from './field';
import {
	checkListLength,
	checkTextLength,
	entriesOf,
	isBlank,
	onlyText,
	readChoice,
} from './valueReaders';

/** The action node's parameters for one item, or the trigger's. */
export interface SavedForm {
	/**
	 * Returns a parameter's value, with expressions resolved. undefined means that the workflow lacks the
	 * parameter, or that its expression returned nothing; {@link readOptional} distinguishes these two cases.
	 */
	parameter(name: string): unknown;
	/**
	 * Returns a parameter as saved, possibly an expression; undefined if the workflow lacks the parameter.
	 */
	rawParameter(name: string): unknown;
	/**
	 * Refuses an expression that n8n has saved as plain text, because the text would be sent literally,
	 * including the braces.
	 */
	checkTyped(value: unknown, label: string): void;
	/**
	 * Reports a check's result. Any finding that isn't thrown becomes one of the item's warnings. A trigger
	 * has no place for warnings.
	 * @throws InputError for what is wrong and, if the operation sends, for what looks wrong, unless
	 * `sendDespiteWarningsOption` is on.
	 */
	judge(label: string, finding: Finding | undefined): void;
}

/**
 * @param loadParameters Returns the node's parameters. Called at most once, because n8n copies the entire
 * node on every call.
 * @n8n
 */
export function savedParameters(
	loadParameters: () => unknown,
): Pick<SavedForm, 'rawParameter' | 'checkTyped'> {
	let loadedParameters: IDataObject | undefined;
	let typedTexts: Set<unknown> | undefined;
	const parameters = () => (loadedParameters ??= objectOf(loadParameters()));
	return {
		rawParameter: (name) =>
			name.split('.').reduce<unknown>((value, part) => objectOf(value)[part], parameters()),
		// Item data may contain braces too, so refuse a string only if it is in the form itself.
		checkTyped(value, label) {
			typedTexts ??= new Set(typedExpressions(parameters()));
			// A list with a single entry is treated as that entry, so check the entry.
			if (!typedTexts.has(onlyText(value))) return;
			throw new InputError(label, valueProblems.typedExpression);
		},
	};
}

/**
 * Finds plain text that looks like an expression. If a user types `{{ … }}` into a field without switching
 * the field to Expression, n8n saves it as plain text.
 * @n8n
 */
function typedExpressions(saved: unknown): string[] {
	if (isObject(saved) || Array.isArray(saved)) {
		return Object.values(saved).flatMap(typedExpressions);
	}
	if (typeof saved !== 'string' || saved.startsWith('=')) return [];
	const start = saved.indexOf('{{');
	return start >= 0 && saved.includes('}}', start) ? [saved] : [];
}

/** Whether a saved parameter, or anything in it, is an expression. */
export function hasExpression(saved: unknown): boolean {
	if (isObject(saved) || Array.isArray(saved)) return Object.values(saved).some(hasExpression);
	return isExpression(saved);
}

/**
 * @returns undefined if the workflow lacks the parameter, or if the value is an empty string, even one that
 * an expression returned.
 * @throws InputError if an expression returns nothing, because the user meant to set a value, but the node
 * can't tell which one.
 */
export function readOptional(form: SavedForm, { name, label }: Field): unknown {
	const value = form.parameter(name);
	form.checkTyped(value, label);
	checkReturned({ label, value, saved: form.rawParameter(name) });
	return isBlank(value) ? undefined : value;
}

/** @throws MissingValue for a field that isn't empty, but whose expression returned nothing. */
export function checkReturned({ label, value, saved }: EnteredText): void {
	if (value === undefined && textOf(saved).trim() !== '')
		throw new MissingValue(label, valueProblems.noValue);
}

/** @returns undefined if the field is empty or missing. */
export function readOptionalChoice<Option extends { value: string }>(
	form: SavedForm,
	field: Field,
	options: readonly Option[],
): Option | undefined {
	const value = readOptional(form, field);
	return value === undefined ? undefined : readChoice(value, field.label, options);
}

/**
 * Reads a switch. Besides true and false, it accepts 1, 0, "on" and "off". All of these can also be strings.
 * @returns false if the parameter is missing or empty.
 * @throws InputError for any other value, and if an expression returns nothing, because the user may have
 * wanted "on".
 */
export function readSwitch(form: SavedForm, { name, label }: Field): boolean {
	const value = form.parameter(name);
	const isUnknown = value === undefined && textOf(form.rawParameter(name)).trim() !== '';
	const text = textOf(value).trim().toLowerCase();
	if (['true', 'on', '1'].includes(text)) return true;
	if (['false', 'off', '0'].includes(text)) return false;
	if (isBlank(value) && !isUnknown) return false;
	throw new InputError(label, valueProblems.notTrueOrFalse);
}

/**
 * Reads an optional list: a list, JSON, or a string with separators.
 * @throws InputError for a text or a list without an entry, such as a comma alone, or if an expression returns an
 * empty list. If entries are wrong, the error lists all of them.
 */
export function readList<Entry>(
	form: SavedForm,
	field: Field,
	readEntry: (entry: unknown) => Entry,
): Entry[] {
	const { name, label } = field;
	const value = readOptional(form, field);
	if (value === undefined) return [];
	checkTextLength(value, label);
	const entries = entriesOf(value);
	checkListLength(entries, label);
	if (entries.length === 0) {
		if (isExpression(form.rawParameter(name))) throw new MissingValue(label, valueProblems.noValue);
		// A field with nothing but separators isn't the same as an empty field.
		if (!Array.isArray(value) || value.length > 0) {
			throw new InputError(label, valueProblems.noEntry);
		}
	}
	return readEach(entries, (entry) => {
		form.checkTyped(entry, label);
		return readEntry(entry);
	});
}
