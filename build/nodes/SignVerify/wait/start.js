import { WAIT_INDEFINITELY, } from 'n8n-workflow';
import { InputError } from '../http/errors';
import { attempt } from '../util/async';
import { objectOf } from '../util/values';
import { removeOrphans } from './cleanUp';
import { errorsOfStart, makeWait, registerWait, removeWait } from './registration';
import { canRunAgain, placeSuccessor, removeSuccessor } from './stack';
import { isOpen, keepState } from './state';
const units = { minutes: 60_000, hours: 3_600_000, days: 86_400_000 };
const mostDays = 3650;
export const limitWaitTimeOption = {
    displayName: 'Limit Wait Time',
    name: 'limitWaitTime',
    type: 'fixedCollection',
    default: { values: { amount: 30, unit: 'days' } },
    description: 'When to give up waiting. The workflow then continues with an item that says timedOut: true.',
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
function readWaitLimit(execute) {
    const option = execute.getNodeParameter('options.limitWaitTime', 0, null);
    if (option === null)
        return undefined;
    const values = objectOf(objectOf(option).values);
    const unit = units[(values.unit ?? 'days')];
    const time = Number(values.amount ?? 30) * unit;
    if (time > 0 && time <= mostDays * units.days)
        return time;
    throw new InputError('Limit Wait Time', 'it is out of range', `Enter an amount above 0, at most ${mostDays} days.`, 'waiting');
}
const starts = new WeakMap();
export async function startWaiting(item, events, send) {
    const { execute, service } = item;
    let start = starts.get(execute);
    if (!start) {
        start = { wait: makeWait() };
        starts.set(execute, start);
        void removeOrphans(execute, service, start.wait);
    }
    const { wait } = start;
    start.registration ??= await item.memoize('the registration of the wait', async () => await registerWait(execute, service, events, wait, errorsOfStart));
    return [await send()];
}
export async function waitForAll(execute, service, outputs) {
    const items = outputs.map(({ target, ...pending }) => ({
        pending,
        ...(target ? { target } : {}),
    }));
    const registration = starts.get(execute)?.registration;
    if (!registration || !items.some(isOpen)) {
        await abandonWait(execute, service);
        return items.map(({ pending }) => pending);
    }
    const limit = readWaitLimit(execute);
    const until = limit === undefined ? {} : { until: Date.now() + limit };
    return await putToWait(execute, { registration, eventCount: 0, items, ...until });
}
export async function putToWait(execute, state) {
    const { until, registration, items } = state;
    keepState(execute, state);
    placeSuccessor(execute, registration.wait);
    let isWaiting = false;
    try {
        await execute.putExecutionToWait(until === undefined ? WAIT_INDEFINITELY : new Date(until));
        isWaiting = true;
    }
    finally {
        if (!isWaiting)
            removeSuccessor(execute, registration.wait);
    }
    return items.filter(isOpen).map(({ pending }) => pending);
}
export async function abandonWait(execute, service) {
    const start = starts.get(execute);
    if (!start)
        return;
    starts.delete(execute);
    await attempt(removeWait(service, start.registration ?? { ids: {}, wait: start.wait }));
}
const insteadOfWaiting = 'use an operation that does not wait, and a workflow that begins with a SignVerify Trigger.';
export function checkCanWait(execute) {
    readWaitLimit(execute);
    if (execute.getNode().type.endsWith('Tool')) {
        throw cannotWait('an AI agent cannot wait for it', 'Use an operation that does not wait, and a workflow that begins with a SignVerify Trigger.');
    }
    if (!execute.getSignedResumeUrl || !canRunAgain(execute)) {
        throw cannotWait('this n8n is too old to wait for an event. Nothing was sent', `Update n8n to 1.123.81 or newer, or ${insteadOfWaiting}`);
    }
    if (!execute.getExecutionCancelSignal()) {
        throw cannotWait("n8n's Engine 2.0 cannot wait for an event. Nothing was sent", `Let the workflow run in the engine before it, or ${insteadOfWaiting}`);
    }
}
function cannotWait(problem, remedy) {
    return new InputError('Operation', problem, remedy, 'waiting');
}
