import { ServiceClient } from '../../nodes/SignVerify/http/client';
import { maxTries, retryAllowance, RetryBudget } from '../../nodes/SignVerify/http/retry';
import { type ServiceRequest } from '../../nodes/SignVerify/http/request';
import { answer, many, run, type End } from '../support/callEnds';
import { creation, read } from '../support/calls';
import { useFakeDelay } from '../support/fakeDelay';
import { standIn } from '../support/standIn';

jest.mock('../../nodes/SignVerify/util/async', () =>
	jest.requireActual<object>('../support/fakeDelay'),
);
useFakeDelay();

const tries = maxTries.read.always;

describe('in a full outage', () => {
	test.each<[string, ServiceRequest, End]>([
		['reads at a service that fails', read, 'failed'],
		['reads whose connection breaks', read, 'broken'],
		['creations whose connection is refused', creation, 'refused'],
	])('%s: one call each, and the allowance', async (_name, request, end) => {
		expect(await run(many(request, 1000), [end])).toMatchObject({
			calls: 1000 + retryAllowance(),
			done: 0,
		});
	});

	test.each([1, 2, 10])('%i items have all their tries', async (items) => {
		expect((await run(many(read, items), ['failed'])).calls).toBe(tries * items);
	});

	test('that began after thousands of successes: the same', async () => {
		const ends = [...Array<End>(2000).fill('ok'), ...Array<End>(2000).fill('failed')];
		expect(await run(many(read, 3000), ends)).toMatchObject({
			calls: 3000 + retryAllowance(),
			done: 2000,
		});
	});

	test('an error says what happened, how often it was tried, and why no more', async () => {
		const { settled } = await run(many(read, 12), ['failed'], 1);
		const description = (index: number) =>
			(settled[index] as { error: { description: string } }).error.description;
		expect(description(9)).toMatch(
			new RegExp(
				`^The fault is at the service\\. Try again in a moment\\. It was tried ${tries} times in \\d seconds\\.$`,
			),
		);
		expect(description(10)).toBe(
			'The fault is at the service. Try again in a moment. There was no further retry, because many calls of this execution failed.',
		);
		expect(settled[11]).toMatchObject({ error: { message: 'The service failed (HTTP 503)' } });
	});
});

test.each([1, 10, 50])(
	'a short fault is ridden out by all %i calls that are under way',
	async (parallel) => {
		const triesOf = new Map<string, number>();
		const { context, calls } = standIn(({ options: { url } }) => {
			const tried = (triesOf.get(url) ?? 0) + 1;
			triesOf.set(url, tried);
			return tried < tries ? answer.broken({} as never, 0) : undefined;
		});
		const client = new ServiceClient(context, { maxRetryTime: Infinity, parallel });
		const underWay = Array.from({ length: parallel }, async (_, index) => {
			return await client.call({ ...read, path: `/${index}` });
		});
		expect(await Promise.all(underWay)).toHaveLength(parallel);
		expect(calls).toHaveLength(tries * parallel);
	},
);

test('after an outage that spent the budget, five calls that work allow one repetition', async () => {
	const outage = Array<End>(2 * retryAllowance()).fill('failed');
	const ends: End[] = [...outage, ...Array<End>(5).fill('ok'), 'failed', 'ok', 'failed'];
	const { calls, settled } = await run(many(read, retryAllowance() + 5 + 2), ends, 1);
	expect(calls).toBe(2 * retryAllowance() + 5 + 2 + 1);
	expect(settled.slice(-2).map(({ state }) => state)).toEqual(['done', 'failed']);
});

test('rate limits take nothing from it', async () => {
	const ends: End[] = [...Array<End>(40).fill('limited'), 'failed', 'failed', 'failed', 'ok'];
	const budget = jest.spyOn(RetryBudget.prototype, 'spend');
	expect(await run([read], ends)).toMatchObject({ calls: 44, done: 1 });
	expect(budget).toHaveBeenCalledTimes(3);
});
