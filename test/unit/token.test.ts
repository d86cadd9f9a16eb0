import { account, answer, endpoint, token } from '../support/tokenEndpoint';

describe('the token exchange', () => {
	test('is the call that the interface shows', async () => {
		const { calls, renew } = endpoint(() => token('t1'));
		expect(await renew(account({ userId: ' user x ', apiKey: '\tkey\n' }))).toBe('t1');
		const { abortSignal, ...options } = calls[0] ?? { url: '' };
		expect(options).toEqual({
			method: 'POST',
			url: 'https://sign.example.com/api/access/token',
			headers: { 'user-id': 'user x', 'api-key': 'key', accept: 'application/json' },
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
			encoding: 'stream',
			timeout: 30_000,
		});
		expect((abortSignal as AbortSignal).aborted).toBe(false);
	});

	test.each([
		['in the envelope', { success: true, responseData: { accessToken: 't' } }],
		['by its short name', { responseData: { token: 't' } }],
		['as the data itself', { responseData: 't' }],
		['beside the envelope', { accessToken: 't' }],
		['beside the envelope, by its short name', { token: 't' }],
		['in text', '{"token":"t"}'],
		['after an empty one', { responseData: { accessToken: '' }, token: 't' }],
	])('finds the token %s', async (_name, body) => {
		expect(await endpoint(() => answer(body)).renew(account())).toBe('t');
	});

	test('is one for all calls at once', async () => {
		const { calls, renew } = endpoint((_options, count) => token(`t${count}`));
		const credential = account();
		const tokens = await Promise.all([1, 2, 3].map(async () => await renew({ ...credential })));
		expect(tokens).toEqual(['t1', 't1', 't1']);
		expect(calls).toHaveLength(1);
	});

	test('is not made for a token that has been replaced already', async () => {
		const { calls, renew } = endpoint((_options, count) => token(`t${count}`));
		const credential = account();
		expect(await renew({ ...credential, accessToken: 'old' })).toBe('t1');
		expect(await renew({ ...credential, accessToken: 'old' })).toBe('t1');
		expect(await renew({ ...credential, expiredToken: 'old' })).toBe('t1');
		expect(await renew({ ...credential, expiredToken: 't1' })).toBe('t2');
		// Both are older than the newest, whichever way they are handed over.
		expect(await renew({ ...credential, accessToken: 't1' })).toBe('t2');
		expect(await renew({ ...credential, accessToken: 't2', expiredToken: 'old' })).toBe('t2');
		expect(calls).toHaveLength(2);
	});

	test('is made for a replaced token when the newest is no longer fresh: it can have expired, too', async () => {
		const now = jest.spyOn(Date, 'now').mockReturnValue(1_000_000);
		try {
			const { calls, renew } = endpoint((_options, count) => token(`t${count}`));
			const credential = account();
			expect(await renew({ ...credential, expiredToken: 'of one credential' })).toBe('t1');
			expect(await renew({ ...credential, expiredToken: 'of another' })).toBe('t2');
			now.mockReturnValue(1_000_000 + 59_000);
			expect(await renew({ ...credential, expiredToken: 't1' })).toBe('t2');
			now.mockReturnValue(1_000_000 + 600_000);
			expect(await renew({ ...credential, expiredToken: 't1' })).toBe('t3');
			expect(calls).toHaveLength(3);
		} finally {
			now.mockRestore();
		}
	});

	test('is made for a token that this process does not know: another one may have brought it', async () => {
		const { calls, renew } = endpoint((_options, count) => token(`t${count}`));
		const credential = account();
		await renew(credential);
		expect(await renew({ ...credential, accessToken: 'from another process' })).toBe('t2');
		expect(await renew({ ...credential, accessToken: 't1' })).toBe('t2');
		expect(calls).toHaveLength(2);
	});

	test('that gives the same token again does not take it for an older one', async () => {
		const { calls, renew } = endpoint(() => token('same'));
		const credential = account();
		await renew({ ...credential, accessToken: 'same' });
		await renew({ ...credential, accessToken: 'same' });
		expect(calls).toHaveLength(2);
	});

	test('remembers the last five older tokens', async () => {
		const { calls, renew } = endpoint((_options, count) => token(`t${count}`));
		const credential = account();
		await renew(credential);
		for (let last = 1; last <= 6; last++) await renew({ ...credential, accessToken: `t${last}` });
		expect(calls).toHaveLength(7);
		expect(await renew({ ...credential, accessToken: 't2' })).not.toBe('t2');
		const made = calls.length;
		expect(await renew({ ...credential, accessToken: 't6' })).toBe(`t${made}`);
		expect(calls).toHaveLength(made);
	});

	test('that failed lets the next call try', async () => {
		const { calls, renew } = endpoint((_options, count) =>
			count === 1 ? answer({}, 503) : token('t'),
		);
		const credential = account();
		await expect(renew(credential)).rejects.toThrow('gives no access token');
		expect(await renew(credential)).toBe('t');
		expect(calls).toHaveLength(2);
	});

	test.each(['baseUrl', 'userId', 'apiKey'])('is another one for another %s', async (field) => {
		const { renew } = endpoint((_options, count) => token(`t${count}`));
		const credential = account();
		await renew({ ...credential, accessToken: 'old' });
		const other = { ...credential, [field]: `${String(credential[field])}x`, accessToken: 'old' };
		expect(await renew(other)).toBe('t2');
	});

	test('is remembered for the last two hundred accounts', async () => {
		const { calls, renew } = endpoint((_options, count) => token(`t${count}`));
		const first = account({ accessToken: 'old' });
		const second = account({ accessToken: 'old' });
		await renew(first);
		await renew(second);
		for (let other = 0; other < 198; other++) await renew(account());
		await renew(second);
		expect(calls).toHaveLength(200);
		await renew(account());
		await renew(second);
		expect(calls).toHaveLength(201);
		await renew(first);
		expect(calls).toHaveLength(202);
	});
});
