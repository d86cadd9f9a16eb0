import { eventChoices, eventRow, identityEvents, isIdentityEvent } from '../../api/events';
import { registerWebhook } from '../../api/webhooks';
import { readItemText } from '../../columns/itemText';
import { fieldOf } from '../../form/field';
import { outputField, readOutput } from '../../form/outputChoice';
import { enteredIn, textRules, textField } from '../../form/texts';
import { readChoice } from '../../form/valueReaders';
import { registrationProblems } from '../../registrations/registrationProblems';
import { differenceOf } from '../../registrations/returnedUrl';
import { readAll } from '../../errors/inputError';
import { textOf } from '../../util/values';
import type { Operation } from '../operationTypes';
import { outputOfWebhook } from './webhookOutput';

const webhookUrlField = textField({
	displayName: 'Webhook URL',
	name: 'webhookUrl',
	placeholder: 'e.g. https://example.com/signing-events',
	description: 'The URL to call when the event happens',
});

const webhookNameField = textField({
	displayName: 'Name',
	name: 'name',
	placeholder: 'e.g. Onboarding checks',
	displayOptions: { show: { event: identityEvents } },
	description: "Name of the webhook in your provider's account",
});

const webhookTexts = {
	url: textRules.webAddress('Enter the URL to call.'),
	name: textRules.plain('Enter a name.'),
};

/**
 * webhook / create: registers a URL that the service calls when an event happens
 * (docs/dev/service.md#register-a-document-webhook, #register-an-identity-webhook).
 */
export const createWebhook: Operation = {
	resource: 'webhook',
	value: 'create',
	name: 'Create',
	action: 'Create webhook',
	description:
		'Have your provider call a URL when an event happens. To start a workflow, use SignVerify Trigger instead.',
	fields: [
		{
			displayName: 'Event',
			name: 'event',
			type: 'options',
			options: eventChoices,
			default: 'completedDocument',
			description: 'The event to be notified about',
		},
		webhookUrlField,
		webhookNameField,
		outputField(),
	],

	async run(item) {
		const event = item.parameter('event');
		const { type, url, name, output } = readAll({
			type: () => readChoice(event, 'Event', eventChoices).value,
			url: () => readItemText(item, enteredIn(item, fieldOf(webhookUrlField)), webhookTexts.url),
			name: () =>
				isIdentityEvent(event)
					? readItemText(item, enteredIn(item, fieldOf(webhookNameField)), webhookTexts.name)
					: '',
			output: () => readOutput(item),
		});
		const response = await registerWebhook(
			item.service,
			{ event: eventRow(type), url, name },
			{ purpose: 'creating', noun: 'the webhook' },
		);
		const difference = differenceOf(url, textOf(response.webHookUrl));
		if (difference && difference.effect !== 'unclear') {
			const { problem, remedy } = registrationProblems.urlUnclear(difference.words);
			item.hint(`${problem}. ${remedy}`);
		}
		// The response can be empty even if the webhook was registered, so start with the values that were
		// sent.
		const registered = { type, webHookUrl: url, ...(name ? { name } : {}) };
		const json = outputOfWebhook(output, { ...registered, ...response });
		return [{ json, created: `webhook ${textOf(response.webHookID)}`.trim() }];
	},
};
