import { type IDataObject, isExpression } from 'n8n-workflow';

import { isObject } from '../util/values';
import { InputError } from './inputError';
import { parsedJson, readChoice } from './parameters';
import type { SavedForm } from './savedForm';

/** n8n saves one of these modes with a resource mapper: the values are entered, or taken from the item's columns. */
const modes = [{ value: 'defineBelow' }, { value: 'autoMapInputData' }] as const;

/** The values of a resource mapper (a form whose fields n8n loads), for one item. */
export interface MappedForm {
	mode: (typeof modes)[number]['value'];
	/** The values by the IDs of the fields. A value is undefined or null if its expression returned nothing. */
	values: Map<string, unknown>;
	/**
	 * Whether the values are an empty object that a person cannot have left behind in the editor: n8n saves something
	 * else for a form that was left empty.
	 */
	isMissing: boolean;
}

/**
 * Reads a resource mapper. n8n saves a mode and the values. Assistants and the API may write only the values, or write
 * the whole form or its values as JSON or as an expression.
 * @param name The parameter's name.
 * @param field The name that the form shows for the mapper.
 * @param evaluate Resolves an expression. Its result is data, so expressions inside the result are not resolved.
 * @throws InputError for any other shape, because a form that was not understood would send empty fields.
 */
export function readMapped(
	form: Pick<SavedForm, 'rawParameter' | 'checkTyped'>,
	name: string,
	field: string,
	evaluate: (value: unknown) => unknown,
): MappedForm {
	/** Reads an object that is saved as such, as JSON, or as an expression. */
	const objectIn = (savedValue: unknown, resolve: (value: unknown) => unknown): IDataObject => {
		if (isObject(savedValue)) return savedValue;
		const parsed = parsedJson(resolve(savedValue));
		if (!isObject(parsed)) throw notUnderstood(savedValue, field);
		form.checkTyped(savedValue, field);
		return parsed;
	};
	const keepAsData = (value: unknown) => value;

	const saved = form.rawParameter(name);
	const whole = objectIn(saved, evaluate);
	const resolve = whole === saved ? evaluate : keepAsData;
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
	// n8n saves null for a form that was never filled in.
	const isUntouched = whole === saved && value === null;
	const values = isUntouched ? {} : objectIn(value, resolve);
	const wasSavedByEditor = isUntouched || (whole === saved && values === value);
	return {
		mode,
		...resolvedValues(values, wasSavedByEditor ? evaluate : keepAsData),
		isMissing: isEmptyObject(values) && !wasSavedByEditor,
	};
}

/** Resolves the values one by one. If n8n resolved all of them at once, it would throw its own error for a missing one. */
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
		'not stored the way n8n stores it',
		'Open the node, and fill in the fields one by one. An assistant must write { "mappingMode": "defineBelow", "value": { … } }.',
		'the-form-is-not-saved-as-n8n-saves-it',
	);
}

/** Makes the error for an expression, or an object, that should contain the values of a whole form and contains none. */
export function noValues(field: string): InputError {
	const remedy = 'It must return an object with one property per field.';
	return new InputError(
		field,
		'the expression returns no values',
		remedy,
		'the-expression-gives-no-values',
	);
}
