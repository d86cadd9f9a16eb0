import { SignVerifyApi } from '../../credentials/SignVerifyApi.credentials';
import { runAction } from '../support/contexts';
import { CredentialKeeper } from '../support/credentials';
import { httpRequest } from '../support/http';
import { allOf } from '../support/allOf';
import { failureOf, useService } from '../support/service';

const service = useService();
const listTemplates = {
	parameters: { resource: 'template', operation: 'getAll', returnAll: true },
};

/** What n8n's credential test does first. */
async function exchange(data: Record<string, string>): Promise<unknown> {
	const helpers = { httpRequest } as never;
	return await new SignVerifyApi().preAuthentication.call(
		{ helpers },
		{ accessToken: '', ...data },
	);
}

describe('the token exchange', () => {
	test('is the call that the interface shows: two headers, no body', async () => {
		const credential = service.credential();
		await runAction(credential, listTemplates);
		const [first, second] = service.sandbox.requests;
		const { userId, apiKey } = service.sandbox.account;
		expect(first).toMatchObject({ method: 'POST', path: '/access/token', query: {}, status: 200 });
		expect(first?.headers).toMatchObject({ 'user-id': userId, 'api-key': apiKey });
		expect(first?.body).toBeUndefined();
		expect(second).toMatchObject({ method: 'GET', path: '/templates/v2', status: 200 });
		expect(second?.headers).toMatchObject({
			'user-id': userId,
			token: credential.stored.accessToken,
			authorization: `Bearer ${String(credential.stored.accessToken)}`,
		});
	});

	test('is the only call that carries the key', async () => {
		await runAction(service.credential(), listTemplates);
		const { apiKey } = service.sandbox.account;
		const others = service.sandbox.requests.filter((each) => each.path !== '/access/token');
		expect(others.length).toBeGreaterThan(0);
		expect(JSON.stringify(others)).not.toContain(apiKey);
	});

	test('happens once for 50 calls at once, and not again while the token lives', async () => {
		const credential = service.credential();
		const before = service.sandbox.tokenExchanges();
		await Promise.all(
			Array.from({ length: 50 }, async () => await runAction(credential, listTemplates)),
		);
		expect(service.sandbox.tokenExchanges() - before).toBe(1);
	});

	test.each([
		['responseData.accessToken', { responseData: { accessToken: 'T' }, success: true }],
		['responseData.token', { responseData: { token: 'T' }, success: true }],
		['responseData itself', { responseData: 'T', success: true }],
		['accessToken', { accessToken: 'T' }],
		['token', { token: 'T' }],
	])('finds the token in %s', async (_place, body) => {
		service.sandbox.faults.set({ endpoint: 'POST /access/token', answer: { status: 200, body } });
		expect(
			await exchange({ baseUrl: service.sandbox.baseUrl, userId: 'u', apiKey: _place }),
		).toEqual({
			accessToken: 'T',
		});
	});
});

describe('an expired token', () => {
	test.each([
		['HTTP 401', { status: 401, body: { success: false, responseCode: 401, message: 'expired' } }],
		['HTTP 403', { status: 403, body: { success: false, responseCode: 403, message: 'expired' } }],
		[
			'HTTP 200 with responseCode 401',
			{ status: 200, body: { success: false, responseCode: 401 } },
		],
		[
			'HTTP 200 with responseCode 403',
			{ status: 200, body: { success: false, responseCode: 403 } },
		],
	])('%s is renewed once, and the call repeated', async (_name, answer) => {
		const credential = service.credential();
		await runAction(credential, listTemplates);
		const old = credential.stored.accessToken;
		service.sandbox.forgetRequests();
		service.sandbox.faults.set({ endpoint: 'GET /templates/v2', times: 1, answer });

		expect((await runAction(credential, listTemplates)).length).toBeGreaterThan(0);
		expect(service.sandbox.requests.map((each) => each.path)).toEqual([
			'/templates/v2',
			'/access/token',
			'/templates/v2',
		]);
		expect(credential.stored.accessToken).not.toBe(old);
	});

	test('that stays refused after a renewal is an error, not a loop', async () => {
		service.sandbox.faults.set({
			endpoint: 'GET /templates/v2',
			answer: {
				status: 403,
				body: { success: false, message: 'you are not authorised user for this document' },
			},
		});
		const error = await failureOf(runAction(service.credential(), listTemplates));
		expect(error.message).toBe(
			'The service does not allow this (HTTP 403: you are not authorised user for this document)',
		);
		expect(error.description).toContain('A new access token did not help.');
		expect(service.sandbox.requests.filter((each) => each.path === '/templates/v2')).toHaveLength(
			2,
		);
	});
});

