import type { INodeProperties } from 'n8n-workflow';

import type { ItemContext } from './item';
import { outputs, readNumber } from './parameters';
import { readSwitch } from './savedForm';

/** A text that must be entered, unless the field says otherwise. */
export function textField(
	field: Omit<INodeProperties, 'type' | 'default'> & { default?: string },
): INodeProperties {
	return { type: 'string', default: '', required: true, ...field };
}

/** The "Options" of an operation, in their order. */
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

/** The "Filters" of a list. */
export function filtersField(options: INodeProperties[]): INodeProperties {
	const words = { displayName: 'Filters', name: 'filters', placeholder: 'Add filter' };
	return { ...optionsField(options), ...words };
}

/** The form for how many results to output. */
export const limitFields: INodeProperties[] = [
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	},
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 50,
		displayOptions: { show: { returnAll: [false] } },
		description: 'Max number of results to return',
	},
];

/**
 * Reads how many results to output. The service has no paging, so the list is cut here.
 * @throws InputError if Return All is neither on nor off, or the limit is not a whole number of at least 1.
 */
export function readLimit(item: ItemContext): number {
	if (readSwitch(item, 'returnAll', 'Return All')) return Infinity;
	return readNumber(item.parameter('limit'), 'Limit', { min: 1, isWhole: true });
}

/** A field for something of the account: chosen from a list, or given by its ID. */
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

/** The form for how much to output. */
export const outputField: INodeProperties = {
	displayName: 'Output',
	name: 'output',
	type: 'options',
	noDataExpression: true,
	options: outputs,
	default: 'simplified',
	description: 'How much of the answer or event to output',
};
