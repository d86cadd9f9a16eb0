import { setTimeout as delay } from 'node:timers/promises';
import type { IExecuteFunctions } from 'n8n-workflow';

import { StoredKey } from '../../nodes/SignVerify/operations/sendOnceKey';
import { runItems, turnsOfChecks } from '../../nodes/SignVerify/operations/parallelItems';
import { ProcessedStore } from '../n8n/processedStore';
import { ServiceError } from '../../nodes/SignVerify/http/serviceError';
import { lostForGood, unsentForGood } from '../../nodes/SignVerify/http/retry';
import type { ItemName } from '../../nodes/SignVerify/operations/itemNames';
import { errorOfRun, itemsByResult } from '../../nodes/SignVerify/operations/runErrors';
import type { ItemOutput } from '../../nodes/SignVerify/item/item';
import type { Settled } from '../../nodes/SignVerify/util/async';

describe('Items processed in parallel', () => {
	test('send each call before the next item blocks the process', async () => {
		const order: string[] = [];
		await runItems(
			4,
			async (index) => {
				order.push(`start ${index}`);
				// Evaluating n8n's expressions blocks the process like this before anything is sent.
				const end = performance.now() + 5;
				while (performance.now() < end);
				// A call on an open connection goes out in the next turn of the event loop.
				await new Promise((resolve) => setImmediate(resolve));
				order.push(`sent ${index}`);
				await delay(50);
			},
			{ maxParallelItems: 4, stopsAfter: () => true },
		);
		// The first two items may begin in the same turn of the event loop, depending on its phase.
		const at = (what: string) => order.indexOf(what);
		expect(at('sent 0')).toBeLessThan(at('start 2'));
		expect(at('sent 1')).toBeLessThan(at('start 3'));
	});

	test('are checked for 4 ms in a turn of the event loop, however many lists there are', async () => {
		let now = performance.now();
		const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
		let isOver = false;
		/** How many items were started when the process could handle network traffic. */
		const startedBy: number[] = [];
		const watch = () => {
			startedBy.push(order.length);
			if (!isOver) setImmediate(watch);
		};
		const order: number[] = [];
		const lists = Array.from({ length: 10 }, (_, list) => list);
		const checks = lists.map(async (list) => {
			const work = async () => {
				order.push(list);
				now += 1;
				await Promise.resolve();
			};
			const options = { maxParallelItems: 10, stopsAfter: () => true, turns: turnsOfChecks };
			await runItems(40, work, options);
		});
		setImmediate(watch);
		await Promise.all(checks);
		isOver = true;
		clock.mockRestore();
		const perTurn = startedBy.map((count, turn) => count - (startedBy[turn - 1] ?? 0));
		// Two turns may pass before the process looks for network traffic, depending on the loop's phase.
		expect(Math.max(...perTurn)).toBeLessThanOrEqual(8);
		expect(Math.max(...perTurn)).toBeGreaterThanOrEqual(4);
		// No list waits until another one has been checked.
		for (const list of lists) {
			expect(order.slice(0, 200).filter((one) => one === list)).toHaveLength(20);
		}
	});

	test('never exceed the limit and return their results in input order', async () => {
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
			{ maxParallelItems: 4, stopsAfter: () => true },
		);
		expect(most).toBe(4);
		expect(settled).toEqual(settled.map((_, index) => ({ ok: true, value: index })));
	});
});

/** Imitates an n8n worker that makes Send Once Keys. Workers share the store, but each has its own memory. */
function worker(store: ProcessedStore): (name: string) => StoredKey {
	let own: typeof StoredKey | undefined;
	jest.isolateModules(() => {
		({ StoredKey: own } = jest.requireActual<{ StoredKey: typeof StoredKey }>(
			'../../nodes/SignVerify/operations/sendOnceKey',
		));
	});
	if (!own) throw new Error('The module was not loaded.');
	const Own = own;
	const node = { id: 'node' };
	const context = {
		node,
		helpers: store.helpersFor(node),
		getWorkflow: () => ({ id: 'workflow' }),
	};
	return (name) => new Own(context as unknown as IExecuteFunctions, name, []);
}

const names = Array.from({ length: 100 }, (_, index) => `key-${index}`);

