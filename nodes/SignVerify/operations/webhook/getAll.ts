import { eventChoices } from '../../api/events';
import { listWebhooks } from '../../api/webhooks';
import { filtersField } from '../../form/collections';
import { outputField, readOutput } from '../../form/outputChoice';
import { resultLimitFields, readResultLimit } from '../../form/resultLimit';
import { readOptionalChoice } from '../../form/savedForm';
import { readAll } from '../../errors/inputError';
import type { Operation } from '../operationTypes';
import { outputOfWebhook } from './webhookOutput';

/**
 * webhook / getAll: lists the account's webhooks (docs/dev/service.md#list-webhooks). Some services don't
 * list identity webhooks.
 */
export const getAllWebhooks: Operation = {
	resource: 'webhook',
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many webhooks',
	description:
		'List the webhooks in your account. The secrets in SignVerify Trigger URLs are hidden.',
	fields: [
		...resultLimitFields,
		outputField(),
		filtersField([
			{
				displayName: 'Event',
				name: 'event',
				type: 'options',
				options: eventChoices,
				default: 'completedDocument',
				description: 'Only webhooks for this event',
			},
		]),
	],

	async run(item) {
		const { maxResults, output, event } = readAll({
			maxResults: () => readResultLimit(item),
			output: () => readOutput(item),
			event: () =>
				readOptionalChoice(item, { name: 'filters.event', label: 'Event' }, eventChoices),
		});
		// The service does not document how it filters webhooks, so load the entire list and filter it here.
		const webhooks = await item.remember('webhooks', async () => await listWebhooks(item.service));
		const found = webhooks.filter(({ type }) => !event || type === event.value);
		return found
			.slice(0, maxResults)
			.map((webhook) => ({ json: outputOfWebhook(output, webhook) }));
	},
};
