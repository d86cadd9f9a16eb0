import type { INodeProperties } from 'n8n-workflow';

import { isObject } from '../util/values';
import type { EnteredText, Field } from './field';
import type { SavedForm } from './savedForm';
import { onlyText } from './valueReaders';

/** @param searchListMethod The name of the method in methods/listSearch.ts that loads the list. */
export function locatorField(
	field: Pick<INodeProperties, 'displayName' | 'name' | 'description' | 'builderHint'>,
	placeholder: string,
	searchListMethod: string,
): INodeProperties {
	return {
		...field,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		required: true,
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder,
				typeOptions: { searchListMethod, searchable: true },
			},
			{
				displayName: 'By ID',
				name: 'id',
				type: 'string',
				placeholder: 'e.g. 64f1c0de5a2b3c4d5e6f7081',
			},
		],
	};
}

export function savedChoice(item: Pick<SavedForm, 'rawParameter'>, name: string): unknown {
	const saved = item.rawParameter(name);
	return isObject(saved) ? saved.value : saved;
}

/**
 * Returns the value chosen or entered in a resource locator, without checking its format. Reads nothing else
 * of the parameter: the editor also saves the chosen entry's name, and n8n would run a name that begins with
 * "=" as an expression.
 * @n8n
 */
export function chosenText(item: SavedForm, { name, label }: Field): EnteredText {
	const path = isObject(item.rawParameter(name)) ? `${name}.value` : name;
	return { label, value: onlyText(item.parameter(path)), saved: savedChoice(item, name) };
}
