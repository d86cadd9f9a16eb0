import type { IDataObject } from 'n8n-workflow';

import { events, identityEvent } from '../../api/events';
import type { Webhook } from '../../api/types';
import { registerWebhook } from '../../api/webhooks';
import { textOf } from '../../util/values';
import { readChoice, readText, readWebAddress } from '../parameters';
import { readAll } from '../inputError';
import type { Operation } from '../types';

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
	],

	async run(item) {
		const event = item.parameter('event');
		const { type, url, name } = readAll({
			type: () => readChoice(event, 'Event', events).value,
			url: () =>
				readWebAddress(item.parameter('webhookUrl'), 'Webhook URL', 'Enter the URL to call.'),
			name: () =>
				event === identityEvent ? readText(item.parameter('name'), 'Name', 'Enter a name.') : '',
		});
		const answer = await registerWebhook(item.service, { type, url, name }, 'the webhook');
		// The answer of a success may be empty.
		const registered = { type, webHookUrl: url, ...(name ? { name } : {}) };
		const json = redactWebhook({ ...registered, ...answer });
		return [{ json, created: `webhook ${textOf(json.webHookID)}`.trim() }];
	},
};

/**
 * A webhook without secrets: our own URLs have one, and nobody knows where a URL of others has it. So each
 * value of a query is left out, in every text of the webhook.
 */
export function redactWebhook(webhook: Partial<Webhook>): IDataObject {
	const withoutValues = (_name: string, value: unknown) => {
		if (typeof value !== 'string') return value;
		// The question mark may be encoded, too.
		const [query = ''] = /(?:[?#]|%3f).*/is.exec(value) ?? [];
		const shown = query.replace(/[^?&;#]+/g, (part) => `${part.slice(0, part.indexOf('=') + 1)}…`);
		return value.slice(0, value.length - query.length) + shown;
	};
	return JSON.parse(JSON.stringify(webhook), withoutValues) as IDataObject;
}
