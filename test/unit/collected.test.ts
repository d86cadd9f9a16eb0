import { setFlagsFromString } from 'node:v8';
import { runInNewContext, runInThisContext } from 'node:vm';

import { RateLimiter } from '../../nodes/SignVerify/http/rateLimit';
import { withTimeout } from '../../nodes/SignVerify/util/async';
import { sleep } from '../support/virtualTime';

/*
 * Node 20 garbage-collects the signal of a time limit if only a derived signal refers to it, and the time is then
 * never over. Once a function has been called often, Node compiles it without the references that it no longer needs.
 * So these tests compile the functions right away, collect garbage all the time, and run on real clocks.
 */

setFlagsFromString('--allow-natives-syntax');
setFlagsFromString('--expose-gc');
const native = (name: string) =>
	runInThisContext(`(work) => %${name}(work)`) as (work: unknown) => void;
const prepare = native('PrepareFunctionForOptimization');
const optimize = native('OptimizeFunctionOnNextCall');
const collectGarbage = runInNewContext('gc') as () => void;

let collecting: NodeJS.Timeout;

beforeEach(() => {
	collecting = setInterval(collectGarbage, 50);
});

afterEach(() => clearInterval(collecting));

const kinds: Array<[string, AbortSignal | undefined]> = [
	['In an execution that can be canceled', new AbortController().signal],
	['Outside of an execution', undefined],
];

test.each(kinds)(
	'%s, a call gets no turn after its deadline, even after garbage collection',
	async (_which, cancel) => {
		const { acquire } = RateLimiter.prototype;
		prepare(acquire);
		await new RateLimiter().acquire(0, performance.now() + 1000, cancel);
		optimize(acquire);
		const limiter = new RateLimiter();
		const deadline = performance.now() + 700;
		// With two calls per second, the third turn would come after a second.
		const turns = [1, 2, 3].map(async () => await limiter.acquire(2, deadline, cancel));
		expect((await Promise.all(turns)).map(Boolean)).toEqual([true, true, false]);
	},
);

test.each(kinds)(
	'%s, work ends when its time is over, even after garbage collection',
	async (_which, cancel) => {
		prepare(withTimeout);
		await withTimeout(async () => await sleep(0), 1000, cancel);
		optimize(withTimeout);
		const work = withTimeout(async () => await new Promise(() => {}), 300, cancel);
		await expect(work).rejects.toMatchObject({ code: 'TIME_IS_OVER' });
	},
);
