import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';

import { bytesOfKeys, report, useQueueStage } from './support/stage';
import { seed } from '../support/sample';
import { chosen, killAtRandom, restartMain, watchOutages } from './support/kills';
import { Sending, sendProblems, sendSummary } from './support/sending';

const count = Number(process.env.QUEUE_DOCUMENTS ?? 1000);
/**
 * How long (ms) the service takes to create a document. The delay ensures that processes are killed while
 * calls are in progress.
 */
const latencyMs = 300;
/** How long (ms) the test keeps starting executions and killing processes. */
const planMs = 60_000;
/** How many lists the keys are divided into. Each list is sent several times. */
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
	// Each list is started three times, at random moments, so that executions overlap and some of them are
	// killed.
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
	// Restarting the main process ends the executions that are still open because they have lost their
	// worker.
	if (running + fresh > 0) await restartMain(stage);
	report(`executions: ${JSON.stringify(await sending.ended(60_000))}`);

	const run = await sending.look();
	report(JSON.stringify(sendSummary(run)));
	expect(sendProblems(run)).toEqual([]);
	// Without this check, the test would also pass if nothing were sent.
	expect(sendSummary(run).sent).toBeGreaterThan(count * 0.5);
	// The size per key should be close to the figure in docs/dev/benchmarks.md. The limits are wide, because
	// row storage varies between databases.
	const kilobytes = (await bytesOfKeys(stage)) / count / 1000;
	report(`room in the database: ${kilobytes.toFixed(2)} kB a key`);
	expect(kilobytes).toBeGreaterThan(0.1);
	expect(kilobytes).toBeLessThan(1);
}, 1_500_000);
