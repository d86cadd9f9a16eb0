import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { breaking, messageAfter, pieces, stuck, take } from '../support/downloading';
import type { Answer } from '../support/downloading';
import { coded } from '../support/standIn';
import {
	mostTries,
	retryAllowance,
	RetryPolicy,
	RetryBudget,
} from '../../nodes/SignVerify/http/retry';

const tries = mostTries.read.always;

/** Fails so many times in a way, then gives the file. */
function failing(times: number, fail: () => Answer) {
	let count = 0;
	return () => (count++ < times ? fail() : { body: pieces('the whole file') });
}

const thrown = (code: string) => () => {
	throw coded(code);
};

describe('a file is tried again from the start', () => {
	beforeEach(() => void jest.spyOn(RetryPolicy.prototype, 'backoff').mockReturnValue(1));
	afterEach(() => jest.restoreAllMocks());

	test.each<[string, () => Answer]>([
		['an answer of 503', () => ({ status: 503, body: pieces('<html>busy</html>') })],
		['an answer of 500', () => ({ status: 500 })],
		['too many requests', () => ({ status: 429 })],
		['a connection that is refused', thrown('ECONNREFUSED')],
		['a connection that breaks', thrown('ECONNRESET')],
		['no answer in time', thrown('ECONNABORTED')],
		[
			'a transfer that breaks half way',
			() => ({ body: breaking(coded('ECONNRESET'), 'the whole') }),
		],
		['a transfer that stops', () => ({ body: stuck('the whole') })],
		['an empty answer', () => ({ body: pieces() })],
	])('after %s', async (_name, fail) => {
		const { stored, calls } = await take(failing(tries - 1, fail));
		expect(stored?.text).toBe('the whole file');
		expect(calls).toHaveLength(tries);
	});

	test('as often as a read at most', async () => {
		const { calls, error } = await take(failing(tries, () => ({ status: 503 })));
		expect(calls).toHaveLength(tries);
		expect(error?.message).toBe('Could not download the document (HTTP 503)');
	});

	test.each<[string, () => Answer]>([
		['a link that has expired', () => ({ status: 403 })],
		[
			'a link that has expired, with another status',
			() => ({ status: 400, body: pieces('expired') }),
		],
		['a page in place of the file', () => ({ body: pieces('<html><title>Sign in</title>') })],
		['a file that is too large', () => ({ headers: { 'content-length': '1001' } })],
		['a host that does not exist', thrown('ENOTFOUND')],
		['an execution that was cancelled', thrown('ERR_CANCELED')],
	])('but not after %s', async (_name, fail) => {
		expect((await take(failing(1, fail))).calls).toHaveLength(1);
	});

	test('but not where n8n cannot store it', async () => {
		const store = async () => await Promise.reject(new Error('disk full'));
		expect((await take(() => ({}), { store })).calls).toHaveLength(1);
	});

	test('as soon as the storage lets it, if there is time for that', async () => {
		const limited = (seconds: string) => () => ({
			status: 429,
			headers: { 'retry-after': seconds },
		});
		const start = Date.now();
		expect((await take(failing(1, limited('1')))).stored?.text).toBe('the whole file');
		expect(Date.now() - start).toBeGreaterThanOrEqual(990);
		const late = await take(failing(1, limited('60')));
		expect(late.calls).toHaveLength(1);
		expect(late.error?.message).toBe('Could not download the document (HTTP 429)');
	});

	test('while the execution has a retry budget, and not after it', async () => {
		const retryBudget = new RetryBudget();
		let calls = 0;
		const down = () => {
			calls++;
			return { status: 503 };
		};
		const files = [];
		for (let file = 0; file < 40; file++) files.push(await take(down, { retryBudget }));
		expect(calls).toBe(40 + retryAllowance());
		expect(files.map((file) => file.calls.length)).toEqual([
			...Array<number>(10).fill(tries),
			...Array<number>(30).fill(1),
		]);
		expect(files[9]?.error).toMatchObject({
			description: expect.stringMatching(
				new RegExp(` It was tried ${tries} times in \\d+ seconds\\.$`),
			) as string,
		});
		expect(files[10]?.error).toMatchObject({
			message: 'Could not download the document (HTTP 503)',
			description:
				'The fault is where the file is kept. Try again in a moment. There was no further retry, because many calls of this execution failed.',
		});
		// Five files that come allow one more repetition.
		for (let file = 0; file < 5; file++) await take(() => ({}), { retryBudget });
		expect((await take(down, { retryBudget })).calls).toHaveLength(2);
	});

	test('after a limit of the rate also where nothing is left of the budget', async () => {
		const retryBudget = new RetryBudget();
		while (retryBudget.spend());
		const limited = await take(
			failing(tries - 1, () => ({ status: 429 })),
			{ retryBudget },
		);
		expect(limited.calls).toHaveLength(tries);
		expect(limited.stored?.text).toBe('the whole file');
	});

	test('but not once the execution is cancelled', async () => {
		const execution = new AbortController();
		const respond = () => {
			execution.abort();
			return { status: 503 };
		};
		const { calls, error } = await take(respond, { signal: execution.signal });
		expect(calls).toHaveLength(1);
		expect(error?.message).toMatch('was not waited for, since the execution was cancelled');
	});
});

