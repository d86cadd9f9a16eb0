import type { EventType, WebhookRegistration } from '../../api/types';
import { events, identityEvent } from '../../notifications/events';
import type { ServiceRequest } from '../../transport/client';
import { isObject } from '../../transport/envelope';
import { textOf } from '../../transport/text';
import { optionsField } from '../options';
import type { ItemContext, Operation } from '../types';
import { readText, readWebAddress } from '../values';
import { readEvent, redactRegistration } from './registration';

/**
 * webhook / create: has the service report an event to an address
 * (docs/service.md#register-a-document-webhook, #register-an-identity-webhook).
 */
export const createWebhook: Operation = {
	resource: 'webhook',
	value: 'create',
	name: 'Create',
	action: 'Create a webhook',
	description:
		'Have the service report an event to a web address. To start a workflow, use the SignVerify Trigger instead: it does this by itself.',
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
			description: 'The address to which the service sends its reports',
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
		const type = readEvent(item.parameter('event'));
		const url = readWebAddress(
			item.parameter('webhookUrl'),
			'Webhook URL',
			'Enter the address that is to receive the reports.',
		);
		const name = type === identityEvent ? readName(item) : undefined;
		const { responseData } = await item.service.call<WebhookRegistration>({
			...requestOf(type, url, name),
			creates: 'the webhook',
			secrets: [url],
		});
		// An answer without the registration still was a success.
		const registration = isObject(responseData)
			? responseData
			: { type, webHookUrl: url, ...(name ? { name } : {}) };
		const json = redactRegistration(registration);
		return [{ json, created: `webhook ${textOf(json.webHookID)}`.trim() }];
	},
};

function requestOf(type: EventType, url: string, name: string | undefined): ServiceRequest {
	return name === undefined
		? { method: 'POST', path: '/webhooks', qs: { url, type } }
		: { method: 'POST', path: '/webhooks/verify', body: { name, type, url } };
}

function readName(item: ItemContext): string {
	return readText(item.parameter('name'), 'Name', 'Enter a name for the webhook.');
}
