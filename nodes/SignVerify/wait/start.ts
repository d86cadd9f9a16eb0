import type { EventSubject } from '../api/events';
import { describeError, ServiceError } from '../http/errors';
import { readIncludedInput } from '../input/form';
import type { ItemContext, ItemOutput } from '../input/item';
import { passOnAtLimit, waitAlone } from '../n8nInternals';
import { checkReachable } from '../registrations/url';
import { registerWait, removeExpired, removeWait, waitsAlikeAtStart } from '../registrations/wait';
import { settle } from '../util/async';
import { isWithoutId, stateKey, type WaitState, type WaitTarget } from './state';

/** An item that was sent, and what the execution waits for, unless there is nothing to wait for. */
export interface StartedItem extends ItemOutput {
	/**
	 * `name` is for a person who opens the node while the execution waits: n8n then shows the name, and not the output.
	 */
	awaited?: { target: WaitTarget; name: string };
}

/** What a wait needs to know before something is sent. */
interface Wait {
	/** What the execution waits for, which decides the events that can end the wait. */
	waitsFor: EventSubject;
	/** How long to wait. */
	limitMs: number;
	/** The texts that identify a document if the service returns no ID (wait/outcome.ts, `nameWithoutId`). */
	documentName?: string[];
	/** The address that gets everything in a test run. The output at the end of the wait contains the address as well. */
	testRecipient?: string | undefined;
}

/**
 * Sends something, and puts the execution to wait for the event that ends it. The webhooks are registered first,
 * because otherwise the event could arrive before they exist. Call `checkCanWait` (wait/canWait.ts) first.
 * @param sendAwaited Sends the document or the request, and returns the target to wait for.
 * @returns The item that the node shows while it waits, or its output if there is nothing to wait for.
 * @throws ServiceError if nothing was sent, or if the execution cannot wait for what was sent.
 */
export async function startWaiting(
	item: ItemContext,
	{ waitsFor, limitMs, documentName, testRecipient }: Wait,
	sendAwaited: () => Promise<StartedItem>,
): Promise<ItemOutput> {
	const { execute, service } = item;
	const until = new Date(Date.now() + limitMs);
	const { baseUrl } = await service.account();
	const warning = checkReachable(baseUrl, execute.getSignedResumeUrl());
	if (warning) item.hint(warning);
	// Expired webhooks are removed in the background, because this wait does not depend on the result.
	void removeExpired(execute, service);
	const webhooks = await registerWait(execute, service, { waitsFor, until, documentName });
	let mustWebhooksStay = false;
	try {
		const sent = await settle(sendAwaited());
		if (!sent.ok) {
			// A later wait for the same people must see that this document may exist.
			mustWebhooksStay = mayHaveCreated(sent.error) && documentName !== undefined;
			throw sent.error;
		}
		const { awaited, ...output } = sent.value;
		if (!awaited) return output;
		const { target, name } = awaited;
		mustWebhooksStay = isWithoutId(target);
		const alike = isWithoutId(target) ? await waitsAlikeAtStart(service, webhooks) : [];
		if (alike.length > 0) throw cannotTellApart(output.created ?? 'a document', alike);
		item.hint(`Waiting for ${name}`, 'info');
		const put = await settle(execute.putExecutionToWait(until));
		if (!put.ok) throw cannotPutToWait(output.created, put.error);
		const included = readIncludedInput(item);
		const test = testRecipient === undefined ? {} : { testRecipient };
		const state: WaitState = {
			version: 1,
			webhooks,
			target,
			...('input' in included ? { includesInput: true } : {}),
			...test,
		};
		waitAlone(execute);
		// n8n writes the node's context to its database when the execution begins to wait. So the state survives a
		// restart, and every process in queue mode reads the same.
		execute.getContext('node')[stateKey] = state;
		const timedOut = {
			completed: false,
			...(target.kind === 'identity' ? { passed: null } : {}),
			timedOut: true,
			waitUntil: until.toISOString(),
		};
		// The first mention decides the order of the fields, and the last one their values.
		const json = { ...timedOut, ...output.json, ...test, ...timedOut, ...included };
		passOnAtLimit(execute, { json, pairedItem: { item: 0 } });
		mustWebhooksStay = true;
		return output;
	} finally {
		if (!mustWebhooksStay) await removeWait(service, webhooks);
	}
}

function mayHaveCreated(error: unknown): boolean {
	return error instanceof ServiceError && error.mayHaveCreated;
}

/** Something was sent, or an earlier node sent it (`created` is then undefined), but n8n refuses to wait. */
function cannotPutToWait(created: string | undefined, error: unknown): ServiceError {
	return new ServiceError({
		message: `Sent (${created ?? 'by another node'}), but n8n can't wait for it: ${describeError(error).message}`,
		description:
			"Don't send it again. A workflow that starts with a SignVerify Trigger will still get the result.",
		docsAnchor: 'waiting',
		// A Send Once Key must then keep the item from being sent again.
		mayHaveCreated: created !== undefined,
	});
}

/** The document was sent, but its signature could end the wait of another execution, or the other way round. */
function cannotTellApart(created: string, executions: string[]): ServiceError {
	return new ServiceError({
		message: `Sent (${created}), but the service returned no document ID, so it can't be told apart from the document of execution ${executions.join(', ')}`,
		description:
			"Don't send it again. Both documents are for the same people, come from the same template, and were sent at about the same time, so neither execution continues when one of them is signed. Check your provider's account to see who has signed.",
		docsAnchor: 'cannot-be-told-apart',
		// A Send Once Key must then keep the item from being sent again.
		mayHaveCreated: true,
	});
}
