import { setTimeout as delay } from 'node:timers/promises';

import fc from 'fast-check';

import { bytesOfKeys } from './support/database';
import { firstViolation } from './support/history/check';
import type { History } from './support/history/history';
import { killsOf, restartMain, watchProcesses } from './support/history/kills';
import { chosen, seed } from './support/history/plan';
import { sendSummary } from './support/history/summary';
import { Sending } from './support/sending';
import { openHistory, report, useQueueStage } from './support/stage';

const count = Number(process.env.QUEUE_DOCUMENTS ?? 1000);
/** How long the service takes for a document: long enough that kills meet calls under way. */
const latencyMs = 300;
/** How long one execution of all documents takes at least: ten are under way at once. */
const executionMs = (count / 10) * latencyMs;
/** How long the plan of the many executions lasts. */
const planMs = 60_000;
const stage = useQueueStage('send-once');

beforeAll(() => {
	const endpoint = 'POST /templates/createDocumentByTemplateV2';
	stage.sandbox.faults.set({ endpoint, delayMs: latencyMs });
});

const keysOf = (name: string): string[] =>
	Array.from({ length: count }, (_, index) => `${name}-${index}`);

/** Waits for the end of all executions, also of those that no worker runs any more. */
async function ended(sending: Sending): Promise<void> {
	const { running = 0, new: fresh = 0 } = await sending.ended(150_000);
	if (running + fresh > 0) {
		report(`${running + fresh} executions are still there: kill -9 of main, which looks for them`);
		await restartMain(stage);
	}
	report(`executions: ${JSON.stringify(await sending.ended(60_000))}`);
}

async function expectAllowed(sending: Sending, history: History): Promise<void> {
	await sending.show();
	history.end();
	report(JSON.stringify(sendSummary(history.entries())));
	expect(firstViolation(history.entries())).toBeUndefined();
	// A history in which nothing is sent would keep to the rules, too.
	expect(sendSummary(history.entries()).sent).toBeGreaterThan(count * 0.5);
}

test('one list, its workers killed again and again: nothing is sent twice', async () => {
	const history = openHistory('send-one');
	watchProcesses(stage, history);
	const sending = await Sending.publish(stage, history);
	const keys = keysOf('one');
	for (const nth of [1, 2, 3]) {
		const kills = killsOf(stage, history, { of: ['worker'], more: 1, lastsMs: executionMs, nth });
		await Promise.all([sending.start(keys), kills.run()]);
	}
	await sending.start(keys);
	await ended(sending);
	await expectAllowed(sending, history);
	// A limit that docs/reliability.md and docs/scaling.md name.
	const kilobytes = (await bytesOfKeys(stage)) / count / 1000;
	report(`room in the database: ${kilobytes.toFixed(2)} kB a key`);
	expect(kilobytes).toBeGreaterThan(0.1);
	expect(kilobytes).toBeLessThan(3);
}, 1_200_000);

test('many executions, everything killed once and some twice: nothing is sent twice', async () => {
	const history = openHistory('send-many');
	watchProcesses(stage, history);
	const sending = await Sending.publish(stage, history);
	const keys = keysOf('many');
	const lists = Array.from({ length: 50 }, (_, index) =>
		keys.slice((index * count) / 50, ((index + 1) * count) / 50),
	);
	const kills = killsOf(stage, history, {
		of: ['main', 'webhook', 'worker', 'redis', 'postgres'],
		more: 3,
		lastsMs: planMs,
		nth: 4,
	});
	// Each list twice, at random moments: so kills meet executions, and executions each other.
	const moments = fc.array(fc.nat({ max: planMs }), { minLength: 100, maxLength: 100 });
	const starts = chosen(moments, seed).map(async (afterMs, index) => {
		await delay(afterMs);
		await sending.start(lists[index % lists.length] ?? []);
	});
	await Promise.all([kills.run(), ...starts]);
	for (const list of lists) await sending.start(list);
	await ended(sending);
	await expectAllowed(sending, history);
}, 1_500_000);
