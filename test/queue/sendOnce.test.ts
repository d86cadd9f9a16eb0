import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';

import { sendProblems, sendSummary } from './support/checkSends';
import { bytesOfKeys, report, useQueueStage } from './support/stage';
import {
	chosen,
	killAtRandom,
	type Outages,
	restartMain,
	seed,
	watchOutages,
} from './support/kills';
import { Sending } from './support/sending';

const count = Number(process.env.QUEUE_DOCUMENTS ?? 1000);
/** How long the service takes for a document: long enough that kills meet calls under way. */
const latencyMs = 300;
/** How long one execution of all documents takes at least: ten are under way at once. */
const executionMs = (count / 10) * latencyMs;
/** How long the plan of the many executions lasts. */
const planMs = 60_000;
const stage = useQueueStage('send-once');
let outages: Outages;

beforeAll(() => {
	const endpoint = 'POST /templates/createDocumentByTemplateV2';
	stage.sandbox.faults.set({ endpoint, delayMs: latencyMs });
	outages = watchOutages(stage);
});

const keysOf = (name: string): string[] =>
	Array.from({ length: count }, (_, index) => `${name}-${index}`);

/** Waits for the end of all executions, also of those that no worker runs any more. */
async function ended(sending: Sending): Promise<void> {
	const { running = 0, new: fresh = 0 } = await sending.ended(150_000);
	if (running + fresh > 0) await restartMain(stage);
	report(`executions: ${JSON.stringify(await sending.ended(60_000))}`);
}

async function expectNoneTwice(sending: Sending): Promise<void> {
	const run = await sending.look();
	report(JSON.stringify(sendSummary(run)));
	expect(sendProblems(run)).toEqual([]);
	// If nothing were sent, nothing would be sent twice.
	expect(sendSummary(run).sent).toBeGreaterThan(count * 0.5);
}

test('one list, its workers killed again and again: nothing is sent twice', async () => {
	const sending = await Sending.publish(stage, outages);
	const keys = keysOf('one');
	for (const nth of [1, 2, 3]) {
		const plan = { of: ['worker' as const], more: 1, lastsMs: executionMs, nth };
		await Promise.all([sending.start(keys), killAtRandom(stage, outages, plan)]);
	}
	await sending.start(keys);
	await ended(sending);
	await expectNoneTwice(sending);
	// A limit that docs/dev/benchmarks.md names.
	const kilobytes = (await bytesOfKeys(stage)) / count / 1000;
	report(`room in the database: ${kilobytes.toFixed(2)} kB a key`);
	expect(kilobytes).toBeGreaterThan(0.1);
	expect(kilobytes).toBeLessThan(3);
}, 1_200_000);

test('many executions, everything killed once and some twice: nothing is sent twice', async () => {
	const sending = await Sending.publish(stage, outages);
	const keys = keysOf('many');
	const lists = Array.from({ length: 50 }, (_, index) =>
		keys.slice((index * count) / 50, ((index + 1) * count) / 50),
	);
	// Each list twice, at random moments: so kills meet executions, and executions each other.
	const moments = fc.array(fc.nat({ max: planMs }), { minLength: 100, maxLength: 100 });
	const starts = chosen(moments, seed).map(async (afterMs, index) => {
		await delay(afterMs);
		await sending.start(lists[index % lists.length] ?? []);
	});
	const kills = killAtRandom(stage, outages, {
		of: ['main', 'webhook', 'worker', 'redis', 'postgres'],
		...{ more: 3, lastsMs: planMs, nth: 4 },
	});
	await Promise.all([kills, ...starts]);
	for (const list of lists) await sending.start(list);
	await ended(sending);
	await expectNoneTwice(sending);
}, 1_500_000);
