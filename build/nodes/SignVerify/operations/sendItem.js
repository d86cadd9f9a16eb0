import { InputError, ServiceError } from '../http/errors';
import { attempt } from '../util/async';
import { isEmpty } from '../util/values';
import { hasTodaysForm } from './form';
import { readKeyToKeep } from './keyStore';
import { isInForm, readSwitch } from './parameters';
import { SentKeys } from './sentKeys';
import { repeatable } from './tries';
export const checkOnlyOption = {
    displayName: 'Check Only',
    name: 'checkOnly',
    type: 'boolean',
    default: false,
    description: "Whether to check everything and send nothing: the output says what would be sent. The expression {{ $execution.mode === 'test' }} sends in published workflows only.",
    builderHint: { propertyHint: 'Switch on to try a workflow: nobody gets an e-mail.' },
};
export const sendOnceOption = {
    displayName: 'Send Once Key',
    name: 'sendOnceKey',
    type: 'string',
    default: '',
    placeholder: 'e.g. {{ $json.contractNumber }}',
    description: 'What makes this item unique, such as a contract number. An item whose key this node has sent before is skipped, also when the workflow is run again.',
    builderHint: {
        propertyHint: 'Set it where a workflow can run twice for one person, to a value from the item that is unique for each contract. An empty value fails the item.',
    },
};
export async function sendItem(item, operation) {
    const checkOnly = isCheckOnly(item);
    const key = operation.isSentBefore?.(item) ? undefined : readKey(item);
    if (key === undefined) {
        const prepared = await operation.prepare(item);
        return checkOnly ? checkedOutput(item, prepared.preview) : await prepared.send();
    }
    const keys = SentKeys.of(item.execute);
    const entry = `${operation.resource}/${operation.value}:${key}`;
    const own = { key, entry, keys };
    const work = checkOnly ? checkOnce : sendOnce;
    return await keys.alone(entry, async () => await work(item, operation, own));
}
async function sendOnce(item, operation, own) {
    const { key, entry, keys } = own;
    const state = await repeatable(keys.claim(entry));
    if (state !== 'new')
        return [{ json: await skipped(item, operation, own, state) }];
    const sent = await attempt(operation.prepare(item).then(async (ready) => await ready.send()));
    if (sent.ok) {
        const id = hasTodaysForm(item) ? sent.value[0]?.sentId : undefined;
        await attempt(keys.confirm(entry, id));
        return sent.value;
    }
    const { error } = sent;
    if (error instanceof ServiceError && error.mayHaveCreated) {
        throw error.withDetail(` The Send Once Key "${key}" is kept: a re-run skips this item.`);
    }
    await keys.release(entry);
    throw error;
}
async function checkOnce(item, operation, own) {
    const state = await repeatable(own.keys.stateOf(own.entry));
    const first = await item.shared(`checked ${own.entry}`, async () => item.itemIndex);
    if (state !== 'new') {
        return checkedOutput(item, await skipped(item, operation, own, state));
    }
    if (first !== item.itemIndex) {
        const reason = `Item ${first + 1} has the same key`;
        return checkedOutput(item, { skipped: true, sendOnceKey: own.key, reason });
    }
    return checkedOutput(item, (await operation.prepare(item)).preview);
}
async function skipped(item, { idField }, { key, entry, keys }, state) {
    if (state === 'unknown') {
        item.hint('An item was skipped although nobody knows whether it was sent: an earlier run began to send it and was never told how it ended. The item says "mayHaveBeenCreated".');
        return {
            skipped: true,
            sendOnceKey: key,
            mayHaveBeenCreated: true,
            reason: 'An earlier run began to send this key and was never told how it ended. Look at the service. To send it again, use another key.',
        };
    }
    const id = await attempt(hasTodaysForm(item) ? keys.idOf(entry) : Promise.resolve(undefined));
    return {
        skipped: true,
        sendOnceKey: key,
        ...(id.ok && id.value ? { [idField]: id.value } : {}),
        reason: 'This key was sent before',
    };
}
function readKey(item) {
    const { displayName } = sendOnceOption;
    const name = `options.${sendOnceOption.name}`;
    const value = item.parameter(name);
    if (isEmpty(value) && !isInForm(item, name))
        return undefined;
    return readKeyToKeep(item.execute, value, displayName, 'Let the expression give a short text, such as a contract number.');
}
function isCheckOnly(item) {
    const { displayName } = checkOnlyOption;
    const name = `options.${checkOnlyOption.name}`;
    if (!isEmpty(item.parameter(name)))
        return readSwitch(item, name, displayName);
    if (!isInForm(item, name))
        return false;
    throw new InputError(displayName, 'the expression gives nothing for this item', 'Let the expression give true or false.');
}
function checkedOutput(item, preview) {
    item.hint('Check Only is on: nothing was sent.');
    return [{ json: { ...preview, checkOnly: true } }];
}
