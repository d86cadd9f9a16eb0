import { setTimeout as delay } from 'node:timers/promises';

import { firstViolation } from './support/history/check';
import type { History } from './support/history/history';
import { killsOf, restartMain, watchProcesses } from './support/history/kills';
import { seed } from './support/history/plan';
import { openKeys, waitsToRetry, waitSummary } from './support/history/waitSummary';
import { openHistory, report, useQueueStage } from './support/stage';
import { plannedWaits } from './support/waits/plan';
import { Waits } from './support/waits/waits';

/** How many calls, each with one item, or with three in a loop. */
const count = Number(process.env.QUEUE_WAITS ?? 40);
/** How long the plan of kills lasts. Longer than a limit, so that limits pass meanwhile. */
const planMs = 120_000;
/** How long sending a document takes, and what is behind the wait: long enough for kills to meet it. */
const takesMs = 1500;
const stage = useQueueStage('waits');

beforeAll(() => {
	const endpoint = 'POST /templates/createDocumentByTemplateV2';
	stage.sandbox.faults.set({ endpoint, delayMs: takesMs });
});

/** Starts waits at random moments and signs their documents, while parts of n8n are killed. */
async function waitMeanwhileKilling(waits: Waits, history: History): Promise<void> {
	const kills = killsOf(stage, history, {
		// An execution is under way for seconds only, so that one kill of a worker may meet none.
		of: ['main', 'webhook', 'worker', 'worker', 'worker', 'redis', 'postgres'],
		more: 3,
		lastsMs: planMs,
	});
	const starts = plannedWaits(seed, count, planMs).map(async ({ startMs, ...wait }) => {
		await delay(startMs);
		await waits.start(wait);
	});
	await Promise.all([kills.run(), ...starts]);
	await waits.settled(90_000);
	report('kill -9 of main, which looks for executions that nobody runs when it starts');
	await restartMain(stage);
	report(`executions: ${JSON.stringify(await waits.settled(30_000))}`);
}

/** What is left to a person: "Retry", and having the service send again what nobody took. */
async function mend(waits: Waits, history: History): Promise<void> {
	waits.people.hurry();
	await waits.publishAgain();
	await waits.retry(waitsToRetry(history.entries()));
	await waits.over(15_000);
	await waits.people.repeat(openKeys(history.entries()));
	// The limit of a wait that "Retry" began passes in that time.
	report(`executions: ${JSON.stringify(await waits.over(150_000))}`);
}

test('the history of waits is allowed, whatever fails meanwhile', async () => {
	const history = openHistory('waits');
	watchProcesses(stage, history);
	const waits = await Waits.publish(stage, history, takesMs);
	const judge = async (): Promise<void> => {
		await waits.show();
		report(JSON.stringify(waitSummary(history.entries())));
		expect(firstViolation(history.entries())).toBeUndefined();
	};
	try {
		await waitMeanwhileKilling(waits, history);
		await judge();
		await mend(waits, history);
		await judge();
	} finally {
		history.end();
		await waits.stop();
	}
	const { items, completed, timedOut, open } = waitSummary(history.entries());
	// A history in which nobody waits would keep to the rules, too.
	expect(completed).toBeGreaterThan(items * 0.6);
	expect(timedOut).toBeGreaterThan(0);
	expect(open).toBe(0);
}, 1_200_000);
