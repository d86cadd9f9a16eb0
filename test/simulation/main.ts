import { fork } from 'node:child_process';
import { randomInt } from 'node:crypto';
import path from 'node:path';

import { notFound, readArguments, refused, type Command } from '../../scripts/arguments';
import { seededBugs } from './seededBugs/bugs';
import type { Counterexample, Order, Report } from './worker';

const command = {
	name: 'npm run simulate',
	options: {
		seeds: 'number',
		seconds: 'number',
		first: 'number',
		seed: 'number',
		'seeded-bugs': 'flag',
	},
	// Only `--seeded-bugs` accepts a name.
	names: 'any',
	example: 'npm run simulate -- --seeds 100',
	usage: `Usage: npm run simulate -- [options]

Simulates random sequences of events to find one that breaks a guarantee. Each sequence is generated
from a number, called its seed, so the same seed always replays the same sequence.

Options:

  --seeds <number>    Number of seeds to run (default: 10,000, or no limit with --seconds)
  --seconds <number>  Stop after this many seconds, even if there are seeds left to run
  --first <number>    Seed to start with (default: random)
  --seed <number>     Replay a single seed. If it fails, find the shortest sequence that still fails
  --seeded-bugs [name]
                      Check that the simulation finds known bugs: seed each bug in the code, one at a
                      time, and print the seed that finds it. To seed only one bug, add its name
  --help              Show this help

Bugs that you can seed:

${seededBugs.map(({ name }) => `  ${name}`).join('\n')}`,
} satisfies Command;

/** The number of processes: one per core of the machines that run the tests. */
const workers = 2;

/** How many seeds both processes together run per minute. Used to estimate how long a run takes. */
const seedsPerMinute = 3_300;

/** How long it takes to find the shortest sequence, as measured with seeded bugs. */
const searchTime = 'This usually takes a few seconds.';

/** The command fails if it does not find a seeded bug within this many seeds. */
const maxSeedsPerBug = 10_000;

interface Outcome {
	runs: number;
	found: Counterexample[];
	seconds: number;
}

/** Runs seeds in several processes in parallel. */
async function search(order: Omit<Order, 'step' | 'first'> & { first: number }): Promise<Outcome> {
	const start = performance.now();
	const found: Counterexample[] = [];
	const runs = new Map<number, number>();
	const children = Array.from({ length: order.shrink ? 1 : workers }, (_, index) => {
		const child = fork(path.join(__dirname, 'worker.ts'), { execArgv: ['--import', 'tsx'] });
		const ended = new Promise<void>((resolve, reject) => {
			child.on('error', reject);
			child.on('message', (report: Report) => {
				if ('found' in report) {
					found.push(report.found);
					// Failures are printed immediately, because a long run may be stopped.
					if (!order.stopAtFirst)
						console.log(`  ✖ seed ${report.found.seed}: ${report.found.name}`);
				} else runs.set(index, report.runs);
				if (order.stopAtFirst && found.length > 0) for (const other of children) other.child.kill();
			});
			child.on('exit', (code, signal) => {
				if (code === 0 || signal) resolve();
				else reject(new Error(`A worker process ended with code ${code}.`));
			});
		});
		child.send({ ...order, first: order.first + index, step: order.shrink ? 1 : workers });
		return { child, ended };
	});
	await Promise.all(children.map(({ ended }) => ended));
	const all = [...runs.values()].reduce((sum, count) => sum + count, 0);
	return { runs: all, found, seconds: (performance.now() - start) / 1000 };
}

/** The introduction printed before a failure's sequence of events. */
const sequenceHeading = `The setup of the simulation, and then everything that happened. The times are on the simulation's clock.
Lines with > are actions, with their values in parentheses, and "then 3 steps" means that at most 3 pending
operations, such as calls, ran before the next action.`;

/** Prints a failure's sequence of events, then the failure itself and the command to replay it. */
function show({ seed, guarantee, sequence }: Counterexample): void {
	console.log(`\n${sequenceHeading}\n\n${sequence}\n`);
	console.log(`✖ seed ${seed}: ${guarantee}\n  Replay: npm run simulate -- --seed ${seed}`);
}

async function replay(seed: number): Promise<boolean> {
	const order = { first: seed, beyond: seed + 1, until: Infinity, stopAtFirst: true, shrink: true };
	const { found } = await search({ ...order, until: Number.MAX_SAFE_INTEGER });
	found.forEach(show);
	if (found.length === 0) console.log(`✔ seed ${seed}: all guarantees held`);
	return found.length === 0;
}

const written = (count: number, word: string) =>
	`${count.toLocaleString('en')} ${word}${count === 1 ? '' : 's'}`;

