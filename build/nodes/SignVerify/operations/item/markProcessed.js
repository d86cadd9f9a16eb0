import { InputError } from '../../http/errors';
import { repeatable } from '../tries';
import { readItemKey, unchanged } from './processOnce';
import { ProcessedKeys } from './processedKeys';
export const markItemProcessed = {
    resource: 'item',
    value: 'markProcessed',
    name: 'Mark as Processed',
    action: 'Mark item as processed',
    description: 'Say that an item is done: Process Once, in the same workflow, never continues with its key again',
    fields: [
        {
            displayName: 'Key',
            name: 'key',
            type: 'string',
            required: true,
            default: "={{ $('Process item once').item.json.eventId }}",
            placeholder: "e.g. {{ $('Process item once').item.json.eventId }}",
            description: 'The same key as in Process Once',
        },
    ],
    async run(item) {
        const { key, entry } = readItemKey(item);
        const wasBegun = await repeatable(ProcessedKeys.of(item.execute).finish(entry));
        if (!wasBegun && item.execute.getMode() !== 'manual') {
            throw new InputError('Key', `"${key}" is not a key that this workflow has begun with`, 'Enter the same key as in Process Once, in the same workflow.');
        }
        if (!wasBegun)
            item.hint('Nothing was marked: Process Once has not begun with this key.');
        return [unchanged(item)];
    },
};
