import { ServiceError, type ErrorFacts, type Repeat } from '../../nodes/SignVerify/http/errors';
import { mostTries, RetryPolicy, type CallKind } from '../../nodes/SignVerify/http/retry';

const failure = (facts: Partial<ErrorFacts>) =>
	new ServiceError({ message: 'm', description: 'd', ...facts });

describe('the retry policy', () => {
	const triesOf = (kind: CallKind, facts: Partial<ErrorFacts>) => {
		const policy = new RetryPolicy(kind, 60_000);
		let tries = 1;
		while (policy.shouldRetry(failure(facts))) tries++;
		return tries;
	};

	test.each(Object.keys(mostTries) as CallKind[])('tries as the table says: %s', (kind) => {
		const { limited, ...others } = mostTries[kind];
		for (const [repeat, tries] of Object.entries(others) as Array<[Repeat, number]>) {
			expect(triesOf(kind, { repeat })).toBe(tries);
		}
		expect(triesOf(kind, { repeat: 'always', httpStatus: 429 })).toBe(limited);
	});

	test('never repeats a creation that may have happened', () => {
		expect(triesOf('create', { repeat: 'ifIdempotent' })).toBe(1);
	});

	test('ends with its time', () => {
		const policy = new RetryPolicy('read', 1000);
		expect(policy.hasTimeFor(900)).toBe(true);
		expect(policy.hasTimeFor(1100)).toBe(false);
	});

	test('waits longer each time, with jitter', () => {
		const policy = new RetryPolicy('read', 1000);
		policy.shouldRetry(failure({ repeat: 'ifIdempotent' }));
		const first = policy.backoff();
		expect(first).toBeGreaterThanOrEqual(150);
		expect(first).toBeLessThanOrEqual(300);
		policy.shouldRetry(failure({ repeat: 'ifIdempotent' }));
		policy.shouldRetry(failure({ repeat: 'ifIdempotent' }));
		const third = policy.backoff();
		expect(third).toBeGreaterThanOrEqual(600);
		expect(third).toBeLessThanOrEqual(1200);
		expect(policy.summary()).toMatch(/ It was tried 3 times in 0 seconds\./);
	});

	test('tries against a rate limit do not use up those against anything else', () => {
		const policy = new RetryPolicy('read', 60_000);
		const failed = (httpStatus: number) =>
			policy.shouldRetry(failure({ httpStatus, repeat: 'always' }));
		const { always } = mostTries.read;
		for (let tries = 0; tries < 10; tries++) expect(failed(429)).toBe(true);
		for (let tries = 1; tries < always; tries++) expect(failed(500)).toBe(true);
		expect(failed(500)).toBe(false);
		expect(policy.summary()).toContain(`It was tried ${10 + always} times`);
	});
});
