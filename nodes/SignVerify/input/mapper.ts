import { type IDataObject, isExpression } from 'n8n-workflow';

import { isObject } from '../util/values';
import { InputError } from './inputError';
import { parsedJson, readChoice } from './parameters';
import type { SavedForm } from './savedForm';

/**
 * The modes that n8n saves with a resource mapper: values entered by hand, or values from the item's columns.
 */
const modes = [{ value: 'defineBelow' }, { value: 'autoMapInputData' }] as const;

/**
 * One item's values from a resource mapper, which is n8n's name for a form whose fields are loaded
 * dynamically.
 */
export interface MappedForm {
	mode: (typeof modes)[number]['value'];
	/** The values, keyed by field ID. A value is undefined or null if its expression returned nothing. */
	values: Map<string, unknown>;
	/**
	 * Whether the values are an empty object that does not come from the editor, for instance because an
	 * expression returned it. If a user leaves the form empty in the editor, this is false.
	 */
	isMissing: boolean;
}

/** An object read from a parameter. */
interface ReadObject {
	object: IDataObject;
	/**
	 * Whether the object itself is saved in the workflow. If so, each of its values may be an expression. If
	 * the object comes from JSON or from an expression instead, its values are data and must not be resolved,
	 * because that would run other people's strings as expressions.
	 */
	isSaved: boolean;
}

/**
 * Reads a resource mapper. n8n saves it as a mode and a set of values. If an assistant or n8n's API wrote the
 * parameter, the mode may be missing, and the entire parameter or its values may be a JSON string or an
 * expression.
 * @param name The parameter's name.
 * @param field The mapper's name in the form.
 * @param evaluate Resolves an expression.
 * @throws InputError for any other format, because a misread form would be sent with empty fields.
 */
export function readMapped(
	form: Pick<SavedForm, 'rawParameter' | 'checkTyped'>,
	name: string,
	field: string,
	evaluate: (value: unknown) => unknown,
): MappedForm {
	/**
	 * Reads the parameter, or an object inside it. An expression is resolved only if it is saved in the
	 * workflow itself.
	 */
	const readObject = (value: unknown, isPartOfSaved: boolean): ReadObject => {
		if (isObject(value)) return { object: value, isSaved: isPartOfSaved };
		const object = parsedJson(isPartOfSaved ? evaluate(value) : value);
		if (!isObject(object)) throw notUnderstood(value, field);
		form.checkTyped(value, field);
		return { object, isSaved: false };
	};
	/**
	 * Resolves the values one by one. If they were resolved together, n8n would throw its own error for a
	 * missing value.
	 */
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
		"not stored in n8n's format",
		'Open the node and fill in the fields one by one. If an AI assistant fills in the fields, have it use this format: { "mappingMode": "defineBelow", "value": { … } }.',
		'the-form-is-not-saved-as-n8n-saves-it',
	);
}

/**
 * Creates the error for an expression or an object that should provide a form's values, but provides none.
 */
export function noValues(field: string): InputError {
	const remedy = 'Have the expression return an object with one property per field.';
	return new InputError(
		field,
		'the expression returns no values',
		remedy,
		'the-expression-gives-no-values',
	);
}
