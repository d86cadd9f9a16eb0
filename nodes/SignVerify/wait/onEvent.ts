import {
	type IDataObject,
	type INodeExecutionData,
	type IWebhookDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
	isExpression,
} from 'n8n-workflow';

import { eventRow } from '../api/events';
import { type Notification, statusForLog } from '../api/notification';
import type { ExpectedPerson } from '../api/officialId';
import { toItem } from '../events/output';
import { logOncePerMinute, refuseAgain } from '../events/refusals';
import {
	refuseForNow,
	type EventResponse,
	notCompleted,
	readEvent,
	respond,
	wrongSecret,
} from '../events/request';
import { claimEvent, acceptanceOf } from '../events/seen';
import { ServiceClient } from '../account/client';
import { eventCallMs, executionCallMs } from '../http/timeLimits';
import { readExpectedPerson } from '../input/expectedPerson';
import { savedParameters } from '../input/savedForm';
import { contextOfNode, isVariant, itemAtLimit, parameterAtStart } from '../n8nInternals';
import { canBeSecret, isSecret, secretParameter } from '../registrations/url';
import { findWaitsAlike, removeWait, type WaitWebhook } from '../registrations/wait';
import { attempt, settle } from '../util/async';
import { isObject, objectOf } from '../util/values';
import { deniedReview } from './humanReview';
import { identityOutcome, isAwaited } from './outcome';
import { isWithoutId, readWaitState, stateKey, type WaitState, type WaitTarget } from './state';

/** How n8n receives the event for a waiting execution. */
export const resumeWebhooks: IWebhookDescription[] = [
	{
		name: 'default',
		httpMethod: 'POST',
		// n8n responds with 200 once the execution continues.
		responseMode: 'onReceived',
		// Without this line, the response would be the word "firstEntryJson".
		responseData: '',
		path: '={{ $nodeId }}',
		restartWebhook: true,
		isFullPath: true,
	},
];

/** Handles a request to a waiting execution's URL. n8n has already checked the signature. */
export async function continueOnEvent(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	return await respond(context, continueOrRefuse, logPrefix);
}

const logPrefix = "SignVerify couldn't process the event that it's waiting for";

/** @returns The item that continues the execution, or the response if the execution keeps waiting. */
async function continueOrRefuse(
	context: IWebhookFunctions,
): Promise<INodeExecutionData[] | EventResponse> {
	const { [secretParameter]: secret } = context.getQueryData() as IDataObject;
	// n8n's own check also accepts the execution's resume token, so check the wait's secret as well.
	if (!canBeSecret(secret)) return wrongSecret;
	const stored = contextOfNode(context)?.[stateKey];
	// Either the execution is not waiting, or n8n has not stored its state yet.
	if (stored === undefined) {
		return {
			status: 503,
			message: "This execution hasn't started waiting yet. Send the event again.",
		};
	}
	const state = readWaitState(stored);
	if (!state) return unreadable(context);
	const { target, webhooks } = state;
	const webhook = webhooks.find(({ hash }) => isSecret(secret, hash));
	// In a loop, the URL may belong to an earlier wait of the same node.
	if (!webhook) return { status: 200, message: 'This wait is over.' };
	const event = await readEvent(context, webhook.event);
	if (!event.isAccepted) return event.response;
	const decision = await settle(decide(context, target, webhook, event.notification));
	if (!decision.ok) return refuseForNow(context, logPrefix, decision.error);
	const outcome = decision.value;
	if (outcome.kind === 'tooEarly') {
		return {
			status: 503,
			message:
				"The service hasn't returned the result of this verification yet. Send the event again.",
		};
	}
	if (outcome.kind === 'notCompleted') {
		const line = `SignVerify rejected an event for the document that an execution is waiting for, because the document isn't completed. The execution keeps waiting. ${outcome.status}`;
		logOncePerMinute(context, 'warn', line);
		return notCompleted;
	}
	if (outcome.kind === 'other') {
		return { status: 200, message: 'This execution is waiting for something else.' };
	}
	if (isWithoutId(target)) {
		const comparison = await settle(refuseIfAlike(context, webhooks));
		if (!comparison.ok) return refuseForNow(context, logPrefix, comparison.error);
		if (comparison.value) return comparison.value;
	}
	// Several of the wait's webhooks can each receive an event that ends the wait, but only one event may
	// continue the execution.
	const allHashes = webhooks.map(({ hash }) => hash).join();
	const { repeated } = await claimEvent(allHashes, context.getResponseObject());
	if (repeated) return repeated;
	const item = await itemOf(context, state, event.notification, outcome.fields);
	void removeAfterwards(context, webhooks);
	return [{ ...item, pairedItem: { item: 0 } }];
}

/** Creates the item that continues the execution. */
async function itemOf(
	context: IWebhookFunctions,
	{ target, includesInput, renamedFiles, testRecipient }: WaitState,
	notification: Notification,
	outcome: IDataObject,
): Promise<INodeExecutionData> {
	// Don't output the event's data, because the document may have a field named `approved`, which n8n would
	// treat as the approval.
	if (isVariant(context, 'HitlTool')) return { json: deniedReview };
	const item = target.kind === 'document' ? await toItem(context, notification, target) : undefined;
	const atLimit = includesInput ? itemAtLimit(context) : undefined;
	const { input } = objectOf(atLimit?.json);
	const inputFields = {
		...(renamedFiles ? { renamedFiles } : {}),
		...(isObject(input) ? { input } : {}),
	};
	const testField = testRecipient === undefined ? {} : { testRecipient };
	// The first occurrence of a field determines its position, and the last occurrence determines its value.
	const json = { ...outcome, ...item?.json, ...outcome, ...testField, ...inputFields };
	const binary = { ...atLimit?.binary, ...item?.binary };
	return { ...item, json, ...(atLimit?.binary ? { binary } : {}) };
}

