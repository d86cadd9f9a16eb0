import {
	NodeConnectionTypes,
	type IHookFunctions,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';

import { triggerFields } from './notifications/fields';
import { handleRequest } from './notifications/handle';
import { checkExists, create, remove } from './notifications/lifecycle';
import { getTemplates } from './notifications/templateChoices';

/** The trigger node: starts a workflow when something happens to a document or an identity request. */
export class SignVerifyTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'SignVerify Trigger',
		name: 'signVerifyTrigger',
		icon: { light: 'file:signVerify.svg', dark: 'file:signVerify.dark.svg' },
		group: ['trigger'],
		// The two are the same to us. But for each call to a node of version 1 n8n evaluates an
		// expression of its own, which takes longer than all that the trigger does with an event.
		version: [1, 1.1],
		defaultVersion: 1.1,
		subtitle: '={{$parameter["events"].join(", ")}}',
		description:
			'Starts the workflow when a document is sent, signed or completed, or an identity is verified',
		eventTriggerDescription: 'Waiting for the signing service to report an event',
		activationMessage:
			'The workflow now starts whenever the signing service reports one of the events.',
		defaults: { name: 'SignVerify Trigger' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'signVerifyApi', required: true }],
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				// n8n answers 200 once it has stored the execution (docs/trigger.md).
				responseMode: 'onReceived',
				// Without it n8n answers the sender with the word "firstEntryJson".
				responseData: '',
				path: 'signverify',
			},
		],
		properties: triggerFields,
	};

	methods = { loadOptions: { getTemplates } };

	webhookMethods = {
		default: {
			async checkExists(this: IHookFunctions): Promise<boolean> {
				return await checkExists.call(this);
			},
			async create(this: IHookFunctions): Promise<boolean> {
				return await create.call(this);
			},
			async delete(this: IHookFunctions): Promise<boolean> {
				return await remove.call(this);
			},
		},
	};

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await handleRequest(this);
	}
}
