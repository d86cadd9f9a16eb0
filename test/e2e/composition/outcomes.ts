import type { OnError } from './settings';

/**
 * What a fault does to the items, whatever On Error says.
 * `done`: every item is done. `allFail`: no item is done, and nothing is created. `oneFails`: one item
 * is not done, certainly; the others are. `oneUnsure`: the same, but the service may have created
 * what the item asked for.
 */
export type End = 'done' | 'allFail' | 'oneFails' | 'oneUnsure';

/** What a user sees. */
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
};

const continuing: Record<End, Outcome> = {
	done: 'done',
	allFail: 'every item has an error',
	oneFails: 'one item has an error, the rest is done',
	oneUnsure: 'one item may exist and says so, the rest is done',
};

/** What a user sees of an end with a choice of On Error. */
export function outcomeOf(end: End, onError: OnError): Outcome {
	return (onError === 'stopWorkflow' ? stopping : continuing)[end];
}
