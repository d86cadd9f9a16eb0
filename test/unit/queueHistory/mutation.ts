import type { Entry } from '../../queue/support/history/entries';
import type { Facts } from '../../queue/support/history/facts';

/** A way of making an allowed history a forbidden one. */
export interface Mutation {
	name: string;
	/** All that can be mutated so, each as the history that comes of it. */
	of: (history: Entry[], facts: Facts) => Entry[][];
}

export const without = (history: Entry[], gone: Entry): Entry[] =>
	history.filter((each) => each !== gone);
export const replaced = (history: Entry[], old: Entry, fresh: Entry): Entry[] =>
	history.map((each) => (each === old ? fresh : each));
