import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { History, readHistory } from '../queue/support/history/history';
import { planOf, planText } from '../queue/support/history/plan';

const targets = ['main', 'webhook', 'worker-1', 'Redis'].map((name, index) => ({
	...{ name, minDownMs: 100 * index, maxDownMs: 100 * index + 5000 },
}));

test('the same seed makes the same plan, another seed another', () => {
	expect(planOf(7, targets, 3, 60_000)).toEqual(planOf(7, targets, 3, 60_000));
	expect(planOf(7, targets, 3, 60_000)).not.toEqual(planOf(8, targets, 3, 60_000));
});

test('a plan kills every target, within its time, in the order of time', () => {
	for (let seed = 1; seed <= 200; seed++) {
		const plan = planOf(seed, targets, 3, 60_000);
		expect(plan).toHaveLength(7);
		expect(new Set(plan.map(({ target }) => target)).size).toBe(4);
		const moments = plan.map(({ afterMs }) => afterMs);
		expect(moments).toEqual([...moments].sort((a, b) => a - b));
		expect(Math.min(...moments)).toBeGreaterThan(0);
		expect(Math.max(...moments)).toBeLessThan(60_000);
		for (const { target, downMs } of plan) {
			const { minDownMs = NaN, maxDownMs = NaN } =
				targets.find(({ name }) => name === target) ?? {};
			expect(downMs).toBeGreaterThanOrEqual(minDownMs);
			expect(downMs).toBeLessThanOrEqual(maxDownMs);
		}
	}
});

test('the moments are spread over the whole time', () => {
	const tenths = new Map<number, number>();
	for (let seed = 1; seed <= 500; seed++) {
		for (const { afterMs } of planOf(seed, targets, 0, 100_000)) {
			const tenth = Math.floor(afterMs / 10_000);
			tenths.set(tenth, (tenths.get(tenth) ?? 0) + 1);
		}
	}
	// 2,000 moments: some 200 in each tenth.
	for (let tenth = 0; tenth < 10; tenth++) expect(tenths.get(tenth)).toBeGreaterThan(100);
});

test('a plan is printed as a person reads it', () => {
	expect(planText([{ afterMs: 1250, target: 'Redis', downMs: 400 }])).toEqual([
		'after 1.3 s: Redis, away for 0.4 s',
	]);
});

test('a history is in its file at once, and in the order of time at the end', async () => {
	const folder = await mkdtemp(path.join(tmpdir(), 'history-'));
	try {
		const history = new History(path.join(folder, 'below', 'one.jsonl'));
		history.note({ type: 'call', at: 5, call: 'a#1' });
		history.note({ type: 'answer', at: 9, call: 'a#1', status: 200 });
		expect(readHistory(history.file)).toEqual(history.entries());

		history.show([{ type: 'started', at: 7, execution: 'x', call: 'a#1' }]);
		history.end();
		history.note({ type: 'down', target: 'main', role: 'main' });
		expect(readHistory(history.file).map(({ type }) => type)).toEqual([
			'call',
			'started',
			'answer',
		]);
		expect(history.entries()).toEqual(readHistory(history.file));

		history.show([]);
		expect(readHistory(history.file).map(({ type }) => type)).toEqual(['call', 'answer']);
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
});
