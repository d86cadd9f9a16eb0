import fc, { type Scheduler } from 'fast-check';

import type { NodeCode } from '../n8n/surroundings';
import { compileNodes } from './nodeCode';
import { seededBugs } from './seededBugs/bugs';
import { commandsArbitrary } from './commands';
import { Broken } from './guarantees/broken';
import { World } from './world';
import { describePlan, simulationPlanArbitrary, type Plan } from './plan';
import { Simulation } from './simulation';

/** A run that broke a guarantee. With `shrink`, the run has been shortened as far as possible. */
export interface Counterexample {
	seed: number;
	/** The name of the guarantee. */
	name: string;
	guarantee: string;
	/** The run's setup, commands and events, in readable form. */
	sequence: string;
}

/** The maximum number of commands in one run. */
const maxCommands = 14;

/**
 * Runs the simulation with this seed.
 * @param shrink Whether to shorten a failing run as far as possible, which takes many more runs.
 * @returns undefined if every guarantee held.
 */
async function runSeed(
	seed: number,
	load: () => NodeCode,
	shrink: boolean,
): Promise<Counterexample | undefined> {
	const first = await search(seed, load, () => true, true);
	if (!first || !shrink) return first;
	// A shortened run that breaks a different guarantee would be a different counterexample, so it doesn't
	// count.
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
			await simulation.guarantees.finish();
		} catch (error) {
			if (!counts(error)) return;
			const sequence = [describePlan(plan), ...world.history].join('\n');
			const { message } = error as Error;
			found = { seed, name: nameOf(error), guarantee: message, sequence };
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
	// An error that is not a counterexample is a bug in the simulation.
	if (failed && !found) throw errorInstance;
	return found;
}

function nameOf(error: unknown): string {
	return error instanceof Broken ? error.guarantee : String(error);
}

/** Which seeds a worker runs, and when it stops. */
export interface Order {
	/** The first seed. Starting there, the worker runs every `step`th seed. */
	first: number;
	step: number;
	/** The worker stops when it reaches this seed, which it doesn't run, or this time (epoch-ms). */
	beyond: number;
	until: number;
	/** Whether to stop at the first counterexample. */
	stopAtFirst: boolean;
	shrink: boolean;
	/** The name of a bug to seed in the code. */
	seededBug?: string;
}

/** What a worker reports: each counterexample and, at intervals, the number of runs so far. */
export type Report = { found: Counterexample } | { runs: number };

/**
 * Returns the real time (epoch-ms). Works only between runs, because the simulation replaces the clock during
 * a run.
 */
const realNow = () => performance.timeOrigin + performance.now();

async function work(order: Order): Promise<void> {
	const { first, step, beyond, until, stopAtFirst, shrink, seededBug } = order;
	const bug = seededBugs.find(({ name }) => name === seededBug);
	const load = await compileNodes(bug);
	const loadAsItIs = await compileNodes();
	const report = (message: Report) => process.send?.(message);
	let runs = 0;
	for (let seed = first; seed < beyond && realNow() < until; seed += step) {
		const found = await runSeed(seed, load, shrink);
		runs++;
		// If the run also fails without the seeded bug, it hasn't found that bug.
		const isOther = found && bug && (await runSeed(seed, loadAsItIs, false));
		const isOfBug = !bug || (found?.name === bug.guarantee && !isOther);
		if (found && isOfBug) {
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
