import {
	NodeConnectionTypes,
	type IHookFunctions,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';

import { triggerHint } from './builderHints';
import { withSavedCollections } from './form/collections';
import { loadOptions } from './methods/loadOptions';
import { subtitle, triggerFields } from './trigger/form';
import { publishTrigger, unpublishTrigger } from './trigger/lifecycle';
import { startOnEvent } from './trigger/onTriggerEvent';

export class SignVerifyTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'SignVerify Trigger',
		name: 'signVerifyTrigger',
		icon: { light: 'file:signVerify.svg', dark: 'file:signVerify.dark.svg' },
		group: ['trigger'],
		// @n8n Must be above 1. For a version 1 trigger, n8n evaluates an extra expression on every event, which
		// takes longer than all of the trigger's own work.
		version: 1.1,
		subtitle,
		// @n8n n8n's list of nodes has one entry for both nodes, with this text instead of the action node's, even after a
		// workflow's first step. So it begins with what most people want to do.
		description:
			'Send contracts for signature, and start a workflow when people sign, or when an identity verification ends.',
		// The canvas shows this next to the node while the node is listening for a test event.
		eventTriggerDescription: 'Waiting for one of the selected events to happen',
		activationMessage: 'Your workflow now starts whenever one of its events happens.',
		triggerPanel: {
			header: 'Wait for an event',
			executionsHelp: {
				inactive:
					"<b>While building your workflow</b>, click the 'Execute step' button, then make the event happen, for example by sending or signing a document. n8n listens for two minutes. Your provider must be able to reach n8n.<br /><br /><b>Once you're happy with your workflow</b>, publish it. It then runs each time one of the events happens. These executions show up in the <a data-key='executions'>executions list</a>, but not in the editor.",
				active:
					"<b>While building your workflow</b>, click the 'Execute step' button, then make the event happen, for example by sending or signing a document. The published workflow keeps running.<br /><br /><b>Your workflow is published</b>, so it runs each time one of the events happens. These executions show up in the <a data-key='executions'>executions list</a>, but not in the editor.",
			},
		},
		defaults: { name: 'SignVerify Trigger' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'signVerifyApi', required: true }],
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				// In this mode, n8n responds with 200 as soon as it has stored the execution
				// (docs/trigger.md).
				responseMode: 'onReceived',
				// @n8n Without an empty string here, n8n would respond with the word "firstEntryJson".
				responseData: '',
				path: 'signverify',
			},
		],
		builderHint: triggerHint,
		properties: withSavedCollections(triggerFields),
	};

	methods = { loadOptions };

	webhookMethods = {
		default: {
			// Always return false so that n8n calls create() every time. create() compares the registered
			// webhooks with the required ones, and changes nothing if they match.
			checkExists: async () => false,
			async create(this: IHookFunctions): Promise<boolean> {
				return await publishTrigger(this);
			},
			async delete(this: IHookFunctions): Promise<boolean> {
				return await unpublishTrigger(this);
			},
		},
	};

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await startOnEvent(this);
	}
}
