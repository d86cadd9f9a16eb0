import { type IDataObject, isExpression } from 'n8n-workflow';

import { isObject, objectOf, textOf } from '../util/values';
import { InputError, readEach } from './inputError';
import { entriesOf, isBlank, type Output, outputs, readChoice, readText } from './parameters';

/**
 * The form of a node, as a workflow has saved it: of the action node for one item, and of the trigger, which has
 * no item.
 */
export interface SavedForm {
	/**
	 * A parameter's value, expressions resolved; undefined if the form does not have it, and if its expression
	 * gives nothing. {@link readOptional} tells these two apart.
	 */
	parameter(name: string): unknown;
	/** A parameter as the workflow has saved it, which may be an expression; undefined if it is not set. */
	rawParameter(name: string): unknown;
	/**
	 * Checks a text of the form that is used as it is.
	 * @throws InputError, with the field's name in the form, for an expression that n8n has saved as a fixed text.
	 */
	checkTyped(value: unknown, field: string): void;
}

/**
 * Reads what a workflow has saved.
 * @param loadParameters Gives the parameters of the node. It is called once, because n8n copies the whole node
 * each time.
 */
export function savedParameters(
	loadParameters: () => unknown,
): Pick<SavedForm, 'rawParameter' | 'checkTyped'> {
	let saved: IDataObject | undefined;
	let typed: Set<unknown> | undefined;
	const parameters = () => (saved ??= objectOf(loadParameters()));
	return {
		rawParameter: (name) =>
			name.split('.').reduce<unknown>((value, part) => objectOf(value)[part], parameters()),
		// An item's own data may have braces, too, so only what the form has counts.
		checkTyped(value, field) {
			typed ??= new Set(typedExpressions(parameters()));
			if (!typed.has(value)) return;
			const remedy =
				'It would be used as it is. Choose Expression above the field, or drag the value onto the empty field.';
			throw new InputError(
				field,
				'an expression was typed as a text',
				remedy,
				'an-expression-was-typed-as-a-text',
			);
		},
	};
}

/** The fixed texts of a form that look like expressions: n8n keeps `{{ … }}` as a text if somebody types it. */
function typedExpressions(saved: unknown): string[] {
	if (isObject(saved) || Array.isArray(saved)) {
		return Object.values(saved).flatMap(typedExpressions);
	}
	if (typeof saved !== 'string' || saved.startsWith('=')) return [];
	const start = saved.indexOf('{{');
	return start >= 0 && saved.includes('}}', start) ? [saved] : [];
}

/** Whether the workflow has saved a parameter, even if its expression returns nothing for an item. */
export function isInForm(form: SavedForm, name: string): boolean {
	return textOf(form.rawParameter(name)).trim() !== '';
}

/**
 * Reads the value of a field that may be left empty.
 * @param name The parameter, by its path.
 * @param field Its name in the form.
 * @returns undefined if nothing is wanted: the form does not have the field, or its value is an empty text.
 * @throws InputError if an expression returns nothing: what the user wanted is not known. Also for a typed expression.
 */
export function readOptional(form: SavedForm, name: string, field: string): unknown {
	const value = form.parameter(name);
	form.checkTyped(value, field);
	if (value === undefined && isInForm(form, name)) throw nothingGiven(field);
	return isBlank(value) ? undefined : value;
}

function nothingGiven(field: string): InputError {
	return new InputError(
		field,
		'the expression returns no value',
		"Correct it. If nothing is wanted, let it give an empty text: {{ $json.text ?? '' }}.",
		'the-expression-gives-no-value',
	);
}

/**
 * Reads a text that may be left empty. The parameters are those of {@link readOptional}.
 * @returns '' if nothing is wanted.
 * @throws InputError as {@link readOptional}, and for a value that is not a text.
 */
export function readOptionalText(form: SavedForm, name: string, field: string): string {
	const value = readOptional(form, name, field);
	return value === undefined ? '' : readText(value, field, 'Let the expression give a text.');
}

/**
 * Reads a text that must be there, and is used as it is.
 * @throws InputError as {@link readText}, and for a typed expression.
 */
export function readSentText(
	form: SavedForm,
	value: unknown,
	field: string,
	remedy: string,
): string {
	form.checkTyped(value, field);
	return readText(value, field, remedy);
}

/**
 * Reads what was chosen from a list, if anything was. The parameters are those of {@link readOptional}.
 * @returns undefined if nothing is wanted.
 * @throws InputError as {@link readOptional}, and for what the list does not have.
 */
export function readOptionalChoice<Option extends { value: string }>(
	form: SavedForm,
	name: string,
	field: string,
	options: readonly Option[],
): Option | undefined {
	const value = readOptional(form, name, field);
	return value === undefined ? undefined : readChoice(value, field, options);
}

/** Reads how much to output; simplified if nothing was chosen. @throws InputError for no such choice. */
export function readOutput(form: SavedForm, name = 'output'): Output {
	return readOptionalChoice(form, name, 'Output', outputs)?.value ?? 'simplified';
}

/**
 * Reads a switch: true, false, 1, 0, or a text for them.
 * @param name The parameter, by its path.
 * @param field Its name in the form.
 * @returns false if nothing is wanted.
 * @throws InputError for anything else. An expression that gives nothing is not "off", because the user
 * may have wanted "on".
 */
export function readSwitch(form: SavedForm, name: string, field: string): boolean {
	const wrong = new InputError(
		field,
		'it is neither on nor off',
		'Let the expression give true or false.',
		'it-is-neither-on-nor-off',
	);
	const value = form.parameter(name);
	if (value === undefined && isInForm(form, name)) throw wrong;
	const text = textOf(value).trim().toLowerCase();
	if (['true', 'on', '1'].includes(text)) return true;
	if (isBlank(value) || ['false', 'off', '0'].includes(text)) return false;
	throw wrong;
}

/**
 * Reads a list that may be left empty: a list, a JSON text, or a text with commas, semicolons or lines. The
 * parameters are those of {@link readOptional}.
 * @param readEntry Reads one entry.
 * @param separators What is between the entries of a text.
 * @returns An empty list if nothing is wanted.
 * @throws InputError as {@link readOptional}, if an expression returns an empty list, and with everything that is
 * wrong in the list.
 */
export function readList<Entry>(
	form: SavedForm,
	name: string,
	field: string,
	readEntry: (entry: unknown) => Entry,
	separators?: RegExp,
): Entry[] {
	const value = readOptional(form, name, field);
	if (value === undefined) return [];
	const entries = entriesOf(value, separators);
	if (entries.length === 0 && isExpression(form.rawParameter(name))) throw nothingGiven(field);
	return readEach(entries, (entry) => {
		form.checkTyped(entry, field);
		return readEntry(entry);
	});
}
