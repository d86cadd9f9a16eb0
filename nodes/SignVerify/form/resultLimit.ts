import type { INodeProperties } from 'n8n-workflow';

import { fieldOf } from './field';
import { readSwitch, type SavedForm } from './savedForm';
import { readNumber } from './valueReaders';

const returnAllField: INodeProperties = {
	displayName: 'Return All',
	name: 'returnAll',
	type: 'boolean',
	default: false,
	description: 'Whether to return all results or only up to a given limit',
};

const limitField: INodeProperties = {
	displayName: 'Limit',
	name: 'limit',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 50,
	displayOptions: { show: { returnAll: [false] } },
	description: 'Max number of results to return',
};

export const resultLimitFields: INodeProperties[] = [returnAllField, limitField];

/**
 * Reads how many results to output. The service has no pagination, so the caller truncates the list.
 * @returns Infinity for all.
 */
export function readResultLimit(item: SavedForm): number {
	if (readSwitch(item, fieldOf(returnAllField))) return Infinity;
	return readNumber(item.parameter(limitField.name), limitField.displayName, {
		min: 1,
		isWhole: true,
	});
}