/** What to run: a number of seeds, a number of seconds, or both. The first limit reached ends the run. */
interface Extent {
	first: number;
	count: number | undefined;
	seconds: number | undefined;
}

/** Announces a run, because its first result can take a while. */
function announcementOf({ first, count, seconds }: Extent): string {
	const seeds = count === undefined ? 'seeds' : written(count, 'seed');
	const time = seconds === undefined ? '' : ` for at most ${written(seconds, 'second')}`;
	const minutes = seconds === undefined ? Math.round((count ?? 0) / seedsPerMinute) : 0;
	const duration = minutes > 0 ? ` This takes about ${written(minutes, 'minute')}.` : '';
	return `Running ${seeds}${time}, starting with seed ${first}.${duration} Failures are printed as soon as they're found.`;
}

async function runSeeds(extent: Extent): Promise<boolean> {
	console.log(announcementOf(extent));
	const { first, count = Infinity, seconds } = extent;
	const order = {
		first,
		// The worker processes get these numbers as JSON, which cannot represent infinity.
		beyond: Math.min(first + count, Number.MAX_SAFE_INTEGER),
		until: seconds === undefined ? Number.MAX_SAFE_INTEGER : Date.now() + seconds * 1000,
		stopAtFirst: false,
		shrink: false,
	};
	const outcome = await search(order);
	const failures = outcome.found.length;
	const rate = Math.round(outcome.runs / outcome.seconds);
	const seeds = `${written(outcome.runs, 'seed')} in ${Math.round(outcome.seconds)} s (${rate} per second)`;
	console.log(
		failures > 0
			? `✖ ${seeds}: ${written(failures, 'failure')}`
			: `✔ ${seeds}: all guarantees held`,
	);
	if (failures > 0)
		console.log(`Seeds that failed: ${outcome.found.map(({ seed }) => seed).join(', ')}`);
	const names = new Set(outcome.found.map(({ name }) => name));
	for (const name of names) {
		const shortest = outcome.found.find((example) => example.name === name);
		if (!shortest) continue;
		console.log(`\nLooking for the shortest sequence with this failure: ${name}. ${searchTime}`);
		await replay(shortest.seed);
	}
	return outcome.found.length === 0;
}

async function runSeededBugs(chosen: string | undefined): Promise<boolean> {
	const bugs = seededBugs.filter(({ name }) => !chosen || name === chosen);
	if (chosen && bugs.length === 0) {
		const known = seededBugs.map(({ name }) => name);
		throw notFound('Seeded bug', chosen, known);
	}
	const limit = written(maxSeedsPerBug, 'seed');
	console.log(
		chosen
			? `Seeding the "${chosen}" bug, which must be found within ${limit}.`
			: `Seeding ${bugs.length} bugs, one at a time. Each must be found within ${limit}.`,
	);
	const missed: string[] = [];
	for (const { name, description, guarantee } of bugs) {
		const { found } = await search({
			first: 1,
			beyond: 1 + maxSeedsPerBug,
			until: Number.MAX_SAFE_INTEGER,
			stopAtFirst: true,
			shrink: false,
			seededBug: name,
		});
		const [first] = found;
		if (!first) missed.push(name);
		const seeds = first ? `found by seed ${first.seed}` : `not found in ${limit}`;
		console.log(
			[
				`${first ? '✔' : '✖'} ${name}: ${seeds}`,
				`    Seeded bug: ${description}`,
				`    Breaks the guarantee: ${guarantee}`,
			].join('\n'),
		);
	}
	if (!chosen) {
		console.log(
			missed.length === 0
				? `✔ All ${bugs.length} seeded bugs were found`
				: `✖ ${missed.length} of ${bugs.length} seeded bugs were not found: ${missed.join(', ')}`,
		);
	}
	return missed.length === 0;
}

async function main(): Promise<boolean> {
	const given = readArguments(command);
	if (!given) return true;
	const { seed, 'seeded-bugs': seedsBugs, seconds, ...range } = given.values;
	const [name, more] = given.names;
	const unexpected = seedsBugs ? more : name;
	if (unexpected !== undefined) throw refused(unexpected, command);
	if (seed !== undefined) {
		console.log(
			`Replaying seed ${seed}. If it fails, the command looks for the shortest sequence that fails. ${searchTime}`,
		);
		return await replay(seed);
	}
	if (seedsBugs) return await runSeededBugs(name);
	const first = range.first ?? randomInt(1, 1_000_000_000);
	const count = range.seeds ?? (seconds === undefined ? 10_000 : undefined);
	return await runSeeds({ first, count, seconds });
}

void main().then(
	(holds) => (process.exitCode = holds ? 0 : 1),
	(error: unknown) => {
		console.error(error instanceof Error ? error.message : error);
		process.exitCode = 1;
	},
);
