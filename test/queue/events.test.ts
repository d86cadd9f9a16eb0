import { setTimeout as delay } from 'node:timers/promises';

import { post } from '../e2e/support/http';
import { until } from '../e2e/support/stage';
import { credentialId, loggedIn, triggerWorkflow } from '../e2e/support/trigger';
import { statusCounts, storedExecutions, type StoredExecution } from './support/database';
import { fatesOf } from './support/fates';
import { genuine } from './support/genuine';
import { percentile, sendSteadily, type Sending } from './support/sender';
import { report, useQueueStage } from './support/stage';
import { WaitingExecutions, type Waiting } from './support/waiting';

/** How many events, and how many a second: `QUEUE_EVENTS=500 QUEUE_RATE=5 npm run test:queue`. */
const count = Number(process.env.QUEUE_EVENTS ?? 5000);
const perSecond = Number(process.env.QUEUE_RATE ?? 15);
/** A workflow that takes a moment, so that something is under way when a worker is killed. */
const takesSeconds = 0.3;
const limitMs = (count / perSecond) * 1000 + 1_800_000;

const stage = useQueueStage('events', { keepEvents: !process.env.QUEUE_N8N_ALONE });
let single: WaitingExecutions;
let several: WaitingExecutions;
const waiting: Waiting[] = [];
let waitingForSeveral: Waiting;

beforeAll(async () => {
	single = await WaitingExecutions.publish(stage, 1);
	several = await WaitingExecutions.publish(stage, 3);
	for (let each = 0; each < 10; each++) waiting.push(await single.start());
	waitingForSeveral = await several.start();
	report('10 executions wait for a document each, one for three');
}, 300_000);

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

/** Waits for a part of the events to be on their way, and does something to the machines. */
async function at(sending: Sending, part: number, what: string, deed: () => Promise<unknown>) {
	await until(what, () => sending.begun() >= count * part, limitMs);
	report(`${sending.begun()} events sent: ${what}`);
	await deed();
}

/** Waits until no execution of a workflow is under way, or so long. */
async function settled(id: string, limit: number): Promise<void> {
	const deadline = Date.now() + limit;
	for (;;) {
		const { running = 0, new: fresh = 0 } = await statusCounts(stage, id);
		if (running + fresh === 0 || Date.now() > deadline) return;
		await delay(2000);
	}
}

/** "Retry" in n8n's list of executions. */
async function retry(executions: StoredExecution[]): Promise<void> {
	const client = await loggedIn(stage.url, stage.owner);
	for (const { id } of executions) {
		await client.call('POST', `/executions/${id}/retry`, { body: { loadWorkflow: false } });
	}
}

test(
	'every event that was answered 2xx has its execution, whatever fails meanwhile',
	async () => {
		const { sandbox, workers, webhook, redis, postgres } = stage;
		const { id, url } = await publishTrigger('Events', takesSeconds);
		const bodyOf = await genuine(sandbox);
		await until('the first execution', async () => (await statusCounts(stage, id)).success === 1);

		const sending = sendSteadily(url, count, perSecond, bodyOf, 900_000);
		await at(sending, 0.15, 'kill -9 of a worker', async () => await workers[0]?.crash());
		await at(sending, 0.35, 'kill -9 of the webhook processor', webhook.crash);
		await at(sending, 0.55, 'Redis killed and started again', async () => {
			await redis?.kill();
			await redis?.start();
		});
		await at(sending, 0.75, 'PostgreSQL stopped for 10 s', async () => {
			await postgres?.stop();
			await delay(10_000);
			await postgres?.start();
		});
		await sending.done;
		const { answered, refused, latencies } = sending.sent;
		report(`sent; not 2xx at first: ${JSON.stringify(Object.fromEntries(refused))}`);

		await settled(id, 150_000);
		// A main that starts looks at once for executions that nobody runs any more.
		report('kill -9 of main');
		await stage.main.crash();
		await until('main has ended', () => stage.main.ends() === 1);
		await stage.main.running();
		await settled(id, 60_000);

		const executions = (await storedExecutions(stage, id)).slice(1);
		const fates = fatesOf(answered.keys(), executions);
		report(`${answered.size} of ${count} events answered 2xx, ${perSecond} a second`);
		report(
			`2xx after ${percentile(latencies, 0.5)} ms (half), ${percentile(latencies, 0.99)} ms (99 %)`,
		);
		report(`executions: ${executions.length} ${JSON.stringify(await statusCounts(stage, id))}`);
		report(`events without an execution that holds them: ${fates.lost.length}`);
		report(`events whose execution was interrupted: ${fates.unfinished.length}`);
		report(`events with two executions: ${fates.twice.length}`);
		report(`events with two that succeeded: ${fates.doneTwice.length}`);
		for (const each of executions.filter(({ status }) => status !== 'success').slice(0, 10)) {
			report(JSON.stringify(each));
		}
		const processes = [stage.main, webhook, ...workers];
		report(`ends: ${processes.map((each) => `${each.name} ${each.ends()}`).join(', ')}`);
		expect(fates.lost).toEqual([]);

		await retry(executions.filter(({ event }) => fates.unfinished.includes(event)));
		await settled(id, 60_000);
		const after = fatesOf(answered.keys(), await storedExecutions(stage, id));
		report(`after "Retry" of the interrupted ones: ${after.unfinished.length} not done`);
		expect([after.lost, after.unfinished]).toEqual([[], []]);
		expect(answered.size).toBe(count);
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
	expect(interrupted.map(({ event }) => event)).toContain('event-99999');
	await retry(interrupted);
	await until('they succeed', async () => (await statusCounts(stage, id)).success === 2, 60_000);
	await api.deactivate(id);
}, 600_000);

test('executions that waited all the while go on once, each with its own documents', async () => {
	for (const each of [...waiting].reverse()) await single.sign(each);
	await several.sign(waitingForSeveral);
	for (const each of waiting) {
		expect(await single.outcome(each)).toEqual({ status: 'success', documents: each.documents });
	}
	expect(await several.outcome(waitingForSeveral)).toEqual({
		status: 'success',
		documents: waitingForSeveral.documents,
	});
	await stage.sandbox.idle();
	expect(await single.count()).toBe(10);
	expect(await several.count()).toBe(1);
	report('11 executions that waited went on, each with its own documents');
}, 600_000);
