import {
	type IDataObject,
	type INodeExecutionData,
	type IWebhookDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
	isExpression,
} from 'n8n-workflow';

import { ServiceClient } from '../account/client';
import { type Notification, statusForLog } from '../api/notification';
import { outcomeFields } from '../api/outcome';
import type { ExpectedPerson } from '../api/officialId';
import { toItem } from '../events/output';
import { logOncePerMinute, refuseAgain } from '../events/refusals';
import {
	refuseForNow,
	type EventResponse,
	notCompleted,
	readEvent,
	refuse,
	respond,
	wrongSecret,
} from '../events/request';
import { claimEvent, acceptanceOf } from '../events/seen';
import { eventCallMs, executionCallMs } from '../http/timeLimits';
import { readEntered } from '../input/enteredText';
import { readExpectedPerson } from '../input/expectedPerson';
import { savedParameters } from '../input/savedForm';
import { contextOfNode, itemAtLimit, parameterAtStart } from '../n8nInternals';
import { canBeSecret, isSecret, secretParameter } from '../registrations/url';
import { unregisterWait, type WaitRegistration, type WaitWebhook } from '../registrations/wait';
import { settleSync, settle } from '../util/async';
import { isObject, objectOf, withFirst } from '../util/values';
import { checkIdentity, isAwaited } from './awaited';
import { readWaitState, stateKey, type WaitState, type WaitTarget } from './state';

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
	const call = findWait(context);
	if ('response' in call) return call.response;
	const { state, webhook } = call;
	const event = await readEvent(context, webhook.event);
	const eventCall = `${webhook.event} for a waiting execution`;
	if (!event.isAccepted) return refuse(context, eventCall, event.response);
	const { notification } = event;
	const decision = await settle(decide(context, state, webhook, notification));
	if (!decision.ok) return refuseForNow(context, logPrefix, decision.error);
	if (!decision.value.endsWait) {
		const { response, hint } = decision.value;
		// Events about something else are normal.
		return response.status === 200 ? response : refuse(context, eventCall, response, hint);
	}
	return await endWait(context, state, notification, decision.value.fields);
}

/** The wait that a call is for, or the response if the call can't end a wait. */
type CalledWait = { state: WaitState; webhook: WaitWebhook } | { response: EventResponse };

function findWait(context: IWebhookFunctions): CalledWait {
	const { [secretParameter]: secret } = context.getQueryData() as IDataObject;
	// n8n's own check also accepts the execution's resume token, so check the wait's secret as well.
	if (!canBeSecret(secret)) return { response: wrongSecret };
	const stored = contextOfNode(context)?.[stateKey];
	// Either the execution is not waiting, or n8n has not stored its state yet.
	if (stored === undefined) return { response: notWaitingYet };
	const state = readWaitState(stored);
	if (!state) return { response: unreadable(context) };
	const webhook = state.webhooks.find(({ hash }) => isSecret(secret, hash));
	// In a loop, the URL may belong to an earlier wait of the same node.
	return webhook ? { state, webhook } : { response: waitIsOver };
}

const notWaitingYet: EventResponse = {
	status: 503,
	message: "This execution hasn't started waiting yet. Send the event again.",
};

const waitIsOver: EventResponse = { status: 200, message: 'This wait is over.' };

/**
 * Ends the wait, unless another event has already ended it.
 * @param fields The fields that the output contains in addition to the event's.
 * @returns The item that continues the execution, or the response to a repeated event.
 */
async function endWait(
	context: IWebhookFunctions,
	state: WaitState,
	notification: Notification,
	fields: IDataObject,
): Promise<INodeExecutionData[] | EventResponse> {
	// Several of the wait's webhooks can each receive an event that ends the wait, but only one event may
	// continue the execution.
	const allHashes = state.webhooks.map(({ hash }) => hash).join();
	const { repeated } = await claimEvent(allHashes, context.getResponseObject());
	if (repeated) return repeated;
	const item = await itemOf(context, state, notification, fields);
	void unregisterOnceContinued(context, state);
	return [{ ...item, pairedItem: { item: 0 } }];
}

