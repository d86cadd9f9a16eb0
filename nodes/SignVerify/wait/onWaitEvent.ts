import type {
	IDataObject,
	INodeExecutionData,
	IWebhookDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import { ServiceClient } from '../account/client';
import { inOutputOrder } from '../item/outcome';
import { logOncePerMinute } from '../events/logOncePerMinute';
import {
	type EventResponse,
	fieldsForLog,
	readEvent,
	refuse,
	refuseForNow,
	respond,
	wrongSecret,
} from '../events/eventRequest';
import { acceptanceOf, claimEvent } from '../events/eventClaims';
import { executionCallMs } from '../http/callTimeouts';
import { contextOfNode, itemAtLimit } from '../n8nInternals';
import { canBeSecret, isSecret, secretParameter } from '../registrations/webhookSecret';
import {
	unregisterWait,
	type WaitRegistration,
	type WaitWebhook,
} from '../registrations/waitWebhooks';
import { settle } from '../util/async';
import { isObject, objectOf, textOf } from '../util/values';
import { kindOf, readWaitState, stateKey, type WaitState } from './state';

export const resumeWebhooks: IWebhookDescription[] = [
	{
		name: 'default',
		httpMethod: 'POST',
		// n8n responds with 200 once the execution continues.
		responseMode: 'onReceived',
		// @n8n Without this line, n8n would respond with the word "firstEntryJson".
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

async function continueOrRefuse(
	context: IWebhookFunctions,
): Promise<INodeExecutionData[] | EventResponse> {
	const call = findWait(context);
	if ('response' in call) return call.response;
	const { state, webhook, secrets } = call;
	const event = await readEvent(context, webhook.event, secrets);
	const eventCall = `${webhook.event} for a waiting execution`;
	if (!event.isAccepted) {
		return refuse(context, eventCall, event.response, await fieldsForLog(context, event.body));
	}
	const { notification } = event;
	const { target, testRecipient, owner } = state;
	const arrived = { context, webhook, notification, testRecipient, owner };
	const decision = await settle(kindOf(target).decide(target, arrived));
	if (!decision.ok) return refuseForNow(context, logPrefix, decision.error);
	if (!decision.value.endsWait) {
		const { response, hint } = decision.value;
		// Events about something else are normal.
		return response.status === 200 ? response : refuse(context, eventCall, response, hint);
	}
	return await endWait(context, state, decision.value.createItem);
}

type CalledWait =
	/** `secrets` are those in the called URL. */
	{ state: WaitState; webhook: WaitWebhook; secrets: string[] } | { response: EventResponse };

function findWait(context: IWebhookFunctions): CalledWait {
	// @n8n The parameter with n8n's signature, or with the execution's resume token.
	const { [secretParameter]: secret, signature } = context.getQueryData() as IDataObject;
	// @n8n n8n's own check also accepts the execution's resume token, so check the wait's secret as well.
	if (!canBeSecret(secret)) return { response: wrongSecret };
	const stored = contextOfNode(context)?.[stateKey];
	// Either the execution is not waiting, or n8n has not stored its state yet.
	if (stored === undefined) return { response: notWaitingYet };
	const state = readWaitState(stored);
	if (!state) return { response: unreadableState(context) };
	const webhook = state.webhooks.find(({ hash }) => isSecret(secret, hash));
	// In a loop, the URL may belong to an earlier wait of the same node.
	const secrets = [secret, textOf(signature)];
	return webhook ? { state, webhook, secrets } : { response: waitIsOver };
}

const notWaitingYet: EventResponse = {
	status: 503,
	message: "This execution hasn't started waiting yet. Send the event again.",
};

const waitIsOver: EventResponse = { status: 200, message: 'This wait is over.' };

/** Does nothing if another event has already ended the wait. */
async function endWait(
	context: IWebhookFunctions,
	state: WaitState,
	createItem: () => INodeExecutionData | Promise<INodeExecutionData>,
): Promise<INodeExecutionData[] | EventResponse> {
	// Several of the wait's webhooks can each receive an event that ends the wait, but only one event may
	// continue the execution.
	const allHashes = state.webhooks.map(({ hash }) => hash).join();
	const { repeated } = await claimEvent(allHashes, context.getResponseObject());
	if (repeated) return repeated;
	const item = withFields(context, state, await createItem());
	void unregisterOnceContinued(context, state);
	return [{ ...item, pairedItem: { item: 0 } }];
}

function withFields(
	context: IWebhookFunctions,
	{ includesInput, renamedFiles }: WaitState,
	item: INodeExecutionData,
): INodeExecutionData {
	const atLimit = itemAtLimit(context);
	const { sendOnceKey, input } = objectOf(atLimit?.json);
	const includedFields = {
		...(typeof sendOnceKey === 'string' ? { sendOnceKey } : {}),
		...(renamedFiles ? { renamedFiles } : {}),
		...(includesInput && isObject(input) ? { input } : {}),
	};
	const json = inOutputOrder({ ...item.json, ...includedFields });
	const files = includesInput ? atLimit?.binary : undefined;
	return { ...item, json, ...(files ? { binary: { ...files, ...item.binary } } : {}) };
}

/**
 * The response if the state is unreadable, either because a different version of the package wrote it or
 * because the database is damaged. The event must not be lost, so this response makes the service send it
 * again.
 */
function unreadableState(context: IWebhookFunctions): EventResponse {
	const line =
		"SignVerify can't continue an execution, because another version of the package started its wait. Install the same version in every n8n process. The node accepts the event when the service sends it again.";
	logOncePerMinute(context, 'error', line);
	return {
		status: 503,
		message:
			"This n8n instance can't read what the execution is waiting for. Send the event again.",
	};
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
