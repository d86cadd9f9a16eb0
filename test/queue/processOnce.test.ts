import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import fc from 'fast-check';

import type { Step } from '../../host/workflow';
import { post } from '../e2e/support/http';
import { listWorkflow } from '../e2e/support/listWorkflow';
import { until } from '../e2e/support/stage';
import { idsOfStatus, settled, storedExecutions } from './support/database';
import { killsOf, restartMain } from './support/history/kills';
import { chosen, seed } from './support/history/plan';
import { retry } from './support/retry';
import { openHistory, report, useQueueStage } from './support/stage';

const count = Number(process.env.QUEUE_ITEMS ?? 200);
const perExecution = 5;
/** How long the user's own step takes: long enough that kills meet steps under way. */
const stepMs = 300;
/** How long the plan lasts. */
const planMs = 60_000;
const stage = useQueueStage('process-once');

/** A step that the user's workflow has done. */
interface Done {
	key: string;
	execution: string;
}

const steps: Done[] = [];
const server = createServer((request, response) => {
	const { searchParams } = new URL(request.url ?? '', 'http://localhost');
	steps.push({
		key: searchParams.get('key') ?? '',
		execution: searchParams.get('execution') ?? '',
	});
	setTimeout(() => response.end('{}'), stepMs);
});
beforeAll(async () => {
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => server.close());

/** Process Once, a step of the user's, Mark as Processed. */
function processingSteps(port: number): Step[] {
	const ours = {
		type: 'n8n-nodes-signverify.signVerify',
		typeVersion: 1.1,
	};
	const key = "$('Process item once').item.json.list";
	return [
		{
			...ours,
			name: 'Process item once',
			parameters: { resource: 'item', operation: 'processOnce', key: '={{ $json.list }}' },
		},
		{
			name: 'Step',
			type: 'n8n-nodes-base.httpRequest',
			typeVersion: 4.2,
			parameters: {
				url: `=http://127.0.0.1:${port}/?key={{ ${key} }}&execution={{ $execution.id }}`,
				options: {},
			},
		},
		{
			...ours,
			name: 'Mark item as processed',
			parameters: { resource: 'item', operation: 'markProcessed', key: `={{ ${key} }}` },
		},
	];
}

/** Calls the workflow with keys until it is answered 2xx. */
async function start(url: string, keys: string[]): Promise<void> {
	await until('the call is taken', async () => {
		const status = await post(url, { keys }).catch(() => 0);
		if (status !== 200) await delay(500);
		return status === 200;
	});
}

/** Retries what did not end well, until nothing is left. Gives how often it took. */
async function retryAll(id: string): Promise<number> {
	for (let rounds = 1; rounds <= 4; rounds++) {
		const failed = await idsOfStatus(stage, id, ['error', 'crashed']);
		const executions = await storedExecutions(stage, id);
		const retriedWell = new Set(
			executions.filter(({ status }) => status === 'success').map(({ retryOf }) => retryOf),
		);
		const isRetry = new Set(executions.filter((each) => each.retryOf).map((each) => each.id));
		const left = failed.filter((each) => !retriedWell.has(each) && !isRetry.has(each));
		if (left.length === 0) return rounds - 1;
		report(`retry of ${left.length} executions`);
		await retry(stage, left);
		await settled(stage, id, 60_000);
	}
	return Infinity;
}

test('every item is processed, by one execution that ended well, whatever is killed meanwhile', async () => {
	const history = openHistory('process-once');
	const { port } = server.address() as AddressInfo;
	const { workflow, path } = listWorkflow(
		'Processes once',
		'={{ { list: $json.body.keys } }}',
		processingSteps(port),
	);
	const { id } = await stage.api.createWorkflow(workflow);
	await stage.api.activate(id);
	const url = `${stage.url}/webhook/${path}`;
	const keys = Array.from({ length: count }, (_, index) => `item-${index}`);
	const lists = Array.from({ length: count / perExecution }, (_, index) =>
		keys.slice(index * perExecution, (index + 1) * perExecution),
	);
	const kills = killsOf(stage, history, {
		of: ['main', 'webhook', 'worker', 'redis', 'postgres'],
		more: 3,
		lastsMs: planMs,
	});
	// Each list three times: at a random moment twice at once, and once more at another.
	const moment = fc.nat({ max: planMs });
	const plan = chosen(
		fc.array(fc.tuple(moment, moment), { minLength: lists.length, maxLength: lists.length }),
		seed,
	);
	const starts = plan.flatMap(([first, later], index) =>
		[first, first, later].map(async (afterMs) => {
			await delay(afterMs);
			await start(url, lists[index] ?? []);
		}),
	);
	await Promise.all([kills.run(), ...starts]);
	await settled(stage, id, 150_000);
	report('kill -9 of main, which looks for executions that nobody runs when it starts');
	await restartMain(stage);
	await settled(stage, id, 60_000);
	expect(await retryAll(id)).toBeLessThanOrEqual(4);

	const endOf = new Map((await storedExecutions(stage, id)).map((each) => [each.id, each.status]));
	const executionsOf = (key: string) => [
		...new Set(steps.filter((each) => each.key === key).map(({ execution }) => execution)),
	];
	const seen = keys.map((key) => ({
		key,
		well: executionsOf(key).filter((each) => endOf.get(each) === 'success').length,
		all: executionsOf(key).length,
	}));
	const again = seen.filter(({ all }) => all > 1).length;
	report(`${steps.length} steps for ${count} items; ${again} items again after a crash`);
	expect(seen.filter(({ all }) => all === 0)).toEqual([]);
	expect(seen.filter(({ well }) => well > 1)).toEqual([]);
}, 900_000);
