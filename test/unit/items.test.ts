import { setTimeout as delay } from 'node:timers/promises';

import { runItems } from '../../nodes/SignVerify/operations/runItems';

describe('working on items in parallel', () => {
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
			{ parallel: 4, stopOnFailure: true },
		);
		expect(most).toBe(4);
		expect(settled).toEqual(settled.map((_, index) => ({ state: 'done', output: index })));
	});

	test('after a failure no item is started, those under way are awaited', async () => {
		const finished: number[] = [];
		const settled = await runItems(
			10,
			async (index) => {
				await delay(index === 1 ? 10 : 500);
				if (index === 1) throw new Error('no');
				finished.push(index);
				return index;
			},
			{ parallel: 3, stopOnFailure: true },
		);
		expect(finished.sort()).toEqual([0, 2]);
		expect(settled.map((each) => each.state)).toEqual([
			'done',
			'failed',
			'done',
			...Array.from({ length: 7 }, () => 'notStarted'),
		]);
	});

	test('a failure stops nothing when the node continues on errors', async () => {
		const settled = await runItems(
			5,
			async (index) => {
				if (index % 2) throw new Error('no');
				return index;
			},
			{ parallel: 2, stopOnFailure: false },
		);
		expect(settled.map((each) => each.state)).toEqual(['done', 'failed', 'done', 'failed', 'done']);
	});

	test('a cancelled execution starts nothing more', async () => {
		const cancel = new AbortController();
		const settled = await runItems(
			5,
			async (index) => {
				if (index === 1) cancel.abort();
				return index;
			},
			{ parallel: 1, stopOnFailure: true, signal: cancel.signal },
		);
		expect(settled.map((each) => each.state)).toEqual([
			'done',
			'done',
			'notStarted',
			'notStarted',
			'notStarted',
		]);
	});

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
			{ parallel: 4, stopOnFailure: true },
		);
		expect(order).toEqual([0, 1, 2, 3].flatMap((each) => [`start ${each}`, `sent ${each}`]));
	});
});
