import type { SupervisedProcess } from '../../host/queue/supervise';
import { until } from '../e2e/support/stage';
import { credentialId, triggerWorkflow, type NextNode } from '../e2e/support/trigger';
import { sendAndWait } from '../e2e/support/wait';
import { statusCounts } from './support/database';
import { genuine } from './support/genuine';
import { sendSteadily } from './support/sender';
import { report, useQueueStage } from './support/stage';

const stage = useQueueStage('throughput');
const rounds = 2;
const latencyMs = 500;

/** What the executions do. */
interface Work {
	what: string;
	/** Executions in each round. */
	count: number;
	next?: (credential: string) => NextNode;
	/** What two workers have to finish at least, as a multiple of one. */
	least: number;
}

const works: Work[] = [
	{
		what: 'a trigger and a node that does nothing',
		count: Number(process.env.QUEUE_EXECUTIONS ?? 500),
		// Not much slower, at least: how much faster depends on the processors that there are.
		least: 0.6,
	},
	{
		what: `a trigger, and a document that the service takes ${latencyMs} ms for`,
		count: Number(process.env.QUEUE_EXECUTIONS ?? 200),
		next: (credential) => ({
			type: 'n8n-nodes-signverify.signVerify',
			typeVersion: 1.1,
			parameters: sendAndWait(stage.sandbox, { operation: 'createFromTemplate' }),
			credentials: { signVerifyApi: { id: credential, name: 'SignVerify sandbox' } },
		}),
		least: 1.6,
	},
];

/** A work's workflow, published, and the address of its trigger. */
interface Published extends Work {
	id: string;
	url: string;
}

async function publish(work: Work): Promise<Published> {
	const { api, sandbox } = stage;
	const credential = await credentialId(api);
	const known = sandbox.webhooks().map(({ webHookID }) => webHookID);
	const events = { events: ['signDocument'] };
	const workflow = triggerWorkflow(work.what, events, credential, work.next?.(credential));
	const { id } = await api.createWorkflow(workflow);
	await api.activate(id);
	const own = sandbox.webhooks().find(({ webHookID }) => !known.includes(webHookID));
	return { ...work, id, url: own?.webHookUrl ?? '' };
}

async function signal(workers: SupervisedProcess[], name: 'SIGSTOP' | 'SIGCONT'): Promise<void> {
	for (const worker of workers) process.kill((await worker.running()).pid, name);
}

/**
 * Fills the queue while the workers hold still, then measures how fast they empty it: finished
 * executions a second, without what it costs to take the events.
 */
async function drain(
	{ what, id, url, count }: Published,
	bodyOf: (event: string) => unknown,
	workers: SupervisedProcess[],
): Promise<number> {
	const done = async () => (await statusCounts(stage, id)).success ?? 0;
	const before = await done();
	await signal(workers, 'SIGSTOP');
	let start = Date.now();
	const taking = sendSteadily({ url, count, perSecond: 1000, bodyOf, limitMs: 300_000 });
	await taking.done;
	expect(taking.latencies).toHaveLength(count);
	const taken = count / ((Date.now() - start) / 1000);
	await signal(workers, 'SIGCONT');
	start = Date.now();
	await until('all have ended', async () => (await done()) - before === count, 300_000);
	const rate = count / ((Date.now() - start) / 1000);
	const busy = `${workers.length} worker${workers.length === 1 ? '' : 's'}`;
	report(
		`${what}, ${busy}: ${rate.toFixed(1)} a second; taken before: ${taken.toFixed(1)} a second`,
	);
	return rate;
}

test('finished executions a second, two workers beside one', async () => {
	const { sandbox, workers } = stage;
	const published: Published[] = [];
	for (const work of works) published.push(await publish(work));
	const bodyOf = await genuine(sandbox);
	for (const { id } of published) {
		await until('the first execution', async () => (await statusCounts(stage, id)).success === 1);
	}
	sandbox.faults.set({
		endpoint: 'POST /templates/createDocumentByTemplateV2',
		delayMs: latencyMs,
	});

	/** The best of the rounds, of each work. */
	const measure = async (working: SupervisedProcess[]): Promise<number[]> => {
		const best: number[] = [];
		for (const each of published) {
			const rates: number[] = [];
			for (let round = 0; round < rounds; round++) {
				const named = (event: string) => bodyOf(`${event}-${working.length}-${round}`);
				rates.push(await drain(each, named, working));
			}
			best.push(Math.max(...rates));
		}
		return best;
	};
	const both = await measure(workers);
	await workers[1]?.stop();
	const one = await measure(workers.slice(0, 1));
	for (const [index, { what, least }] of works.entries()) {
		const ratio = (both[index] ?? NaN) / (one[index] ?? NaN);
		report(`${what}: two workers finish ${ratio.toFixed(2)} times as many as one, on this machine`);
		expect(ratio).toBeGreaterThan(least);
	}
}, 900_000);
