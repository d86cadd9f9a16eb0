import { WAIT_INDEFINITELY, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';

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

/**
 * What was begun. `json` is what the item says while it waits, and when the time is over; without
 * `awaited` it is done already, and nothing is waited for.
 */
export type Begun = Pick<ItemOutput, 'json' | 'awaited' | 'created'>;

/** An output with what is to happen before it goes on. */
export type WaitingOutput = INodeExecutionData & { awaited?: Awaited };

/** How an execution is going to wait; the same for all its items. */
export interface WaitFor {
	/** The events to be told of. */
	events: EventType[];
	/** Whether it also goes on each time somebody signs. */
	eachSignature?: boolean;
}

/** The waits that running executions have registered for. */
const beginnings = new WeakMap<
	IExecuteFunctions,
	{ registering: Promise<WaitRegistration>; eachSignature: boolean }
>();

/**
 * Begins something that the execution is to wait for. The registrations come first, so that no event
 * can come before them.
 * @param begin Sends the request. It must have checked its input before this is called.
 */
export async function beginWaiting(
	{ execute, service }: ItemContext,
	{ events, eachSignature = false }: WaitFor,
	begin: () => Promise<Begun>,
): Promise<ItemOutput[]> {
	checkCanWait(execute, eachSignature);
	readWaitLimit(execute);
	let registering = beginnings.get(execute)?.registering;
	if (!registering) {
		// Beside the rest: nobody waits for it.
		void removeLeftOvers(execute, service);
		registering = registerWait(execute, service, events);
		beginnings.set(execute, { registering, eachSignature });
	}
	await registering;
	return [await begin()];
}

/**
 * Puts the execution to wait for all that was begun. Where nothing was, the registrations are removed.
 * @returns What the node shows while it waits.
 */
export async function waitForAll(
	execute: IExecuteFunctions,
	service: ServiceClient,
	outputs: WaitingOutput[],
): Promise<INodeExecutionData[]> {
	const beginning = beginnings.get(execute);
	const eachSignature = beginning?.eachSignature === true;
	const items = outputs.map(({ awaited, ...output }) => ({
		pending: eachSignature ? pairedWithSource(execute, output) : output,
		...(awaited ? { awaited } : {}),
	}));
	const registration = await beginning?.registering;
	if (!registration || !items.some(({ awaited }) => awaited)) {
		await abandonWait(execute, service);
		return items.map(({ pending }) => pending);
	}
	const limit = readWaitLimit(execute);
	const until = limit === undefined ? {} : { until: Date.now() + limit };
	const begun = Date.now();
	const state = { registration, begun, eachSignature, asleep: true, taken: 0, items, ...until };
	return await sleepOn(execute, service, state);
}

/** In later rounds the node's input is another one than that which the item came from. */
function pairedWithSource(
	execute: IExecuteFunctions,
	output: INodeExecutionData,
): INodeExecutionData {
	const { pairedItem } = output;
	if (typeof pairedItem !== 'object' || Array.isArray(pairedItem)) return output;
	const sourceOverwrite = execute.getInputSourceData();
	return { ...output, pairedItem: { ...pairedItem, sourceOverwrite } };
}

/** Puts the execution to wait with a state, for the first time or again. */
export async function sleepOn(
	execute: IExecuteFunctions,
	service: ServiceClient,
	state: WaitState,
): Promise<INodeExecutionData[]> {
	state.asleep = true;
	keepState(execute, state);
	// When the time is over n8n passes on what the node was given: from now on, this.
	execute.getExecuteData().data.main = [outputsOf(state)];
	const { until, registration } = state;
	await execute.putExecutionToWait(until === undefined ? WAIT_INDEFINITELY : new Date(until));
	if (until !== undefined) removeWhenOver(service, registration, until - Date.now());
	return state.items.map(({ output, pending }) => output ?? pending);
}

/** Removes the registrations of a run that will not wait. Should it fail, the next run finds it. */
export async function abandonWait(
	execute: IExecuteFunctions,
	service: ServiceClient,
): Promise<void> {
	const beginning = beginnings.get(execute);
	const registered = beginning ? await attempt(beginning.registering) : undefined;
	if (registered?.ok) await attempt(removeWait(service, registered.value));
}

/** @throws InputFailure where an execution cannot wait for this; nothing has been sent then. */
function checkCanWait(execute: IExecuteFunctions, eachSignature: boolean): void {
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
	if (canRunAgain(execute)) return;
	if (eachSignature) {
		throw new InputFailure(
			'Go On',
			'this n8n cannot go on at each signature. Nothing was sent',
			'Choose "When Everybody Has Signed", and a SignVerify Trigger for the signatures.',
		);
	}
	const count = execute.getInputData().length;
	if (count === 1) return;
	throw new InputFailure(
		'Items',
		`this n8n waits for one at a time, but ${count} came in. Nothing was sent`,
		'Put this node into a sub-workflow that is run once for each item, without waiting for it to complete.',
	);
}
