import { setTimeout as delay } from 'node:timers/promises';

import type { IExecuteFunctions } from 'n8n-workflow';

import { StoredKey } from '../../nodes/SignVerify/operations/sendOnceKey';
import { runItems } from '../../nodes/SignVerify/operations/runItems';
import { keysOfWorker as worker, ProcessedStore } from '../support/processedStore';

describe('working on items in parallel', () => {
	test('what an item has begun gets on before the next one holds up the process', async () => {
		const order: string[] = [];
		await runItems(
			4,
			async (index) => {
				order.push(`start ${index}`);
				// As n8n's expressions do, before anything is sent.
				const end = performance.now() + 5;
				while (performance.now() < end);
				// What is due when the process comes to it, as a connection that stands.
				await new Promise((resolve) => setImmediate(resolve));
				order.push(`sent ${index}`);
				await delay(50);
			},
			{ parallel: 4, stopsAfter: () => true },
		);
		// The first two may begin in one turn of the event loop, as it depends on where the loop stands.
		const at = (what: string) => order.indexOf(what);
		expect([at('sent 0') < at('start 2'), at('sent 1') < at('start 3')]).toEqual([true, true]);
	});

	test('never more at once than allowed, and results in input order', async () => {
		let under = 0;
		let most = 0;
		const settled = await runItems(
			20,
			async (index) => {
				most = Math.max(most, ++under);
				await delay((20 - index) % 7);
				under--;
				return index;
			},
			{ parallel: 4, stopsAfter: () => true },
		);
		expect(most).toBe(4);
		expect(settled).toEqual(settled.map((_, index) => ({ ok: true, value: index })));
	});
});

const names = Array.from({ length: 100 }, (_, index) => `key-${index}`);

test('of two workers that claim a key in the same moment, one gets it', async () => {
	const store = new ProcessedStore();
	const [one, other] = [worker(store), worker(store)];
	for (const name of names) {
		const states = await Promise.all([one(name).claim(), other(name).claim()]);
		expect(states.sort()).toEqual(['new', 'unknown']);
	}
});

test('what two workers record at once is all kept', async () => {
	const store = new ProcessedStore();
	const workers = [worker(store), worker(store)];
	await Promise.all(
		names.map(async (name, index) => {
			const key = workers[index % 2]?.(name);
			expect(await key?.claim()).toBe('new');
			await key?.confirm();
		}),
	);
	const later = worker(store);
	for (const name of names) expect(await later(name).claim()).toBe('sent');
});

test('a failing database is no claim', async () => {
	const node = { id: 'node' };
	const helpers = {
		getProcessedDataCount: async () => 0,
		checkProcessedAndRecord: async () => {
			throw new Error('no connection');
		},
	};
	const context = { node, helpers, getWorkflow: () => ({ id: 'workflow' }) };
	const key = new StoredKey(context as unknown as IExecuteFunctions, 'k', []);
	await expect(key.claim()).rejects.toThrow('no connection');
	expect(node.id).toBe('node');
});
