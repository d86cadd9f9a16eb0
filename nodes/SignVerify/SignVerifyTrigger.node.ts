import {
	NodeConnectionTypes,
	type IHookFunctions,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';

import { secretParameter } from './notifications/authenticity';
import { documentEvents } from './notifications/events';
import { checkExists, create, readEvents, remove } from './notifications/lifecycle';
import { simplifyNotification } from './notifications/output';
import { judge } from './notifications/receive';

/** The trigger node: starts a workflow when something happens to a document. */
export class SignVerifyTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'SignVerify Trigger',
		name: 'signVerifyTrigger',
		icon: { light: 'file:signVerify.svg', dark: 'file:signVerify.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: '={{$parameter["events"].join(", ")}}',
		description: 'Starts the workflow when a document is sent, signed or completed',
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
				responseMode: 'onReceived',
				// Without it n8n answers the sender with the word "firstEntryJson".
				responseData: '',
				path: 'signverify',
			},
		],
		properties: [
			{
				displayName: 'Events',
				name: 'events',
				type: 'multiOptions',
				required: true,
				options: documentEvents,
				default: ['completedDocument'],
				description: 'What to start the workflow for',
			},
			{
				displayName: 'Simplify',
				name: 'simplify',
				type: 'boolean',
				default: true,
				description:
					'Whether to return a simplified version of the response instead of the raw data',
			},
		],
	};

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
		const request = this.getRequestObject();
		const { secret } = this.getWorkflowStaticData('node');
		const verdict = judge(
			{
				secret: (this.getQueryData() as Record<string, unknown>)[secretParameter],
				body: this.getBodyData(),
				rawBody: request.rawBody,
			},
			secret,
			readEvents(this.getNodeParameter('events')),
		);
		if (!verdict.accepted) {
			// Only an answer written here reaches the sender with its status.
			this.getResponseObject().status(verdict.status).json({ message: verdict.reason });
			return { noWebhookResponse: true };
		}
		const { event, body } = verdict;
		const json = this.getNodeParameter('simplify', true) ? simplifyNotification(event, body) : body;
		return { workflowData: [this.helpers.returnJsonArray([json])] };
	}
}
