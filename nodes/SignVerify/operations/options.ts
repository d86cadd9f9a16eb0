import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { defaultTimeout } from '../transport/client';
import { readNumber } from '../transport/inputNumber';
import { readAll } from '../transport/problems';
import { isObject, textOf } from '../util/values';
import type { ItemContext } from './types';

/** Items under way at once unless the options say otherwise. */
const defaultParallel = 10;
const mostParallel = 50;
const defaultTimeoutSeconds = defaultTimeout / 1000;

/** Elements of every operation's "Options": how the calls are made. */
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

/**
 * The "Options" of an operation.
 * @param own Options that only this operation has.
 */
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
 * Reads the call options, which hold for all items of an execution.
 * @returns `parallel` items at once, calls `perSecond` (0: no limit), and the `timeout` of a call in
 * milliseconds.
 * @throws InputError with all that is no number, or out of its range.
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
				least: 1,
				most: mostParallel,
				isWhole: true,
			}),
		perSecond: () =>
			readNumber(given('requestsPerSecond', 0), 'Requests per Second', { least: 0, most: 1000 }),
		seconds: () => readNumber(given('timeout', defaultTimeoutSeconds), 'Timeout', { most: 3600 }),
	});
	return { parallel, perSecond, timeout: seconds * 1000 };
}

/**
 * Whether the form sets an option, whatever it comes to for an item: an expression that gives nothing
 * must not pass for an option that was never added.
 */
export async function isInForm(item: ItemContext, name: string): Promise<boolean> {
	// Once for all items: n8n copies the whole node each time.
	return await item.shared(`the option ${name} in the form`, async () => {
		const options: unknown = item.execute.getNode().parameters.options;
		return isObject(options) && textOf(options[name]).trim() !== '';
	});
}
