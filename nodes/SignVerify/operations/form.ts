import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { defaultTimeout } from '../http/client';
import { readAll } from './inputError';
import { readNumber, readSwitch } from './parameters';
import type { ItemContext } from './types';

const defaultParallel = 10;
const mostParallel = 50;
const defaultTimeoutSeconds = defaultTimeout / 1000;

/** In every operation's "Options": how the calls are made. */
const callOptions: INodeProperties[] = [
	{
		displayName: 'Parallel Requests',
		name: 'parallelRequests',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: mostParallel },
		default: defaultParallel,
		description: 'How many items may be sent at the same time',
	},
	{
		displayName: 'Requests per Second',
		name: 'requestsPerSecond',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 0,
		description:
			'How many calls to make per second at the most. 0 means as fast as the service allows.',
	},
	{
		displayName: 'Timeout',
		name: 'timeout',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: defaultTimeoutSeconds,
		description: 'How many seconds the service may take to answer one call',
	},
];

/** The "Options" of an operation: those of all operations, and its own. */
export function optionsField(own: INodeProperties[] = []): INodeProperties {
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [...own, ...callOptions].sort((left, right) =>
			left.displayName.localeCompare(right.displayName),
		),
	};
}

/**
 * Reads the call options, which are the same for all items of an execution.
 * @returns `parallel` items at once, calls `perSecond` (0: no limit), and the `timeout` of a call in
 * milliseconds.
 * @throws InputError with everything that is not a number, or out of its range.
 */
export function readCallOptions(context: IExecuteFunctions): {
	parallel: number;
	perSecond: number;
	timeout: number;
} {
	const given = (name: string, fallback: number): unknown =>
		context.getNodeParameter(`options.${name}`, 0, fallback);
	const { parallel, perSecond, seconds } = readAll({
		parallel: () =>
			readNumber(given('parallelRequests', defaultParallel), 'Parallel Requests', {
				min: 1,
				max: mostParallel,
				isWhole: true,
			}),
		perSecond: () =>
			readNumber(given('requestsPerSecond', 0), 'Requests per Second', { min: 0, max: 1000 }),
		seconds: () => readNumber(given('timeout', defaultTimeoutSeconds), 'Timeout', { max: 3600 }),
	});
	return { parallel, perSecond, timeout: seconds * 1000 };
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

/** The form for which results to output. */
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
