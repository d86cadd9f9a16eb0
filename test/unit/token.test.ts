import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IHttpRequestOptions,
} from 'n8n-workflow';

import { SignVerifyApi } from '../../credentials/SignVerifyApi.credentials';
import { coded, silence, standInOrigin } from '../support/standIn';

const type = new SignVerifyApi();
let accounts = 0;
/** A credential that no other test has used: tokens are remembered by account. */
const account = (more: IDataObject = {}): ICredentialDataDecryptedObject => ({
	baseUrl: `${standInOrigin}/api/`,
	userId: `user ${accounts++}`,
	apiKey: 'the-api-key',
	accessToken: '',
	...more,
});

type Respond = (options: IHttpRequestOptions, count: number) => unknown;
const answer = (body: unknown, statusCode = 200, headers: IDataObject = {}) => ({
	body,
	statusCode,
	headers,
});
const token = (text: string) => answer({ responseData: { accessToken: text } });

/** n8n's HTTP helper with a token endpoint behind it. */
function endpoint(respond: Respond) {
	const calls: IHttpRequestOptions[] = [];
	const helpers = {
		httpRequest: async (options: IHttpRequestOptions) => {
			calls.push(options);
			return await Promise.resolve(respond(options, calls.length));
		},
	};
	const renew = async (credential: ICredentialDataDecryptedObject) =>
		(await type.preAuthentication.call({ helpers }, credential)).accessToken;
	return { calls, renew };
}

const failureFor = async (respond: Respond, credential = account()): Promise<unknown> =>
	await endpoint(respond)
		.renew(credential)
		.catch((error: unknown) => error);

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

describe('a token exchange that fails says why', () => {
	test.each([
		['userId', '', 'User ID: it is empty. Copy it from your account at the service'],
		['apiKey', '  ', 'API Key: it is empty. Copy it from your account at the service'],
		['apiKey', 'two\nlines', 'API Key: it has characters that a key cannot have. Copy it again'],
		['userId', 'Łucja', 'User ID: it has characters that a key cannot have. Copy it again'],
	])('%s %j', async (field, value, message) => {
		const { calls, renew } = endpoint(() => token('t'));
		await expect(renew(account({ [field]: value }))).rejects.toMatchObject({
			message,
			description: `Paste the ${message.split(':')[0] ?? ''} into the credential.`,
		});
		expect(calls).toHaveLength(0);
	});

	test('takes the characters that a header can carry', async () => {
		expect(await endpoint(() => token('t')).renew(account({ apiKey: 'é~!' }))).toBe('t');
	});

	test.each([
		[429, { message: 'slow' }, 429],
		[500, 'text', 500],
		[503, {}, 503],
		[200, { success: false, responseCode: 500 }, 500],
		[200, { success: false, responseCode: 429 }, 429],
	])('HTTP %i %j: it may be right, and is tried again', async (status, body, shown) => {
		const error = await failureFor(() => answer(body, status, { 'retry-after': '3' }));
		expect(error).toMatchObject({
			message: expect.stringMatching(
				new RegExp(
					`^The service gives no access token at the moment \\(HTTP ${shown}.*\\)\\. Try again in a moment$`,
				),
			) as string,
			description: 'The fault is at the service. The credential may be right.',
			answered: shown,
			repeat: 'always',
			retryAfter: 3000,
		});
	});

	test.each([
		[401, '<html></html>'],
		[403, {}],
		[200, { success: false }],
		[400, { success: false, message: 'wrong key' }],
		[200, { responseCode: 200 }],
	])('HTTP %i %j: the key is wrong', async (status, body) => {
		expect(await failureFor(() => answer(body, status))).toMatchObject({
			message: expect.stringMatching(
				new RegExp(
					`^The service refused the User ID or the API Key \\(HTTP ${status}.*\\)\\. Copy both again$`,
				),
			) as string,
			description: 'Correct them in the credential. The key may also have been revoked.',
			answered: status,
			repeat: 'never',
		});
	});

	test.each([
		[200, '<html><title>Welcome</title></html>', 'a web page titled "Welcome"'],
		[200, { success: true, responseData: {} }, 'JSON with the fields success, responseData'],
		[200, { token: 3 }, 'JSON with the fields token'],
		[200, [], 'a JSON list'],
		[302, '', 'an empty body'],
		[404, { ok: 1 }, 'JSON with the fields ok'],
		[404, { success: false, message: 'No such endpoint' }, 'JSON with the fields success, message'],
		[200, { success: false, responseCode: 405 }, 'JSON with the fields success, responseCode'],
	])('HTTP %i %j: the address is wrong', async (status, body, what) => {
		expect(await failureFor(() => answer(body, status))).toMatchObject({
			message: `https://sign.example.com answers, but not like the signing service (HTTP ${status} with ${what} where an access token was expected). Check the Base URL, its path included`,
			description:
				'Compare the Base URL in the credential with the one that your provider gave you.',
			answered: status,
		});
	});

	test('the address without a path: what is missing is said', async () => {
		const bare = account({ baseUrl: 'https://sign.example.com/' });
		const error = await failureFor(() => answer('<html></html>', 404), bare);
		expect((error as Error).message).toMatch(/Check the Base URL: often it ends in \/api$/);
	});

	test('a token in an answer that is no success does not count', async () => {
		expect(await failureFor(() => answer({ token: 't' }, 401))).toMatchObject({ answered: 401 });
		expect(await failureFor(() => answer({ token: 't', success: false }))).toMatchObject({
			message: expect.stringContaining('refused') as string,
		});
		expect(await failureFor(() => answer({ token: 't' }, 300))).toMatchObject({ answered: 300 });
	});

	test.each([
		['ECONNRESET', 'closed the connection. Try again in a moment', 'always'],
		[
			'ECONNREFUSED',
			'refuses connections. Check the Base URL in the credential, and that the service is up',
			'always',
		],
		[
			'ENOTFOUND',
			'has a host name that does not exist. Check the Base URL in the credential, and that the service is up',
			'never',
		],
	])('%s: nothing was sent', async (code, problem, repeat) => {
		const error = await failureFor(() => {
			throw coded(code);
		});
		expect(error).toMatchObject({
			message: `Base URL: https://sign.example.com ${problem}`,
			repeat,
			mayHaveCreated: false,
		});
	});

	test('a service that is silent is not waited for longer than the call that needs it', async () => {
		const error = await failureFor(
			async (options) => await silence({ options, token: '', expired: '' }),
			account({ timeout: 20 }),
		);
		expect(error).toMatchObject({
			message: 'Base URL: https://sign.example.com did not answer in time. Try again in a moment',
			description: 'Nothing was sent. The Base URL is in the credential.',
		});
	});

	test('without the key and the tokens that the service quotes', async () => {
		const credential = account({ accessToken: 'token-a', expiredToken: 'token-e' });
		const message = 'the-api-key and token-a and token-e';
		for (const [status, body] of [
			[401, { message }],
			[500, { message }],
			[200, `<html><title>${message}</title></html>`],
		] as const) {
			const error = (await failureFor(() => answer(body, status), { ...credential })) as Error;
			expect(error.message).toContain('… and … and …');
		}
	});
});
