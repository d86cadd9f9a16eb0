import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';

import { bytesOfKeys, report, useQueueStage } from './support/stage';
import { chosen, killAtRandom, restartMain, seed, watchOutages } from './support/kills';
import { Sending, sendProblems, sendSummary } from './support/sending';

const count = Number(process.env.QUEUE_DOCUMENTS ?? 1000);
/** How long the service takes for a document. The delay makes sure that kills hit unfinished calls. */
const latencyMs = 300;
/** For how long executions are started and processes are killed. */
const planMs = 60_000;
/** The keys are divided into this many lists. Each list is sent several times. */
const listCount = 20;
const stage = useQueueStage('send-once');

beforeAll(() => {
	const endpoint = 'POST /templates/createDocumentByTemplateV2';
	stage.sandbox.faults.set({ endpoint, delayMs: latencyMs });
});

test('many executions never send anything twice, even if every process is killed at least once', async () => {
	const outages = watchOutages(stage);
	const sending = await Sending.publish(stage, outages);
	const keys = Array.from({ length: count }, (_, index) => `key-${index}`);
	const lists = Array.from({ length: listCount }, (_, index) =>
		keys.slice((index * count) / listCount, ((index + 1) * count) / listCount),
	);
	// Each list starts three times at random moments so that kills hit executions and executions overlap.
	const times = { minLength: 3 * listCount, maxLength: 3 * listCount };
	const moments = fc.array(fc.nat({ max: planMs }), times);
	const starts = chosen(moments, seed).map(async (afterMs, index) => {
		await delay(afterMs);
		await sending.start(lists[index % lists.length] ?? []);
	});
	const kills = killAtRandom(stage, outages, {
		of: ['main', 'webhook', 'worker', 'worker', 'worker', 'redis', 'postgres'],
		more: 3,
		lastsMs: planMs,
	});
	await Promise.all([kills, ...starts]);
	for (const list of lists) await sending.start(list);
	const { running = 0, new: fresh = 0 } = await sending.ended(150_000);
	// No worker runs the executions that are still open. Restarting the main process ends these executions.
	if (running + fresh > 0) await restartMain(stage);
	report(`executions: ${JSON.stringify(await sending.ended(60_000))}`);

	const run = await sending.look();
	report(JSON.stringify(sendSummary(run)));
	expect(sendProblems(run)).toEqual([]);
	// Without this check, the test would also pass if nothing were sent.
	expect(sendSummary(run).sent).toBeGreaterThan(count * 0.5);
	// The size should be roughly the one in docs/dev/benchmarks.md. The limits are wide, because databases
	// store rows differently.
	const kilobytes = (await bytesOfKeys(stage)) / count / 1000;
	report(`room in the database: ${kilobytes.toFixed(2)} kB a key`);
	expect(kilobytes).toBeGreaterThan(0.1);
	expect(kilobytes).toBeLessThan(1);
}, 1_500_000);
