import { ServiceClient } from '../http/client';
import { attempt, withTimeout } from '../util/async';
import { finishedIdentity } from './identity';
import { isOpen } from './state';
const quick = { timeout: 10_000, maxRetryTime: 0 };
const longestLookUp = 10_000;
const mostAtOnce = 10;
export async function identityOutcomes(context, items, named) {
    const targets = new Map();
    for (const item of items) {
        if (isOpen(item) && item.target?.kind === 'identity') {
            targets.set(keyOf(item.target), item.target);
        }
    }
    const service = new ServiceClient(context, quick);
    const known = await inTime(targets, async (each) => await finishedIdentity(service, named, each));
    const isUnsure = (id) => [...targets].some(([key, each]) => each.validationId === id && isLate(known.get(key)));
    return (target) => isUnsure(target.validationId) ? 'later' : (known.get(keyOf(target)) ?? 'later');
}
function isLate(outcome) {
    return outcome === undefined || outcome === 'later';
}
function keyOf({ validationId, personal }) {
    return JSON.stringify([validationId, personal]);
}
async function inTime(targets, ask) {
    const known = new Map();
    if (targets.size === 0)
        return known;
    const queue = [...targets];
    const work = async (signal) => {
        for (let next = queue.shift(); next && !signal.aborted; next = queue.shift()) {
            const [key, target] = next;
            known.set(key, await ask(target));
        }
    };
    const all = async (signal) => await Promise.all(Array.from({ length: mostAtOnce }, async () => await work(signal)));
    await attempt(withTimeout(all, longestLookUp));
    return new Map(known);
}
