import type {
	IDataObject,
	INodeExecutionData,
	INodeTypeDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import type { Notification } from '../api/notification';
import { ServiceClient } from '../http/client';
import { contextOfNode } from '../n8nInternals';
import { settle } from '../util/async';
import { textOf } from '../util/values';
import { type Answer, readEvent, respond } from '../webhooks/request';
import { claimEvent, isAccepted } from '../webhooks/seen';
import { toItem } from '../webhooks/output';
import { isSecret, secretParameter } from '../webhooks/url';
import { identityOutcome, isAwaited } from './outcome';
import { stateKey, type WaitState, type WaitTarget } from './start';
import { removeWait, type WaitWebhook } from './webhook';

/** How n8n receives the event of a waiting execution; the rest is its own for `sendAndWait`. */
export const resumeWebhooks: INodeTypeDescription['webhooks'] = [
	{
		name: 'default',
		httpMethod: 'POST',
		// n8n answers 200 once the execution continues.
		responseMode: 'onReceived',
		// Without it n8n answers the sender with the word "firstEntryJson".
		responseData: '',
		path: '={{ $nodeId }}',
		restartWebhook: true,
		isFullPath: true,
	},
];

/** Handles a request to the URL of a waiting execution; n8n has checked its signature. */
export async function handleResume(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	return await respond(context, decide, 'SignVerify could not process the event that it waits for');
}

/** @returns The item to continue with, or an answer, and the execution keeps waiting. */
async function decide(context: IWebhookFunctions): Promise<INodeExecutionData[] | Answer> {
	const query = context.getQueryData() as IDataObject;
	// n8n also accepts the execution's own resume token, so the wait's own secret decides.
	if (textOf(query[secretParameter]) === '') {
		return { status: 401, message: 'The secret in the URL is missing or wrong.' };
	}
	// Nobody waits, or n8n has not stored it yet.
	const state = contextOfNode(context)?.[stateKey] as WaitState | undefined;
	if (!state) return { status: 503, message: 'This execution is about to wait. Send it again.' };
	const { target, webhook } = state;
	// It may be the URL of an earlier wait, as in a loop.
	if (!isSecret(query[secretParameter], webhook.hash)) {
		return { status: 200, message: 'This wait is over.' };
	}
	const notification = await readEvent(context, webhook.event, [webhook.event]);
	if ('message' in notification) return notification;
	const outcome = await outcomeOf(context, target, notification);
	if (outcome === 'later') {
		return { status: 503, message: 'The service does not say so yet. Send it again.' };
	}
	if (!outcome) return { status: 200, message: 'This execution waits for something else.' };
	const refused = await claimEvent(webhook.hash, context.getResponseObject());
	if (refused) return refused;
	const item = target.kind === 'document' ? await toItem(context, notification, target) : undefined;
	void removeAfterwards(context, webhook);
	return [{ ...item, json: { ...item?.json, ...outcome }, pairedItem: { item: 0 } }];
}

/**
 * What to add to the output if the event ends the wait, or `later` if the service must be asked, and does
 * not say so.
 */
async function outcomeOf(
	context: IWebhookFunctions,
	target: WaitTarget,
	notification: Notification,
): Promise<IDataObject | undefined | 'later'> {
	if (target.kind === 'document') {
		const { document } = notification;
		if (document?.state === 'open' || !isAwaited(document, target.document)) return undefined;
		const end = { completed: document?.state === 'completed', timedOut: false };
		return target.output === 'raw' ? {} : end;
	}
	// The sender of the event waits for the answer and sends it again, so each call has one try.
	const service = new ServiceClient(context, 0);
	const answer = await settle(identityOutcome(service, target, notification.validationIds));
	return answer.ok ? answer.value : 'later';
}

/**
 * Removes the webhook after n8n has answered 2xx, which it does when the execution continues. If n8n fails
 * before, the event must be sent again.
 */
async function removeAfterwards(context: IWebhookFunctions, webhook: WaitWebhook): Promise<void> {
	if (!(await isAccepted(context.getResponseObject()))) return;
	await settle(removeWait(new ServiceClient(context), webhook));
}
