import { type IDataObject, isExpression } from 'n8n-workflow';

import { type Field, readNamed } from '../form/field';
import { readChoice, shown } from '../form/valueReaders';
import { InputError, MissingValue } from '../errors/inputError';
import { valueProblems } from '../text/textProblems';
import { isEmpty, isObject } from '../util/values';
import type { ItemContext } from './item';
import { readJson } from './jsonText';

/** Values entered by hand, or values from the item's columns. */
const modes = [{ value: 'defineBelow' }, { value: 'autoMapInputData' }] as const;

/**
 * One item's values from a resource mapper, which is n8n's name for a form whose fields are loaded
 * dynamically.
 */
export interface MappedForm {
	mode: (typeof modes)[number]['value'];
	/** The values, keyed by field ID. A value is undefined or null if its expression returned nothing. */
	values: Map<string, unknown>;
	/** The values as saved in the workflow, which may be expressions; empty if they come from somewhere else. */
	saved: IDataObject;
	/**
	 * Whether the values are an empty object that does not come from the editor, for instance because an
	 * expression returned it. If a user leaves the form empty in the editor, this is false.
	 */
	isMissing: boolean;
}

type MapperItem = Pick<ItemContext, 'context' | 'itemIndex' | 'rawParameter' | 'checkTyped'>;

interface MapperPart<Value = unknown> {
	value: Value;
	/**
	 * Whether the value itself is saved in the workflow, so that it may be an expression. A value from JSON or
	 * from an expression's result is data and must not be resolved, because that would run other people's
	 * strings as expressions.
	 */
	isSaved: boolean;
}

/**
 * Reads a resource mapper. n8n saves it as a mode and a set of values. If an assistant or n8n's API wrote the
 * parameter, the mode may be missing, and the entire parameter or its values may be a JSON string or an
 * expression. Reads no labels: the editor saves them with the values, and n8n would run a label that begins
 * with "=" as an expression.
 * @param names The names of the values in messages, by field ID.
 * @throws InputError for any other format, because a misread form would be sent with empty fields.
 * @n8n
 */
export function readMapped(
	item: MapperItem,
	{ name, label }: Field,
	names: ReadonlyMap<string, string>,
): MappedForm {
	const whole = readObject(item, { value: item.rawParameter(name), isSaved: true }, { label });
	const { value: saved, isSaved } = whole;
	if (!('mappingMode' in saved) && !('value' in saved)) {
		return { ...enteredForm(item, whole, names), isMissing: isEmptyObject(saved) };
	}
	const enteredMode = resolved(item, { value: saved.mappingMode ?? 'defineBelow', isSaved });
	const mode = readChoice(enteredMode, label, modes).value;
	// n8n saves null for a form that was never filled in.
	const isNeverFilledIn = isSaved && saved.value === null;
	if (mode === 'autoMapInputData' || isNeverFilledIn) {
		return { mode, values: new Map(), saved: {}, isMissing: false };
	}
	const values = readObject(item, { value: saved.value, isSaved }, { label });
	return enteredForm(item, values, names);
}

/**
 * Reads a parameter that contains nothing but a form's values: an object, its JSON, or an expression that returns
 * either of them.
 * @param choices `names` are as in {@link readMapped}. `advice` is which keys the object can have, for an expression
 * that returns none.
 * @throws InputError for any other format.
 */
export function readValues(
	item: MapperItem,
	{ name, label }: Field,
	{ names, advice }: { names: ReadonlyMap<string, string>; advice: string },
): MappedForm {
	const saved = item.rawParameter(name);
	const errorFor = (got: unknown) =>
		isExpression(saved)
			? notValues(got, label, advice)
			: new InputError(label, valueProblems.notJson);
	const values = readObject(item, { value: saved, isSaved: true }, { label, errorFor });
	return enteredForm(item, values, names);
}

function readObject(
	item: MapperItem,
	part: MapperPart,
	{ label, errorFor }: { label: string; errorFor?: (got: unknown) => InputError },
): MapperPart<IDataObject> {
	const { value, isSaved } = part;
	if (isObject(value)) return { value, isSaved };
	const saved = isSaved ? value : undefined;
	const object = readJson(item, { label, saved }, () => resolved(item, part));
	if (!isObject(object)) throw errorFor?.(object) ?? notUnderstood(value, object, label);
	return { value: object, isSaved: false };
}

/**
 * Returns the values of a form that was filled in by hand. They are resolved one by one, because n8n would
 * throw its own error for a missing value if they were resolved together.
 * @n8n
 */
function enteredForm(
	item: MapperItem,
	{ value, isSaved }: MapperPart<IDataObject>,
	names: ReadonlyMap<string, string>,
): MappedForm {
	const entries = Object.entries(value);
	return {
		mode: 'defineBelow',
		values: new Map(
			entries.map(([id, entry]) => [
				id,
				readNamed(
					() => resolved(item, { value: entry, isSaved }),
					() => names.get(id) ?? id,
				),
			]),
		),
		saved: isSaved ? value : {},
		isMissing: !isSaved && isEmptyObject(value),
	};
}

function resolved({ context, itemIndex }: MapperItem, { value, isSaved }: MapperPart): unknown {
	const isResolvable = isSaved && isExpression(value);
	return isResolvable ? context.evaluateExpression(value.slice(1), itemIndex) : value;
}

function isEmptyObject(value: IDataObject): boolean {
	return Object.keys(value).length === 0;
}

function notUnderstood(saved: unknown, got: unknown, label: string): InputError {
	if (isExpression(saved)) return notValues(got, label);
	return new InputError(label, valueProblems.notFilledInWithEditor);
}

/** @param got What the expression returns instead of an object. A model often writes something like JSON. */
function notValues(got: unknown, label: string, advice = ''): InputError {
	if (isEmpty(got)) return noValues(label, advice);
	const row = valueProblems.notValues(shown(got));
	return new InputError(label, { ...row, remedy: `${row.remedy} ${advice}`.trim() });
}

/** @param advice Which keys the object can have, if they are known. */
export function noValues(label: string, advice = ''): InputError {
	const { noValues: row } = valueProblems;
	return new MissingValue(label, { ...row, remedy: `${row.remedy} ${advice}`.trim() });
}
