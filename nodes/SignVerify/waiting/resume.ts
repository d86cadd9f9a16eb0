import type {
	IDataObject,
	INodeExecutionData,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import { eventIdOf } from '../notifications/eventId';
import { defaultFileSeconds, takeFiles } from '../notifications/files';
import { simplifyNotification } from '../notifications/output';
import { incomingOf, judgeBody } from '../notifications/receive';
import { claim } from '../notifications/repeats';
import { attempt } from '../transport/attempt';
import { ServiceClient } from '../transport/client';
import { cancelRemoval } from './expiry';
import { finishedIdentity } from './identity';
import { question } from './leftOvers';
import { isAwaited } from './matching';
import { removeWait } from './registration';
import { readState, type WaitState } from './state';

/** Whoever sent the event waits for the answer, and sends again: one try each. */
const quick = { timeout: 10_000, patience: 0 };

/** The end of a request: an item to go on with, or an answer and the execution waits on. */
type Outcome = { item: INodeExecutionData; state: WaitState } | { status: number; message: string };

/**
 * Handles one request to the address of a waiting execution; n8n has checked its signature. Never
 * throws: n8n would end the execution with the error.
 */
export async function handleResume(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const response = context.getResponseObject();
	try {
		const outcome = await decide(context);
		if ('item' in outcome) {
			removeAfterwards(context, outcome.state);
			return { workflowData: [[outcome.item]] };
		}
		response.status(outcome.status).json({ message: outcome.message });
	} catch (error) {
		const words = error instanceof Error ? error.message : 'unknown reason';
		context.logger.error(`SignVerify could not take the event that it waits for: ${words}`);
		if (!response.headersSent) {
			response.status(500).json({ message: 'The event could not be taken. Send it again.' });
		}
	}
	return { noWebhookResponse: true };
}

async function decide(context: IWebhookFunctions): Promise<Outcome> {
	const incoming = incomingOf(context);
	if ((incoming.body as Partial<typeof question> | undefined)?.signverify === question.signverify) {
		return { status: 200, message: 'This execution waits.' };
	}
	const state = readState(context);
	if (!state) return { status: 200, message: 'This execution waits for nothing.' };
	const verdict = judgeBody(incoming, [state.registration.type]);
	if (!verdict.accepted) return { status: verdict.status, message: verdict.reason };
	const { event, body } = verdict;

	const found =
		state.kind === 'document'
			? isAwaited(body, state.document)
			: await finishedIdentity(new ServiceClient(context, quick), body, state);
	if (!found) return { status: 200, message: 'This execution waits for something else.' };
	if (found === 'later') {
		return { status: 503, message: 'The service does not say so yet. Send it again.' };
	}
	// The execution is part of the address; in a loop each round has a registration of its own.
	const { address, webHookID } = state.registration;
	const key = `${address} ${webHookID} ${state.kind === 'document' ? eventIdOf(event, body) : ''}`;
	const claimed = await claim(key, context.getResponseObject());
	if (claimed === 'repeat') return { status: 200, message: 'This event was taken before.' };
	if (claimed === 'underway') {
		return { status: 503, message: 'This event is just being taken. Send it again.' };
	}
	const item = found === true ? await documentItem(context, event, body, state) : { json: found };
	return { item: { ...item, pairedItem: { item: 0 } }, state };
}

async function documentItem(
	context: IWebhookFunctions,
	event: string,
	body: IDataObject,
	state: WaitState,
): Promise<INodeExecutionData> {
	const { simplify, files } = state.kind === 'document' ? state : { simplify: true, files: false };
	const json = simplify ? { ...simplifyNotification(event, body), timedOut: false } : body;
	if (!files) return { json };
	const { binary, missingFiles } = await takeFiles(context, event, body, defaultFileSeconds);
	return { json: { ...json, ...(missingFiles.length > 0 ? { missingFiles } : {}) }, binary };
}

/**
 * Removes the registration once n8n has answered 2xx, which it does when the execution goes on. Not
 * before: an event that n8n fails to take must be sent again. What fails here is found by the next
 * run of a waiting node.
 */
function removeAfterwards(context: IWebhookFunctions, { registration }: WaitState): void {
	const response = context.getResponseObject();
	response.once('close', () => {
		if (response.statusCode < 200 || response.statusCode > 299) return;
		cancelRemoval(registration);
		void attempt(removeWait(new ServiceClient(context), registration));
	});
}
