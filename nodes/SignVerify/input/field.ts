import type { INodeProperties } from 'n8n-workflow';

/** A field of a node's form, for the functions that read it. */
export interface Field {
	/** The parameter's path. */
	name: string;
	/** The field's name in the form, for errors. */
	label: string;
	/** What to do if the value is missing or is no text, in full sentences. */
	remedy?: string;
}

export type RequiredField = Required<Field>;

/**
 * Returns the field that a property of the form describes.
 * @param collection The name of the collection that contains the property, such as "options".
 */
export function fieldOf(
	{ name, displayName }: Pick<INodeProperties, 'name' | 'displayName'>,
	collection?: string,
): Field {
	return { name: collection === undefined ? name : `${collection}.${name}`, label: displayName };
}
