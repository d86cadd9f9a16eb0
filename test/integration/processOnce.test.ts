import type { NodeExecutionHint, WorkflowExecuteMode } from 'n8n-workflow';

import { runAction, type RunSetup } from '../support/contexts';
import { CredentialKeeper } from '../support/credentials';
import { ProcessedStore } from '../support/processedStore';

/** No call is made, so the credential is none. */
const keeper = new CredentialKeeper({});

/** Runs an operation with items that each have a key; gives the keys of the items that come out. */
async function run(
	operation: 'processOnce' | 'markProcessed',
	store: ProcessedStore,
	keys: unknown[],
	{ options = {}, ...more }: Partial<RunSetup> & { options?: object } = {},
): Promise<unknown[]> {
	const items = await runAction(keeper, {
		parameters: { resource: 'item', operation, options: { ...options } },
		store,
		items: keys.map((key, n) => ({ n, key: String(key) })),
		perItem: keys.map((key) => (key === undefined ? {} : { key: key as string })),
		...more,
	});
	return items.map(({ json }) => (json.error ? (json.error as Error).message : json.key));
}

const keys = Array.from({ length: 40 }, (_, index) => `event-${index}`);

describe('Process Once', () => {
	test('an item continues once, and never again when it is marked', async () => {
		const store = new ProcessedStore();
		expect(await run('processOnce', store, keys)).toEqual(keys);
		expect(await run('processOnce', store, keys)).toEqual([]);
		expect(await run('markProcessed', store, keys)).toEqual(keys);
		const options = { processAgainAfter: 0.000_01 };
		expect(await run('processOnce', store, [...keys, 'new'], { options })).toEqual(['new']);
		expect(await run('processOnce', store, keys, { mode: 'retry' })).toEqual([]);
	});

	test('executions at the same moment continue with each item once', async () => {
		const store = new ProcessedStore();
		const executions = [1, 2, 3].map(async () => await run('processOnce', store, keys));
		expect((await Promise.all(executions)).flat().sort()).toEqual([...keys].sort());
	});

	test('of items with the same key the first one continues, in a retry, too', async () => {
		const items = [{ n: 1 }, { n: 2 }, { n: 3 }];
		for (const mode of ['trigger', 'retry'] satisfies WorkflowExecuteMode[]) {
			const output = await runAction(keeper, {
				parameters: { resource: 'item', operation: 'processOnce', key: 'same' },
				items,
				mode,
			});
			expect(output).toEqual([{ json: { n: 1 }, pairedItem: { item: 0 } }]);
		}
	});

	test('what was begun and not marked continues after its time, or in a retry at once', async () => {
		const store = new ProcessedStore();
		await run('processOnce', store, ['a', 'b']);
		expect(await run('processOnce', store, ['a'])).toEqual([]);
		const options = { processAgainAfter: 0.000_01 };
		expect(await run('processOnce', store, ['a'], { options })).toEqual(['a']);
		expect(await run('processOnce', store, ['b'], { mode: 'retry' })).toEqual(['b']);
		// Another retry of the same event: it must not end as if all were done.
		await expect(run('processOnce', store, ['b'], { mode: 'retry' })).rejects.toThrow(
			'Key: another execution has begun with "b"',
		);
	});

	test('a file goes through both operations', async () => {
		const store = new ProcessedStore();
		const binary = { document: { data: '', mimeType: 'application/pdf' } };
		for (const operation of ['processOnce', 'markProcessed']) {
			const [item] = await runAction(keeper, {
				parameters: { resource: 'item', operation, key: 'k' },
				store,
				binary,
			});
			expect(item?.binary).toEqual(binary);
		}
	});

	test('says why an item does not continue', async () => {
		const store = new ProcessedStore();
		const hints: NodeExecutionHint[] = [];
		await run('processOnce', store, ['a', 'b']);
		await run('markProcessed', store, ['b']);
		await run('processOnce', store, ['a', 'b', 'b'], { hints });
		expect(hints.map(({ message }) => message).sort()).toEqual([
			expect.stringContaining('another execution has begun'),
			'Items that were processed before do not continue.',
			'Of several items with the same key, only the first continues.',
		]);
	});

	test('with Continue in Test Executions a test remembers nothing', async () => {
		const store = new ProcessedStore();
		const options = { continueInTests: true };
		for (let test = 0; test < 2; test++) {
			expect(await run('processOnce', store, ['a'], { options, mode: 'manual' })).toEqual(['a']);
		}
		expect(store.size).toBe(0);
		expect(await run('processOnce', store, ['a'], { options })).toEqual(['a']);
		expect(await run('processOnce', store, ['a'], { mode: 'manual' })).toEqual([]);
	});
});

describe('Mark as Processed', () => {
	test('refuses a key that was never begun, which would be another than that of Process Once', async () => {
		const store = new ProcessedStore();
		await expect(run('markProcessed', store, ['k'])).rejects.toThrow(
			'Key: "k" is not a key that this workflow has begun with',
		);
		expect(store.size).toBe(0);
	});

	test('in a test execution it says so, and continues', async () => {
		const hints: NodeExecutionHint[] = [];
		const store = new ProcessedStore();
		expect(await run('markProcessed', store, ['k'], { hints, mode: 'manual' })).toEqual(['k']);
		expect(hints.map(({ message }) => message)).toEqual([
			'Nothing was marked: Process Once has not begun with this key.',
		]);
	});
});

test.each(['processOnce', 'markProcessed'] as const)(
	'%s: an item without a usable key is an error of that item',
	async (operation) => {
		const store = new ProcessedStore();
		await run('processOnce', store, ['good']);
		const unusable = ['', ['x'], true, false, NaN, -Infinity, 'y'.repeat(501)];
		const output = await run(operation, store, [...unusable, 'good'], {
			continueOnFail: true,
			mode: 'retry',
		});
		expect(output).toEqual([
			expect.stringContaining('Key: the expression gives nothing for this item'),
			...Array<unknown>(5).fill(expect.stringContaining('Key: it is not a text or a number')),
			expect.stringContaining('Key: it is longer than 500 characters'),
			'good',
		]);
	},
);

test('a time that is none is refused before anything is remembered', async () => {
	const store = new ProcessedStore();
	for (const processAgainAfter of [0, -1, 'soon', 1e9]) {
		await expect(
			run('processOnce', store, ['k'], { options: { processAgainAfter } }),
		).rejects.toThrow('Process Again After: it must be a number above 0');
	}
	expect(store.size).toBe(0);
});
