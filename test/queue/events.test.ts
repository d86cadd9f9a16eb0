import fc from 'fast-check';

import { post } from '../e2e/support/http';
import { until } from '../e2e/support/stage';
import { credentialId, triggerWorkflow } from '../e2e/support/trigger';
import { executionEntries, settled, statusCounts, storedExecutions } from './support/database';
import { FailedExecutions } from './support/failedExecutions';
import { genuine } from './support/genuine';
import { firstViolation } from './support/history/check';
import type { History } from './support/history/history';
import { killsOf, restartMain, watchProcesses } from './support/history/kills';
import { chosen, seed } from './support/history/plan';
import { eventSummary, toRetry } from './support/history/summary';
import { retry } from './support/retry';
import { percentile, sendSteadily } from './support/sender';
import { openHistory, report, useQueueStage } from './support/stage';

/** How many events, and how many a second: `QUEUE_EVENTS=500 QUEUE_RATE=5 npm run test:queue`. */
const count = Number(process.env.QUEUE_EVENTS ?? 5000);
const perSecond = Number(process.env.QUEUE_RATE ?? 15);
const sendingMs = (count / perSecond) * 1000;
/** A workflow that takes a moment, so that something is under way when a worker is killed. */
const takesSeconds = 0.3;
const limitMs = sendingMs + 1_800_000;

const stage = useQueueStage('events', { keepEvents: !process.env.QUEUE_N8N_ALONE });

/** An active workflow that an event starts and that takes so long, and the address of its trigger. */
async function publishTrigger(name: string, seconds: number): Promise<{ id: string; url: string }> {
	const { api, sandbox } = stage;
	const credential = await credentialId(api);
	const { id } = await api.createWorkflow(
		triggerWorkflow(name, { events: ['signDocument'] }, credential, {
			type: 'n8n-nodes-base.wait',
			typeVersion: 1.1,
			parameters: { amount: seconds, unit: 'seconds' },
		}),
	);
	await api.activate(id);
	const own = sandbox.webhooks().filter(({ type }) => type === 'signDocument');
	return { id, url: own.at(-1)?.webHookUrl ?? '' };
}

/** When each event is repeated (one in eight, once, within a minute), and which come with a forged one. */
function extras(): { repeats: number[][]; forged: boolean[] } {
	const repeats = fc.oneof(
		{ weight: 7, arbitrary: fc.constant<number[]>([]) },
		{ weight: 1, arbitrary: fc.constantFrom(0, 50, 1000, 10_000, 60_000).map((ms) => [ms]) },
	);
	const forged = fc.nat({ max: 19 }).map((number) => number === 0);
	const size = { minLength: count, maxLength: count };
	return chosen(
		fc.record({ repeats: fc.array(repeats, size), forged: fc.array(forged, size) }),
		seed,
	);
}

/**
 * Sends all events, some of them twice and some with a forged one, while parts of n8n are killed.
 *
 * @returns how many were accepted in the end
 */
async function sendMeanwhileKilling(
	history: History,
	url: string,
	bodyOf: (event: string, call: string) => unknown,
): Promise<number> {
	const { repeats, forged } = extras();
	const kills = killsOf(stage, history, {
		of: ['main', 'webhook', 'worker', 'redis', 'postgres'],
		more: 3,
		lastsMs: sendingMs,
	});
	const sending = sendSteadily({
		...{ url, count, perSecond, bodyOf, history },
		limitMs: 900_000,
		repeatsOf: (number) => repeats[number - 1] ?? [],
		isForgedBefore: (number) => forged[number - 1] ?? false,
	});
	await Promise.all([kills.run(), sending.done]);
	const { answered, refused, latencies } = sending.sent;
	report(`${answered.size} of ${count} events answered 2xx, ${perSecond} a second`);
	report(`not 2xx at first: ${JSON.stringify(Object.fromEntries(refused))}`);
	report(
		`2xx after ${percentile(latencies, 0.5)} ms (half), ${percentile(latencies, 0.99)} ms (99 %)`,
	);
	return answered.size;
}

test(
	'the history of events is allowed, whatever fails meanwhile',
	async () => {
		const { sandbox } = stage;
		const history = openHistory('events');
		watchProcesses(stage, history);
		const { id, url } = await publishTrigger('Events', takesSeconds);
		const bodyOf = await genuine(sandbox);
		await until('the first execution', async () => (await statusCounts(stage, id)).success === 1);
		const failed = new FailedExecutions(stage, id);
		/** The executions but the first, which is not of the history. */
		const show = async () => {
			const executions = (await storedExecutions(stage, id)).slice(1);
			history.show(executionEntries(executions, failed));
			report(JSON.stringify(eventSummary(history.entries())));
		};

		const accepted = await sendMeanwhileKilling(history, url, bodyOf);
		await settled(stage, id, 150_000);
		report('kill -9 of main, which looks for executions that nobody runs when it starts');
		await restartMain(stage);
		await settled(stage, id, 60_000);
		await show();
		expect(firstViolation(history.entries())).toBeUndefined();

		await retry(stage, toRetry(history.entries()), (execution) =>
			history.note({ type: 'retry', execution }),
		);
		await settled(stage, id, 60_000);
		await failed.stop();
		await show();
		history.end();
		expect(firstViolation(history.entries())).toBeUndefined();
		expect(accepted).toBe(count);
		await stage.api.deactivate(id);
	},
	limitMs,
);

test('an execution whose worker dies keeps its event, and "Retry" runs it', async () => {
	const { api, sandbox, workers } = stage;
	const { id, url } = await publishTrigger('Interrupted', 20);
	expect(await post(url, (await genuine(sandbox))('event-99999'))).toBe(200);
	await until('it runs', async () => (await statusCounts(stage, id)).running === 2);
	for (const worker of workers) await worker.crash();
	const start = Date.now();
	await until('n8n notices', async () => (await statusCounts(stage, id)).error === 2, 240_000);
	report(
		`n8n noticed after ${((Date.now() - start) / 1000).toFixed(0)} s that the workers had died`,
	);
	const interrupted = await storedExecutions(stage, id);
	expect(interrupted.map(({ call }) => call)).toContain('event-99999#1');
	await retry(
		stage,
		interrupted.map((each) => each.id),
	);
	await until('they succeed', async () => (await statusCounts(stage, id)).success === 2);
	await api.deactivate(id);
}, 600_000);
