import type { INodeProperties } from 'n8n-workflow';

import { readChoice, readNumber } from '../form/valueReaders';
import type { ItemContext } from '../item/item';
import { dayMs } from '../util/times';

const units = [
	{ name: 'Minutes', value: 'minutes', ms: 60_000 },
	{ name: 'Hours', value: 'hours', ms: 3_600_000 },
	{ name: 'Days', value: 'days', ms: dayMs },
];
export const maxDays = 3650;

/** Every wait needs a limit, because its webhooks must not stay registered forever. */
export const limitWaitTimeFields: INodeProperties[] = [
	{
		displayName: 'Limit Wait Time',
		name: 'limitWaitTime',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 30,
		description:
			'How long to wait, up to 3,650 days. After that, the workflow continues with the outcome timedOut.',
	},
	{
		displayName: 'Unit',
		name: 'limitWaitTimeUnit',
		type: 'options',
		noDataExpression: true,
		options: units,
		default: 'days',
	},
];

/** @throws InputError if the time is out of range. */
export function readMaxWaitMs(item: ItemContext): number {
	const unit = item.parameter('limitWaitTimeUnit');
	const amount = item.parameter('limitWaitTime');
	const { ms } = readChoice(unit, 'Limit Wait Time, Unit', units);
	return readNumber(amount, 'Limit Wait Time', { max: (maxDays * dayMs) / ms }) * ms;
}
