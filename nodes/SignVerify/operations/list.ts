import type { INodeProperties } from 'n8n-workflow';

import { readNumber } from '../transport/inputNumber';
import type { ItemContext } from './types';

/** The form for how many results a list gives. */
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

/** The form for which results a list gives. */
export function filtersField(options: INodeProperties[]): INodeProperties {
	return {
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add filter',
		default: {},
		options,
	};
}

/**
 * Reads how many results are wanted; the service has no paging, so the list is cut here.
 * @throws InputError when the limit is no whole number of at least 1.
 */
export function readLimit(item: ItemContext): number {
	if (item.parameter('returnAll') === true) return Infinity;
	return readNumber(item.parameter('limit'), 'Limit', { least: 1, isWhole: true });
}
