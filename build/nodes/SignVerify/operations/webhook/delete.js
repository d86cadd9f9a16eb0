import { removeWebhook } from '../../api/webhooks';
import { ServiceError } from '../../http/errors';
import { locatorField, optionsField } from '../form';
import { readId } from '../parameters';
export const deleteWebhook = {
    resource: 'webhook',
    value: 'delete',
    name: 'Delete',
    action: 'Delete webhook',
    description: 'Delete a webhook. The service then no longer calls its URL.',
    fields: [
        locatorField({
            displayName: 'Webhook',
            name: 'webhookId',
            description: 'The webhook to delete. To end that of a SignVerify Trigger, unpublish its workflow instead.',
        }, 'Choose a webhook…', 'searchWebhooks'),
        optionsField(),
    ],
    async run(item) {
        const webHookID = readId(item.locator('webhookId'), 'Webhook', 'Choose one from the list, or enter the webHookID that creating or listing gave.');
        const done = await removeWebhook(item.service, { webHookID });
        if (done === 'deleted')
            return [{ json: { deleted: true, webHookID } }];
        throw notDeletable(webHookID);
    },
};
function notDeletable(webHookID) {
    return new ServiceError({
        message: `Webhook: the service has none with the ID "${webHookID}" that it lets us delete`,
        description: 'It may be deleted already. If it is one for identity verifications, delete it at the service itself.',
        httpStatus: 404,
    });
}
