import fc, { type Scheduler } from 'fast-check';

import type { NodeCode } from '../n8n/surroundings';
import { compileNodes } from './nodeCode';
import { plantedFaults } from './planted/faults';
import { commandsArbitrary } from './commands';
import { Broken } from './promises/broken';
import { World } from './world';
import { describePlan, simulationPlanArbitrary, type Plan } from './plan';
import { Simulation } from './simulation';

/** A run in which a promise did not hold, as short as it could be made. */
export interface Counterexample {
	seed: number;
	/** Of the promise. */
	name: string;
	promise: string;
	/** What a person reads: how it was set up, what was done, what happened. */
	story: string;
}

/** The most things that are done in one run. */
const maxCommands = 14;

/**
 * Runs one seed.
 * @param shrink Whether a failure is to be made as short as possible, which takes many more runs.
 * @returns undefined when every promise held.
 */
async function runSeed(
	seed: number,
	load: () => NodeCode,
	shrink: boolean,
): Promise<Counterexample | undefined> {
	const first = await search(seed, load, () => true, true);
	if (!first || !shrink) return first;
	// What is shorter must break the same promise: else it would be another counterexample.
	const isSame = (error: unknown) => nameOf(error) === first.name;
	return (await search(seed, load, isSame, false)) ?? first;
}

async function search(
	seed: number,
	load: () => NodeCode,
	counts: (error: unknown) => boolean,
	endOnFailure: boolean,
): Promise<Counterexample | undefined> {
	let found: Counterexample | undefined;
	const once = async (
		plan: Plan,
		commands: Iterable<fc.AsyncCommand<Record<string, never>, Simulation>>,
		scheduler: Scheduler,
	) => {
		const world = new World(scheduler, plan.chance);
		try {
			const simulation = await Simulation.create(plan, world, load);
			await simulation.begin();
			await fc.asyncModelRun(() => ({ model: {}, real: simulation }), commands);
			await simulation.promises.finish();
		} catch (error) {
			if (!counts(error)) return;
			const story = [describePlan(plan), ...world.history].join('\n');
			const { message } = error as Error;
			found = { seed, name: nameOf(error), promise: message, story };
			throw error;
		} finally {
			world.end();
		}
	};
	const property = fc.asyncProperty(
		simulationPlanArbitrary,
		fc.commands(commandsArbitrary, { maxCommands, size: 'max' }),
		fc.scheduler(),
		once,
	);
	const { failed, errorInstance } = await fc.check(property, { seed, numRuns: 1, endOnFailure });
	// Anything else than a counterexample is a fault of the simulation.
	if (failed && !found) throw errorInstance;
	return found;
}

function nameOf(error: unknown): string {
	return error instanceof Broken ? error.promise : String(error);
}

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
export type Report = { found: Counterexample } | { runs: number };

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
		if (runs % 100 === 0) report({ runs });
	}
	report({ runs });
}

process.once('message', (order: Order) => {
	void work(order).finally(() => process.disconnect());
});
