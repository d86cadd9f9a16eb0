import { InputError, ServiceError } from '../http/errors';
import { canKeepWait, passOnAtLimit } from '../n8nInternals';
import { attempt } from '../util/async';
import { reasonOf } from '../util/values';
import { keepState } from './state';
import { newResumeToken, registerWait, removeExpired, removeWait, } from './webhook';
export async function startWaiting({ execute, service }, event, limit, start) {
    const until = new Date(Date.now() + limit);
    void removeExpired(execute, service);
    let webhook = { resumeToken: newResumeToken(), ids: {} };
    let isWaiting = false;
    try {
        webhook = await registerWait(execute, service, event, webhook.resumeToken, until);
        const { target, ...output } = await start();
        if (target)
            await putToWait(execute, { webhook, target }, until, output);
        isWaiting = target !== undefined;
        return [output];
    }
    finally {
        if (!isWaiting)
            await attempt(removeWait(service, webhook));
    }
}
async function putToWait(execute, state, until, { json, created }) {
    const put = await attempt(execute.putExecutionToWait(until));
    if (!put.ok) {
        const sent = created === undefined ? '' : `Sent (${created}), but `;
        throw new ServiceError({
            message: `${sent}n8n cannot wait for it: ${reasonOf(put.error)}`,
            description: 'Do not send it again. Wait for it in another workflow, by its ID.',
            topic: 'waiting',
            mayHaveCreated: created !== undefined,
        });
    }
    keepState(execute, state);
    const timedOut = { completed: false, timedOut: true, waitUntil: until.toISOString() };
    passOnAtLimit(execute, { json: { ...json, ...timedOut }, pairedItem: { item: 0 } });
}
const insteadOfWaiting = 'use an operation that does not wait, and a workflow that begins with a SignVerify Trigger.';
export function checkCanWait(execute) {
    if (execute.getNode().type.endsWith('Tool')) {
        throw cannotWait('an AI agent cannot wait for it', 'Use an operation that does not wait, and a workflow that begins with a SignVerify Trigger.');
    }
    if (!execute.getSignedResumeUrl || !canKeepWait(execute)) {
        throw cannotWait('this n8n is too old to wait for an event. Nothing was sent', `Update n8n to version 2, or ${insteadOfWaiting}`);
    }
    if (!execute.getExecutionCancelSignal()) {
        throw cannotWait("n8n's Engine 2.0 cannot wait for an event. Nothing was sent", `Let the workflow run in the engine before it, or ${insteadOfWaiting}`);
    }
}
export function checkWaitsForOne(count) {
    if (count <= 1)
        return;
    throw cannotWait(`an execution can wait for one item, and this node got ${count}. Nothing was sent`, 'Start a sub-workflow for each person: Loop Over Items with a batch size of 1, then Execute Sub-workflow with "Wait For Sub-Workflow Completion" off, and this node in the sub-workflow. This works well for up to about 100 people. For more, use Send for Signature, a SignVerify Trigger and a table.');
}
function cannotWait(problem, remedy) {
    return new InputError('Operation', problem, remedy, 'waiting');
}
