import { setTimeout as delay } from 'node:timers/promises';
import type { IExecuteFunctions } from 'n8n-workflow';

import { StoredKey } from '../../nodes/SignVerify/operations/sendOnceKey';
import { runItems } from '../../nodes/SignVerify/operations/runItems';
import { ProcessedStore } from '../n8n/processedStore';
import { ServiceError } from '../../nodes/SignVerify/http/errors';
import { lostForGood, unsentForGood } from '../../nodes/SignVerify/http/retry';
import { errorOfRun, type ItemName } from '../../nodes/SignVerify/operations/errors';
import type { ItemOutput } from '../../nodes/SignVerify/input/item';
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
		message: 'It failed',
		description: 'Look.',
		kind: 'creating',
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
const skipped: Settled<ItemOutput[]> = { ok: true, value: [{ json: { skipped: true } }] };

const reportOf = (settled: Array<Settled<ItemOutput[]> | undefined>) =>
	String((errorOfRun(context, settled) as { description?: string } | undefined)?.description);

describe('The report about a failed execution', () => {
	test('lists all created items if one of 1,500 items fails', () => {
		const settled = Array.from({ length: 1500 }, (_, index) =>
			index < 1200 ? createdOf(index) : index === 1200 ? failed() : undefined,
		);
		const report = reportOf(settled);
		expect(report).toMatch(
			/^Look\.\n1200 other items were already sent, so don't send these again: items 1 to 1200\.\n299 of 1500 items weren't started\.\nCreated: document \S+ \(item 1\), .* and \d+ more\. More: /,
		);
		expect(report.length).toBeLessThan(10_500);
	});

	test('leaves out skipped items and lists the items that may have been created', () => {
		const settled = [
			createdOf(0),
			createdOf(1),
			skipped,
			failed(),
			createdOf(4),
			createdOf(5),
			createdOf(6),
			failed(true),
			failed(true),
			failed(),
			failed(true),
		];
		expect(reportOf(settled)).toContain(
			"\nCheck your provider's account first, because the following may have been sent: items 8, 9, 11.\n5 other items were already sent, so don't send these again: items 1, 2, 5 to 7.\nCreated: ",
		);
	});

	test('joins two items with "and"', () => {
		const report = reportOf([createdOf(0), createdOf(1), failed()]);
		expect(report).toContain("so don't send these again: items 1 and 2.\n");
	});

	test('uses the singular for a single created item', () => {
		expect(reportOf([failed(), createdOf(1)])).toContain(
			"\n1 other item was already sent, so don't send it again: item 2.\n",
		);
	});

	test('shortens the list of created items if every other one of 10,000 items was skipped', () => {
		const settled = Array.from({ length: 10_000 }, (_, index) =>
			index % 2 ? skipped : createdOf(index),
		);
		const report = reportOf([...settled, failed()]);
		expect(report).toMatch(
			/5000 other items were already sent, so don't send these again: items 1, 3, 5, .*, and others\.\nCreated: .*, and \d+ more\. More: /,
		);
		expect(report.length).toBeLessThan(10_500);
	});

	const keys = (count: number): ItemName[] =>
		Array.from({ length: count }, (_, index) => ({ key: `C-${index + 1}` }));
	const unsureSkip: Settled<ItemOutput[]> = { ok: true, value: [{ json: {}, isUnsure: true }] };
	const keyedReportOf = (settled: Array<Settled<ItemOutput[]> | undefined>, of: ItemName[]) =>
		String((errorOfRun(context, settled, of) as { description?: string }).description);

	test('asks only about uncertain items if every item has a key', () => {
		const settled = [
			createdOf(0),
			createdOf(1),
			failed(true),
			skipped,
			unsureSkip,
			createdOf(5),
			failed(true),
			unsureSkip,
			undefined,
			undefined,
		];
		const names = keys(10);
		// This item was skipped, because it has the same key as the item before it.
		names[7] = { key: 'C-7' };
		expect(keyedReportOf(settled, names)).toMatch(
			/^These items may have been sent: C-3 \(item 3\), C-5 \(item 5\), C-7 \(item 7\)\. Check your provider's account for them\. If you find one, leave the item as it is\. If you don't, give the item a different Send Once Key, because the old one counts as used\.\nThen run the whole list again\. The node skips the items that were already sent\.\nThis time, the node sent 3 items: items 1, 2, 6\.\n2 of 10 items weren't started\. More: /,
		);
	});

	test('contains the error from the item that ended the execution if every item has a key', () => {
		const error = errorOfRun(context, [failed(true), createdOf(1), failed()], keys(3));
		expect(error?.message).toBe('It failed [C-3 (item 3)]');
		expect((error as { description?: string }).description).toMatch(
			/^Look\.\nThese items .*: C-1 \(item 1\)\. Check /,
		);
		expect(errorOfRun(context, [failed(true), failed()])?.message).toBe('It failed [item 1]');
	});

	test('names the people and the rows, as far as they are known', () => {
		const names: ItemName[] = [
			{ key: 'C-1', person: 'Ana Gil', row: '2' },
			{ key: 'C-2', person: 'Ben Ray and Cy Diaz', row: '4' },
			{ key: 'C-3', row: '5' },
		];
		const error = errorOfRun(context, [createdOf(0), failed(true), createdOf(2)], names);
		expect(error?.message).toBe('It failed [C-2, Ben Ray and Cy Diaz (row 4)]');
		const { description } = error as { description?: string };
		expect(description).toContain(' been sent: C-2, Ben Ray and Cy Diaz (row 4). Check');
		expect(description).toContain('the node sent 2 items: rows 2 and 5.');
	});

	test('asks about no item after a rejection if every item has a key', () => {
		const report = keyedReportOf([createdOf(0), failed(), undefined], keys(3));
		expect(report).toMatch(
			/^Look\.\nRun the whole list again. The node skips the items that were already sent\.\nThis time, the node sent 1 item: item 1\.\n1 of 3 items wasn't started\. More: /,
		);
	});

	test('shortens the list of 5,000 uncertain items with long keys', () => {
		const settled = Array.from({ length: 5000 }, () => failed(true));
		const long = keys(5000).map(({ key = '' }) => ({ key: key.repeat(100) }));
		const report = keyedReportOf(settled, long);
		expect(report).toMatch(/ \(item 2\), .*, and \d+ more\. Check your provider's account/);
		expect(report.length).toBeLessThan(10_500);
	});
});