test('the pauses between the tries grow', async () => {
	const at: number[] = [];
	await take(() => {
		at.push(Date.now());
		return { status: 503 };
	});
	const [first = 0, second = 0, third = 0] = at
		.slice(1)
		.map((time, index) => time - (at[index] ?? 0));
	expect(at).toHaveLength(tries);
	expect(first).toBeGreaterThanOrEqual(145);
	expect(second).toBeGreaterThanOrEqual(290);
	expect(third).toBeGreaterThanOrEqual(590);
});

describe('the time of a file is bounded', () => {
	const more = { total: 700 };
	/** A piece now and then, for ever. */
	const trickle = (piece: string) =>
		Readable.from(
			(async function* () {
				for (;;) {
					await delay(50);
					yield Buffer.from(piece);
				}
			})(),
		);

	test('where pieces keep coming for ever', async () => {
		const start = Date.now();
		const bodies: Readable[] = [];
		const { error, calls } = await take(
			() => {
				bodies.push(trickle('x'));
				return { body: bodies.at(-1) as Readable };
			},
			{ more },
		);
		expect(Date.now() - start).toBeLessThan(10_000);
		expect(calls).toHaveLength(1);
		expect(bodies[0]?.destroyed).toBe(true);
		expect(error).toMatchObject({
			message: 'Could not download the document: it was not complete after 0.7 s',
			description:
				'The sender is too slow. Try again later, or raise "Timeout" in the options: a file may take twenty times as long.',
		});
	});

	test('where they keep coming while n8n stores it', async () => {
		expect(
			await messageAfter(() => ({ body: trickle('x'.repeat(600)) }), {
				more: { ...more, limit: 1_000_000 },
			}),
		).toMatch('it was not complete after 0.7 s');
	});

	test('where an explanation has no end', async () => {
		const start = Date.now();
		const body = trickle('{');
		expect(await messageAfter(() => ({ status: 403, body }), { more })).toMatch('(HTTP 403');
		expect(Date.now() - start).toBeLessThan(10_000);
		expect(body.destroyed).toBe(true);
	});

	test('where no answer comes, whatever the HTTP client makes of it', async () => {
		const start = Date.now();
		const signals: AbortSignal[] = [];
		const silent = async (): Promise<never> => await new Promise(() => {});
		const { error } = await take(
			async (options) => {
				signals.push(options.abortSignal as AbortSignal);
				return await silent();
			},
			{ more },
		);
		expect(Date.now() - start).toBeLessThan(10_000);
		expect(error?.message).toMatch('did not answer in time');
		expect(signals.every(({ aborted }) => aborted)).toBe(true);
	});

	test('and that of all tries together', async () => {
		const start = Date.now();
		const { calls } = await take(() => ({ body: stuck('beginning') }), { more });
		expect(Date.now() - start).toBeLessThan(10_000);
		expect(calls.length).toBeLessThan(4);
	});
});
