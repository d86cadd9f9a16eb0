import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { InputError } from '../transport/errors';
import { isObject } from '../util/values';

const units = { minutes: 60_000, hours: 3_600_000, days: 86_400_000 };
const mostDays = 3650;

/** An option of the operations that wait. */
export const limitWaitTimeOption: INodeProperties = {
	displayName: 'Limit Wait Time',
	name: 'limitWaitTime',
	type: 'fixedCollection',
	default: { values: { amount: 30, unit: 'days' } },
	description:
		'When to give up waiting. The workflow then continues with an item that says timedOut: true.',
	options: [
		{
			displayName: 'Values',
			name: 'values',
			values: [
				{
					displayName: 'Amount',
					name: 'amount',
					type: 'number',
					typeOptions: { minValue: 0 },
					default: 30,
					description: 'How long to wait',
				},
				{
					displayName: 'Unit',
					name: 'unit',
					type: 'options',
					options: [
						{ name: 'Minutes', value: 'minutes' },
						{ name: 'Hours', value: 'hours' },
						{ name: 'Days', value: 'days' },
					],
					default: 'days',
				},
			],
		},
	],
};

/**
 * Reads how long to wait, for all items alike.
 * @returns Milliseconds; undefined where there is no limit.
 * @throws InputError when it is no time that one could wait.
 */
export function readWaitLimit(execute: IExecuteFunctions): number | undefined {
	const option: unknown = execute.getNodeParameter('options.limitWaitTime', 0, null);
	if (option === null) return undefined;
	const values = isObject(option) && isObject(option.values) ? option.values : {};
	const unit = units[(values.unit ?? 'days') as keyof typeof units];
	const time = Number(values.amount ?? 30) * unit;
	if (time > 0 && time <= mostDays * units.days) return time;
	throw new InputError(
		'Limit Wait Time',
		'it is out of range',
		`Enter an amount above 0, at most ${mostDays} days.`,
		'waiting',
	);
}
