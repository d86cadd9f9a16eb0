import type {
	IDataObject,
	INodeExecutionData,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import { eventParameter, isSecret } from '../notifications/secretUrl';
import { incomingOf, validateBody } from '../notifications/validate';
import { claim } from '../notifications/deduplicate';
import { attempt } from '../transport/attempt';
import { ServiceClient } from '../transport/client';
import { textOf } from '../transport/text';
import { answers, question } from './cleanUp';
import { outputOfEvent } from './continue';
import { finishedIdentity } from './identity';
import { idsOf, isAwaited } from './matching';
import { removeWait, waitParameter } from './registration';
import { forgetEvents, removeSuccessor, runAgainWith } from './stack';
import { eventsOf, isOpen, outputsOf, readState, type WaitingItem, type WaitState } from './state';

/** Whoever sent the event waits for the answer, and sends again: one try each. */
const quick = { timeout: 10_000, maxRetryTime: 0 };

/** The end of a request: items to continue with (`over`: the wait is), or an answer and the execution keeps waiting. */
type Outcome =
	| { items: INodeExecutionData[]; over?: WaitState }
	| { status: number; message: string; signverify?: string };

/** The items that an event is about, with the outputs that are made already. */
interface Concerned {
	indexes: number[];
	outputs: Record<number, IDataObject>;
}

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
		const { status, ...answer } = outcome;
		response.status(status).json(answer);
	} catch (error) {
		const words = error instanceof Error ? error.message : 'unknown reason';
		context.logger.error(`SignVerify could not process the event that it waits for: ${words}`);
		if (!response.headersSent) {
			response.status(500).json({ message: 'n8n could not process this event. Send it again.' });
		}
	}
	return { noWebhookResponse: true };
}

async function decide(context: IWebhookFunctions): Promise<Outcome> {
	const query = context.getQueryData() as IDataObject;
	// n8n lets the bearer of the execution's own resume token through: the wait's own secret decides.
	if (textOf(query[waitParameter]) === '') {
		return { status: 401, message: 'The secret in the URL is missing or wrong.' };
	}
	const state = readState(context);
	// n8n 1.x says that an execution waits a moment before it writes for what.
	if (!state) return { status: 503, message: 'This execution is about to wait. Send it again.' };
	const isOfThisWait = isSecret(query[waitParameter], state.registration.wait);
	const incoming = incomingOf(context);
	if ((incoming.body as Partial<typeof question> | undefined)?.signverify === question.signverify) {
		return isOfThisWait
			? { status: 200, message: 'This execution waits.', ...answers.waiting }
			: { status: 200, message: 'This wait is over.', ...answers.over };
	}
	if (!isOfThisWait) return { status: 200, message: 'This wait is over.' };
	const verdict = validateBody(incoming, eventsOf(state), textOf(query[eventParameter]));
	if (!verdict.accepted) return { status: verdict.status, message: verdict.reason };
	return await processEvent(context, state, verdict.event, verdict.body);
}

async function processEvent(
	context: IWebhookFunctions,
	state: WaitState,
	event: string,
	body: IDataObject,
): Promise<Outcome> {
	const concerned = await findConcerned(context, state, body);
	if (concerned === 'later') {
		return { status: 503, message: 'The service does not say so yet. Send it again.' };
	}
	const { indexes, outputs } = concerned;
	if (indexes.length === 0) {
		return { status: 200, message: 'This execution waits for something else.' };
	}
	const { wait } = state.registration;
	if (state.items.filter(isOpen).length > indexes.length) {
		const noted = { wait, indexes, outputs, event, body };
		const item = runAgainWith(context, state.eventCount, noted);
		return item
			? { items: [item] }
			: { status: 503, message: 'Another event is being processed. Send it again later.' };
	}
	const claimed = await claim(wait, context.getResponseObject());
	if (claimed === 'repeat') {
		return { status: 200, message: 'This event was already processed.' };
	}
	if (claimed === 'underway') {
		return { status: 503, message: 'This event is being processed. Send it again later.' };
	}
	for (const index of indexes) {
		const item = state.items[index];
		if (item) item.output = await outputOfEvent(context, item, event, body, outputs[index]);
	}
	removeSuccessor(context, wait);
	return { items: outputsOf(state), over: state };
}

/**
 * All open items that an event is about: several may name the same document. Of those whose document
 * has no ID, an event completes one only, and a repetition of it no other.
 */
async function findConcerned(
	context: IWebhookFunctions,
	{ items }: WaitState,
	body: IDataObject,
): Promise<Concerned | 'later'> {
	const found: Concerned = { indexes: [], outputs: {} };
	let isUnsure = false;
	let isFree = !items.some((item) => isCompletedBy(item, body));
	for (const [index, item] of items.entries()) {
		if (!isOpen(item) || !item.target) continue;
		const { target } = item;
		if (target.kind === 'document') {
			const hasId = target.document.documentId !== '';
			if (!isAwaited(body, target.document) || !(hasId || isFree)) continue;
			if (!hasId) isFree = false;
			found.indexes.push(index);
			continue;
		}
		const outcome = await finishedIdentity(new ServiceClient(context, quick), body, target);
		if (outcome === 'later') isUnsure = true;
		else if (outcome) {
			found.indexes.push(index);
			found.outputs[index] = outcome;
		}
	}
	return found.indexes.length === 0 && isUnsure ? 'later' : found;
}

/** Whether an item is completed already, by the document that an event is about. */
function isCompletedBy({ target, output }: WaitingItem, body: IDataObject): boolean {
	return (
		output !== undefined &&
		target?.kind === 'document' &&
		idsOf(body).includes(target.document.documentId)
	);
}

/**
 * Removes the registrations once n8n has answered 2xx, which it does when the execution continues. Not
 * before: an event that n8n fails to take must be sent again. What fails here is found by a later run
 * of a waiting node.
 */
function removeAfterwards(context: IWebhookFunctions, state: WaitState): void {
	const response = context.getResponseObject();
	response.once('close', () => {
		// A sender that left before the answer: whether n8n continues is not known here.
		if (!response.writableEnded || response.statusCode > 299) return;
		forgetEvents(state.registration.wait);
		void attempt(removeWait(new ServiceClient(context), state.registration));
	});
}
