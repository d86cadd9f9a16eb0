import fc from 'fast-check';

import type { Begun, ProcessedKeys } from '../../nodes/SignVerify/operations/item/processedKeys';
import { keysIn, loadApart } from '../support/keyWorker';
import { ProcessedStore } from '../support/processedStore';

/** The code as each of several workers has loaded it. */
const workers = Array.from({ length: 5 }, () =>
	loadApart(
		() =>
			jest.requireActual<{ ProcessedKeys: typeof ProcessedKeys }>(
				'../../nodes/SignVerify/operations/item/processedKeys',
			).ProcessedKeys,
	),
);

/** The keys of a workflow as a worker has them. */
function keysOf(store: ProcessedStore, index = 0, more: Parameters<typeof keysIn>[2] = {}) {
	const loaded = workers[index];
	if (!loaded) throw new Error(`There is no worker ${index}.`);
	return keysIn<ProcessedKeys>(loaded, store, more);
}

const hour = 3_600_000;
const visitor = (isRetry = false) => ({ abandonedBefore: Date.now() - hour, isRetry });

afterEach(() => jest.useRealTimers());

test('a key goes from begun to processed, and stays there', async () => {
	const keys = keysOf(new ProcessedStore());
	expect(await keys.finish('k')).toBe(false);
	expect(await keys.begin('k', visitor())).toBe('begun');
	expect(await keys.begin('k', visitor())).toBe('underWay');
	expect(await keys.finish('k')).toBe(true);
	expect(await keys.begin('k', visitor())).toBe('processed');
	expect(await keys.begin('k', visitor(true))).toBe('processed');
	expect(await keys.finish('k')).toBe(true);
});

test('one row of the database is left of a processed key', async () => {
	const store = new ProcessedStore();
	const keys = keysOf(store);
	await keys.begin('k', visitor());
	await keys.begin('k', visitor(true));
	await keys.finish('k');
	await keys.begin('k', visitor());
	expect(store.size).toBe(1);
});

test('what was begun and not finished is begun again after its time, by one', async () => {
	jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] });
	const store = new ProcessedStore();
	expect(await keysOf(store).begin('k', visitor())).toBe('begun');
	jest.setSystemTime(Date.now() + hour - 1000);
	expect(await keysOf(store).begin('k', visitor())).toBe('underWay');
	jest.setSystemTime(Date.now() + 2000);
	const states = await Promise.all(
		workers.map(async (_, index) => await keysOf(store, index).begin('k', visitor())),
	);
	expect(states.sort()).toEqual(['begun', ...Array<Begun>(4).fill('underWay')]);
	// The time begins anew for whoever has begun now.
	expect(await keysOf(store).begin('k', visitor())).toBe('underWay');
});

test('a retry begins again at once, and of several retries one', async () => {
	const store = new ProcessedStore();
	expect(await keysOf(store).begin('k', visitor())).toBe('begun');
	const states = await Promise.all(
		workers.map(async (_, index) => await keysOf(store, index).begin('k', visitor(true))),
	);
	expect(states.sort()).toEqual(['begun', ...Array<Begun>(4).fill('underWay')]);
	expect(await keysOf(store).begin('k', visitor(true))).toBe('underWay');
});

test('a failing database begins nothing', async () => {
	const store = new ProcessedStore();
	let isBroken = false;
	const pause = async () => {
		if (isBroken) throw new Error('no connection');
		await Promise.resolve();
	};
	const keys = keysOf(store, 0, { pause });
	isBroken = true;
	await expect(keys.begin('k', visitor())).rejects.toThrow('no connection');
	isBroken = false;
	expect(await keys.begin('k', visitor())).toBe('begun');
});

test('a database that fails at any one step leaves no beginning that a retry would take for one', async () => {
	let failed = 0;
	for (let broken = 0; broken < 10; broken++) {
		let steps = 0;
		const pause = async () => {
			await Promise.resolve();
			if (steps++ === broken) throw new Error('database is locked');
		};
		const keys = keysOf(new ProcessedStore(), 0, { pause });
		const first = await keys.begin('k', visitor()).catch(() => undefined);
		steps = Infinity;
		if (first === undefined) failed++;
		else expect(first).toBe('begun');
		expect(await keys.begin('k', visitor())).toBe(first ? 'underWay' : 'begun');
	}
	expect(failed).toBeGreaterThan(2);
});

/** What a worker does with a key: it begins, and if it may, it works and finishes, or dies on the way. */
interface Visit {
	/** Whether it is the execution that n8n's Retry starts. */
	isRetry: boolean;
	/** After so many steps at the database it is gone. */
	diesAfter: number;
}

const visits = fc.array(
	fc.record({
		isRetry: fc.boolean(),
		diesAfter: fc.oneof({ weight: 3, arbitrary: fc.constant(Infinity) }, fc.nat({ max: 12 })),
	}),
	{ minLength: 2, maxLength: 5 },
);

test('whatever the order and whoever dies: begun once, never after the end, and not lost', async () => {
	let count = 0;
	await fc.assert(
		fc.asyncProperty(visits, fc.scheduler(), async (plan, scheduler) => {
			const store = new ProcessedStore();
			// What the dead hold in the memory of their processes is not met again.
			const workflow = `workflow ${count++}`;
			const seen = { begun: 0, finishing: 0, finished: 0 };
			const visit = async ({ isRetry, diesAfter }: Visit, index: number): Promise<void> => {
				let steps = 0;
				const pause = async () => {
					// Who is dead never comes back from the database.
					if (steps++ >= diesAfter) await new Promise(() => {});
					await scheduler.schedule(Promise.resolve(), `worker ${index}`);
				};
				const keys = keysOf(store, index, { pause, workflow });
				const { finished } = seen;
				if ((await keys.begin('k', visitor(isRetry))) !== 'begun') return;
				expect(finished).toBe(0);
				seen.begun++;
				seen.finishing++;
				expect(await keys.finish('k')).toBe(true);
				seen.finished++;
			};
			const failures: unknown[] = [];
			for (const [index, each] of plan.entries()) {
				void visit(each, index).catch((error: unknown) => failures.push(error));
			}
			await scheduler.waitIdle();
			expect(failures).toEqual([]);
			// A retry takes over from the execution that has ended; another retry does not take over from it.
			const most = plan.some(({ isRetry }) => isRetry) ? 2 : 1;
			expect(seen.begun).toBeLessThanOrEqual(most);

			const later = await keysOf(store, 0, { workflow: 'later' }).begin('k', {
				abandonedBefore: Date.now() + hour,
				isRetry: false,
			});
			if (seen.finished > 0) expect(later).toBe('processed');
			else if (seen.finishing === 0) expect(later).toBe('begun');
		}),
		{ numRuns: 300 },
	);
});
