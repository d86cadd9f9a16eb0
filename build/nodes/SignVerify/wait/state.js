import { NodeHelpers } from 'n8n-workflow';
import { isObject } from '../util/values';
import { runDataOf } from './stack';
const key = 'signVerifyWait';
export function isOpen({ target, output }) {
    return target !== undefined && output === undefined;
}
export function nameOfTarget(target) {
    if (target.kind === 'identity')
        return `identity request ${target.validationId}`;
    const { documentId } = target.document;
    return documentId === '' ? undefined : `document ${documentId}`;
}
export function eventsOf({ registration }) {
    return Object.keys(registration.ids);
}
export function outputsOf({ items }) {
    return items.map((item) => {
        if (item.output)
            return item.output;
        const { json, ...rest } = item.pending;
        if (!item.target)
            return item.pending;
        const completed = item.target.kind === 'document' ? { completed: false } : {};
        return { ...rest, json: { ...json, ...completed, timedOut: true } };
    });
}
export function keepState(execute, state) {
    execute.getContext('node')[key] = state;
}
export function keptState(execute) {
    return asState(execute.getContext('node')[key]);
}
export function readState(context) {
    const data = runDataOf(context);
    if (!data?.executionData)
        return undefined;
    const kept = NodeHelpers.getContext(data, 'node', context.getNode());
    return asState(kept[key]);
}
function asState(value) {
    return isObject(value) && isObject(value.registration) && Array.isArray(value.items)
        ? value
        : undefined;
}
