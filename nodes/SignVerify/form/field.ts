import type { INodeProperties } from 'n8n-workflow';
import { isExpressionError } from '../errors/nodeError';
import { settleSync, valueOf } from '../util/async';

export interface Field {
	/** The parameter's path. */
	name: string;
	/** The field's name in the form, for errors. */
	label: string;
	/** What to do if the value is missing or is no text, in full sentences. */
	remedy?: string;
}

export type RequiredField = Required<Field>;

export interface EnteredText {
	/** The field's name in the form, for errors. */
	label: string;
	value: unknown;
	/**
	 * The value as saved in the workflow, which may be an expression; undefined if the value comes from somewhere
	 * else, such as one of the item's columns.
	 */
	saved: unknown;
}

/** @param collection The name of the collection that contains the property, such as "options". */
export function fieldOf(
	{ name, displayName }: Pick<INodeProperties, 'name' | 'displayName'>,
	collection?: string,
): Field {
	return { name: collection === undefined ? name : `${collection}.${name}`, label: displayName };
}

type Level = NonNullable<INodeProperties['options']>;

/**
 * Returns the name that the parameter at a path has in the form: "Send Once Key" for `options.sendOnceKey`, and
 * "Signature Positions, Color" for a field of a fixed collection.
 * @param fields The form's fields.
 * @returns If there is no such field, the name of the closest field above it; otherwise the path.
 */
export function labelAt(fields: INodeProperties[], path: string): string {
	const labels: string[] = [];
	let closest = path;
	let level: Level = fields;
	for (const part of path.split('.')) {
		const field: Level[number] | undefined = level.find(({ name }) => name === part);
		if (!field) break;
		if ('values' in field) {
			level = field.values;
			continue;
		}
		const { type, displayName, options = [] } = field as INodeProperties;
		if (type !== 'collection') labels.push(displayName);
		closest = displayName;
		level = options;
	}
	return labels.join(', ') || closest;
}

/**
 * Reads a value from the form. If its expression fails, adds the field's name to n8n's error, because
 * "Referenced node doesn't exist" alone doesn't show which of the form's many expressions to correct.
 */
export function readNamed<Value>(read: () => Value, label: () => string): Value {
	const reading = settleSync(read);
	if (!reading.ok && isExpressionError(reading.error)) {
		reading.error.message = `${label()}: ${reading.error.message}`;
	}
	return valueOf(reading);
}
