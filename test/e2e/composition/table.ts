import { testedOperations, type TestedOperation } from '../../operations';
import type { FaultName, OnError } from './cells';

/**
 * What a fault does to the items, whatever On Error is set to. `done`: every item is done. `allFail`: no item
 * is done, and nothing is created. `oneFails`: one item is certainly not done, and all others are.
 * `oneUnsure`: like `oneFails`, but the service may have created what that item requested. `oneWrong`: like
 * `oneFails`, but if the node stops, nothing is sent at all.
 */
export type End = 'done' | 'allFail' | 'oneFails' | 'oneUnsure' | 'oneWrong';

/** The outcomes that a user sees. */
export type Outcome =
	| 'done'
	| 'stops, nothing created'
	| 'stops, the rest is listed'
	| 'stops, one may exist, the rest is listed'
	| 'every item has an error'
	| 'one item has an error, the rest is done'
	| 'one item may exist and says so, the rest is done';

const stopping: Record<End, Outcome> = {
	done: 'done',
	allFail: 'stops, nothing created',
	oneFails: 'stops, the rest is listed',
	oneUnsure: 'stops, one may exist, the rest is listed',
	oneWrong: 'stops, nothing created',
};

const continuing: Record<End, Outcome> = {
	done: 'done',
	allFail: 'every item has an error',
	oneFails: 'one item has an error, the rest is done',
	oneUnsure: 'one item may exist and says so, the rest is done',
	oneWrong: 'one item has an error, the rest is done',
};

export function outcomeOf(end: End, onError: OnError): Outcome {
	return (onError === 'stopWorkflow' ? stopping : continuing)[end];
}

export interface Row {
	fault: FaultName;
	operations: TestedOperation[];
	/** The end, which is the same with and without Retry On Fail. */
	end: End;
}

/** Returns the kind of an operation. Some faults have the same result in all operations of one kind. */
function kindOf({ waits, created, calls }: TestedOperation): string {
	if (waits) return 'waits';
	if (created) return 'creates';
	return calls.list && !calls.call ? 'lists' : 'other';
}

/**
 * Returns the first operation of each kind. The others use the same code to handle the fault, so testing one
 * is enough.
 */
function oneOfEachKind(list: TestedOperation[]): TestedOperation[] {
	return list.filter((tested) => tested === list.find((other) => kindOf(other) === kindOf(tested)));
}

const all = testedOperations;
const withToken = all.filter(({ calls }) => calls.token);
const listing = all.filter(({ calls }) => calls.list);
const calling = all.filter(({ calls }) => calls.call);
const sending = all.filter(({ operation }) => operation.sends);
const creating = all.filter(({ created }) => created);
const reading = calling.filter(({ created }) => !created);
const waiting = all.filter(({ waits }) => waits);
const finding = all.filter(({ absent }) => absent);

type Line = [fault: FaultName, operations: TestedOperation[], end: End];

const oneOfSending = oneOfEachKind(listing).filter(({ created }) => created);
const oneOfReading = oneOfEachKind(listing).filter(({ created }) => !created);
const others = all.filter((operation) => !sending.includes(operation));

const lines: Line[] = [
	['none', all, 'done'],
	['malformed', sending, 'oneWrong'],
	['malformed', others, 'oneFails'],
	['absent', finding, 'oneFails'],
	['tokenRefused', oneOfEachKind(withToken), 'allFail'],
	['tokenFails', oneOfEachKind(withToken), 'done'],
	['listRefused', oneOfSending, 'allFail'],
	// Each item looks up a different template, so only one item fails if listing is refused once.
	['listRefused', oneOfReading, 'oneFails'],
	['listFails', oneOfEachKind(listing), 'allFail'],
	['registrationFails', waiting, 'allFail'],
	['registrationRefused', waiting, 'allFail'],
	['registrationForbidden', waiting, 'allFail'],
	['responseLost', creating, 'oneUnsure'],
	['callFailsOnce', oneOfEachKind(creating), 'oneUnsure'],
	['callRefused', calling, 'oneFails'],
	['callBroken', reading, 'done'],
	['callFails', reading, 'allFail'],
];

/** The composition matrix: each row with each choice of On Error, without and with Retry On Fail. */
export const table: Row[] = lines.map(([fault, operations, end]) => ({
	fault,
	operations,
	end,
}));