describe('a credential that is wrong says how', () => {
	const message = async (data: Record<string, string>) =>
		(
			await failureOf(
				exchange({ baseUrl: service.sandbox.baseUrl, userId: 'u', apiKey: 'k-e-y', ...data }),
			)
		).message;

	test('a wrong key', async () => {
		expect(await message({})).toMatch(/^The service refused the User ID or the API Key \(HTTP 401/);
	});

	test('an address where nothing listens', async () => {
		expect(await message({ baseUrl: 'http://127.0.0.1:9' })).toBe(
			'Base URL: http://127.0.0.1:9 refuses connections. Check the Base URL in the credential, and that the service is up',
		);
	});

	test('a host that does not exist', async () => {
		expect(await message({ baseUrl: 'http://no-such-host.invalid' })).toMatch(
			/^Base URL: http:\/\/no-such-host.invalid has a host name that/,
		);
	});

	test('an address that answers something else', async () => {
		expect(await message({ baseUrl: service.sandbox.url })).toMatch(
			/answers, but not like the signing service \(HTTP 404 with a web page titled .*\. Check the Base URL: often it ends in \/api$/,
		);
		service.sandbox.faults.set({
			endpoint: 'POST /access/token',
			answer: { status: 200, body: { hello: 'world' } },
		});
		expect(await message({})).toMatch(
			/answers, but not like the signing service \(HTTP 200 with JSON with the fields hello where an access token was expected\)\. Check the Base URL, its path included$/,
		);
	});

	test('a refusal inside an HTTP 200', async () => {
		service.sandbox.faults.set({
			endpoint: 'POST /access/token',
			answer: {
				status: 200,
				body: { success: false, responseCode: 401, message: [{ msg: 'Unknown user' }] },
			},
		});
		expect(await message({})).toBe(
			'The service refused the User ID or the API Key (HTTP 200: Unknown user). Copy both again',
		);
	});

	test.each([500, 502, 429])(
		'a service that is out of order (HTTP %i) does not blame the key',
		async (status) => {
			service.sandbox.faults.set({
				endpoint: 'POST /access/token',
				answer: { status, body: { success: false, message: 'later' } },
			});
			expect(await message({})).toBe(
				`The service gives no access token at the moment (HTTP ${status}: later). Try again in a moment`,
			);
		},
	);

	test.each([
		['userId', '', 'User ID: it is empty. Copy it from your account at the service'],
		['apiKey', '', 'API Key: it is empty. Copy it from your account at the service'],
		['apiKey', 'two\nlines', 'API Key: it has characters that a key cannot have. Copy it again'],
		[
			'baseUrl',
			'sign.example.com',
			'Base URL: this is not a URL. It must begin with https:// or http://',
		],
	])('%s %j is refused before anything is sent', async (field, value, expected) => {
		expect(await message({ [field]: value })).toBe(expected);
		expect(service.sandbox.requests).toHaveLength(0);
	});

	test('without ever showing a secret', async () => {
		const apiKey = 'MARKED-KEY-1';
		const answer = {
			status: 401,
			body: { success: false, message: `The key ${apiKey} is unknown` },
		};
		service.sandbox.faults.set({ endpoint: 'POST /access/token', answer });
		const keeper = new CredentialKeeper({ baseUrl: service.sandbox.baseUrl, userId: 'u', apiKey });
		const error = await failureOf(runAction(keeper, listTemplates));
		expect(error.message).toContain('refused the User ID or the API Key');
		expect(allOf(error)).not.toContain(apiKey);
	});
});

describe('the token stays at home', () => {
	test('a call to another host is refused', async () => {
		const { authenticate } = new SignVerifyApi();
		const credential = { baseUrl: 'https://sign.example.com/api', userId: 'u', accessToken: 'T' };
		if (typeof authenticate !== 'function') throw new Error('authenticate is a function here');
		for (const url of ['https://evil.example.com/templates', 'https://sign.example.com/apis']) {
			await expect(authenticate(credential, { url })).rejects.toThrow(
				'This credential is only for https://sign.example.com',
			);
		}
		const { headers } = await authenticate(credential, {
			baseURL: 'https://sign.example.com/api/',
			url: '/webhooks',
		});
		expect(headers).toEqual({ 'user-id': 'u', token: 'T' });
	});

	test('a redirect is not followed', async () => {
		service.sandbox.faults.set({
			endpoint: 'GET /templates/v2',
			answer: { status: 302, headers: { location: `${service.sandbox.url}/elsewhere` } },
		});
		const error = await failureOf(runAction(service.credential(), listTemplates));
		expect(error.message).toBe('The service redirects this call to another URL (HTTP 302)');
	});
});
