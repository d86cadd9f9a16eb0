import os from 'node:os';

import type { WorkflowInput } from '../host/apiTypes';
import { outputOf } from '../host/executions';
import { lineOf, type Step } from '../host/workflow';
import { itemsStep, signVerify } from './documents';
import { median, written } from './measure';
import type { Outcome } from './report';
import { withService, type Bench } from './stage';

/** Each row's own value, by which both nodes recognize it. */
const key = '=C-{{ $json.index }}';

const removeDuplicates: Step = {
	name: 'Drop',
	type: 'n8n-nodes-base.removeDuplicates',
	typeVersion: 2,
	parameters: {
		operation: 'removeItemsSeenInPreviousExecutions',
		logic: 'removeItemsWithAlreadySeenKeyValues',
		dedupeValue: key,
		options: {},
	},
};

/**
 * Measures how long a list takes whose rows were all sent before: with a Send Once Key, and with n8n's Remove
 * Duplicates node, which only drops the rows. The times depend on the machine, so its load decides whether they
 * are judged.
 */
export async function measureRepeats(bench: Bench): Promise<Outcome> {
	const { rows: count, rounds } = bench.plan.repeats;
	const isBusy = (os.loadavg()[0] ?? 0) >= os.availableParallelism();
	return await withService(bench, {}, async (service) => {
		const send = await signVerify(service, { kind: 'node', parallel: 50, key });
		const sides = [
			{ side: 'this node, with a Send Once Key', node: send },
			{ side: 'Remove Duplicates node', node: removeDuplicates },
		];
		const lists = await Promise.all(
			sides.map(async ({ side, node }) => {
				const upload = await saved(bench, lineOf(side, [itemsStep(count), node]));
				await upload(count);
				return { side, upload, times: [] as number[] };
			}),
		);
		for (let round = 1; round <= rounds; round++) {
			bench.log(`  Round ${round} of ${rounds}: ${written(count)} rows each…`);
			for (const { upload, times } of lists) times.push((await upload(0)) / count);
		}
		const rows = lists.map(({ side, times }) => ({
			side,
			ms: median(times),
			lowest: Math.min(...times),
			highest: Math.max(...times),
		}));
		return {
			tables: [
				{
					id: 'repeats',
					title: `A list of ${written(count)} rows, uploaded again`,
					columns: [
						{ key: 'side', title: 'Node' },
						{ key: 'ms', title: 'ms per row', digits: 2 },
						{ key: 'lowest', title: 'lowest of all rounds', digits: 2 },
						{ key: 'highest', title: 'highest of all rounds', digits: 2 },
					],
					rows,
				},
			],
			ratios: { repeats: rows[0]?.ms ?? NaN },
			isBusy,
		};
	});
}

/**
 * Saves a workflow. Returns a function that executes it, and resolves to how long its last node took, in milliseconds.
 * The function throws an Error if the node didn't send or pass on the expected number of rows.
 */
async function saved(
	{ n8n: { api } }: Bench,
	workflow: WorkflowInput,
): Promise<(expected: number) => Promise<number>> {
	const { id } = await api.createWorkflow(workflow);
	const last = workflow.nodes.at(-1)?.name ?? '';
	return async (expected) => {
		const execution = await api.waitForExecution(await api.run(id, 'Start'));
		const isNew = outputOf(execution, last).filter(({ json }) => json.outcome !== 'skipped');
		if (execution.status !== 'success' || isNew.length !== expected)
			throw new Error(
				`"${workflow.name}" took ${isNew.length} rows for new, not ${expected}: ${execution.error?.message}`,
			);
		return execution.runData[last]?.[0]?.executionTime ?? NaN;
	};
}
