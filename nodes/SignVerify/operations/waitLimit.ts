import type { INodeProperties } from 'n8n-workflow';

import { InputError } from '../http/errors';
import { textOf } from '../util/values';
import { readNumber } from './problems';
import type { ItemContext } from './types';

const units = { minutes: 60_000, hours: 3_600_000, days: 86_400_000 };
const maxDays = 3650;
const defaultDays = 30;

/** The form for how long an operation waits. Every wait ends, because its webhook must not stay forever. */
export const limitWaitTimeFields: INodeProperties[] = [
	{
		displayName: 'Limit Wait Time',
		name: 'limitWaitTime',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: defaultDays,
		description:
			'When to give up waiting, at most after 3,650 days. The workflow then continues with an item that says timedOut: true.',
	},
	{
		displayName: 'Limit Wait Time Unit',
		name: 'limitWaitTimeUnit',
		type: 'options',
		noDataExpression: true,
		options: [
			{ name: 'Minutes', value: 'minutes' },
			{ name: 'Hours', value: 'hours' },
			{ name: 'Days', value: 'days' },
		],
		default: 'days',
	},
];

/**
 * Reads how long to wait.
 * @returns Milliseconds.
 * @throws InputError if it is out of range.
 */
export function readWaitLimit(item: ItemContext): number {
	const unit = textOf(item.parameter('limitWaitTimeUnit') ?? 'days');
	const amount = item.parameter('limitWaitTime') ?? defaultDays;
	if (!Object.hasOwn(units, unit)) {
		const remedy = 'Choose one from the list.';
		throw new InputError('Limit Wait Time Unit', 'there is no such unit', remedy, 'waiting');
	}
	const ms = units[unit as keyof typeof units];
	return (
		readNumber(amount, 'Limit Wait Time', { most: (maxDays * units.days) / ms }, 'waiting') * ms
	);
}
