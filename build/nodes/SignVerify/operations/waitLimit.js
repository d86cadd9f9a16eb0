import { InputError } from '../http/errors';
import { textOf } from '../util/values';
import { readNumber } from './problems';
const units = { minutes: 60_000, hours: 3_600_000, days: 86_400_000 };
const maxDays = 3650;
const defaultDays = 30;
export const limitWaitTimeFields = [
    {
        displayName: 'Limit Wait Time',
        name: 'limitWaitTime',
        type: 'number',
        typeOptions: { minValue: 0 },
        default: defaultDays,
        description: 'When to give up waiting, at most after 3,650 days. The workflow then continues with an item that says timedOut: true.',
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
export function readWaitLimit(item) {
    const unit = textOf(item.parameter('limitWaitTimeUnit') ?? 'days');
    const amount = item.parameter('limitWaitTime') ?? defaultDays;
    if (!Object.hasOwn(units, unit)) {
        const remedy = 'Choose one from the list.';
        throw new InputError('Limit Wait Time Unit', 'there is no such unit', remedy, 'waiting');
    }
    const ms = units[unit];
    return (readNumber(amount, 'Limit Wait Time', { most: (maxDays * units.days) / ms }, 'waiting') * ms);
}
