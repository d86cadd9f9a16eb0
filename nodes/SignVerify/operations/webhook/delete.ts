import { removeWebhook } from '../../api/webhooks';
import { ServiceError } from '../../http/errors';
import { locatorField } from '../../input/form';
import { readId } from '../../input/parameters';
import type { Operation } from '../types';

/** webhook / delete: the service no longer calls a URL (docs/dev/service.md#delete-a-webhook). */
export const deleteWebhook: Operation = {
	resource: 'webhook',
	value: 'delete',
	name: 'Delete',
	action: 'Delete webhook',
	description: 'Delete a webhook. The service then no longer calls its URL.',
	fields: [
		locatorField(
			{
				displayName: 'Webhook',
				name: 'webhookId',
				description:
					'The webhook to delete. To end that of a SignVerify Trigger, unpublish its workflow instead.',
			},
			'Choose a webhook…',
			'searchWebhooks',
		),
	],

	async run(item) {
		const webhookId = readId(
			item.locator('webhookId'),
			'Webhook',
			'Choose one from the list, or enter the webhookId that creating or listing gave.',
		);
		const done = await removeWebhook(item.service, { webHookID: webhookId });
		if (done === 'deleted') return [{ json: { deleted: true, webhookId } }];
		// Whether identity webhooks can be deleted is not documented (docs/dev/service.md#seen-webhooks).
		throw new ServiceError({
			message: `Webhook: the service has none with the ID "${webhookId}" that it lets us delete`,
			description:
				'It may be deleted already. If it is one for identity verifications, delete it at the service itself.',
			httpStatus: 404,
			serviceStatus: 404,
			docsAnchor: 'webhook-the-service-has-none-with-the-id-that-it-lets-us-delete',
		});
	},
};
