import { type IDataObject, isExpression } from 'n8n-workflow';

import { isObject, objectOf, textOf } from '../util/values';
import type { EnteredText, Field } from './field';
import type { Finding } from './finding';
import { InputError, MissingValue, readEach } from './inputError';
import {
	checkListLength,
	checkTextLength,
	entriesOf,
	isBlank,
	onlyText,
	type Output,
	outputs,
	readChoice,
} from './parameters';

/**
 * A node's parameters as saved in the workflow: the action node's parameters for one item, or the trigger's.
 */
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
	 * @param label The field's name in the form.
	 * @throws InputError for an expression saved as plain text.
	 */
	checkTyped(value: unknown, label: string): void;
	/**
	 * Reports a check's result. Any mistake that isn't thrown becomes one of the item's warnings. A trigger has no
	 * place for warnings.
	 * @param label The field's name in the form.
	 * @throws InputError for a certain mistake, and, with `stopOnWarningsOption`, for a likely one.
	 */
	judge(label: string, finding: Finding | undefined): void;
}

/**
 * Provides access to the parameters that a workflow has saved for a node.
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
			const remedy =
				'The node would use this text as it is, including the curly braces. Click Expression above the field, or drag the value onto the empty field.';
			throw new InputError(label, 'this expression was entered as plain text', remedy);
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

/** Whether a parameter is filled in, even if its expression returns nothing for an item. */
export function isInForm(form: SavedForm, name: string): boolean {
	return textOf(form.rawParameter(name)).trim() !== '';
}

/**
 * @returns The value; undefined if the workflow lacks the parameter, or if the value is an empty string, even
 * one that an expression returned.
 * @throws InputError for an expression typed as plain text, or if an expression returns nothing, because the
 * user meant to set a value, but the node can't tell which one.
 */
export function readOptional(form: SavedForm, { name, label }: Field): unknown {
	const value = form.parameter(name);
	form.checkTyped(value, label);
	checkReturned({ label, value, saved: form.rawParameter(name) });
	return isBlank(value) ? undefined : value;
}

/** @throws MissingValue for a field that isn't empty, but whose expression returned nothing. */
export function checkReturned({ label, value, saved }: EnteredText): void {
	if (value === undefined && textOf(saved).trim() !== '') throw noValue(label);
}

function noValue(label: string): InputError {
	return new MissingValue(
		label,
		'the expression returns no value',
		"Correct the expression. To leave the field empty, return empty text: {{ $json.text ?? '' }}.",
	);
}

/**
 * @returns The chosen option; undefined if the field is empty or missing.
 * @throws InputError for a value that does not match any of the options, or for the same reasons as
 * {@link readOptional}.
 */
export function readOptionalChoice<Option extends { value: string }>(
	form: SavedForm,
	field: Field,
	options: readonly Option[],
): Option | undefined {
	const value = readOptional(form, field);
	return value === undefined ? undefined : readChoice(value, field.label, options);
}

/**
 * @returns 'simplified' if nothing was chosen.
 * @throws InputError for an unknown choice.
 */
export function readOutput(form: SavedForm, name = 'output'): Output {
	return readOptionalChoice(form, { name, label: 'Output' }, outputs)?.value ?? 'simplified';
}

/**
 * Reads a switch. Besides true and false, it accepts 1, 0, "on" and "off". All of these can also be strings.
 * @returns false if the parameter is missing or empty.
 * @throws InputError for any other value. An expression that returns nothing also causes the error, because
 * the user may have wanted "on".
 */
export function readSwitch(form: SavedForm, { name, label }: Field): boolean {
	const value = form.parameter(name);
	const isUnknown = value === undefined && isInForm(form, name);
	const text = textOf(value).trim().toLowerCase();
	if (['true', 'on', '1'].includes(text)) return true;
	if (['false', 'off', '0'].includes(text)) return false;
	if (isBlank(value) && !isUnknown) return false;
	throw new InputError(
		label,
		'must be true or false',
		'Check what the expression returns for this item.',
		'not-true-or-false',
	);
}

/**
 * Reads an optional list. The user may enter a list, JSON, or a string with separators.
 * @param readEntry Reads one entry.
 * @param separators The characters between the entries of a string: by default commas, semicolons and line
 * breaks.
 * @returns The entries; an empty list if the field is empty or missing.
 * @throws InputError for a text or a list without an entry, such as a comma alone, or if an expression returns an
 * empty list, or for the same reasons as {@link readOptional}.
 * If entries are wrong, the error lists all of them.
 */
export function readList<Entry>(
	form: SavedForm,
	field: Field,
	readEntry: (entry: unknown) => Entry,
	separators?: RegExp,
): Entry[] {
	const { name, label } = field;
	const value = readOptional(form, field);
	if (value === undefined) return [];
	checkTextLength(value, label);
	const entries = entriesOf(value, separators);
	checkListLength(entries, label);
	if (entries.length === 0) {
		if (isExpression(form.rawParameter(name))) throw noValue(label);
		// A field with nothing but separators isn't the same as an empty field.
		if (!Array.isArray(value) || value.length > 0) {
			throw new InputError(label, 'contains no value', 'Enter a value, or leave the field empty.');
		}
	}
	return readEach(entries, (entry) => {
		form.checkTyped(entry, label);
		return readEntry(entry);
	});
}
