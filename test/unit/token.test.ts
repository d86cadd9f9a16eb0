import { account, answer, endpoint, token } from '../support/tokenEndpoint';
import { pieces } from '../support/downloading';

const numbered = () => endpoint((_options, count) => token(`t${count}`));

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
		['in the bytes of the answer', pieces('{"token":', '"t"}')],
		['after an empty one', { responseData: { accessToken: '' }, token: 't' }],
	])('finds the token %s', async (_name, body) => {
		expect(await endpoint(() => answer(body)).renew(account())).toBe('t');
	});

	test('is one for all calls at once, whichever token they had', async () => {
		const { calls, renew } = numbered();
		const credential = account();
		const tokens = ['', 'old', 'older'].map(async (accessToken) => {
			return await renew({ ...credential, accessToken });
		});
		expect(await Promise.all(tokens)).toEqual(['t1', 't1', 't1']);
		expect(calls).toHaveLength(1);
	});

	test('is not made for a token that was replaced within the last minute', async () => {
		const now = jest.spyOn(Date, 'now').mockReturnValue(1_000_000);
		try {
			const { calls, renew } = numbered();
			const credential = account();
			expect(await renew({ ...credential, accessToken: 'old' })).toBe('t1');
			now.mockReturnValue(1_000_000 + 59_999);
			expect(await renew({ ...credential, accessToken: 'old' })).toBe('t1');
			expect(await renew({ ...credential, refusedTokens: ['old'] })).toBe('t1');
			expect(calls).toHaveLength(1);
			// The new one can have expired, too.
			now.mockReturnValue(1_000_000 + 60_000);
			expect(await renew({ ...credential, accessToken: 'old' })).toBe('t2');
		} finally {
			now.mockRestore();
		}
	});

	test('is made if the newest token is among the refused ones, and for who has none', async () => {
		const { renew } = numbered();
		const credential = account();
		expect(await renew(credential)).toBe('t1');
		expect(await renew(credential)).toBe('t2');
		expect(await renew({ ...credential, refusedTokens: ['t2', 'of another process'] })).toBe('t3');
		expect(await renew({ ...credential, accessToken: 't3' })).toBe('t4');
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
		const { renew } = numbered();
		const credential = account({ accessToken: 'old' });
		await renew(credential);
		const other = { ...credential, [field]: `${String(credential[field])}x` };
		expect(await renew(other)).toBe('t2');
	});

	test('is remembered for the last two hundred accounts', async () => {
		const { calls, renew } = numbered();
		const first = account({ accessToken: 'old' });
		await renew(first);
		for (let other = 0; other < 199; other++) await renew(account());
		await renew(first);
		expect(calls).toHaveLength(200);
		await renew(account());
		await renew(first);
		expect(calls).toHaveLength(202);
	});
});
