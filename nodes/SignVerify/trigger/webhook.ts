import type {
	IDataObject,
	INodeExecutionData,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import { claimEvent } from '../webhooks/seen';
import { type Answer, readEvent, respond } from '../webhooks/request';
import { readOutput, toItem } from '../webhooks/output';
import { isSecret, secretParameter } from '../webhooks/url';
import { passesFilters, readFilters } from './form';
import { readEvents } from './lifecycle';
import { isOwner, stateOf } from './state';

/** Handles a request to the trigger's URL: starts the workflow with the event, or answers why not. */
export async function handleRequest(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	return await respond(context, decide, 'SignVerify Trigger could not process an event');
}

async function decide(context: IWebhookFunctions): Promise<INodeExecutionData[] | Answer> {
	const query = context.getQueryData() as IDataObject;
	// Before anything of the body is read.
	const webhook = believedWebhook(context, query[secretParameter]);
	if (!webhook) {
		return { status: 401, message: 'The secret in the URL is missing or wrong.' };
	}
	const types = readEvents(context.getNodeParameter('events'));
	const notification = await readEvent(context, webhook.type, types);
	if ('message' in notification) return notification;
	if (webhook.type === 'completedDocument' && notification.document?.state !== 'completed') {
		return { status: 422, message: 'The document of this event is not completed.' };
	}
	if (!passesFilters(readFilters(context), notification)) {
		return { status: 200, message: 'A filter of this workflow excludes this event.' };
	}
	// Each webhook has its own secret, also that of a test run beside production.
	const key = `${webhook.hash} ${notification.repeatKey}`;
	const refused = await claimEvent(key, context.getResponseObject());
	if (refused) return refused;
	const choice = {
		output: readOutput(context.getNodeParameter('output', undefined)),
		files: Boolean(context.getNodeParameter('downloadFiles', false)),
		include: [context.getNodeParameter('options.include', [])].flat(),
	};
	return [await toItem(context, notification, choice)];
}

/** The webhook of this node, not of its original, to whose secret a request came. */
function believedWebhook(context: IWebhookFunctions, given: unknown) {
	const state = stateOf(context);
	const [type, webhook] =
		Object.entries(state.webhooks ?? {}).find(([, { hash }]) => isSecret(given, hash)) ?? [];
	if (!type || !webhook) return undefined;
	if (isOwner(context, state)) return { type, hash: webhook.hash };
	context.logger.warn(
		'SignVerify Trigger refused an event: this workflow is a copy and still has the webhooks of its original. Unpublish and publish the workflow. The trigger then registers its own URL.',
	);
	return undefined;
}
