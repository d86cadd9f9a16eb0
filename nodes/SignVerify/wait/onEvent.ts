import type {
	IDataObject,
	INodeExecutionData,
	INodeTypeDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import type { Notification } from '../api/notification';
import { toItem } from '../events/output';
import {
	type Answer,
	comeAgain,
	readEvent,
	refuseAgain,
	respond,
	wrongSecret,
} from '../events/request';
import { claimEvent, isAccepted } from '../events/seen';
import { eventRetryTime, ServiceClient } from '../http/client';
import { contextOfNode, isVariant } from '../n8nInternals';
import { canBeSecret, isSecret, secretParameter } from '../registrations/url';
import { removeWait, type WaitWebhook } from '../registrations/wait';
import { settle } from '../util/async';
import { deniedReview } from './humanReview';
import { identityOutcome, isAwaited } from './outcome';
import { stateKey, type WaitState } from './start';

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
export async function onEvent(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	return await respond(context, continueOrRefuse, failed);
}

const failed = 'SignVerify could not process the event that it waits for';

/** @returns The item to continue with, or an answer, and the execution keeps waiting. */
async function continueOrRefuse(
	context: IWebhookFunctions,
): Promise<INodeExecutionData[] | Answer> {
	const { [secretParameter]: secret } = context.getQueryData() as IDataObject;
	// n8n also accepts the execution's own resume token, so the wait's own secret decides.
	if (!canBeSecret(secret)) return wrongSecret;
	// Nobody waits, or n8n has not stored it yet.
	const state = contextOfNode(context)?.[stateKey] as WaitState | undefined;
	if (!state) return { status: 503, message: 'This execution is about to wait. Send it again.' };
	const { target, webhook } = state;
	// It may be the URL of an earlier wait, as in a loop.
	if (!isSecret(secret, webhook.hash)) return { status: 200, message: 'This wait is over.' };
	const notification = await readEvent(context, webhook.event, [webhook.event]);
	if ('message' in notification) return notification;
	const asked = await settle(outcomeOf(context, state, notification));
	if (!asked.ok) return comeAgain(context, failed, asked.error);
	const outcome = asked.value;
	if (outcome === 'later') {
		return { status: 503, message: 'The service does not say so yet. Send it again.' };
	}
	if (!outcome) return { status: 200, message: 'This execution waits for something else.' };
	const refused = await claimEvent(webhook.hash, context.getResponseObject());
	if (refused) return refused;
	const pairedItem = { item: 0 };
	if (isVariant(context, 'HitlTool')) {
		void removeAfterwards(context, webhook);
		// Nothing of the event: a document may have an `approved` of its own, which n8n would believe.
		return [{ json: deniedReview, pairedItem }];
	}
	const item = target.kind === 'document' ? await toItem(context, notification, target) : undefined;
	void removeAfterwards(context, webhook);
	return [{ ...item, json: { ...item?.json, ...outcome }, pairedItem }];
}

/**
 * What to add to the output if the event ends the wait, or `later` if the service must be asked, and does
 * not say so.
 * @throws ServiceError if it cannot be asked.
 */
async function outcomeOf(
	context: IWebhookFunctions,
	{ target, webhook }: WaitState,
	notification: Notification,
): Promise<IDataObject | undefined | 'later'> {
	if (target.kind === 'document') {
		const { document } = notification;
		if (document?.state === 'open' || !isAwaited(document, target.document)) return undefined;
		const end = { completed: document?.state === 'completed', timedOut: false };
		return target.output === 'raw' ? {} : end;
	}
	const service = new ServiceClient(context, eventRetryTime);
	const { validationIds, id } = notification;
	const outcome = await identityOutcome(service, target, validationIds);
	if (outcome) return outcome.resultsMissing && refuseAgain(webhook.hash) ? 'later' : outcome;
	// Without an ID, it may be the event of this request, which has come before the service knows its end.
	const isUnnamed = validationIds.length === 0;
	return isUnnamed && refuseAgain(`${webhook.hash} ${id}`) ? 'later' : undefined;
}

/**
 * Removes the webhook after n8n has answered 2xx, which it does when the execution continues. If n8n fails
 * before, the event must be sent again.
 */
async function removeAfterwards(context: IWebhookFunctions, webhook: WaitWebhook): Promise<void> {
	if (!(await isAccepted(context.getResponseObject()))) return;
	await removeWait(new ServiceClient(context), webhook);
}