/**
 * The response if the state is unreadable, either because a different version of the package wrote it or
 * because the database is damaged. The event must not be lost, so this response makes the service send it
 * again.
 */
function unreadable(context: IWebhookFunctions): EventResponse {
	const line =
		"SignVerify can't read what an execution is waiting for, because another version of the package stored it. Install the same version in every n8n process. The node accepts the event when the service sends it again.";
	logOncePerMinute(context, 'error', line);
	return {
		status: 503,
		message:
			"This n8n instance can't read what the execution is waiting for. Send the event again.",
	};
}

/**
 * Rejects an event that could be about another execution's document.
 * @returns The rejection; undefined if the event can only be about this execution's document.
 * @throws ServiceError if the service's webhooks cannot be listed.
 */
async function refuseIfAlike(
	context: IWebhookFunctions,
	webhooks: WaitWebhook[],
): Promise<EventResponse | undefined> {
	const service = new ServiceClient(context, eventCallMs);
	const { executions, isUpToDate } = await findWaitsAlike(service, webhooks);
	if (executions.length > 0) {
		const line = `SignVerify: a document was signed, but no execution continued. The service didn't return a document ID, so n8n can't tell the document apart from the one sent by execution ${executions.join(', ')}.`;
		logOncePerMinute(context, 'warn', line);
		return {
			status: 200,
			message: 'Another execution is also waiting for a document like this one.',
		};
	}
	if (isUpToDate) return undefined;
	return { status: 503, message: "The list of webhooks isn't complete yet. Send the event again." };
}

/** How an event affects a wait. */
type WaitOutcome =
	/** The event ends the wait, and the output also contains these fields. */
	| { kind: 'ended'; fields: IDataObject }
	/** The event isn't about what the execution is waiting for. */
	| { kind: 'other' }
	/** The event is about the awaited document, which isn't completed. `status` is for n8n's log. */
	| { kind: 'notCompleted'; status: string }
	/**
	 * The event probably ends the wait, but the service has not confirmed this yet, so the event is rejected,
	 * and the service has to send it again.
	 */
	| { kind: 'tooEarly' };

/**
 * Decides whether an event ends the wait.
 * @throws ServiceError if the decision needs the service, and the service fails or cannot be reached.
 */
async function decide(
	context: IWebhookFunctions,
	target: WaitTarget,
	webhook: WaitWebhook,
	notification: Notification,
): Promise<WaitOutcome> {
	const { outcome } = eventRow(webhook.event).endsWait ?? {};
	if (target.kind === 'document') return documentOutcome(target, notification, outcome);
	const { validationIds, id } = notification;
	const service = new ServiceClient(context, eventCallMs);
	const awaited = {
		...target,
		// Read only if the event may be about the awaited request.
		get expected() {
			return expectedPerson(context);
		},
	};
	const identity = await identityOutcome(service, awaited, { validationIds, outcome });
	if (identity.isOver) {
		const { fields } = identity;
		const isRefusedAgain = fields.resultsMissing === true && refuseAgain(webhook.hash);
		return isRefusedAgain ? { kind: 'tooEarly' } : { kind: 'ended', fields };
	}
	if (validationIds.length > 0) return { kind: 'other' };
	// An event without an ID may be about the awaited request, but arrive before the service reports that the
	// request is over. So reject the event the first few times it arrives.
	const isRefusedAgain = refuseAgain(`${webhook.hash} ${id}`);
	return { kind: isRefusedAgain ? 'tooEarly' : 'other' };
}

/**
 * Reads whom the workflow expects from the node's form, as `execute()` did. The form is read again, because
 * the wait's state must not contain the name.
 * @returns undefined if an expression can no longer be evaluated. The answers are then unknown.
 */
function expectedPerson(context: IWebhookFunctions): ExpectedPerson | undefined {
	const saved = savedParameters(() => context.getNode().parameters);
	const parameter = (name: string) => {
		const value = saved.rawParameter(name);
		return isExpression(value) ? parameterAtStart(context, name) : value;
	};
	const person = attempt(() => readExpectedPerson({ ...saved, parameter }));
	if (person.ok) return person.value;
	const line =
		"SignVerify can't evaluate Expected Name or Age Limit anymore, so it can't compare them with the ID of a verified person.";
	logOncePerMinute(context, 'warn', line);
	return undefined;
}

function documentOutcome(
	target: WaitTarget & { kind: 'document' },
	{ document }: Notification,
	outcome?: IDataObject,
): WaitOutcome {
	if (!document || !isAwaited(document, target.document)) return { kind: 'other' };
	const { state } = document;
	if (state === 'open') return { kind: 'notCompleted', status: statusForLog(document) };
	// Raw output contains only the notification.
	if (target.output === 'raw') return { kind: 'ended', fields: {} };
	return {
		kind: 'ended',
		fields: { completed: state === 'completed', timedOut: false, ...outcome },
	};
}

/**
 * Removes the webhooks once n8n has responded with 2xx and the execution continues. If n8n fails before then,
 * the webhooks must remain so that the service can send the event again.
 */
async function removeAfterwards(
	context: IWebhookFunctions,
	webhooks: WaitWebhook[],
): Promise<void> {
	const isContinued = await acceptanceOf(context.getResponseObject());
	// No one is waiting for a response anymore, so allow a slow service as much time as in an execution.
	if (isContinued) await removeWait(new ServiceClient(context, executionCallMs), webhooks);
}
