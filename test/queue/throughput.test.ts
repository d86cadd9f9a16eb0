import type { Kept } from '../../host/queue-keep';
import { until } from '../e2e/support/stage';
import { credentialId, triggerWorkflow } from '../e2e/support/trigger';
import { statusCounts } from './support/database';
import { genuine } from './support/genuine';
import { sendSteadily } from './support/sender';
import { report, useQueueStage } from './support/stage';

const count = Number(process.env.QUEUE_EXECUTIONS ?? 500);
const stage = useQueueStage('throughput');

async function signal(workers: Kept[], name: 'SIGSTOP' | 'SIGCONT'): Promise<void> {
	for (const worker of workers) process.kill((await worker.running()).pid, name);
}

/**
 * Fills the queue while the workers hold still, then measures how fast they empty it: finished
 * executions a second, without what it costs to take the events.
 */
async function drain(id: string, bodyOf: (event: string) => unknown, workers: Kept[]) {
	const url = stage.sandbox.webhooks()[0]?.webHookUrl ?? '';
	const done = async () => (await statusCounts(stage, id)).success ?? 0;
	const before = await done();
	await signal(workers, 'SIGSTOP');
	let start = Date.now();
	const taking = sendSteadily(url, count, 1000, bodyOf, 300_000);
	await taking.done;
	expect(taking.sent.answered.size).toBe(count);
	const taken = count / ((Date.now() - start) / 1000);
	await signal(workers, 'SIGCONT');
	start = Date.now();
	await until('all have ended', async () => (await done()) - before === count, 300_000);
	const rate = count / ((Date.now() - start) / 1000);
	const busy = `${workers.length} worker${workers.length === 1 ? '' : 's'}`;
	report(
		`${busy}: ${rate.toFixed(1)} executions a second; taken before: ${taken.toFixed(1)} events a second`,
	);
	return rate;
}

test('finished executions a second, two workers beside one', async () => {
	const { api, workers } = stage;
	const credential = await credentialId(api);
	const workflow = triggerWorkflow('Throughput', { events: ['signDocument'] }, credential);
	const { id } = await api.createWorkflow(workflow);
	await api.activate(id);
	const bodyOf = await genuine(stage.sandbox);
	await until('the first execution', async () => (await statusCounts(stage, id)).success === 1);

	const rounds = ['a', 'b'];
	const named = (round: string) => (event: string) => bodyOf(`${event}-${round}`);
	const both: number[] = [];
	for (const round of rounds) both.push(await drain(id, named(`2${round}`), workers));
	await workers[1]?.stop();
	const one: number[] = [];
	for (const round of rounds) one.push(await drain(id, named(`1${round}`), workers.slice(0, 1)));
	const ratio = Math.max(...both) / Math.max(...one);
	report(`two workers finish ${ratio.toFixed(2)} times as many as one, on this machine`);
	// Not slower, at least: how much faster depends on the processors that there are.
	expect(ratio).toBeGreaterThan(0.7);
}, 900_000);
