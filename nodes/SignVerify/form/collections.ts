import type { INodeProperties } from 'n8n-workflow';

import { InputError } from '../errors/inputError';
import { valueProblems } from '../text/textProblems';
import { isObject } from '../util/values';
import type { SavedForm } from './savedForm';
import { isUnfilled, shown } from './valueReaders';

export function optionsField(options: INodeProperties[]): INodeProperties {
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options,
	};
}

export function filtersField(options: INodeProperties[]): INodeProperties {
	return {
		...optionsField(options),
		displayName: 'Filters',
		name: 'filters',
		placeholder: 'Add filter',
	};
}

/**
 * Adds a hidden field after each collection, with its name. If a saved collection isn't an object, but an expression, JSON
 * text, or a list, n8n replaces it with an empty one before any code of the node runs. A hidden field keeps the value, so
 * {@link checkCollections} can refuse it. Objects stay as they are, including values that n8n would drop because the
 * collection has no such field.
 * @n8n
 */
export function withSavedCollections(fields: INodeProperties[]): INodeProperties[] {
	return fields.flatMap((field) => {
		if (field.type !== 'collection') return [field];
		const { displayName, name, displayOptions } = field;
		const hidden: INodeProperties = { displayName, name, type: 'hidden', default: {} };
		return [field, displayOptions ? { ...hidden, displayOptions } : hidden];
	});
}

/** @throws InputError for a collection that isn't an object, because none of its values would be used. */
export function checkCollections(
	form: Pick<SavedForm, 'rawParameter'>,
	fields: INodeProperties[],
): void {
	for (const { type, name, displayName } of fields) {
		const saved = form.rawParameter(name);
		if (type !== 'collection' || isObject(saved) || isUnfilled(saved)) continue;
		throw new InputError(displayName, valueProblems.notFields(shown(saved)));
	}
}
