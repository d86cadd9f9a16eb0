import type {
	IDataObject,
	INodeExecutionData,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import { incomingOf, judgeBody } from '../notifications/receive';
import { claim } from '../notifications/repeats';
import { attempt } from '../transport/attempt';
import { ServiceClient } from '../transport/client';
import { cancelRemoval } from './expiry';
import { outputOfEvent } from './goOn';
import { finishedIdentity } from './identity';
import { question } from './leftOvers';
import { isAwaited } from './matching';
import { forgetProgress, runAgainWith } from './progress';
import { eventsOf, removeWait } from './registration';
import { signaturesOf } from './signatures';
import { isOpen, nameOfWait, outputsOf, readState, type Awaited, type WaitState } from './state';

/** Whoever sent the event waits for the answer, and sends again: one try each. */
const quick = { timeout: 10_000, patience: 0 };

/** The end of a request: items to go on with (`over`: the wait is), or an answer and the execution waits on. */
type Outcome =
	{ items: INodeExecutionData[]; over?: WaitState } | { status: number; message: string };

/**
 * Handles one request to the address of a waiting execution; n8n has checked its signature. Never
 * throws: n8n would end the execution with the error.
 */
export async function handleResume(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const response = context.getResponseObject();
	try {
		const outcome = await decide(context);
		if ('items' in outcome) {
			if (outcome.over) removeAfterwards(context, outcome.over);
			return { workflowData: [outcome.items] };
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
	// n8n 1.x says that an execution waits a moment before it writes for what.
	if (!state) return { status: 503, message: 'This execution is about to wait. Send it again.' };
	const verdict = judgeBody(incoming, eventsOf(state.registration));
	if (!verdict.accepted) return { status: verdict.status, message: verdict.reason };
	const { event, body } = verdict;

	const found = await find(context, state, event, body);
	if (found === 'none') return { status: 200, message: 'This execution waits for something else.' };
	if (found === 'later') {
		return { status: 503, message: 'The service does not say so yet. Send it again.' };
	}
	const { index, json } = found;
	if (event === 'signDocument' || state.items.filter(isOpen).length > 1) {
		const progress = { index, event, body, ...(json ? { json } : {}) };
		const item = runAgainWith(context, state, progress);
		return item
			? { items: [item] }
			: { status: 503, message: 'Another event is just being taken. Send it again.' };
	}
	const claimed = await claim(nameOfWait(state), context.getResponseObject());
	if (claimed === 'repeat') return { status: 200, message: 'This event was taken before.' };
	if (claimed === 'underway') {
		return { status: 503, message: 'This event is just being taken. Send it again.' };
	}
	const last = state.items[index];
	if (last) last.output = await outputOfEvent(context, state, last, event, body, json);
	return { items: outputsOf(state), over: state };
}

/** The first item that an event is about, with its output where it is made already. */
async function find(
	context: IWebhookFunctions,
	{ items }: WaitState,
	event: string,
	body: IDataObject,
): Promise<{ index: number; json?: IDataObject } | 'none' | 'later'> {
	let unsure = false;
	for (const [index, item] of items.entries()) {
		if (!isOpen(item) || !item.awaited) continue;
		const { awaited } = item;
		if (awaited.kind === 'document') {
			if (concerns(awaited, event, body)) return { index };
			continue;
		}
		const found = await finishedIdentity(new ServiceClient(context, quick), body, awaited);
		if (found === 'later') unsure = true;
		else if (found) return { index, json: found };
	}
	return unsure ? 'later' : 'none';
}

/**
 * Whether an event is one that an awaited document goes on with. The last signature is none: with it
 * comes the completed document, and an execution that was just going on would have to refuse that.
 */
function concerns(
	{ document, signed }: Extract<Awaited, { kind: 'document' }>,
	event: string,
	body: IDataObject,
): boolean {
	if (!isAwaited(body, document)) return false;
	if (event !== 'signDocument') return true;
	const { news, all } = signaturesOf(body, signed);
	return news.length > 0 && !all;
}

/**
 * Removes the registrations once n8n has answered 2xx, which it does when the execution goes on. Not
 * before: an event that n8n fails to take must be sent again. What fails here is found by the next
 * run of a waiting node.
 */
function removeAfterwards(context: IWebhookFunctions, state: WaitState): void {
	const response = context.getResponseObject();
	response.once('close', () => {
		// A sender that left before the answer: whether n8n goes on is not known here.
		if (!response.writableEnded || response.statusCode > 299) return;
		cancelRemoval(state.registration);
		forgetProgress(state);
		void attempt(removeWait(new ServiceClient(context), state.registration));
	});
}
