import { NodeApiError, NodeOperationError, } from 'n8n-workflow';
import { cancelled } from '../http/network';
import { ServiceClient } from '../http/client';
import { InputError, toNodeError } from '../http/errors';
import { passedOn } from '../n8nInternals';
import { delay } from '../util/async';
import { checkWaitsForOne } from '../wait/start';
import { errorItem, failureOfRun, isUncertain } from './failures';
import { findOperation } from './index';
import { createItemContexts } from './itemContext';
import { readCallOptions } from './form';
import { runItems } from './runItems';
import { sendItem } from './sendItem';
import { reduced } from './toolOutput';
import { canTryAgain, oncePerRun, triesOf } from './tries';
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
    const passed = operation.waits ? passedOn(context) : undefined;
    if (passed)
        return passed;
    if (operation.waits)
        checkWaitsForOne(context.getInputData().length);
    const { parallel, perSecond, timeout } = readCallOptions(context);
    const service = new ServiceClient(context, { timeout, perSecond, maxRetryTime, parallel });
    const settled = await settleItems(context, operation, service, parallel);
    trace(context, operation, service, settled);
    if (context.continueOnFail() || !settled.some(isFailed))
        return settled.flatMap(outputsOf);
    throw failureOfRun(context, settled, settled.findIndex(isFailed));
}
function trace(context, operation, { retries, rateLimiter }, settled) {
    const all = settled.flatMap((each) => (each.state === 'done' ? each.output : []));
    const count = (key) => all.filter(({ json }) => json[key]).length;
    const skipped = count('skipped');
    context.setMetadata?.({
        tracing: {
            created: 'prepare' in operation ? all.length - skipped - count('checkOnly') : 0,
            skipped,
            uncertain: settled.filter(isUncertain).length + count('mayHaveBeenCreated'),
            retried: retries,
            limitedMs: Math.round(rateLimiter.halted),
        },
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
    return settled.output.map(({ json, binary }) => ({
        json,
        ...(binary ? { binary } : {}),
        pairedItem: { item },
    }));
}
function failedItem(error, item) {
    return { json: errorItem(error, item), pairedItem: { item } };
}
