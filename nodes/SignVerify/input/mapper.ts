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

/** An object that a parameter contains. */
interface ReadObject {
	object: IDataObject;
	/**
	 * Whether the workflow has saved the object itself, so each value in it may be an expression. If the object comes from
	 * JSON or from an expression, its values are data: resolving them would run words of other people as expressions.
	 */
	isSaved: boolean;
}

/**
 * Reads a resource mapper. n8n saves a mode and the values. Assistants and the API may write only the values, or write
 * the whole form or its values as JSON or as an expression.
 * @param name The parameter's name.
 * @param field The name that the form shows for the mapper.
 * @param evaluate Resolves an expression.
 * @throws InputError for any other shape, because a form that was not understood would send empty fields.
 */
export function readMapped(
	form: Pick<SavedForm, 'rawParameter' | 'checkTyped'>,
	name: string,
	field: string,
	evaluate: (value: unknown) => unknown,
): MappedForm {
	/** Reads an object that is part of another one. Its parts are resolved only if the other one is saved. */
	const readObject = (value: unknown, isPartOfSaved: boolean): ReadObject => {
		if (isObject(value)) return { object: value, isSaved: isPartOfSaved };
		const object = parsedJson(isPartOfSaved ? evaluate(value) : value);
		if (!isObject(object)) throw notUnderstood(value, field);
		form.checkTyped(value, field);
		return { object, isSaved: false };
	};
	/** Resolves the values one by one. If n8n resolved all at once, it would throw its own error for a missing one. */
	const valuesOf = ({ object, isSaved }: ReadObject): Map<string, unknown> =>
		new Map(Object.entries(object).map(([id, value]) => [id, isSaved ? evaluate(value) : value]));

	const whole = readObject(form.rawParameter(name), true);
	const { value } = whole.object;
	const mappingMode = whole.object.mappingMode ?? 'defineBelow';
	if (!('mappingMode' in whole.object) && !('value' in whole.object)) {
		return {
			mode: 'defineBelow',
			values: valuesOf(whole),
			isMissing: isEmptyObject(whole.object),
		};
	}
	const chosenMode = whole.isSaved ? evaluate(mappingMode) : mappingMode;
	const mode = readChoice(chosenMode, field, modes).value;
	if (mode === 'autoMapInputData') return { mode, values: new Map(), isMissing: false };
	// n8n saves null for a form that was never filled in.
	if (whole.isSaved && value === null) return { mode, values: new Map(), isMissing: false };
	const inner = readObject(value, whole.isSaved);
	return {
		mode,
		values: valuesOf(inner),
		isMissing: !inner.isSaved && isEmptyObject(inner.object),
	};
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
