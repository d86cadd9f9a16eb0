import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';

import { groupBy } from '../../nodes/SignVerify/util/values';
import { bytesOfKeys, report, useQueueStage } from './support/stage';
import { seed } from '../support/sample';
import { chosen, killAtRandom, restartMain, watchOutages } from './support/kills';
import { Sending, sendProblems, sendSummary } from './support/sending';

const count = Number(process.env.QUEUE_DOCUMENTS ?? 1000);
/** How long (ms) the test keeps starting executions and killing processes. */
const planMs = 60_000;
/** How many lists the keys are divided into. Each list is sent several times. */
const listCount = 20;
const stage = useQueueStage('send-once');

/** Sets how long (ms) the service takes to create a document, so that calls are in progress when something happens. */
function setLatency(delayMs: number): void {
	stage.sandbox.faults.clear();
	stage.sandbox.faults.set({ endpoint: 'POST /templates/createDocumentByTemplateV2', delayMs });
}

/** n8n decides which worker gets an execution, so it can take several rounds until two workers claim the same key. */
const maxRounds = 10;

test('workers that claim a key at the same moment for different people send it only to one of them', async () => {
	setLatency(3000);
	const sending = await Sending.publish(stage, watchOutages(stage));
	let haveMet = false;
	for (let round = 1; round <= maxRounds && !haveMet; round++) {
		haveMet = await claimTwice(sending, round);
	}
	expect(haveMet).toBe(true);
}, 1_500_000);

/**
 * Sends each key twice at the same moment, for different people, and then once more.
 * @returns Whether two workers claimed the same key. A process makes its own executions wait for each other, so it takes
 * two workers until a document may have been created.
 */
async function claimTwice(sending: Sending, round: number): Promise<boolean> {
	const owners = Array.from({ length: 80 }, (_, index) => `round-${round}-${index}`);
	const others = owners.map((key) => `${key} other`);
	const addressOf = (entry: string) => entry.replace(' ', '-');
	const look = async () => {
		const { outputs, documents } = await sending.look();
		const isOfRound = ({ key }: { key: string }) => key.startsWith(`round-${round}-`);
		return { outputs: outputs.filter(isOfRound), documents: documents.filter(isOfRound) };
	};
	const parts = [0, 1, 2, 3].map((part) => [part * 20, (part + 1) * 20] as const);
	const both = (range: readonly [number, number]) =>
		[owners, others].map(async (list) => await sending.start(list.slice(...range)));
	await Promise.all(parts.flatMap(both));
	await sending.ended(150_000);
	const during = await look();
	const counts = groupBy(during.outputs, ({ result }) => result);
	report(
		`at the same moment: ${[...counts].map(([result, { length }]) => `${length} ${result}`).join(', ')}`,
	);
	expect([...counts.keys()]).not.toContain('skipped');
	const sentTo = new Set(during.documents.map(({ key }) => key));
	const isOnce = owners.map(
		(key) => sentTo.has(addressOf(key)) !== sentTo.has(addressOf(`${key} other`)),
	);
	expect(isOnce).not.toContain(false);
	expect(during.documents).toHaveLength(owners.length);

	await Promise.all(parts.flatMap(both));
	await sending.ended(150_000);
	const after = await look();
	const again = after.outputs.slice(during.outputs.length);
	expect(after.documents).toHaveLength(owners.length);
	expect(again).toHaveLength(2 * owners.length);
	const wrong = again.filter(
		({ key, result }) => result !== (sentTo.has(addressOf(key)) ? 'skipped' : 'forOtherPeople'),
	);
	expect(wrong).toEqual([]);
	return counts.has('mayHaveBeenCreated');
}

test('many executions never send anything twice, even if every process is killed at least once', async () => {
	setLatency(300);
	const bytesBefore = await bytesOfKeys(stage);
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
	const kilobytes = ((await bytesOfKeys(stage)) - bytesBefore) / count / 1000;
	report(`room in the database: ${kilobytes.toFixed(2)} kB a key`);
	expect(kilobytes).toBeGreaterThan(0.1);
	expect(kilobytes).toBeLessThan(1);
}, 1_500_000);
