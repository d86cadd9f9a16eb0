import {
	WAIT_INDEFINITELY,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import type { EventType } from '../interface';
import type { ItemContext, ItemOutput } from '../operations/types';
import { attempt } from '../transport/attempt';
import type { ServiceClient } from '../transport/client';
import { InputFailure } from '../transport/failure';
import { removeWhenOver } from './expiry';
import { removeLeftOvers } from './leftOvers';
import { readWaitLimit } from './limit';
import { canRunAgain } from './progress';
import { registerWait, removeWait } from './registration';
import { keepState, outputsOf, type Awaited, type WaitRegistration, type WaitState } from './state';

/** What was begun, and what to wait for. */
export interface Begun {
	/** What the item says while it waits, and when the time is over. */
	json: IDataObject;
	/** Absent when it is done already: then nothing is waited for. */
	awaited?: Awaited;
}

/** An output with what is to happen before it goes on. */
export type WaitingOutput = INodeExecutionData & { awaited?: Awaited };

/** The registrations of running executions; one serves all items. */
const registrations = new WeakMap<IExecuteFunctions, Promise<WaitRegistration>>();

/**
 * Begins something that the execution is to wait for. The registration comes first, so that the
 * event cannot come before it.
 * @param event The event to wait for.
 * @param begin Sends the request. It must have checked its input before this is called.
 */
export async function beginWaiting(
	{ execute, service }: ItemContext,
	event: EventType,
	begin: () => Promise<Begun>,
): Promise<ItemOutput[]> {
	checkCanWait(execute);
	readWaitLimit(execute);
	let registration = registrations.get(execute);
	if (!registration) {
		// Beside the rest: nobody waits for it.
		void removeLeftOvers(execute, service);
		registration = registerWait(execute, service, event);
		registrations.set(execute, registration);
	}
	await registration;
	return [await begin()];
}

/**
 * Puts the execution to wait for all that was begun. Where nothing was, the registration is removed.
 * @returns What the node shows while it waits.
 */
export async function waitForAll(
	execute: IExecuteFunctions,
	service: ServiceClient,
	outputs: WaitingOutput[],
): Promise<INodeExecutionData[]> {
	const items = outputs.map(({ awaited, ...pending }) => ({
		pending,
		...(awaited ? { awaited } : {}),
	}));
	const registration = await registrations.get(execute);
	if (!registration || !items.some(({ awaited }) => awaited)) {
		await abandonWait(execute, service);
		return items.map(({ pending }) => pending);
	}
	const limit = readWaitLimit(execute);
	const until = limit === undefined ? {} : { until: Date.now() + limit };
	return await sleepOn(execute, service, { registration, items, ...until });
}

/** Puts the execution to wait with a state, for the first time or again. */
export async function sleepOn(
	execute: IExecuteFunctions,
	service: ServiceClient,
	state: WaitState,
): Promise<INodeExecutionData[]> {
	keepState(execute, state);
	// When the time is over n8n passes on what the node was given: from now on, this.
	execute.getExecuteData().data.main = [outputsOf(state)];
	const { until, registration } = state;
	await execute.putExecutionToWait(until === undefined ? WAIT_INDEFINITELY : new Date(until));
	if (until !== undefined) removeWhenOver(service, registration, until - Date.now());
	return state.items.map(({ output, pending }) => output ?? pending);
}

/** Removes the registration of a run that will not wait. Should it fail, the next run finds it. */
export async function abandonWait(
	execute: IExecuteFunctions,
	service: ServiceClient,
): Promise<void> {
	const registering = registrations.get(execute);
	const registered = registering ? await attempt(registering) : undefined;
	if (registered?.ok) await attempt(removeWait(service, registered.value));
}

/** @throws InputFailure where an execution cannot wait for this; nothing has been sent then. */
function checkCanWait(execute: IExecuteFunctions): void {
	// The variants of the node that n8n makes for AI agents: as a tool, and for human review.
	if (execute.getNode().type.endsWith('Tool')) {
		throw new InputFailure(
			'Operation',
			'an AI agent cannot wait for it',
			'Use an operation that does not wait, and a workflow that begins with a SignVerify Trigger.',
		);
	}
	// The types say that it is always there, but an older n8n has none.
	if (!(execute as Partial<IExecuteFunctions>).getSignedResumeUrl) {
		throw new InputFailure(
			'Operation',
			'this n8n is too old to wait for an event. Nothing was sent',
			'Update n8n to 1.123.81 or newer, or use an operation that does not wait, and a workflow that begins with a SignVerify Trigger.',
		);
	}
	const count = execute.getInputData().length;
	if (count === 1 || canRunAgain(execute)) return;
	throw new InputFailure(
		'Items',
		`this n8n waits for one at a time, but ${count} came in. Nothing was sent`,
		'Put this node into a sub-workflow that is run once for each item, without waiting for it to complete.',
	);
}
