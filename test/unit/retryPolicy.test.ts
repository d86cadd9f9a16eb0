import { ServiceError } from '../../nodes/SignVerify/transport/errors';
import { RetryPolicy } from '../../nodes/SignVerify/transport/retry';

test('tries against a rate limit do not use up those against anything else', () => {
	const policy = new RetryPolicy(true, 60_000);
	const failure = (httpStatus: number) =>
		new ServiceError({ message: 'm', description: 'd', httpStatus, repeat: 'always' });
	for (let tries = 0; tries < 10; tries++) expect(policy.shouldRetry(failure(429))).toBe(true);
	expect([500, 500, 500, 500].map((status) => policy.shouldRetry(failure(status)))).toEqual([
		true,
		true,
		true,
		false,
	]);
	expect(policy.summary()).toContain('It was tried 14 times');
});
