import type { EventType } from '../api/events';
import type { OutputChoice } from '../events/output';
import { describeError, ServiceError } from '../http/errors';
import type { ItemContext, ItemOutput } from '../input/item';
import { passOnAtLimit, waitAlone } from '../n8nInternals';
import { unreachable } from '../registrations/url';
import { registerWait, removeExpired, removeWait, type WaitWebhook } from '../registrations/wait';
import { settle } from '../util/async';
import type { AwaitedDocument, AwaitedIdentity } from './outcome';

/** What an execution waits for, and how to output it. */
export type WaitTarget =
	| ({ kind: 'document'; document: AwaitedDocument } & OutputChoice)
	| ({ kind: 'identity' } & AwaitedIdentity);

/** What an execution must know while it waits; it is kept in the context of the node by this name. */
export const stateKey = 'signVerifyWait';
export interface WaitState {
	webhook: WaitWebhook;
	target: WaitTarget;
}

/** What was started, and what the execution waits for; without a target, there is nothing to wait for. */
export interface StartedItem extends ItemOutput {
	target?: WaitTarget;
	/** For a person who opens the node while it waits: n8n shows only this, and not the output. */
	waitsFor?: string;
}

/**
 * Starts something, and puts the execution to wait for it. The webhook is registered first, because the
 * event could otherwise arrive before.
 * @param limit How long to wait (ms).
 * @param start Sends the request. Its input must be checked before, and that the execution can wait (operations/waiting.ts).
 * @returns What the node shows while it waits, or its output if there is nothing to wait for.
 * @throws ServiceError if nothing was sent, or if n8n cannot wait for what was sent.
 */
export async function startWaiting(
	item: ItemContext,
	event: EventType,
	limit: number,
	start: () => Promise<StartedItem>,
): Promise<ItemOutput[]> {
	const { execute, service } = item;
	const until = new Date(Date.now() + limit);
	const { baseUrl } = await service.account();
	const trouble = unreachable(baseUrl, execute.getSignedResumeUrl());
	if (trouble?.isCertain) {
		throw new ServiceError({
			message: trouble.problem,
			description: `${trouble.remedy} Nothing was sent.`,
			docsAnchor: 'events-cannot-arrive',
		});
	}
	if (trouble) item.hint(`${trouble.problem}. ${trouble.remedy}`);
	// Nobody waits for it.
	void removeExpired(execute, service);
	const webhook = await registerWait(execute, service, event, until);
	let isWaiting = false;
	try {
		const { target, waitsFor, ...output } = await start();
		if (waitsFor) item.hint(`Waiting for ${waitsFor}`, 'info');
		if (!target) return [output];
		const put = await settle(execute.putExecutionToWait(until));
		if (!put.ok) {
			throw new ServiceError({
				message: `Sent (${output.created ?? 'by another node'}), but n8n cannot wait for it: ${describeError(put.error).message}`,
				description: 'Do not send it again. Wait for it in another workflow, by its ID.',
				docsAnchor: 'waiting',
				// A Send Once Key must be kept.
				mayHaveCreated: output.created !== undefined,
			});
		}
		// In the execution's data, which n8n writes to its database when the execution begins to wait. So it
		// survives a restart, and every process in queue mode reads the same.
		const state: WaitState = { webhook, target };
		waitAlone(execute);
		execute.getContext('node')[stateKey] = state;
		const timedOut = { completed: false, timedOut: true, waitUntil: until.toISOString() };
		passOnAtLimit(execute, { json: { ...output.json, ...timedOut }, pairedItem: { item: 0 } });
		isWaiting = true;
		return [output];
	} finally {
		if (!isWaiting) await removeWait(service, webhook);
	}
}
