import os from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

import axios from 'axios';

import type { Execution } from '../host/apiTypes';
import { lineOf } from '../host/workflow';
import { stepsOf } from './documents';
import { median, written } from './measure';
import type { Outcome } from './report';
import { withService, type Bench } from './stage';

/** How many lists are checked at the same time. */
const lists = 10;

/** How long the caller waits between two calls, in milliseconds. */
const pauseMs = 5;

const timeoutMs = 600_000;

/**
 * Measures how long n8n takes to respond to a plain call while it checks several lists. Nothing is sent, so checking
 * the lists is all that n8n does. Only the calls made while every list was being checked count.
 */
export async function measureLists(bench: Bench): Promise<Outcome> {
	const { n8n, plan } = bench;
	const isBusy = (os.loadavg()[0] ?? 0) >= os.availableParallelism();
	return await withService(bench, {}, async (service) => {
		const { items } = plan.lists;
		bench.log(`  ${lists} lists of ${written(items)} documents…`);
		const side = { kind: 'node', parallel: 10, isTest: true } as const;
		const workflow = lineOf('Check', await stepsOf(service, side, items));
		const { id } = await n8n.api.createWorkflow(workflow);
		const started = await Promise.all(
			Array.from({ length: lists }, async () => await n8n.api.run(id, 'Start')),
		);
		let isOver = false;
		const calls: Array<{ at: number; ms: number }> = [];
		const call = async () => {
			for (; !isOver; await delay(pauseMs)) {
				const [at, begin] = [Date.now(), performance.now()];
				await axios.get(`${n8n.url}/healthz`, { proxy: false });
				calls.push({ at, ms: performance.now() - begin });
			}
		};
		const waitForAll = async () => {
			const executions: Execution[] = [];
			for (const one of started) executions.push(await n8n.api.waitForExecution(one, timeoutMs));
			isOver = true;
			return executions;
		};
		const [executions] = await Promise.all([waitForAll(), call()]);
		const [from, to] = whileAllRun(executions);
		const times = calls.filter(({ at, ms }) => at >= from && at + ms <= to).map(({ ms }) => ms);
		return {
			tables: [
				{
					id: 'lists',
					title: `A plain call to n8n, while it checks ${lists} lists of ${written(items)} documents`,
					columns: [
						{ key: 'calls', title: 'Calls' },
						{ key: 'median', title: 'Median (ms)', digits: 1 },
						{ key: 'longest', title: 'Longest (ms)', digits: 1 },
					],
					rows: [{ calls: times.length, median: median(times), longest: Math.max(...times) }],
				},
			],
			ratios: { lists: median(times) },
			isBusy,
		};
	});
}

/** Returns when the last list began to be checked, and when the first one was done. */
function whileAllRun(executions: Execution[]): [from: number, to: number] {
	const runs = executions.map(({ runData, error }) => {
		const run = runData.Send?.[0];
		if (!run) throw new Error(`Nothing was checked: ${error?.message}`);
		return { from: run.startTime, to: run.startTime + run.executionTime };
	});
	return [Math.max(...runs.map(({ from }) => from)), Math.min(...runs.map(({ to }) => to))];
}