async function itemOf(
	context: IWebhookFunctions,
	{ target, includesInput, renamedFiles }: WaitState,
	notification: Notification,
	fields: IDataObject,
): Promise<INodeExecutionData> {
	const item =
		target.about === 'document' ? await toItem(context, notification, target) : undefined;
	const atLimit = includesInput ? itemAtLimit(context) : undefined;
	const { input } = objectOf(atLimit?.json);
	const inputFields = {
		...(renamedFiles ? { renamedFiles } : {}),
		...(isObject(input) ? { input } : {}),
	};
	const json = { ...withFirst(fields, item?.json ?? {}), ...inputFields };
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
		"SignVerify can't continue an execution, because another version of the package started its wait. Install the same version in every n8n process. The node accepts the event when the service sends it again.";
	logOncePerMinute(context, 'error', line);
	return {
		status: 503,
		message:
			"This n8n instance can't read what the execution is waiting for. Send the event again.",
	};
}

type Decision =
	/** The output contains these fields in addition to the event's. */
	| { endsWait: true; fields: IDataObject }
	/** `hint` is a sentence for n8n's log. */
	| { endsWait: false; response: EventResponse; hint?: string };

/** The decision on an event that isn't about what the execution is waiting for. */
const somethingElse: Decision = {
	endsWait: false,
	response: { status: 200, message: 'This execution is waiting for something else.' },
};

/**
 * The decision on an event that probably ends the wait, but the service has not confirmed this yet. The
 * service has to send the event again.
 */
const tooEarly: Decision = {
	endsWait: false,
	response: {
		status: 503,
		message:
			"The service hasn't returned the result of this verification yet. Send the event again.",
	},
};

/**
 * Decides whether an event ends the wait.
 * @throws ServiceError if the decision needs the service, and the service fails or cannot be reached.
 */
async function decide(
	context: IWebhookFunctions,
	{ target, testRecipient }: WaitState,
	webhook: WaitWebhook,
	notification: Notification,
): Promise<Decision> {
	return target.about === 'document'
		? decideOnDocument(target, testRecipient, notification)
		: await decideOnIdentity(context, target, webhook, notification);
}

function decideOnDocument(
	{ about, documentId, output }: WaitTarget & { about: 'document' },
	testRecipient: string | undefined,
	{ document }: Notification,
): Decision {
	if (!document || !isAwaited(document, documentId)) return somethingElse;
	const { state } = document;
	if (state === 'open') {
		return { endsWait: false, response: notCompleted, hint: statusForLog(document) };
	}
	const wait = state === 'completed' ? 'completed' : 'ended';
	const isRawEvent = output === 'raw';
	return { endsWait: true, fields: outcomeFields({ about, wait, isRawEvent, testRecipient }) };
}

async function decideOnIdentity(
	context: IWebhookFunctions,
	target: WaitTarget & { about: 'identity' },
	{ hash }: WaitWebhook,
	{ validationIds, id }: Notification,
): Promise<Decision> {
	const isNamed = validationIds.includes(target.validationId);
	if (validationIds.length > 0 && !isNamed) return somethingElse;
	const service = new ServiceClient(context, eventCallMs);
	const awaited = { ...target, expected: expectedPerson(context) };
	const identity = await checkIdentity(service, awaited, isNamed);
	if (identity.isOver) {
		const { fields } = identity;
		const isRefusedAgain = fields.resultsMissing === true && refuseAgain(hash);
		return isRefusedAgain ? tooEarly : { endsWait: true, fields };
	}
	// An event without an ID may be about the awaited request, but arrive before the service reports that the
	// request is over. So refuse the event the first few times it arrives.
	return refuseAgain(`${hash} ${id}`) ? tooEarly : somethingElse;
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
	// The name was judged when the wait began.
	const form = { ...saved, parameter, judge: () => undefined };
	const person = settleSync(() => readExpectedPerson(form, readEntered));
	if (person.ok) return person.value;
	const line =
		"SignVerify can't evaluate Expected Name or Minimum Age anymore, so it can't compare them with the ID of a verified person.";
	logOncePerMinute(context, 'warn', line);
	return undefined;
}

/**
 * Deletes the webhooks once n8n has responded with 2xx and the execution continues. If n8n fails before then,
 * the webhooks must remain so that the service can send the event again.
 */
async function unregisterOnceContinued(
	context: IWebhookFunctions,
	registration: WaitRegistration,
): Promise<void> {
	const isContinued = await acceptanceOf(context.getResponseObject());
	// No one is waiting for a response anymore, so allow a slow service as much time as in an execution.
	if (isContinued) await unregisterWait(new ServiceClient(context, executionCallMs), registration);
}
