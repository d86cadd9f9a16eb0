import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	IWebhookFunctions,
} from 'n8n-workflow';

import { type Notification, readNotification } from '../api/notification';
import { withFiles } from '../webhooks/files';
import { simplifyNotification } from '../webhooks/simplify';
import type { ServiceClient } from '../http/client';
import { attempt } from '../util/async';
import { identityOutcome } from './identity';
import { consequenceOfRetry, makeWait, registerWait, removeWait } from './registration';
import { isContinuedWithoutEvent, notedEvent, type NotedEvent, removeGuard } from './stack';
import { putToWait } from './start';
import { eventsOf, isOpen, keptState, outputsOf, type WaitingItem, type WaitState } from './state';

/** How far apart (ms) n8n's timer for the limit and this machine's clock may be. */
const timerTolerance = 1000;

/** The wait that this run of the node continues; undefined for a new run. */
export function waitOfRun(execute: IExecuteFunctions): WaitState | undefined {
	const state = keptState(execute);
	if (!state) return undefined;
	const { wait } = state.registration;
	const isOfWait = notedEvent(execute, wait) ?? isContinuedWithoutEvent(execute, wait);
	return isOfWait ? state : undefined;
}

/**
 * Continues a wait when n8n runs the node again:
 * - An event that does not end the wait is noted.
 * - A wait whose limit has passed ends.
 * - If a stopped execution is retried, it waits again, and nothing is sent again.
 * - At the limit of an earlier wait of the same execution, as in a loop, nothing changes.
 * @param state Updated with what becomes known, also if this throws.
 * @returns What the node shows while it waits, or the items of a wait that is over.
 * @throws ServiceError if a retried execution cannot register.
 */
export async function continueWait(
	execute: IExecuteFunctions,
	service: ServiceClient,
	state: WaitState,
): Promise<INodeExecutionData[]> {
	const { registration, until } = state;
	const noted = notedEvent(execute, registration.wait);
	if (noted) await noteEvent(execute, state, noted);
	else removeGuard(execute);
	const isOver = !noted && until !== undefined && Date.now() >= until - timerTolerance;
	const isOwn = registration.execution === execute.getExecutionId();
	if (!isOver && isOwn) return await putToWait(execute, state);

	await attempt(removeWait(service, registration));
	if (isOver) return outputsOf(state);
	await lookAtIdentities(service, state);
	if (!state.items.some(isOpen)) return outputsOf(state);
	// A retried execution has another URL.
	const wait = makeWait();
	const begin = async () => {
		const fresh = await registerWait(execute, service, eventsOf(state), wait, consequenceOfRetry);
		return await putToWait(execute, { ...state, registration: fresh, eventCount: 0 });
	};
	const begun = begin();
	// Also if registering failed, because its answer may be lost.
	if (!(await attempt(begun)).ok) await attempt(removeWait(service, { ids: {}, wait }));
	return await begun;
}

async function noteEvent(
	execute: IExecuteFunctions,
	state: WaitState,
	{ indexes, event, body, outputs }: NotedEvent,
): Promise<void> {
	const notification = readNotification(event, body);
	state.eventCount++;
	for (const index of indexes) {
		const item = state.items[index];
		if (!item) continue;
		item.output = await outputOfEvent(execute, item, notification, outputs[index]);
		// It was recognized without its ID, which is known from now on.
		if (item.target?.kind === 'document') {
			item.target.document.documentId ||= notification.document?.ids[0] ?? '';
		}
	}
}

/** A person may have been verified while nobody waited. For a document, the service has no such call. */
async function lookAtIdentities(service: ServiceClient, { items }: WaitState): Promise<void> {
	for (const item of items.filter(isOpen)) {
		if (item.target?.kind !== 'identity') continue;
		const outcome = await attempt(identityOutcome(service, item.target));
		if (outcome.ok && outcome.value) item.output = { ...item.pending, json: outcome.value };
	}
}

/**
 * The output of an item whose event has arrived.
 * @param made An output that exists already.
 */
export async function outputOfEvent(
	context: Pick<IExecuteFunctions | IWebhookFunctions, 'helpers'>,
	{ target, pending }: WaitingItem,
	notification: Notification,
	made?: IDataObject,
): Promise<INodeExecutionData> {
	const pairedItem = pending.pairedItem ?? { item: 0 };
	if (made || target?.kind !== 'document') {
		return { json: made ?? notification.body, pairedItem };
	}
	const json = target.simplify
		? { ...simplifyNotification(notification), completed: true, timedOut: false }
		: notification.body;
	if (!target.files) return { json, pairedItem };
	return { ...(await withFiles(json, context, notification)), pairedItem };
}
