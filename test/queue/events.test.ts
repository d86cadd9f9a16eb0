import fc from 'fast-check';

import { seed } from '../support/sample';
import { until } from '../support/until';
import { credentialId, triggerWorkflow } from '../e2e/support/trigger';
import {
	eventProblems,
	eventSummary,
	sendSteadily,
	undoneEvents,
	type EventRun,
	type Extra,
} from './support/delivering';
import {
	settled,
	statusCounts,
	storedExecutions,
	genuine,
	report,
	retry,
	useQueueStage,
} from './support/stage';
import { chosen, killAtRandom, restartMain, watchOutages } from './support/kills';

/**
 * How many events are sent, and how many per second. To set them: `QUEUE_EVENTS=500 QUEUE_RATE=5 npm run
 * test:queue`.
 */
const count = Number(process.env.QUEUE_EVENTS ?? 5000);
const perSecond = Number(process.env.QUEUE_RATE ?? 15);
const sendingMs = (count / perSecond) * 1000;
/**
 * How long (s) the workflow takes. The delay ensures that executions are in progress when a worker is killed.
 */
const takesSeconds = 0.3;
const limitMs = sendingMs + 1_800_000;

const stage = useQueueStage('events', { keepEvents: !process.env.QUEUE_N8N_ALONE });

/** Publishes a workflow that starts on each event. @returns The workflow's ID and its trigger's URL. */
async function publishTrigger(): Promise<{ id: string; url: string }> {
	const { api, sandbox } = stage;
	const credential = await credentialId(api);
	const workflow = triggerWorkflow('Events', { events: ['signDocument'] }, credential, {
		type: 'n8n-nodes-base.wait',
		typeVersion: 1.1,
		parameters: { amount: takesSeconds, unit: 'seconds' },
	});
	const { id } = await api.createWorkflow(workflow);
	await api.publish(id);
	const own = sandbox.webhooks().find(({ type }) => type === 'signDocument');
	return { id, url: own?.webHookUrl ?? '' };
}

/**
 * Randomly picks which events are delivered again (one in eight, within a minute) and which are preceded by a
 * forged event (one in twenty).
 */
function extras(): Extra[] {
	const repeatMs = fc.oneof(
		{ weight: 7, arbitrary: fc.constant(undefined) },
		{ weight: 1, arbitrary: fc.constantFrom(0, 50, 1000, 10_000, 60_000) },
	);
	const isForgedBefore = fc.nat({ max: 19 }).map((number) => number === 0);
	const extra = fc.record({ repeatMs, isForgedBefore });
	return chosen(fc.array(extra, { minLength: count, maxLength: count }), seed);
}

test(
	'every accepted event starts the workflow, no matter which process is killed in the meantime',
	async () => {
		const outages = watchOutages(stage);
		const { id, url } = await publishTrigger();
		const bodyOf = await genuine(stage.sandbox);
		await until(
			'the first execution has succeeded',
			async () => (await statusCounts(stage, id)).success === 1,
		);
		const kills = killAtRandom(stage, outages, {
			of: ['main', 'webhook', 'worker', 'redis', 'postgres'],
			more: 3,
			lastsMs: sendingMs,
		});
		const sending = { url, perSecond, bodyOf, limitMs: 900_000, extras: extras() };
		const [calls] = await Promise.all([sendSteadily(sending), kills]);
		const look = async (): Promise<EventRun> => {
			// The first execution was started by the genuine event that all the other events were copied
			// from.
			const executions = (await storedExecutions(stage, id)).slice(1);
			const run = { calls, executions, outages };
			report(JSON.stringify(eventSummary(run)));
			return run;
		};
		await settled(stage, id, 150_000);
		await restartMain(stage);
		await settled(stage, id, 60_000);
		const run = await look();
		expect(eventProblems(run)).toEqual([]);

		await retry(stage, undoneEvents(run));
		await settled(stage, id, 60_000);
		const mended = await look();
		expect(eventProblems(mended)).toEqual([]);
		expect(undoneEvents(mended)).toEqual([]);
		expect(eventSummary(mended)).toMatchObject({ events: count, accepted: count });
		await stage.api.unpublish(id);
	},
	limitMs,
);
