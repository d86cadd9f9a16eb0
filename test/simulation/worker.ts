import { compileNodes } from './nodeCode';
import { plantedFaults } from './planted/faults';
import { runSeed, type Counterexample } from './run';

/** What a worker is to do. */
export interface Order {
	/** The seeds: every `step`th one, beginning with `first`. */
	first: number;
	step: number;
	/** It ends at this seed, or at this moment (epoch-ms), whatever comes first. */
	beyond: number;
	until: number;
	/** Whether to go on after a counterexample, and to make it short. */
	stopAtFirst: boolean;
	shrink: boolean;
	/** The name of a planted fault, if the code is to have one. */
	planted?: string;
}

/** What a worker reports: each counterexample, and now and then how far it is. */
export type Report = { found: Counterexample } | { runs: number; isOver: boolean };

/** Timers of the simulation replace the global ones: the real time is asked for by this. */
const realNow = () => performance.timeOrigin + performance.now();

async function work(order: Order): Promise<void> {
	const { first, step, beyond, until, stopAtFirst, shrink, planted } = order;
	const fault = plantedFaults.find(({ name }) => name === planted);
	const load = await compileNodes(fault);
	const loadAsItIs = await compileNodes();
	const report = (message: Report) => process.send?.(message);
	let runs = 0;
	for (let seed = first; seed < beyond && realNow() < until; seed += step) {
		const found = await runSeed(seed, load, shrink);
		runs++;
		// What the code does without the planted fault, too, is not found by it.
		const isOther = found && fault && (await runSeed(seed, loadAsItIs, false));
		const isOfFault = !fault || (found?.name === fault.promise && !isOther);
		if (found && isOfFault) {
			report({ found });
			if (stopAtFirst) break;
		}
		if (runs % 100 === 0) report({ runs, isOver: false });
	}
	report({ runs, isOver: true });
}

process.once('message', (order: Order) => {
	void work(order).finally(() => process.disconnect());
});
