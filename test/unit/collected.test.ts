import { setFlagsFromString } from 'node:v8';
import { runInNewContext, runInThisContext } from 'node:vm';

import { RateLimiter } from '../../nodes/SignVerify/http/rateLimit';
import { settle, withTimeout } from '../../nodes/SignVerify/util/async';
import { sleep } from '../support/virtualTime';

/*
 * Node 20 garbage-collects a time limit's signal if only a derived signal refers to it, and then the time
 * limit never takes effect. Once a function has been called often, Node compiles it without the references
 * that it no longer needs. So these tests compile the functions immediately, collect garbage before the time
 * is up, and use real clocks.
 */

setFlagsFromString('--allow-natives-syntax');
setFlagsFromString('--expose-gc');
const native = (name: string) =>
	runInThisContext(`(work) => %${name}(work)`) as (work: unknown) => void;
const prepare = native('PrepareFunctionForOptimization');
const optimize = native('OptimizeFunctionOnNextCall');
const collectGarbage = runInNewContext('gc') as () => void;

/**
 * Collects garbage twice, because some objects found by the first collection are not freed until the second.
 */
async function collectTwice(): Promise<void> {
	for (let times = 0; times < 2; times++) {
		await sleep(0.05);
		collectGarbage();
	}
}

const kinds: Array<[string, AbortSignal | undefined]> = [
	['in an execution that can be canceled', new AbortController().signal],
	['outside an execution', undefined],
];

test.each(kinds)(
	'a call past its deadline gets no turn, even after garbage collection (%s)',
	async (_which, cancel) => {
		const { acquire } = RateLimiter.prototype;
		prepare(acquire);
		await new RateLimiter().acquire(0, performance.now() + 1000, cancel);
		optimize(acquire);
		const limiter = new RateLimiter();
		const deadline = performance.now() + 700;
		// With a call every five seconds, the second turn would come long after the deadline.
		const turns = [1, 2].map(async () => await limiter.acquire(0.2, deadline, cancel));
		await collectTwice();
		expect((await Promise.all(turns)).map(Boolean)).toEqual([true, false]);
	},
);

test.each(kinds)(
	'%s, pending work ends when its time limit is reached, even after garbage collection',
	async (_which, cancel) => {
		prepare(withTimeout);
		await withTimeout(async () => await sleep(0), 1000, cancel);
		optimize(withTimeout);
		const work = settle(withTimeout(async () => await new Promise(() => {}), 700, cancel));
		await collectTwice();
		expect(await work).toMatchObject({ ok: false, error: { code: 'TIME_IS_OVER' } });
	},
);
