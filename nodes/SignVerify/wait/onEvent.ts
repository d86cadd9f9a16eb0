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
	isWorthALine,
	readEvent,
	refuseAgain,
	respond,
	wrongSecret,
} from '../events/request';
import { claimEvent, isAccepted } from '../events/seen';
import { eventRetryTime, ServiceClient } from '../http/client';
import { contextOfNode, isVariant, itemAtLimit } from '../n8nInternals';
import { canBeSecret, isSecret, secretParameter } from '../registrations/url';
import { findWaitsAlike, removeWait, type WaitWebhook } from '../registrations/wait';
import { settle } from '../util/async';
import { isObject, objectOf } from '../util/values';
import { deniedReview } from './humanReview';
import { identityOutcome, isAwaited } from './outcome';
import { isWithoutId, readWaitState, stateKey, type WaitTarget } from './state';

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
	const stored = contextOfNode(context)?.[stateKey];
	// Nobody waits, or n8n has not stored it yet.
	if (stored === undefined) {
		return { status: 503, message: 'This execution is about to wait. Send it again.' };
	}
	const state = readWaitState(stored);
	if (!state) return unreadable(context);
	const { target, webhooks, includesInput, testRecipient } = state;
	const webhook = webhooks.find(({ hash }) => isSecret(secret, hash));
	// It may be the URL of an earlier wait, as in a loop.
	if (!webhook) return { status: 200, message: 'This wait is over.' };
	const notification = await readEvent(context, webhook.event, [webhook.event]);
	if ('message' in notification) return notification;
	const asked = await settle(outcomeOf(context, target, webhook, notification));
	if (!asked.ok) return comeAgain(context, failed, asked.error);
	const outcome = asked.value;
	if (outcome === 'later') {
		return { status: 503, message: 'The service does not say so yet. Send it again.' };
	}
	if (!outcome) return { status: 200, message: 'This execution waits for something else.' };
	if (isWithoutId(target)) {
		const refused = await settle(refuseIfAlike(context, webhook));
		if (!refused.ok) return comeAgain(context, failed, refused.error);
		if (refused.value) return refused.value;
	}
	// Each of its webhooks can bring an event that ends the wait, and one ends it.
	const refused = await claimEvent(
		webhooks.map(({ hash }) => hash).join(),
		context.getResponseObject(),
	);
	if (refused) return refused;
	const pairedItem = { item: 0 };
	if (isVariant(context, 'HitlTool')) {
		void removeAfterwards(context, webhooks);
		// Nothing of the event: a document may have an `approved` of its own, which n8n would believe.
		return [{ json: deniedReview, pairedItem }];
	}
	const item = target.kind === 'document' ? await toItem(context, notification, target) : undefined;
	void removeAfterwards(context, webhooks);
	const { input } = includesInput ? objectOf(itemAtLimit(context)?.json) : {};
	const included = isObject(input) ? { input } : {};
	const test = testRecipient === undefined ? {} : { testRecipient };
	// What the next node asks for comes first.
	const json = { ...outcome, ...item?.json, ...outcome, ...test, ...included };
	return [{ ...item, json, pairedItem }];
}

/** What a later version of the package has stored, or a damaged database: the event must not be lost. */
function unreadable(context: IWebhookFunctions): Answer {
	const line =
		'SignVerify cannot read what an execution waits for, because another version of the package has stored it. Install the same version in every process of n8n, and the event is accepted when the service sends it again.';
	if (isWorthALine(line)) context.logger.error(line);
	return {
		status: 503,
		message: 'This n8n cannot read what the execution waits for. Send it again.',
	};
}

/**
 * Refuses an event that can be about the document of another execution.
 * @throws ServiceError if the service's webhooks cannot be listed.
 */
async function refuseIfAlike(
	context: IWebhookFunctions,
	webhook: WaitWebhook,
): Promise<Answer | undefined> {
	const service = new ServiceClient(context, eventRetryTime);
	const { executions, isUpToDate } = await findWaitsAlike(service, webhook);
	if (executions.length > 0) {
		const line = `SignVerify: a signed document ended no wait, because it can be that of another execution (${executions.join(', ')}), too: the service gives no document ID.`;
		if (isWorthALine(line)) context.logger.warn(line);
		return { status: 200, message: 'Another execution waits for such a document, too.' };
	}
	if (isUpToDate) return undefined;
	return { status: 503, message: 'The list of webhooks is not complete yet. Send it again.' };
}

/**
 * What to add to the output if the event ends the wait, or `later` if the service must be asked, and does
 * not say so.
 * @throws ServiceError if it cannot be asked.
 */
async function outcomeOf(
	context: IWebhookFunctions,
	target: WaitTarget,
	webhook: WaitWebhook,
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
 * Removes the webhooks after n8n has answered 2xx, which it does when the execution continues. If n8n fails
 * before, the event must be sent again.
 */
async function removeAfterwards(
	context: IWebhookFunctions,
	webhooks: WaitWebhook[],
): Promise<void> {
	if (!(await isAccepted(context.getResponseObject()))) return;
	const service = new ServiceClient(context);
	await Promise.all(webhooks.map(async (webhook) => await removeWait(service, webhook)));
}
