import type { IExecuteFunctions } from 'n8n-workflow';

import type { EventType } from '../api/events';
import { InputError, ServiceError } from '../http/errors';
import { canKeepWait, passOnAtLimit } from '../n8nInternals';
import type { ItemContext, ItemOutput } from '../operations/types';
import { attempt } from '../util/async';
import { reasonOf } from '../util/values';
import { keepState, type WaitState, type WaitTarget } from './state';
import {
	newResumeToken,
	registerWait,
	removeExpired,
	removeWait,
	type WaitWebhook,
} from './webhook';

/** What was started, and what the execution waits for; without a target, there is nothing to wait for. */
export type StartedItem = ItemOutput & { target?: WaitTarget };

/**
 * Starts something, and puts the execution to wait for it. The webhook is registered first, because the
 * event could otherwise arrive before.
 * @param limit How long to wait (ms).
 * @param start Sends the request. Its input and {@link checkCanWait} must be checked before.
 * @returns What the node shows while it waits, or its output if there is nothing to wait for.
 * @throws ServiceError if nothing was sent, or if n8n cannot wait for what was sent.
 */
export async function startWaiting(
	{ execute, service }: ItemContext,
	event: EventType,
	limit: number,
	start: () => Promise<StartedItem>,
): Promise<ItemOutput[]> {
	const until = new Date(Date.now() + limit);
	// Nobody waits for it.
	void removeExpired(execute, service);
	let webhook: WaitWebhook = { resumeToken: newResumeToken(), ids: {} };
	let isWaiting = false;
	try {
		webhook = await registerWait(execute, service, event, webhook.resumeToken, until);
		const { target, ...output } = await start();
		if (target) await putToWait(execute, { webhook, target }, until, output);
		isWaiting = target !== undefined;
		return [output];
	} finally {
		// Also if registering failed, because its answer may be lost.
		if (!isWaiting) await attempt(removeWait(service, webhook));
	}
}

async function putToWait(
	execute: IExecuteFunctions,
	state: WaitState,
	until: Date,
	{ json, created }: ItemOutput,
): Promise<void> {
	const put = await attempt(execute.putExecutionToWait(until));
	if (!put.ok) {
		throw new ServiceError({
			message: `Sent (${created ?? 'by another node'}), but n8n cannot wait for it: ${reasonOf(put.error)}`,
			description: 'Do not send it again. Wait for it in another workflow, by its ID.',
			topic: 'waiting',
			// A Send Once Key must be kept.
			mayHaveCreated: created !== undefined,
		});
	}
	keepState(execute, state);
	const timedOut = { completed: false, timedOut: true, waitUntil: until.toISOString() };
	passOnAtLimit(execute, { json: { ...json, ...timedOut }, pairedItem: { item: 0 } });
}

const insteadOfWaiting =
	'use an operation that does not wait, and a workflow that begins with a SignVerify Trigger.';

/** @throws InputError if this execution cannot wait. */
export function checkCanWait(execute: IExecuteFunctions): void {
	// n8n's variants of the node for AI agents: as a tool, and for human review.
	if (execute.getNode().type.endsWith('Tool')) {
		throw cannotWait(
			'an AI agent cannot wait for it',
			'Use an operation that does not wait, and a workflow that begins with a SignVerify Trigger.',
		);
	}
	// An older n8n does not have it, whatever the types say.
	if (!(execute as Partial<IExecuteFunctions>).getSignedResumeUrl || !canKeepWait(execute)) {
		throw cannotWait(
			'this n8n is too old to wait for an event. Nothing was sent',
			`Update n8n to version 2, or ${insteadOfWaiting}`,
		);
	}
	// For Engine 2.0 of n8n 2.41, a node that waits is done. Its contexts have no signal for cancelling.
	if (!execute.getExecutionCancelSignal()) {
		throw cannotWait(
			"n8n's Engine 2.0 cannot wait for an event. Nothing was sent",
			`Let the workflow run in the engine before it, or ${insteadOfWaiting}`,
		);
	}
}

/**
 * @param count How many input items the node has.
 * @throws InputError if they are too many for one wait.
 */
export function checkWaitsForOne(count: number): void {
	if (count <= 1) return;
	throw cannotWait(
		`an execution can wait for one item, and this node got ${count}. Nothing was sent`,
		'Start a sub-workflow for each person: Loop Over Items with a batch size of 1, then Execute Sub-workflow with "Wait For Sub-Workflow Completion" off, and this node in the sub-workflow. This works well for up to about 100 people. For more, use Send for Signature, a SignVerify Trigger and a table.',
	);
}

function cannotWait(problem: string, remedy: string): InputError {
	return new InputError('Operation', problem, remedy, 'waiting');
}
