import type {
	IDataObject,
	INodeParameters,
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
} from 'n8n-workflow';

import { objectOf } from '../../nodes/SignVerify/util/values';

/** The steps from a form to a value in it: names of parameters, and numbers of entries. */
export type FormPath = Array<string | number>;

/** A place of a form in which an expression can stand. */
export interface FormPlace {
	path: FormPath;
	/** What an error about it calls it. */
	label: string;
	/** What counts if it is not set. */
	byDefault?: unknown;
	/** What it offers, if it offers anything. */
	choices?: unknown[];
}

/**
 * Every place of a form: fields, those within options, entries and loaded forms, and each of these as a whole.
 * @param shown A form in which these fields are shown and filled in right.
 */
export function placesOf(
	fields: INodeProperties[],
	shown: INodeParameters,
	path: FormPath = [],
): FormPlace[] {
	return fields.flatMap((field) => {
		const place = { path: [...path, field.name], label: field.displayName };
		const value = objectOf(shown[field.name]);
		switch (field.type) {
			case 'notice':
				return [];
			case 'collection':
				// n8n drops all of an expression for a whole collection before a node sees it.
				return placesOf(field.options as INodeProperties[], value as INodeParameters, place.path);
			case 'fixedCollection':
				return [place, ...placesInEntries(field, value, place.path)];
			case 'resourceLocator':
				return [place, { ...place, path: [...place.path, 'value'] }];
			case 'resourceMapper':
				return [place, ...placesInMapper(place, value)];
			default:
				return [{ ...place, byDefault: field.default, ...choicesOf(field) }];
		}
	});
}

function choicesOf({ type, options = [] }: INodeProperties): Pick<FormPlace, 'choices'> {
	const isList = ['options', 'multiOptions'].includes(type) && options.length > 0;
	return isList ? { choices: options.map((option) => (option as INodePropertyOptions).value) } : {};
}

function placesInEntries(
	{ options }: INodeProperties,
	value: IDataObject,
	path: FormPath,
): FormPlace[] {
	return (options as INodePropertyCollection[]).flatMap(({ name, displayName, values }) => {
		const [entry] = [value[name]].flat();
		return [
			{ path: [...path, name], label: displayName },
			...placesOf(values, objectOf(entry) as INodeParameters, [...path, name, 0]),
		];
	});
}

function placesInMapper({ path, label }: FormPlace, { value }: IDataObject): FormPlace[] {
	const keys = Object.keys(objectOf(value));
	// In a role's "employee.email", the last part is what an error calls the field.
	const labelOf = (key: string) => {
		const [, word = ''] = /\.(\w+)$/.exec(key) ?? [];
		return word ? word.charAt(0).toUpperCase() + word.slice(1) : label;
	};
	return [
		{ path: [...path, 'mappingMode'], label },
		{ path: [...path, 'value'], label },
		...keys.map((key) => ({ path: [...path, 'value', key], label: labelOf(key) })),
	];
}

/** A copy of a form with another value at a path; undefined removes what is there. */
export function formWith(form: IDataObject, path: FormPath, value: unknown): IDataObject {
	const copy = structuredClone(form);
	let inner = copy as Record<string | number, unknown>;
	for (const step of path.slice(0, -1)) {
		inner = (inner[step] ??= {}) as Record<string | number, unknown>;
	}
	const last = path.at(-1) ?? '';
	if (value === undefined) delete inner[last];
	else inner[last] = value;
	return copy;
}
