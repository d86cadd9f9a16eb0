import { errorWith } from '../support/problemWords';
import { runInNewContext } from 'node:vm';

import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IHttpRequestOptions,
} from 'n8n-workflow';

import { SignVerifyApi } from '../../credentials/SignVerifyApi.credentials';
import {
	accountHashOf,
	type CallLimits,
	callLimitsOf,
	normalizeBaseUrl,
} from '../../nodes/SignVerify/account/credential';
import { credentialProblems } from '../../nodes/SignVerify/account/credentialProblems';
import { tokenProblems } from '../../nodes/SignVerify/account/tokenProblems';
import { standInOrigin } from '../support/standIn';

const type = new SignVerifyApi();

describe('The credential', () => {
	const authenticate = async (options: IHttpRequestOptions, more: IDataObject = {}) => {
		if (typeof type.authenticate !== 'function') throw new Error('It is a function here.');
		const credential = {
			baseUrl: `${standInOrigin}/api/`,
			userId: ' u ',
			apiKey: 'the-api-key',
			...more,
		};
		const stored = { accessToken: 'T', accountHash: accountHashOf(credential), ...credential };
		return await type.authenticate(stored, options);
	};
	const headers = { 'user-id': 'u', token: 'T' };

	test.each([
		['/webhooks', {}],
		['/', {}],
		['/templatesandmore', {}],
		['/templates', { Authorization: 'Bearer T' }],
		['/templates/v2', { Authorization: 'Bearer T' }],
	])('adds the headers that the contract requires for %s', async (path, more) => {
		const url = `${standInOrigin}/api${path}`;
		const sent = await authenticate({ url });
		expect(sent.headers).toEqual({ ...headers, ...more });
	});

	test("keeps the request's headers and never sends the API key", async () => {
		const sent = await authenticate({ url: `${standInOrigin}/api/x`, headers: { accept: 'a' } });
		expect(sent.headers).toEqual({ ...headers, accept: 'a' });
	});

	test.each([
		['https://sign.example.com/api', '/templates/v2'],
		['https://sign.example.com/api//', '/templates/v2'],
		['https://sign.example.com/api', 'templates/v2'],
	])('joins the base URL %s and the path %s', async (baseURL, url) => {
		expect((await authenticate({ baseURL, url })).headers).toHaveProperty('Authorization');
	});

	test('reads the URL from "uri", the option that n8n\'s older helper uses', async () => {
		const options = { uri: `${standInOrigin}/api/templates/v2` } as never;
		const sent = await authenticate(options);
		expect(sent.headers).toEqual({ ...headers, Authorization: 'Bearer T' });
		const elsewhere = { uri: 'https://evil.example/api/templates' } as never;
		await expect(authenticate(elsewhere)).rejects.toThrow(
			credentialProblems.otherHost(standInOrigin).problem,
		);
	});

	test('turns off redirects, no matter which helper sends the request', async () => {
		const options = {
			url: `${standInOrigin}/api/templates`,
			followRedirect: true,
			followAllRedirects: true,
			maxRedirects: 21,
		};
		expect(await authenticate(options)).toMatchObject({
			disableFollowRedirect: true,
			followRedirect: false,
			followAllRedirects: false,
			maxRedirects: 0,
		});
	});

	test('accepts a path below the base URL even if its query contains another URL', async () => {
		const sent = await authenticate({
			baseURL: 'https://sign.example.com/api',
			url: '/webhooks?url=https://n8n.example/x',
		});
		expect(sent.headers).toEqual(headers);
	});

	test.each([
		'https://evil.example/api/templates',
		'//evil.example/x',
		'HTTPS://evil.example',
		'h2+tls://evil.example',
	])('does not send a token to %s, even if the request has a base URL', async (url) => {
		const baseURL = 'https://sign.example.com/api';
		await expect(authenticate({ baseURL, url })).rejects.toThrow(
			credentialProblems.otherHost(standInOrigin).problem,
		);
	});

	test.each([
		'https://evil.example/api/templates',
		'https://sign.example.com/other',
		'https://sign.example.com/apis/templates',
		'http://sign.example.com/api/templates',
	])('does not send a token to %s', async (url) => {
		await expect(authenticate({ url })).rejects.toMatchObject(
			errorWith(credentialProblems.otherHost(standInOrigin)),
		);
	});

	const namingHost = async (requestHeaders: object) =>
		await authenticate({ url: `${standInOrigin}/api/x`, headers: requestHeaders as IDataObject });

	test.each([
		{ host: 'evil.example' },
		{ ' HOST ': 'evil.example' },
		{ host: 'sign.example.com:8443' },
		{ host: 'evil@sign.example.com' },
		{ host: 'sign.example.com, evil.example' },
		{ host: ['sign.example.com', 'evil.example'] },
		{ host: '' },
		// axios sends these, although they aren't headers themselves.
		{ common: { host: 'evil.example' } },
		{ get: { Host: 'evil.example' } },
	])('does not send a token with a Host header for another host: %j', async (requestHeaders) => {
		await expect(namingHost(requestHeaders)).rejects.toMatchObject(
			errorWith(credentialProblems.otherHostHeader(standInOrigin)),
		);
	});

	test.each([
		{ Host: 'Sign.Example.com' },
		{ host: 'sign.example.com:443' },
		{ common: { host: 'sign.example.com' } },
		{ 'x-forwarded-host': 'n8n.example' },
		{ accept: ['a', 'b'], nothing: null },
	])('sends a token with headers for no other host: %j', async (requestHeaders) => {
		const sent = await namingHost(requestHeaders);
		expect(sent.headers).toEqual({ ...requestHeaders, ...headers });
	});

	const plain = { baseUrl: 'http://sign.example.com/api' };

	test.each<['uncheckedCertificate' | 'readableProxy', IDataObject, IDataObject?]>([
		['uncheckedCertificate', { rejectUnauthorized: false }],
		['uncheckedCertificate', { skipSslCertificateValidation: true }],
		['uncheckedCertificate', { agentOptions: { rejectUnauthorized: false } }],
		['readableProxy', { proxy: 'http://proxy.example:3128' }, plain],
		['readableProxy', { proxy: { host: 'proxy.example', port: 3128 } }, plain],
		['readableProxy', { proxy: 'http://proxy.example', agentOptions: { ca: 'an own one' } }],
	])(
		'does not send a token if others could read it, and the error is the row "%s": %j',
		async (row, options, more = {}) => {
			const url = `${String(more.baseUrl ?? `${standInOrigin}/api`)}/templates`;
			const request = { url, ...options } as IHttpRequestOptions;
			await expect(authenticate(request, more)).rejects.toMatchObject(
				errorWith(credentialProblems[row]),
			);
			expect(request).not.toHaveProperty('headers');
		},
	);

	test.each<Partial<IHttpRequestOptions>>([
		{},
		{ agentOptions: { keepAlive: true } },
		{ agentOptions: { rejectUnauthorized: true } },
	])(
		'sends a token through a proxy that cannot read it if the other options are %j',
		async (options) => {
			const proxy = { host: 'proxy.example', port: 3128 };
			const sent = await authenticate({ url: `${standInOrigin}/api/x`, proxy, ...options });
			expect(sent).toMatchObject({ headers, proxy });
		},
	);

	const another = accountHashOf({ baseUrl: `${standInOrigin}/api/`, userId: 'another' });
	test.each<[string, IDataObject]>([
		['that is empty', { accessToken: '' }],
		['that is missing', { accessToken: undefined }],
		['that ends with a line break', { accessToken: 'T\n' }],
		["without its account's hash", { accountHash: undefined }],
		['from another account', { accountHash: another }],
	])('rejects a stored token %s', async (_what, stored) => {
		await expect(authenticate({ url: `${standInOrigin}/api/x` }, stored)).rejects.toMatchObject({
			...errorWith(tokenProblems.ofAnotherAccount),
			response: { status: 401 },
		});
	});

	test.each<[IDataObject, CallLimits]>([
		[{}, { maxParallelRequests: 10, maxRequestsPerSecond: 0, timeoutMs: 30_000 }],
		[
			{ parallelRequests: '', timeoutSeconds: null },
			{ maxParallelRequests: 10, maxRequestsPerSecond: 0, timeoutMs: 30_000 },
		],
		[
			{ parallelRequests: '50', requestsPerSecond: 0.4, timeoutSeconds: 3600 },
			{ maxParallelRequests: 50, maxRequestsPerSecond: 0.4, timeoutMs: 3_600_000 },
		],
	])('reads %j as the limits %j', (stored, limits) => {
		expect(callLimitsOf(stored as ICredentialDataDecryptedObject)).toEqual(limits);
	});

	test.each<[IDataObject, string, string]>([
		[{ parallelRequests: 51 }, 'Parallel Requests', 'a whole number from 1 to 50'],
		[{ parallelRequests: 1.5 }, 'Parallel Requests', 'a whole number from 1 to 50'],
		[{ parallelRequests: [1] }, 'Parallel Requests', 'a whole number from 1 to 50'],
		[{ requestsPerSecond: -1 }, 'Requests per Second', 'a number from 0 to 1000'],
		[{ timeoutSeconds: 'soon' }, 'Timeout', 'a number from 1 to 3600'],
	])('rejects the limits %j', (stored, field, range) => {
		const { problem: message } = credentialProblems.wrongNumber({ field, range });
		expect(() => callLimitsOf(stored as ICredentialDataDecryptedObject)).toThrow(message);
	});

	// Five calls a minute, a hundred calls an hour, and slightly less than the minimum.
	test.each([5 / 60, 100 / 3600, 0.39])(
		'rejects %d Requests per Second, with which no event could be processed in time',
		(requestsPerSecond) => {
			const { problem: message } = credentialProblems.tooFewRequests(0.4);
			expect(() => callLimitsOf({ requestsPerSecond })).toThrow(message);
		},
	);

	test('keeps the names that saved workflows and n8n depend on', () => {
		expect(type.name).toBe('signVerifyApi');
		expect(type.displayName).toBe('SignVerify API');
		expect(type.properties.map(({ name, required }) => [name, required ?? false])).toEqual([
			['baseUrl', true],
			['userId', true],
			['apiKey', true],
			['parallelRequests', false],
			['requestsPerSecond', false],
			['timeoutSeconds', false],
			['accessToken', false],
			['accountHash', false],
		]);
		// n8n hides the key and the token, and renews a token only if it is marked as expirable.
		const [, , key, , , , hidden] = type.properties;
		expect(key?.typeOptions).toEqual({ password: true });
		expect(hidden).toMatchObject({
			type: 'hidden',
			default: '',
			typeOptions: { expirable: true, password: true },
		});
		expect(type.test.request).toMatchObject({ url: '/webhooks', disableFollowRedirect: true });
	});

	test.each([
		'https://ada:pass-word@sign.example.com/api',
		'https://ada@sign.example.com/api',
		'https://:pass-word@sign.example.com/api',
	])('rejects a login in the Base URL: %s', async (baseUrl) => {
		const { problem: message } = credentialProblems.loginInBaseUrl;
		const refused = { message };
		await expect(
			authenticate({ url: `${standInOrigin}/api/x` }, { baseUrl }),
		).rejects.toMatchObject(refused);
		// When n8n tests a credential, it exchanges the API key for a token first.
		const helpers = { httpRequest: async () => await Promise.reject(new Error('It was called.')) };
		const tested = type.preAuthentication.call(
			{ helpers },
			{
				baseUrl,
				userId: 'u',
				apiKey: 'the-api-key',
			},
		);
		await expect(tested).rejects.toMatchObject(refused);
	});

	test.each([
		'sign.example.com',
		'https://sign.example.com/api\u200B',
		'https://sign.example.com/a b',
	])('rejects the Base URL %j, which is not a URL', (baseUrl) => {
		expect(() => normalizeBaseUrl(baseUrl)).toThrow(credentialProblems.noUrl.problem);
	});

	test.each([
		'https://sign.example.com/api',
		'https://sign.example.com/api/',
		' https://sign.example.com/api// ',
		'https://sign.example.com/api\n',
	])('is tested with the same normalized Base URL that the nodes use: %j', (baseUrl) => {
		const expression = /^=\{\{(.*)\}\}$/.exec(String(type.test.request.baseURL))?.[1] ?? '';
		// Evaluate the expression as JavaScript, as n8n does.
		const evaluate = ($credentials: object): unknown =>
			runInNewContext(expression, { $credentials });
		expect(evaluate({ baseUrl })).toBe(normalizeBaseUrl(baseUrl));
		expect(evaluate({})).toBe('');
	});
});
