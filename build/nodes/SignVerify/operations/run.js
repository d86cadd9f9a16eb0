import { NodeApiError, NodeOperationError, } from 'n8n-workflow';
import { cancelled } from '../http/network';
import { ServiceClient } from '../http/client';
import { InputError, ServiceError, toNodeError } from '../http/errors';
import { attempt, delay } from '../util/async';
import { reasonOf } from '../util/values';
import { continueWait, waitOfRun } from '../wait/continue';
import { abandonWait, waitForAll } from '../wait/start';
import { nameOfTarget } from '../wait/state';
import { errorItem, failureOfRun } from './failures';
import { findOperation } from './index';
import { createItemContexts } from './itemContext';
import { readCallOptions } from './form';
import { runItems } from './runItems';
import { sendItem } from './sendItem';
import { reduced } from './toolOutput';
import { canTryAgain, oncePerRun, triesFor, triesOf } from './tries';
const maxRetryTime = 300_000;
export async function runOperation(context) {
    return await oncePerRun(context, async () => {
        try {
            return [await outputsOfRun(context)];
        }
        catch (error) {
            if (!context.continueOnFail())
                throw asNodeError(context, error);
            return [context.getInputData().map((_, index) => failedItem(error, index))];
        }
    });
}
function asNodeError(context, error) {
    const isOne = error instanceof NodeApiError || error instanceof NodeOperationError;
    return isOne ? error : toNodeError(context.getNode(), error);
}
async function outputsOfRun(context) {
    const operation = chosenOperation(context);
    const waiting = operation.waits ? waitOfRun(context) : undefined;
    if (waiting)
        return await continuedOutputs(context, waiting);
    const { parallel, perSecond, timeout } = readCallOptions(context);
    const service = new ServiceClient(context, { timeout, perSecond, maxRetryTime, parallel });
    const settled = await settleItems(context, operation, service, parallel);
    const mayContinue = () => context.continueOnFail() || !settled.some(isFailed);
    if (operation.waits && mayContinue()) {
        const waited = await attempt(waitForAll(context, service, settled.flatMap(outputsOf)));
        if (waited.ok)
            return waited.value;
        settled.forEach((each, index) => (settled[index] = notWaitedFor(each, waited.error)));
    }
    if (operation.waits)
        await abandonWait(context, service);
    if (mayContinue())
        return settled.flatMap(outputsOf);
    throw failureOfRun(context, settled, settled.findIndex(isFailed));
}
async function continuedOutputs(context, waiting) {
    const service = new ServiceClient(context);
    const continued = await attempt(continueWait(context, service, waiting, triesFor(context)));
    if (continued.ok)
        return continued.value;
    if (!context.continueOnFail())
        throw continued.error;
    return waiting.items.map((item, index) => {
        const { target, pending, output } = item;
        if (!target || output)
            return output ?? pending;
        const error = cannotWaitFor(nameOfTarget(target), continued.error);
        return { ...failedItem(error, index), pairedItem: pending.pairedItem ?? index };
    });
}
function notWaitedFor(settled, reason) {
    const sent = settled.state === 'done' && settled.output.find(({ target }) => target);
    if (!sent)
        return settled;
    const name = sent.created ?? (sent.target && nameOfTarget(sent.target));
    return { state: 'failed', error: cannotWaitFor(name, reason) };
}
function cannotWaitFor(name, reason) {
    return new ServiceError({
        message: `Sent (${name ?? 'no ID'}), but n8n cannot wait for it: ${reasonOf(reason)}`,
        description: 'Do not send it again. Wait for it in another workflow, by its ID.',
        topic: 'waiting',
    });
}
async function settleItems(context, operation, service, parallel) {
    const stopOnFailure = !context.continueOnFail();
    const signal = context.getExecutionCancelSignal();
    const { most, wait } = triesOf(context.getNode());
    const settled = context.getInputData().map(() => ({ state: 'notStarted' }));
    for (let tried = 1;; tried++) {
        const open = [...settled.keys()].filter((index) => isOpen(settled[index]));
        const contextOf = createItemContexts(context, service);
        const results = await runItems(open.length, async (place) => await runItem(operation, contextOf(open[place] ?? 0)), { parallel, stopOnFailure, signal });
        open.forEach((index, place) => (settled[index] = results[place] ?? { state: 'notStarted' }));
        const isFinal = stopOnFailure && settled.some((each) => !isOpen(each) && isFailed(each));
        if (tried >= most || isFinal || !settled.some((each) => isFailed(each) && isOpen(each)))
            break;
        if (!(await delay(wait, signal)))
            break;
    }
    return settled;
}
function isOpen(settled) {
    return settled?.state === 'failed' ? canTryAgain(settled.error) : settled?.state === 'notStarted';
}
function isFailed(settled) {
    return settled.state === 'failed';
}
async function runItem(operation, item) {
    if ('prepare' in operation)
        return await sendItem(item, operation);
    const outputs = await operation.run(item);
    return operation.toolOutput ? reduced(item, outputs, operation.toolOutput) : outputs;
}
function chosenOperation(context) {
    const resource = String(context.getNodeParameter('resource', 0));
    const value = String(context.getNodeParameter('operation', 0));
    const operation = findOperation(resource, value);
    if (operation)
        return operation;
    throw new InputError('Operation', `there is no "${value}" for ${resource}`, 'Choose one from the list.');
}
function outputsOf(settled, item) {
    if (settled.state === 'notStarted')
        return [failedItem(cancelled(), item)];
    if (settled.state === 'failed')
        return [failedItem(settled.error, item)];
    return settled.output.map(({ json, binary, target }) => ({
        json,
        ...(binary ? { binary } : {}),
        ...(target ? { target } : {}),
        pairedItem: { item },
    }));
}
function failedItem(error, item) {
    return { json: errorItem(error, item), pairedItem: { item } };
}
