import type { IDataObject } from 'n8n-workflow';

import { events, identityEvent } from '../../api/events';
import type { Webhook } from '../../api/types';
import { registerWebhook } from '../../api/webhooks';
import { outputField, textField } from '../../input/form';
import { readAll } from '../../input/inputError';
import { readChoice, readWebAddress, type Output } from '../../input/parameters';
import { readOutput, readSentText } from '../../input/savedForm';
import { withoutLogins } from '../../util/redact';
import { isoTime, textOf } from '../../util/values';
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
		textField({
			displayName: 'Webhook URL',
			name: 'webhookUrl',
			placeholder: 'e.g. https://example.com/signing-events',
			description: 'The URL that the service calls',
		}),
		textField({
			displayName: 'Name',
			name: 'name',
			placeholder: 'e.g. Onboarding checks',
			displayOptions: { show: { event: [identityEvent] } },
			description: 'What the webhook is called at the service',
		}),
		outputField,
	],

	async run(item) {
		const event = item.parameter('event');
		const { type, url, name, output } = readAll({
			type: () => readChoice(event, 'Event', events).value,
			url: () =>
				readWebAddress(item.parameter('webhookUrl'), 'Webhook URL', 'Enter the URL to call.'),
			name: () =>
				event === identityEvent
					? readSentText(item, item.parameter('name'), 'Name', 'Enter a name.')
					: '',
			output: () => readOutput(item),
		});
		const answer = await registerWebhook(
			item.service,
			{ type, url, name },
			{ kind: 'creating', noun: 'the webhook' },
		);
		// The answer of a success may be empty.
		const registered = { type, webHookUrl: url, ...(name ? { name } : {}) };
		const json = outputOfWebhook(output, { ...registered, ...answer });
		return [{ json, created: `webhook ${textOf(answer.webHookID)}`.trim() }];
	},
};

/** What to output of a webhook. Neither choice has the secrets of its URL. */
export function outputOfWebhook(output: Output, webhook: Partial<Webhook>): IDataObject {
	const raw = redactWebhook(webhook);
	if (output === 'raw') return raw;
	const { webHookID, type, webHookUrl, name, addedOn } = raw;
	return {
		...(webHookID === undefined ? {} : { webhookId: webHookID }),
		event: type,
		webhookUrl: webHookUrl,
		...(name === undefined ? {} : { name }),
		...(addedOn === undefined ? {} : { createdAt: isoTime(addedOn) }),
	};
}

/**
 * A webhook without secrets: our own URLs have one, and nobody knows where a URL of others has it. So each
 * login and each value of a query is left out, in every text of the webhook. A name is redacted only from a URL in it
 * on.
 */
export function redactWebhook(webhook: Partial<Webhook>): IDataObject {
	const withoutSecrets = (name: string, given: unknown) => {
		if (typeof given !== 'string') return given;
		const value = withoutLogins(given);
		const start = name === 'name' ? value.search(/^\/|(?::|%3a)(?:\/|%2f)/i) : 0;
		if (start < 0) return value;
		// The question mark may be encoded, too.
		const [query = ''] = /(?:[?#]|%3f).*/is.exec(value.slice(start)) ?? [];
		const shown = query.replace(/[^?&;#]+/g, (part) => `${part.slice(0, part.indexOf('=') + 1)}…`);
		return value.slice(0, value.length - query.length) + shown;
	};
	return JSON.parse(JSON.stringify(webhook), withoutSecrets) as IDataObject;
}
