import type {
	IDataObject,
	INodeExecutionData,
	INodeTypeDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import type { Notification, NotifiedDocument } from '../api/notification';
import { claimEvent, isAccepted } from '../webhooks/seen';
import { type Answer, respond } from '../webhooks/respond';
import { incomingOf, readEvent } from '../webhooks/validate';
import { eventParameter, isSecret } from '../webhooks/url';
import { ServiceClient } from '../http/client';
import { attempt } from '../util/async';
import { textOf } from '../util/values';
import { answers, question } from './cleanUp';
import { outputOfEvent } from './continue';
import { isAwaited } from './document';
import { identityOutcomes } from './identityOutcomes';
import { removeWait, waitParameter } from './registration';
import { forgetEvents, removeSuccessor, runAgainWith } from './stack';
import { eventsOf, isOpen, outputsOf, readState, type WaitingItem, type WaitState } from './state';

/** How n8n receives the events of a waiting execution; the rest is its own for `sendAndWait`. */
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

/** Items to continue with, or an answer, and the execution keeps waiting. */
type Outcome = INodeExecutionData[] | Answer;

/** The items that an event is about, and the outputs that exist already. */
interface Concerned {
	indexes: number[];
	outputs: Record<number, IDataObject>;
}

/** Handles a request to the URL of a waiting execution; n8n has checked its signature. */
export async function handleResume(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const failed = 'SignVerify could not process the event that it waits for';
	return await respond(context, async () => await decide(context), failed);
}

async function decide(context: IWebhookFunctions): Promise<Outcome> {
	const query = context.getQueryData() as IDataObject;
	// n8n also accepts the execution's own resume token, so the wait's own secret decides.
	if (textOf(query[waitParameter]) === '') {
		return { status: 401, message: 'The secret in the URL is missing or wrong.' };
	}
	const state = readState(context);
	// In n8n 1, an execution waits a moment before its state is stored.
	if (!state) return { status: 503, message: 'This execution is about to wait. Send it again.' };
	const isOfThisWait = isSecret(query[waitParameter], state.registration.wait);
	if (isQuestion(context)) {
		return isOfThisWait
			? { status: 200, message: 'This execution waits.', ...answers.waiting }
			: { status: 200, message: 'This wait is over.', ...answers.over };
	}
	if (!isOfThisWait) return { status: 200, message: 'This wait is over.' };
	const verdict = await readEvent(context, eventsOf(state), textOf(query[eventParameter]));
	if (!verdict.accepted) return { status: verdict.status, message: verdict.reason };
	return await processEvent(context, state, verdict.notification);
}

/** Whether a waiting node asks, which sends JSON, so n8n has read it. */
function isQuestion(context: IWebhookFunctions): boolean {
	const { body } = incomingOf(context);
	return (body as Partial<typeof question> | undefined)?.signverify === question.signverify;
}

async function processEvent(
	context: IWebhookFunctions,
	state: WaitState,
	notification: Notification,
): Promise<Outcome> {
	const concerned = await findConcerned(context, state, notification);
	if (concerned === 'later') {
		return { status: 503, message: 'The service does not say so yet. Send it again.' };
	}
	const { indexes, outputs } = concerned;
	if (indexes.length === 0) {
		return { status: 200, message: 'This execution waits for something else.' };
	}
	const { wait } = state.registration;
	if (state.items.filter(isOpen).length > indexes.length) {
		const { event, body } = notification;
		const noted = { wait, indexes, outputs, event, body };
		const item = runAgainWith(context, state.eventCount, noted);
		return item
			? [item]
			: { status: 503, message: 'Another event is being processed. Send it again later.' };
	}
	const refused = await claimEvent(wait, context.getResponseObject());
	if (refused) return refused;
	for (const index of indexes) {
		const item = state.items[index];
		if (item) item.output = await outputOfEvent(context, item, notification, outputs[index]);
	}
	removeSuccessor(context, wait);
	removeAfterwards(context, state);
	return outputsOf(state);
}

/**
 * All open items that an event is about. Several may have the same document. Of items whose document has
 * no ID, an event completes only one, and the same event completes no other.
 */
async function findConcerned(
	context: IWebhookFunctions,
	{ items }: WaitState,
	{ document, validationId }: Notification,
): Promise<Concerned | 'later'> {
	const found: Concerned = { indexes: [], outputs: {} };
	const outcomeOf = await identityOutcomes(context, items, validationId);
	let isUnsure = false;
	let isFree = !items.some((item) => isCompletedBy(item, document));
	for (const [index, item] of items.entries()) {
		if (!isOpen(item) || !item.target) continue;
		const { target } = item;
		if (target.kind === 'document') {
			const hasId = target.document.documentId !== '';
			if (!isAwaited(document, target.document) || !(hasId || isFree)) continue;
			if (!hasId) isFree = false;
			found.indexes.push(index);
			continue;
		}
		const outcome = outcomeOf(target);
		if (outcome === 'later') isUnsure = true;
		else if (outcome) {
			found.indexes.push(index);
			found.outputs[index] = outcome;
		}
	}
	return found.indexes.length === 0 && isUnsure ? 'later' : found;
}

/** Whether the document of an event has already completed an item. */
function isCompletedBy(
	{ target, output }: WaitingItem,
	document: NotifiedDocument | undefined,
): boolean {
	return (
		output !== undefined &&
		target?.kind === 'document' &&
		document?.ids.includes(target.document.documentId) === true
	);
}

/**
 * Removes the registrations after n8n has answered 2xx, which it does when the execution continues. If
 * n8n fails before, the event must be sent again. A later run of a waiting node removes what is left.
 */
function removeAfterwards(context: IWebhookFunctions, state: WaitState): void {
	const finish = async (): Promise<void> => {
		if (!(await isAccepted(context.getResponseObject()))) return;
		forgetEvents(state.registration.wait);
		await attempt(removeWait(new ServiceClient(context), state.registration));
	};
	void finish();
}
