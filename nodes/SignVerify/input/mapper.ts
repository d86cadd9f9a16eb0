import { type IDataObject, isExpression } from 'n8n-workflow';

import { isObject } from '../util/values';
import { InputError } from './inputError';
import { parsedJson, readChoice } from './parameters';
import type { SavedForm } from './savedForm';

/** How a form that is loaded ("resource mapper") gets its values, as n8n saves it. */
const modes = [{ value: 'defineBelow' }, { value: 'autoMapInputData' }] as const;

/** A form that is loaded ("resource mapper"), for one item. */
export interface MappedForm {
	mode: (typeof modes)[number]['value'];
	/** By the IDs of the fields. What an expression failed to give is undefined or null. */
	values: Map<string, unknown>;
	/** Whether an empty object stands where n8n saves something else for a form that a person left empty. */
	isMissing: boolean;
}

/**
 * Reads a form that is loaded. n8n saves a mode and the values. Assistants and the API also write the values alone,
 * or write one of the two as JSON or as an expression.
 * @param name The parameter.
 * @param field What the form calls itself.
 * @param evaluate Resolves an expression. What it gives is data, and is not evaluated again.
 * @throws InputError for any other shape, because a form that is not understood would send nothing.
 */
export function readMapped(
	form: Pick<SavedForm, 'rawParameter' | 'checkTyped'>,
	name: string,
	field: string,
	evaluate: (value: unknown) => unknown,
): MappedForm {
	/** What is saved as an object, or as a text for one. */
	const objectIn = (saved: unknown, resolve: (value: unknown) => unknown): IDataObject => {
		if (isObject(saved)) return saved;
		const read = parsedJson(resolve(saved));
		if (!isObject(read)) throw notUnderstood(saved, field);
		form.checkTyped(saved, field);
		return read;
	};
	const asItIs = (value: unknown) => value;

	const saved = form.rawParameter(name);
	const whole = objectIn(saved, evaluate);
	const resolve = whole === saved ? evaluate : asItIs;
	if (!('mappingMode' in whole) && !('value' in whole)) {
		return {
			mode: 'defineBelow',
			...resolvedValues(whole, resolve),
			isMissing: isEmptyObject(whole),
		};
	}
	const mode = readChoice(resolve(whole.mappingMode ?? 'defineBelow'), field, modes).value;
	if (mode === 'autoMapInputData') return { mode, values: new Map(), isMissing: false };
	const { value } = whole;
	// n8n saves null for a form that nobody has filled in.
	const isUntouched = whole === saved && value === null;
	const values = isUntouched ? {} : objectIn(value, resolve);
	const isOfPerson = isUntouched || (whole === saved && values === value);
	return {
		mode,
		...resolvedValues(values, isOfPerson ? evaluate : asItIs),
		isMissing: isEmptyObject(values) && !isOfPerson,
	};
}

/** The values one by one: for all of them, n8n has its own error if a required one is missing. */
function resolvedValues(
	values: IDataObject,
	resolve: (value: unknown) => unknown,
): Pick<MappedForm, 'values'> {
	return { values: new Map(Object.entries(values).map(([id, value]) => [id, resolve(value)])) };
}

function isEmptyObject(value: IDataObject): boolean {
	return Object.keys(value).length === 0;
}

function notUnderstood(saved: unknown, field: string): InputError {
	if (isExpression(saved)) return noValues(field);
	return new InputError(
		field,
		'the form is not saved as n8n saves it',
		'Open the node, and fill in the fields one by one. An assistant must write { "mappingMode": "defineBelow", "value": { … } }.',
		'the-form-is-not-saved-as-n8n-saves-it',
	);
}

/** The error for an expression or an object that stands for a whole form, and gives nothing. */
export function noValues(field: string): InputError {
	const remedy = 'Let it give an object with the values by their names.';
	return new InputError(
		field,
		'the expression returns no values',
		remedy,
		'the-expression-gives-no-values',
	);
}
