import { unregisterWebhook } from '../../api/webhooks';
import { readItemText } from '../../columns/itemText';
import { fieldOf } from '../../form/field';
import { chosenText, locatorField } from '../../form/locator';
import { textRules } from '../../form/texts';
import { readId } from '../../form/valueReaders';
import { ServiceError } from '../../http/serviceError';
import { registrationProblems } from '../../registrations/registrationProblems';
import type { Operation } from '../operationTypes';

const webhookField = locatorField(
	{
		displayName: 'Webhook',
		name: 'webhookId',
		description:
			"The webhook to delete. To remove a SignVerify Trigger's webhook, unpublish the workflow instead.",
	},
	'Choose a webhook…',
	'searchWebhooks',
);

/**
 * webhook / delete: deletes a webhook so that its URL is no longer called
 * (docs/dev/service.md#delete-a-webhook).
 */
export const deleteWebhook: Operation = {
	resource: 'webhook',
	value: 'delete',
	name: 'Delete',
	action: 'Delete webhook',
	description: 'Delete a webhook so that your provider stops calling its URL',
	fields: [webhookField],

	async run(item) {
		const remedy =
			'Select one from the list, or enter the webhookId returned by the Create webhook or Get many webhooks action.';
		const chosen = textRules.chosen(remedy);
		const webhookId = readItemText(item, chosenText(item, fieldOf(webhookField)), {
			...chosen,
			read: (entered) => readId(chosen.read(entered), entered.label, remedy),
		});
		const done = await unregisterWebhook(item.service, { webHookID: webhookId });
		if (done === 'deleted') return [{ json: { deleted: true, webhookId } }];
		// The service does not document whether it deletes identity webhooks
		// (docs/dev/service.md#seen-webhooks).
		throw new ServiceError({
			...registrationProblems.notDeleted(webhookId),
			shownStatus: 404,
			serviceStatus: 404,
		});
	},
};
