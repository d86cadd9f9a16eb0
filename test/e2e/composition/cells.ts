import type { INode } from 'n8n-workflow';

import type { TestedOperation } from '../../operations';
import { type FaultName } from './faults';
import { outcomeOf, table, type End, type Outcome } from './table';

/** The choices of a node's setting "On Error", as n8n saves them. */
export const onErrors = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const;
export type OnError = (typeof onErrors)[number];

/** The two settings of a node that decide what a failure leads to. */
export interface Setting {
	onError: OnError;
	/** Whether "Retry On Fail" is on, with 3 tries. */
	retry: boolean;
}

/** Every combination of the two. */
export const everySetting: Setting[] = onErrors.flatMap((onError) =>
	[false, true].map((retry) => ({ onError, retry })),
);

/** A setting as n8n saves it with the node. The wait between tries is the shortest that n8n takes. */
export function asSaved({ onError, retry }: Setting): Partial<INode> {
	return {
		onError,
		...(retry ? { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 } : {}),
	};
}

/** How the editor calls the choices of On Error. */
export const onErrorWords: Record<OnError, string> = {
	stopWorkflow: 'Stop Workflow',
	continueRegularOutput: 'Continue',
	continueErrorOutput: 'Continue (using error output)',
};

/** How the editor calls a setting. */
export function wordsOf({ onError, retry }: Setting): string {
	return `${onErrorWords[onError]}${retry ? ', Retry On Fail' : ''}`;
}

/** How much slower (ms) an endpoint is made. */
export const slowness = 100;

/** One test: an operation with a setting, hit by a fault. */
export interface Cell {
	operation: TestedOperation;
	fault: FaultName;
	setting: Setting;
	end: End;
	expected: Outcome;
	/** An endpoint at which the service is slower; none in the base. */
	slow?: string;
}

/** A cell as reports name it. */
export function nameOf({ operation, fault, setting, slow }: Cell): string {
	const slowed = slow ? `, ${slow} slower` : '';
	return `${operation.name}, ${fault}, ${wordsOf(setting)}${slowed}`;
}

/** All cells with the service as fast as it is. */
export function baseCells(): Cell[] {
	return table.flatMap(({ fault, operations, off, on }) =>
		operations.flatMap((operation) =>
			everySetting.map((setting) => {
				const inTable = setting.retry ? on : off;
				// One that waits has one item, and that is all there is.
				const isOne = ['oneFails', 'oneWrong'].includes(inTable);
				const end = operation.waits && isOne ? 'allFail' : inTable;
				return { operation, fault, setting, end, expected: outcomeOf(end, setting.onError) };
			}),
		),
	);
}

/** All cells, once more for each endpoint that the operation calls, with that endpoint slower. */
export function slowedCells(): Cell[] {
	return baseCells().flatMap((cell) => endpointsOf(cell).map((slow) => ({ ...cell, slow })));
}

/** The endpoints that a cell comes by. */
function endpointsOf({ operation }: Cell): string[] {
	return Object.values(operation.calls);
}

/** One slowed cell for each operation and fault, chosen by a seed. */
export function sampledCells(seed: number): Cell[] {
	return sampled(slowedCells(), seed, ({ operation, fault }) => `${operation.name} ${fault}`);
}

/** One of each group, chosen by a seed. */
export function sampled<Each>(all: Each[], seed: number, groupOf: (each: Each) => string): Each[] {
	const random = randomOf(seed);
	const groups = new Map<string, Each[]>();
	for (const each of all) groups.set(groupOf(each), [...(groups.get(groupOf(each)) ?? []), each]);
	return [...groups.values()].flatMap((group) => group[Math.floor(random() * group.length)] ?? []);
}

/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
function randomOf(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}
