import { setTimeout as delay } from 'node:timers/promises';

import { until } from '../e2e/support/stage';
import { documentsByKey, Sending } from './support/sending';
import { report, useQueueStage } from './support/stage';

const count = Number(process.env.QUEUE_DOCUMENTS ?? 1000);
const stage = useQueueStage('send-once');

beforeAll(() => {
	// Long enough that a worker is killed while calls are under way.
	const endpoint = 'POST /templates/createDocumentByTemplateV2';
	stage.sandbox.faults.set({ endpoint, delayMs: 150 });
});

const keysOf = (name: string): string[] =>
	Array.from({ length: count }, (_, index) => `${name}-${index}`);

/** Waits until so many of the keys have a document. */
async function created(keys: string[], many: number): Promise<void> {
	await until(
		`${many} documents`,
		() => {
			const documents = documentsByKey(stage);
			return keys.filter((key) => documents.has(key)).length >= many;
		},
		240_000,
	);
}

async function killWorkers(): Promise<void> {
	await Promise.all(
		stage.workers.map(async (worker) => {
			const before = worker.ends();
			await worker.crash();
			await until('its end is noticed', () => worker.ends() > before);
			await worker.running();
		}),
	);
}

/** Holds what the service has against the keys and what the last runs said of them. */
async function judge(sending: Sending, keys: string[], executions: number): Promise<void> {
	const documents = documentsByKey(stage);
	const outputs = await sending.outputs(executions);
	const twice = keys.filter((key) => (documents.get(key) ?? 0) > 1);
	const unknown = keys.filter((key) => outputs.get(key)?.mayHaveBeenCreated === true);
	const missing = keys.filter((key) => !documents.has(key) && !unknown.includes(key));
	const sent = keys.filter((key) => documents.has(key)).length;
	report(`sent: ${sent} of ${keys.length}, twice: ${twice.length}`);
	report(
		`reported with unknown fate: ${unknown.length}, neither sent nor reported: ${missing.length}`,
	);
	expect(twice).toEqual([]);
	expect(missing).toEqual([]);
}

test('one execution, its worker killed three times and run again: nothing is sent twice', async () => {
	const sending = await Sending.publish(stage);
	const keys = keysOf('one');
	for (const part of [0.25, 0.5, 0.75]) {
		await sending.start(keys);
		await created(keys, count * part);
		report(`${count * part} documents: kill -9 of both workers`);
		await killWorkers();
	}
	await sending.start(keys);
	await created(keys, count * 0.9);
	report(`executions: ${JSON.stringify(await sending.ended())}`);
	await judge(sending, keys, 1);
}, 900_000);

test('many executions on both workers, killed and run again: nothing is sent twice', async () => {
	const sending = await Sending.publish(stage);
	const keys = keysOf('many');
	const lists = Array.from({ length: 50 }, (_, index) =>
		keys.slice((index * count) / 50, ((index + 1) * count) / 50),
	);
	for (const list of lists) await sending.start(list);
	await created(keys, count * 0.4);
	report(`${count * 0.4} documents: kill -9 of both workers`);
	await killWorkers();
	report(`executions: ${JSON.stringify(await sending.ended())}`);
	for (const list of lists) await sending.start(list);
	await delay(1000);
	report(`run again: ${JSON.stringify(await sending.ended())}`);
	await judge(sending, keys, lists.length);
}, 900_000);