describe('Send Once Key', () => {
	test('is claimed by only one of two workers, even if both try simultaneously', async () => {
		const store = new ProcessedStore();
		const one = worker(store);
		const other = worker(store);
		for (const name of names) {
			const states = await Promise.all([one(name).claim(), other(name).claim()]);
			expect(states.sort()).toEqual(['new', 'unknown']);
		}
	});

	test('is not claimed if the database fails', async () => {
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
});

const context = { getNode: () => ({ name: 'SignVerify' }) } as unknown as IExecuteFunctions;
const failed = (mayHaveCreated = false): Settled<never> => ({
	ok: false,
	error: new ServiceError({
		problem: 'It failed',
		remedy: 'Look.',
		purpose: 'creating',
		failure: mayHaveCreated ? lostForGood : unsentForGood,
		docsAnchor: 'proxy',
	}),
});

/** Makes a document ID of the usual length. */
const idOf = (index: number) => `document 65f1c0de0000000000${String(index).padStart(6, '0')}`;
const createdOf = (index: number): Settled<ItemOutput[]> => ({
	ok: true,
	value: [{ json: {}, created: idOf(index) }],
});
const skipped: Settled<ItemOutput[]> = { ok: true, value: [{ json: { outcome: 'skipped' } }] };

const keys = (count: number): ItemName[] =>
	Array.from({ length: count }, (_, index) => ({ key: `C-${index + 1}` }));
const unsureSkip: Settled<ItemOutput[]> = { ok: true, value: [{ json: {}, isUnsure: true }] };
const reportOf = (settled: Array<Settled<ItemOutput[]> | undefined>, names: ItemName[] = []) => {
	const error = errorOfRun(context, settled, { names, sends: true }) as Error & {
		description: string;
	};
	return { message: error.message, lines: error.description.split('\n') };
};

describe('The report about a failed execution', () => {
	const settled = [
		createdOf(0),
		createdOf(1),
		skipped,
		failed(),
		createdOf(4),
		failed(true),
		unsureSkip,
		failed(),
		undefined,
	];

	test('accounts for each item', () => {
		const { failed, created, unsure, notStarted } = itemsByResult(settled);
		expect(failed.map(({ index }) => index)).toEqual([3, 7]);
		expect(created).toEqual([0, 1, 4].map((index) => ({ index, what: idOf(index) })));
		expect({ unsure, notStarted }).toEqual({ unsure: [5, 6], notStarted: [8] });
	});

	test('begins with what may have been sent, and names the next step for each item', () => {
		const link = expect.stringMatching(/ More: \S+#proxy$/) as string;
		expect(reportOf(settled)).toEqual({
			message: 'It failed [item 4]',
			lines: [
				"The following may have been sent: items 6 and 7. Check your provider's account. If an item is there, don't run it again. If it isn't, run it again.",
				'Look.',
				'Item 8: It failed.',
				"3 of 9 items were sent this time and shouldn't be run again: items 1, 2, 5.",
				"1 of 9 items wasn't started.",
				link,
			],
		});
		expect(reportOf(settled, keys(9))).toEqual({
			message: 'It failed [C-4 (item 4)]',
			lines: [
				"The following may have been sent: C-6 (item 6), C-7 (item 7). Check your provider's account. If an item is there, leave it as it is. If it isn't, give it a different Send Once Key, because the old one counts as used.",
				'Look.',
				'Run the whole list again. The node skips the items that were already sent.',
				'C-8 (item 8): It failed.',
				'3 of 9 items were sent this time: items 1, 2, 5.',
				expect.stringMatching(/^1 of 9 items wasn't started\. More: \S+#proxy$/),
			],
		});
	});

	test("doesn't speak of sending if the operation sends nothing", () => {
		const report = errorOfRun(context, settled) as Error & { description: string };
		expect(report.description).toContain('The following may have been created: items 6 and 7.');
		expect(report.description).toContain('3 of 9 items were created this time');
		expect(report.description).not.toMatch(/\bsen[dt]\b/);
	});

	test('is about the item that was definitely not sent, but only if every item has a key', () => {
		const items = [failed(true), createdOf(1), failed()];
		expect(reportOf(items, keys(3)).message).toBe('It failed [C-3 (item 3)]');
		expect(reportOf(items).message).toBe('It failed [item 1]');
	});

	test('contains the remedy of an uncertain item only once, for all of them', () => {
		const { lines } = reportOf([failed(true), failed(true)]);
		expect(lines).toHaveLength(2);
		expect(lines[0]).toContain('may have been sent: items 1 and 2.');
		expect(lines[1]).toMatch(/^More: /);
	});

	test('names the people and the rows, as far as they are known', () => {
		const names: ItemName[] = [
			{ key: 'C-1', person: 'Ana Gil', row: '2' },
			{ key: 'C-2', person: 'Ben Ray and Cy Diaz', row: '4' },
			{ key: 'C-3', row: '5' },
		];
		const { message, lines } = reportOf([createdOf(0), failed(true), createdOf(2)], names);
		expect(message).toBe('It failed [C-2, Ben Ray and Cy Diaz (row 4)]');
		expect(lines[0]).toContain(': C-2, Ben Ray and Cy Diaz (row 4).');
		expect(lines[2]).toContain(': rows 2 and 5.');
	});

	test.each<
		[string, Array<Settled<ItemOutput[]> | undefined>, ItemName[] | undefined, ...RegExp[]]
	>([
		[
			'1,200 created items',
			Array.from({ length: 1500 }, (_, index) =>
				index < 1200 ? createdOf(index) : index === 1200 ? failed() : undefined,
			),
			undefined,
			/: items 1 to 1200\.$/m,
			/^Created: document \S+ \(item 1\), .*, and others\. /m,
		],
		[
			'every other one of 10,000 items',
			[
				...Array.from({ length: 10_000 }, (_, index) => (index % 2 ? skipped : createdOf(index))),
				failed(),
			],
			undefined,
			/: items 1, 3, 5, .*, and others\.$/m,
			/^Created: .*, and others\. /m,
		],
		[
			'5,000 uncertain items with long keys',
			Array.from({ length: 5000 }, () => failed(true)),
			keys(5000).map(({ key = '' }) => ({ key: key.repeat(100) })),
			/ may have been sent: items 1 to 5000\./,
		],
		[
			'50 items that failed for different reasons',
			Array.from({ length: 50 }, (_, index): Settled<never> => ({
				ok: false,
				error: new ServiceError({ problem: `${index} `.repeat(200), remedy: 'Look.' }),
			})),
			undefined,
			/^Items 2 to 50: 1 1 .*, for example\.$/m,
		],
	])('is short for %s', (_what, settled, names, ...parts) => {
		const report = reportOf(settled, names).lines.join('\n');
		for (const part of parts) expect(report).toMatch(part);
		expect(report.length).toBeLessThan(10_500);
	});
});
