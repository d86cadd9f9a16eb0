import { createHash } from 'crypto';
import { isObject, remember } from '../util/values';
export function runDataOf(context) {
    const { runExecutionData } = context;
    return isObject(runExecutionData) ? runExecutionData : undefined;
}
function stackOf(context) {
    return runDataOf(context)?.executionData?.nodeExecutionStack;
}
export function canRunAgain(context) {
    return Array.isArray(stackOf(context));
}
const eventKey = 'signVerifyEvent';
const successorKey = 'signVerifySuccessor';
const acceptedEvents = new Map();
const remembered = 10_000;
const longestProcessing = 60_000;
export function runAgainWith(context, eventCount, noted) {
    const { wait } = noted;
    const last = acceptedEvents.get(wait);
    const isRecent = last !== undefined && Date.now() - last.since < longestProcessing;
    if (isRecent && eventCount < last.count)
        return undefined;
    const entry = stackOf(context)?.[0];
    if (!entry)
        return undefined;
    entry.node.disabled = false;
    removeSuccessor(context, wait);
    const accepted = { count: eventCount + 1, since: Date.now() };
    remember(acceptedEvents, wait, accepted, remembered);
    const response = context.getResponseObject();
    response.once('close', () => {
        const isTaken = response.writableEnded && response.statusCode < 300;
        if (!isTaken)
            accepted.count = eventCount;
    });
    return { json: { [eventKey]: noted } };
}
export function forgetEvents(wait) {
    acceptedEvents.delete(wait);
}
export function notedEvent(execute, wait) {
    const given = execute.getInputData()[0]?.json[eventKey];
    return isObject(given) && given.wait === wait ? given : undefined;
}
const guardName = 'SignVerify waits: choose "Retry with original workflow"';
export function placeSuccessor(execute, wait) {
    const entry = execute.getExecuteData();
    const { node } = entry;
    const successor = {
        ...entry,
        node: { ...node, disabled: false },
        data: { main: [[{ json: {}, [successorKey]: markOf(wait) }]] },
    };
    const guard = {
        ...entry,
        node: { ...node, name: guardName, disabled: true },
        data: { main: [] },
    };
    stackOf(execute)?.unshift(successor, guard);
    entry.data.main = [];
    entry.node = { ...node, alwaysOutputData: false };
}
export function removeSuccessor(context, wait) {
    const stack = stackOf(context);
    const index = stack?.findIndex((entry) => isSuccessor(entry, wait)) ?? -1;
    if (index >= 0)
        stack?.splice(index, 2);
}
export function removeGuard(execute) {
    const stack = stackOf(execute);
    if (stack?.[0]?.node.name === guardName)
        stack.shift();
}
export function isContinuedWithoutEvent(execute, wait) {
    return isSuccessor(execute.getExecuteData(), wait);
}
function isSuccessor({ data }, wait) {
    return data.main?.[0]?.[0]?.[successorKey] === markOf(wait);
}
function markOf(wait) {
    return createHash('sha256').update(wait).digest('base64url');
}
