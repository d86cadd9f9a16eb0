import { type IDataObject, isObjectEmpty } from 'n8n-workflow';

import { events, type EventType, identityEvent, isEvent } from '../../api/events';
import type { Webhook } from '../../api/types';
import { registerWebhook } from '../../api/webhooks';
import { textOf } from '../../util/values';
import { resumeTokenParameter } from '../../wait/webhook';
import { secretParameter } from '../../webhooks/url';
import { optionsField } from '../form';
import { readText, readWebAddress } from '../parameters';
import { InputError, readAll } from '../inputError';
import type { ItemContext, Operation } from '../types';

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
		const answer = await registerWebhook(
			item.service,
			{ type, url, name },
			{ creates: 'the webhook' },
		);
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

/** @throws InputError if it is not one of the seven event types. */
export function readEvent(value: unknown): EventType {
	if (isEvent(value)) return value;
	const given = textOf(value).slice(0, 80);
	throw new InputError(
		'Event',
		given ? `there is no event "${given}"` : 'none is chosen',
		`Choose an event from the list: ${events.map((each) => each.value).join(', ')}.`,
	);
}

/**
 * A webhook without secrets. The URL of a SignVerify Trigger has the trigger's secret. That of a waiting
 * execution has n8n's signature and the wait's own token.
 */
export function redactWebhook(webhook: Partial<Webhook>): IDataObject {
	const { webHookUrl } = webhook;
	if (typeof webHookUrl !== 'string') return { ...webhook };
	const names = [secretParameter, resumeTokenParameter, 'signature'].join('|');
	const secret = new RegExp(`([?&](?:${names})=)[^&#]*`, 'gi');
	return { ...webhook, webHookUrl: webHookUrl.replace(secret, '$1…') };
}
