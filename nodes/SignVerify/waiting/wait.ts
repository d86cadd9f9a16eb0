import { WAIT_INDEFINITELY, type IDataObject } from 'n8n-workflow';

import type { EventType } from '../interface';
import type { ItemContext, ItemOutput } from '../operations/types';
import { attempt } from '../transport/attempt';
import { InputFailure } from '../transport/failure';
import { removeWhenOver } from './expiry';
import { removeLeftOvers } from './leftOvers';
import { registerWait, removeWait } from './registration';
import { keepState, type Awaited } from './state';

/** What was begun, and what to wait for. */
export interface Begun {
	/** What the item says while it waits, and when the time is over. */
	json: IDataObject;
	/** Absent when it is done already: then nothing is waited for. */
	awaited?: Awaited;
}

/**
 * Begins something and puts the execution to wait for its end. The registration comes first, so that
 * the event cannot come before it; when nothing is begun, it is removed again.
 * @param event The event to wait for.
 * @param limit Milliseconds to wait; undefined for ever.
 * @param begin Sends the request. It must have checked its input before this is called.
 */
export async function beginAndWait(
	item: ItemContext,
	event: EventType,
	limit: number | undefined,
	begin: () => Promise<Begun>,
): Promise<ItemOutput[]> {
	const { execute, service } = item;
	checkCanWait(item);
	// Beside the rest: nobody waits for it.
	void removeLeftOvers(execute, service);
	const registration = await registerWait(execute, service, event);
	const begun = await attempt(begin());
	if (!begun.ok || !begun.value.awaited) {
		// Should this fail, too, the next run finds it.
		await attempt(removeWait(service, registration));
		if (!begun.ok) throw begun.error;
		return [{ json: begun.value.json }];
	}
	const { json, awaited } = begun.value;
	keepState(execute, { ...awaited, registration });
	// When the time is over n8n passes on what the node was given: from now on, this.
	execute.getExecuteData().data.main = [
		[{ json: { ...json, timedOut: true }, pairedItem: { item: item.itemIndex } }],
	];
	await execute.putExecutionToWait(
		limit === undefined ? WAIT_INDEFINITELY : new Date(Date.now() + limit),
	);
	if (limit !== undefined) removeWhenOver(service, registration, limit);
	return [{ json }];
}

/** @throws InputFailure where an execution cannot wait for this; nothing has been sent then. */
function checkCanWait({ execute }: ItemContext): void {
	// The variants of the node that n8n makes for AI agents: as a tool, and for human review.
	if (execute.getNode().type.endsWith('Tool')) {
		throw new InputFailure(
			'Operation',
			'an AI agent cannot wait for it',
			'Use an operation that does not wait, and a workflow that begins with a SignVerify Trigger.',
		);
	}
	const count = execute.getInputData().length;
	if (count === 1) return;
	throw new InputFailure(
		'Items',
		`an execution waits for one at a time, but ${count} came in. Nothing was sent`,
		'Put this node into a sub-workflow that is run once for each item, without waiting for it to complete.',
	);
}
