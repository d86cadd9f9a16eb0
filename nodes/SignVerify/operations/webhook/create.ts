import { isObjectEmpty } from 'n8n-workflow';

import { events, identityEvent } from '../../api/events';
import { registerWebhook } from '../../api/webhooks';
import { textOf } from '../../util/values';
import { optionsField } from '../form';
import { readText, readWebAddress } from '../parameters';
import { readAll } from '../problems';
import type { ItemContext, Operation } from '../types';
import { readEvent, redactWebhook } from './fields';

/**
 * webhook / create: registers a URL that the service calls at an event
 * (docs/dev/service.md#register-a-document-webhook, #register-an-identity-webhook).
 */
export const createWebhook: Operation = {
	resource: 'webhook',
	value: 'create',
	name: 'Create',
	action: 'Create webhook',
	description:
		'Register a URL that the service calls at an event. To start a workflow, use the SignVerify Trigger instead. It does this by itself.',
	fields: [
		{
			displayName: 'Event',
			name: 'event',
			type: 'options',
			options: events,
			default: 'completedDocument',
			description: 'What the service is to report',
		},
		{
			displayName: 'Webhook URL',
			name: 'webhookUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://example.com/signing-events',
			description: 'The URL that the service calls',
		},
		{
			displayName: 'Name',
			name: 'name',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. Onboarding checks',
			displayOptions: { show: { event: [identityEvent] } },
			description: 'What the webhook is called at the service',
		},
		optionsField(),
	],

	async run(item) {
		const remedy = 'Enter the URL that the service is to call.';
		const { type, url, name } = readAll({
			type: () => readEvent(item.parameter('event')),
			url: () => readWebAddress(item.parameter('webhookUrl'), 'Webhook URL', remedy),
			name: () => (item.parameter('event') === identityEvent ? readName(item) : ''),
		});
		const answer = await registerWebhook(item.service, { type, url, name }, 'the webhook');
		// The answer of a success may be empty.
		const webhook = isObjectEmpty(answer)
			? { type, webHookUrl: url, ...(name ? { name } : {}) }
			: answer;
		const json = redactWebhook(webhook);
		return [{ json, created: `webhook ${textOf(json.webHookID)}`.trim() }];
	},
};

function readName(item: ItemContext): string {
	return readText(item.parameter('name'), 'Name', 'Enter a name for the webhook.');
}
