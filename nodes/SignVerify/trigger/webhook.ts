import type {
	IDataObject,
	INodeExecutionData,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import type { Notification } from '../api/notification';
import { claimEvent } from '../webhooks/seen';
import { readFileSeconds, withFiles } from '../webhooks/files';
import { type Answer, respond } from '../webhooks/respond';
import { simplifyNotification } from '../webhooks/simplify';
import { readEvent } from '../webhooks/validate';
import { eventParameter, isSecret, secretParameter } from '../webhooks/url';
import { textOf } from '../util/values';
import { passesFilters } from './filters';
import { readEvents } from './lifecycle';
import { isOwner, stateOf, type TriggerState } from './state';

/** Handles a request to the trigger's URL: starts the workflow with the event, or answers why not. */
export async function handleRequest(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const failed = 'SignVerify Trigger could not process an event';
	return await respond(context, async () => await decide(context), failed);
}

async function decide(context: IWebhookFunctions): Promise<INodeExecutionData[] | Answer> {
	const query = context.getQueryData() as IDataObject;
	const state = stateOf(context);
	// Before anything of the body is read.
	if (!isBelieved(context, state, query[secretParameter])) {
		return { status: 401, message: 'The secret in the URL is missing or wrong.' };
	}
	const types = readEvents(context.getNodeParameter('events'));
	const notification = await readEvent(context, types, textOf(query[eventParameter]));
	if ('message' in notification) return notification;

	if (!passesFilters(context.getNodeParameter('filters', {}), notification)) {
		return { status: 200, message: 'A filter of this workflow excludes this event.' };
	}
	// Each node has its own secret, and so does a test run beside production.
	const key = `${textOf(state.secret)} ${notification.id}`;
	const refused = await claimEvent(key, context.getResponseObject());
	return refused ?? [await toItem(context, notification)];
}

/** Whether a request has the secret of this node, not that of its original. */
function isBelieved(context: IWebhookFunctions, state: TriggerState, given: unknown): boolean {
	if (!isSecret(given, state.secret)) return false;
	if (isOwner(context, state)) return true;
	context.logger.warn(
		'SignVerify Trigger refused an event: this workflow is a copy and still has the secret of its original. Unpublish and publish the workflow. The trigger then registers its own URL.',
	);
	return false;
}

async function toItem(
	context: IWebhookFunctions,
	notification: Notification,
): Promise<INodeExecutionData> {
	const json = context.getNodeParameter('simplify', true)
		? simplifyNotification(notification)
		: notification.body;
	if (!context.getNodeParameter('downloadFiles', false)) return { json };
	const options = context.getNodeParameter('options', {}) as IDataObject;
	return await withFiles(json, context, notification, readFileSeconds(options.fileSeconds));
}
