import { InputError } from '../../http/errors';
import { readNumber } from '../problems';
import { readKeyToKeep } from '../keyStore';
import { readSwitch } from '../parameters';
import { ProcessedKeys } from './processedKeys';
const defaultMinutes = 60;
const mostMinutes = 366 * 24 * 60;
export const processItemOnce = {
    resource: 'item',
    value: 'processOnce',
    name: 'Process Once',
    action: 'Process item once',
    description: 'Continue only with items that this workflow has not processed before. At the end of the workflow, use Mark as Processed with the same key.',
    fields: [
        {
            displayName: 'Key',
            name: 'key',
            type: 'string',
            required: true,
            default: '={{ $json.eventId }}',
            placeholder: 'e.g. {{ $json.eventId }}',
            description: 'What makes the item unique. The eventId of an event is the same each time the event is reported.',
        },
        {
            displayName: 'Options',
            name: 'options',
            type: 'collection',
            placeholder: 'Add option',
            default: {},
            options: [
                {
                    displayName: 'Continue in Test Executions',
                    name: 'continueInTests',
                    type: 'boolean',
                    default: false,
                    description: 'Whether to continue with every item, and remember none, when you run the workflow in the editor',
                },
                {
                    displayName: 'Process Again After (Minutes)',
                    name: 'processAgainAfter',
                    type: 'number',
                    typeOptions: { minValue: 1 },
                    default: defaultMinutes,
                    description: 'When an item that was begun and never marked as processed may continue again, if its event comes again. Enter more minutes than the workflow needs, with all that it waits for. A retried execution continues at once.',
                },
            ],
        },
    ],
    async run(item) {
        const { execute } = item;
        const { key, entry } = readItemKey(item);
        const minutes = readNumber(item.parameter('options.processAgainAfter') ?? defaultMinutes, 'Process Again After', { most: mostMinutes });
        const inTests = readSwitch(item, 'options.continueInTests', 'Continue in Test Executions');
        if (inTests && execute.getMode() === 'manual')
            return [unchanged(item)];
        const state = await beginWith(item, entry, minutes);
        if (state === 'begun')
            return [unchanged(item)];
        if (state === 'underWay' && isRetry(item))
            throw stillUnderWay(key, minutes);
        item.hint(reasonOf(state, minutes));
        return [];
    },
};
async function beginWith(item, entry, minutes) {
    const first = await item.shared(entry, async () => item.itemIndex);
    if (first !== item.itemIndex)
        return 'repeated';
    return await ProcessedKeys.of(item.execute).begin(entry, {
        abandonedBefore: Date.now() - minutes * 60_000,
        isRetry: isRetry(item),
    });
}
function isRetry({ execute }) {
    return execute.getMode() === 'retry';
}
function stillUnderWay(key, minutes) {
    return new InputError('Key', `another execution has begun with "${key}"`, `Look for it in the list of executions. If it has ended, retry this one ${minutes} minutes after it began.`);
}
function reasonOf(state, minutes) {
    if (state === 'processed')
        return 'Items that were processed before do not continue.';
    if (state === 'repeated')
        return 'Of several items with the same key, only the first continues.';
    return `Items that another execution has begun do not continue. If it ended without "Mark as Processed", retry it, or let the event come again ${minutes} minutes after it began.`;
}
const prefix = 'item/';
export function readItemKey(item) {
    const key = readKeyToKeep(item.execute, item.parameter('key'), 'Key', "Let the expression give a short text, such as the event's eventId.");
    return { key, entry: `${prefix}${key}` };
}
export function unchanged({ input: { json, binary } }) {
    return binary ? { json, binary } : { json };
}
