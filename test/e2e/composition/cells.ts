import type { INode } from 'n8n-workflow';

import type { Fault } from '../../../sandbox';
import type { TestedOperation, CallName } from '../../operations';
import { oneOfEach } from '../../support/sample';
import { outcomeOf, table, type End, type Outcome } from './table';

/** The choices for a node's On Error setting, as n8n saves them. */
const onErrors = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const;
export type OnError = (typeof onErrors)[number];

/** The two settings of a node that decide what happens after a failure. */
export interface Setting {
	onError: OnError;
	/** Whether "Retry On Fail" is on, with 3 tries. */
	retry: boolean;
}

const everySetting: Setting[] = onErrors.flatMap((onError) =>
	[false, true].map((retry) => ({ onError, retry })),
);

/** A setting as n8n saves it with the node. The pause between tries is the shortest that n8n allows. */
export function asSaved({ onError, retry }: Setting): Partial<INode> {
	return {
		onError,
		...(retry ? { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 } : {}),
	};
}

/** The labels of the On Error choices in the editor. */
export const onErrorWords: Record<OnError, string> = {
	stopWorkflow: 'Stop Workflow',
	continueRegularOutput: 'Continue',
	continueErrorOutput: 'Continue (using error output)',
};

/** The name of a setting in the editor. */
export function wordsOf({ onError, retry }: Setting): string {
	return `${onErrorWords[onError]}${retry ? ', Retry On Fail' : ''}`;
}

/** The additional delay (ms) of a slowed endpoint. */
export const slowness = 100;

/** One cell of the matrix: an operation with a setting, hit by a fault. */
export interface Cell {
	operation: TestedOperation;
	fault: FaultName;
	setting: Setting;
	end: End;
	expected: Outcome;
	slow?: string;
}

/** The name of a cell in reports. */
export function nameOf({ operation, fault, setting, slow }: Cell): string {
	const slowed = slow ? `, ${slow} slower` : '';
	return `${operation.name}, ${fault}, ${wordsOf(setting)}${slowed}`;
}

/** All cells without a slowed endpoint. */
function baseCells(): Cell[] {
	return table.flatMap(({ fault, operations, end: inTable }) =>
		operations.flatMap((operation) =>
			everySetting.map((setting) => {
				// An operation that waits has only one item, so if one item fails, all of them have failed.
				const isOne = ['oneFails', 'oneWrong'].includes(inTable);
				const end = operation.waits && isOne ? 'allFail' : inTable;
				return { operation, fault, setting, end, expected: outcomeOf(end, setting.onError) };
			}),
		),
	);
}

/** Returns each cell once for each endpoint that its operation calls, with that endpoint slowed. */
function slowedCells(): Cell[] {
	return baseCells().flatMap((cell) =>
		Object.values(cell.operation.calls).map((slow) => ({ ...cell, slow })),
	);
}

/**
 * The cells to run: all of them, or one for each operation and fault. The seed then chooses each cell's setting
 * and slowed endpoint, if any.
 */
export function cellsToRun(): Cell[] {
	const all = [...baseCells(), ...slowedCells()];
	return oneOfEach(all, ({ operation, fault }) => `${operation.name} ${fault}`);
}

export interface FaultKind {
	/** The call that the fault hits, and what happens to the call. */
	at?: CallName;
	fault?: Omit<Fault, 'endpoint'>;
	/** What is wrong with the third of four items. */
	item?: 'malformed' | 'absent';
}

const refusal = (status: number) => ({
	response: { status, body: { success: false, message: 'provoked', responseCode: status } },
});
/** A fault that rejects a call every time. */
const refuses = (at: CallName, status: number): FaultKind => ({
	at,
	fault: refusal(status),
});
const refusesOnce = (at: CallName, status: number): FaultKind => ({
	at,
	fault: { times: 1, ...refusal(status) },
});
const breaksOnce = (at: CallName, reset: 'before' | 'after'): FaultKind => ({
	at,
	fault: { times: 1, reset },
});

export const faults = {
	none: {},
	tokenRefused: refuses('token', 401),
	tokenFails: refusesOnce('token', 502),
	/** One of four items contains a wrong value. */
	malformed: { item: 'malformed' },
	/** One of four items refers to something that doesn't exist. */
	absent: { item: 'absent' },
	listRefused: refusesOnce('list', 400),
	listFails: refuses('list', 502),
	registrationFails: refusesOnce('registration', 502),
	registrationRefused: refusesOnce('registration', 400),
	registrationForbidden: refuses('registration', 403),
	responseLost: breaksOnce('call', 'after'),
	callFailsOnce: refusesOnce('call', 502),
	callRefused: refusesOnce('call', 400),
	callBroken: breaksOnce('call', 'before'),
	callFails: refuses('call', 502),
} satisfies Record<string, FaultKind>;

export type FaultName = keyof typeof faults;

/** Returns the fault with this name, typed as a `FaultKind`. */
export function faultOf(name: FaultName): FaultKind {
	return faults[name];
}
