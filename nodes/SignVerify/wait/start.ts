import {
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
	WAIT_INDEFINITELY,
} from 'n8n-workflow';

import type { EventType } from '../api/events';
import type { ServiceClient } from '../http/client';
import { InputError } from '../operations/inputError';
import { attempt } from '../util/async';
import { objectOf } from '../util/values';
import { removeOrphans } from './cleanUp';
import { consequenceOfStart, makeWait, registerWait, removeWait } from './registration';
import { canRunAgain, placeSuccessor, removeSuccessor } from './stack';
import { isOpen, keepState, type WaitRegistration, type WaitState, type WaitTarget } from './state';

const units = { minutes: 60_000, hours: 3_600_000, days: 86_400_000 };
const mostDays = 3650;

/** An option of the operations that wait. */
export const limitWaitTimeOption: INodeProperties = {
	displayName: 'Limit Wait Time',
	name: 'limitWaitTime',
	type: 'fixedCollection',
	default: { values: { amount: 30, unit: 'days' } },
	description:
		'When to give up waiting. The workflow then continues with an item that says timedOut: true.',
	options: [
		{
			displayName: 'Values',
			name: 'values',
			values: [
				{
					displayName: 'Amount',
					name: 'amount',
					type: 'number',
					typeOptions: { minValue: 0 },
					default: 30,
					description: 'How long to wait',
				},
				{
					displayName: 'Unit',
					name: 'unit',
					type: 'options',
					options: [
						{ name: 'Minutes', value: 'minutes' },
						{ name: 'Hours', value: 'hours' },
						{ name: 'Days', value: 'days' },
					],
					default: 'days',
				},
			],
		},
	],
};

/**
 * Reads how long to wait, which is the same for all items.
 * @returns Milliseconds; undefined if there is no limit.
 * @throws InputError if it is out of range.
 */
function readWaitLimit(execute: IExecuteFunctions): number | undefined {
	const option: unknown = execute.getNodeParameter('options.limitWaitTime', 0, null);
	if (option === null) return undefined;
	const values = objectOf(objectOf(option).values);
	const unit = units[(values.unit ?? 'days') as keyof typeof units];
	const time = Number(values.amount ?? 30) * unit;
	if (time > 0 && time <= mostDays * units.days) return time;
	throw new InputError(
		'Limit Wait Time',
		'it is out of range',
		`Enter an amount above 0, at most ${mostDays} days.`,
		'waiting',
	);
}

/** What was started for an item. */
export interface StartedItem {
	/** The output while it waits, and when the limit has passed. */
	json: IDataObject;
	/** What the execution waits for; absent if there is nothing to wait for. */
	target?: WaitTarget;
	/** What was created ("document 64f…"). If the run fails later, its error says what exists already. */
	created?: string;
}

/** The part of an operation's context that is needed (operations/types.ts). */
interface Starting {
	execute: IExecuteFunctions;
	service: ServiceClient;
	memoize<Value>(key: string, load: () => Promise<Value>): Promise<Value>;
}

/** An output, and what must happen before it leaves the node. */
export type WaitingOutput = INodeExecutionData & { target?: WaitTarget };

/** The wait that a running execution is about to begin. */
interface WaitStart {
	wait: string;
	/** After the service has accepted it. */
	registration?: WaitRegistration;
}

const starts = new WeakMap<IExecuteFunctions, WaitStart>();

/**
 * Starts something that the execution waits for. It registers first, because an event could otherwise
 * arrive before.
 * @param send Sends the request. Its input and {@link checkCanWait} must be checked before.
 * @throws ServiceError if the registration fails. Then nothing was sent.
 */
export async function startWaiting(
	item: Starting,
	events: EventType[],
	send: () => Promise<StartedItem>,
): Promise<StartedItem[]> {
	const { execute, service } = item;
	let start = starts.get(execute);
	if (!start) {
		start = { wait: makeWait() };
		starts.set(execute, start);
		// Nobody waits for it.
		void removeOrphans(execute, service, start.wait);
	}
	const { wait } = start;
	start.registration ??= await item.memoize(
		'the registration of the wait',
		async () => await registerWait(execute, service, events, wait, consequenceOfStart),
	);
	return [await send()];
}

/**
 * Puts the execution to wait for everything that was started. If nothing was, the registrations are
 * removed, and the items are output at once.
 * @returns What the node shows while it waits, or its items.
 */
export async function waitForAll(
	execute: IExecuteFunctions,
	service: ServiceClient,
	outputs: WaitingOutput[],
): Promise<INodeExecutionData[]> {
	const items = outputs.map(({ target, ...pending }) => ({
		pending,
		...(target ? { target } : {}),
	}));
	const registration = starts.get(execute)?.registration;
	if (!registration || !items.some(isOpen)) {
		await abandonWait(execute, service);
		return items.map(({ pending }) => pending);
	}
	const limit = readWaitLimit(execute);
	const until = limit === undefined ? {} : { until: Date.now() + limit };
	return await putToWait(execute, { registration, eventCount: 0, items, ...until });
}

/**
 * Puts the execution to wait with a state, for the first time or again.
 * @returns What the node shows while it waits: the items that wait. An error among them would make n8n's
 * Retry On Fail run the node again.
 */
export async function putToWait(
	execute: IExecuteFunctions,
	state: WaitState,
): Promise<INodeExecutionData[]> {
	const { until, registration, items } = state;
	keepState(execute, state);
	placeSuccessor(execute, registration.wait);
	let isWaiting = false;
	try {
		await execute.putExecutionToWait(until === undefined ? WAIT_INDEFINITELY : new Date(until));
		isWaiting = true;
	} finally {
		if (!isWaiting) removeSuccessor(execute, registration.wait);
	}
	return items.filter(isOpen).map(({ pending }) => pending);
}

/** Removes the registrations of a run that does not wait. If this fails, a later run finds them. */
export async function abandonWait(
	execute: IExecuteFunctions,
	service: ServiceClient,
): Promise<void> {
	const start = starts.get(execute);
	if (!start) return;
	starts.delete(execute);
	// Also if registering failed, because its answer may be lost.
	await attempt(removeWait(service, start.registration ?? { ids: {}, wait: start.wait }));
}

const insteadOfWaiting =
	'use an operation that does not wait, and a workflow that begins with a SignVerify Trigger.';

/** @throws InputError if this execution cannot wait, or the limit of the wait is wrong. */
export function checkCanWait(execute: IExecuteFunctions): void {
	readWaitLimit(execute);
	// n8n's variants of the node for AI agents: as a tool, and for human review.
	if (execute.getNode().type.endsWith('Tool')) {
		throw cannotWait(
			'an AI agent cannot wait for it',
			'Use an operation that does not wait, and a workflow that begins with a SignVerify Trigger.',
		);
	}
	// An older n8n does not have it, whatever the types say.
	if (!(execute as Partial<IExecuteFunctions>).getSignedResumeUrl || !canRunAgain(execute)) {
		throw cannotWait(
			'this n8n is too old to wait for an event. Nothing was sent',
			`Update n8n to 1.123.81 or newer, or ${insteadOfWaiting}`,
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

function cannotWait(problem: string, remedy: string): InputError {
	return new InputError('Operation', problem, remedy, 'waiting');
}
