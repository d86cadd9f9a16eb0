import type {
	IDataObject,
	INodeParameters,
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
} from 'n8n-workflow';

import { objectOf } from '../../nodes/SignVerify/util/values';

/** The path from a form to one of its values: parameter names and entry indexes. */
export type FormPath = Array<string | number>;

/** A part of a form that can be an expression. */
export interface FormPlace {
	path: FormPath;
	/** What an error calls this part. */
	label: string;
	/** The value that applies if the part is not set. */
	byDefault?: unknown;
	/** The choices that the form offers, if any. */
	choices?: unknown[];
}

/**
 * Lists every part of a form that can be an expression. These are all fields, including those within options,
 * entries and loaded forms, and also each list of entries, each entry and each loaded form as a whole.
 * @param shown A valid form in which these fields are shown.
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
				// The node refuses an expression for an entire collection (test/integration/collections.test.ts).
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
	{ options, typeOptions }: INodeProperties,
	value: IDataObject,
	path: FormPath,
): FormPlace[] {
	return (options as INodePropertyCollection[]).flatMap(({ name, displayName, values }) => {
		const [entry] = [value[name]].flat();
		const inEntry = objectOf(entry) as INodeParameters;
		if (!typeOptions?.multipleValues) return placesOf(values, inEntry, [...path, name]);
		return [
			{ path: [...path, name], label: displayName },
			...placesOf(values, inEntry, [...path, name, 0]),
		];
	});
}

function placesInMapper({ path, label }: FormPlace, { value }: IDataObject): FormPlace[] {
	const keys = Object.keys(objectOf(value));
	// An error names a role's field by the last part of the key, such as "email" in "employee.email".
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

/**
 * Returns a copy of the form with the given value at the given path. If the value is undefined, the existing
 * value is removed.
 */
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
