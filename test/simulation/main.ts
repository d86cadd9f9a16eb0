import { fork } from 'node:child_process';
import { randomInt } from 'node:crypto';
import path from 'node:path';
import { parseArgs } from 'node:util';

import { plantedFaults } from './planted/faults';
import type { Counterexample, Order, Report } from './worker';

const usage = `Usage: npm run simulate -- [options]

  --seeds <number>    Number of seeds to run (default: 10,000)
  --seconds <number>  Stop after this many seconds, even if seeds are left
  --first <number>    First seed (default: random)
  --seed <number>     Replay one seed. If it fails, look for the shortest sequence that fails
  --planted [name]    Plant known bugs in the code, one at a time, and print the seed that finds
                      each of them`;

/** The number of processes: one per core of the machines that run the tests. */
const workers = 2;

/** The command fails if a planted bug is not found within this many seeds. */
const maxSeedsForPlanted = 10_000;

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

/** Prints a failure on one line, and its sequence of commands. */
function show({ seed, promise, story }: Counterexample): void {
	console.log(`\n${story}\n`);
	console.log(`✖ seed ${seed}: ${promise}\n  Replay: npm run simulate -- --seed ${seed}`);
}

async function replay(seed: number): Promise<boolean> {
	const order = { first: seed, beyond: seed + 1, until: Infinity, stopAtFirst: true, shrink: true };
	const { found } = await search({ ...order, until: Number.MAX_SAFE_INTEGER });
	found.forEach(show);
	if (found.length === 0) console.log(`✔ seed ${seed}: all guarantees held`);
	return found.length === 0;
}

async function runSeeds(first: number, count: number, seconds: number): Promise<boolean> {
	console.log(`First seed: ${first}`);
	const until = Date.now() + seconds * 1000;
	const order = { first, beyond: first + count, until, stopAtFirst: false, shrink: false };
	const outcome = await search(order);
	const rate = Math.round(outcome.runs / outcome.seconds);
	console.log(
		`${outcome.runs} seeds in ${Math.round(outcome.seconds)} s (${rate} per second), ${outcome.found.length} failures`,
	);
	const names = new Set(outcome.found.map(({ name }) => name));
	for (const name of names) {
		const shortest = outcome.found.find((example) => example.name === name);
		if (shortest) await replay(shortest.seed);
	}
	const others = outcome.found.map(({ seed }) => seed).join(', ');
	if (others) console.log(`\nSeeds that failed: ${others}`);
	return outcome.found.length === 0;
}

async function runPlanted(chosen: string | undefined): Promise<boolean> {
	const faults = plantedFaults.filter(({ name }) => !chosen || name === chosen);
	if (faults.length === 0) throw new Error(`Planted bug "${chosen}" not found.`);
	let isFound = true;
	for (const { name, description, promise } of faults) {
		const { runs, found } = await search({
			first: 1,
			beyond: 1 + maxSeedsForPlanted,
			until: Number.MAX_SAFE_INTEGER,
			stopAtFirst: true,
			shrink: false,
			planted: name,
		});
		const [first] = found;
		isFound &&= first !== undefined;
		const seeds = first ? `found by seed ${first.seed}` : `not found in ${runs} seeds`;
		console.log(`${first ? '✔' : '✖'} ${name}: ${seeds}. Guarantee: ${promise}. ${description}`);
	}
	return isFound;
}

async function main(): Promise<boolean> {
	const { values, positionals } = parseArgs({
		allowPositionals: true,
		options: {
			seeds: { type: 'string' },
			seconds: { type: 'string' },
			first: { type: 'string' },
			seed: { type: 'string' },
			planted: { type: 'boolean' },
			help: { type: 'boolean' },
		},
	});
	if (values.help) {
		console.log(usage);
		return true;
	}
	if (values.seed !== undefined) return await replay(Number(values.seed));
	if (values.planted) return await runPlanted(positionals[0]);
	const first = Number(values.first ?? randomInt(1, 1_000_000_000));
	const seconds = Number(values.seconds ?? 86_400);
	return await runSeeds(first, Number(values.seeds ?? (values.seconds ? 1e9 : 10_000)), seconds);
}

void main().then(
	(holds) => (process.exitCode = holds ? 0 : 1),
	(error: unknown) => {
		console.error(error instanceof Error ? error.message : error);
		process.exitCode = 1;
	},
);
