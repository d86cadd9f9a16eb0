import type { IDataObject } from 'n8n-workflow';
import { credentialProblems } from '../../nodes/SignVerify/account/credentialProblems';
import { tokenProblems } from '../../nodes/SignVerify/account/tokenProblems';
import { bodyOf } from '../support/downloads';
import {
	newCredential,
	response,
	type RespondToExchange,
	tokenEndpoint,
	tokenResponse,
} from '../support/tokenEndpoint';
import {
	errorWithCode,
	neverRespond,
	standIn,
	standInOrigin,
	type Respond,
	callOnce,
	creation,
	read,
} from '../support/standIn';
import { endpointNames } from '../../sandbox/contract/endpoints';
import { errorWith, networkWords } from '../support/problemWords';
import { failureOf } from '../support/service';
import { ServiceClient } from '../../nodes/SignVerify/account/client';
import { type CallProblem } from '../../nodes/SignVerify/http/callProblems';
import { lostForNow } from '../../nodes/SignVerify/http/retry';
import { maxVainRenewals } from '../../nodes/SignVerify/account/token';

const numbered = () => tokenEndpoint((_options, count) => tokenResponse(`t${count}`));

describe('A token exchange', () => {
	test('sends exactly the documented request', async () => {
		const { calls, renew } = tokenEndpoint(() => tokenResponse('t1'));
		expect(await renew(newCredential({ userId: ' user x ', apiKey: '\tkey\n' }))).toBe('t1');
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
		['in "accessToken" inside the envelope', { success: true, responseData: { accessToken: 't' } }],
		['in "token" inside the envelope', { responseData: { token: 't' } }],
		['if the envelope contains nothing else', { responseData: 't' }],
		['in "accessToken" outside the envelope', { accessToken: 't' }],
		['in "token" outside the envelope', { token: 't' }],
		['in a response that arrives in pieces', bodyOf('{"token":', '"t"}')],
		[
			'outside the envelope if the one inside is empty',
			{ responseData: { accessToken: '' }, token: 't' },
		],
	])('finds the token %s', async (_name, body) => {
		expect(await tokenEndpoint(() => response(body)).renew(newCredential())).toBe('t');
	});

	test('is shared by simultaneous calls, even if their old tokens differ', async () => {
		const { calls, renew } = numbered();
		const credential = newCredential();
		const tokens = ['', 'old', 'older'].map(async (accessToken) => {
			return await renew({ ...credential, accessToken });
		});
		expect(await Promise.all(tokens)).toEqual(['t1', 't1', 't1']);
		expect(calls).toHaveLength(1);
	});

	test('is not repeated for a token that was replaced within the last minute', async () => {
		const now = jest.spyOn(performance, 'now').mockReturnValue(1_000_000);
		try {
			const { calls, renew } = numbered();
			const credential = newCredential();
			expect(await renew({ ...credential, accessToken: 'old' })).toBe('t1');
			now.mockReturnValue(1_000_000 + 59_999);
			expect(await renew({ ...credential, accessToken: 'old' })).toBe('t1');
			expect(await renew({ ...credential, refusedTokens: ['old'] })).toBe('t1');
			expect(calls).toHaveLength(1);
			// By then, the new token may also have expired.
			now.mockReturnValue(1_000_000 + 60_000);
			expect(await renew({ ...credential, accessToken: 'old' })).toBe('t2');
		} finally {
			now.mockRestore();
		}
	});

	test('is repeated if the newest token was rejected or the credential contains no token', async () => {
		const { renew } = numbered();
		const credential = newCredential();
		expect(await renew(credential)).toBe('t1');
		expect(await renew(credential)).toBe('t2');
		expect(await renew({ ...credential, refusedTokens: ['t2', 'of another process'] })).toBe('t3');
		expect(await renew({ ...credential, accessToken: 't3' })).toBe('t4');
	});

	test('that failed is repeated by the next call', async () => {
		const { calls, renew } = tokenEndpoint((_options, count) =>
			count === 1 ? response({}, 503) : tokenResponse('t'),
		);
		const credential = newCredential();
		await expect(renew(credential)).rejects.toThrow(
			tokenProblems.notNow({ status: 503, words: '' }).problem,
		);
		expect(await renew(credential)).toBe('t');
		expect(calls).toHaveLength(2);
	});

	test.each(['baseUrl', 'userId', 'apiKey'])(
		'is not shared by credentials with a different %s',
		async (field) => {
			const { renew } = numbered();
			const credential = newCredential({ accessToken: 'old' });
			await renew(credential);
			const other = { ...credential, [field]: `${String(credential[field])}x` };
			expect(await renew(other)).toBe('t2');
		},
	);

	test('is remembered for the last 200 accounts', async () => {
		const { calls, renew } = numbered();
		const first = newCredential({ accessToken: 'old' });
		await renew(first);
		for (let other = 0; other < 199; other++) await renew(newCredential());
		await renew(first);
		expect(calls).toHaveLength(200);
		await renew(newCredential());
		await renew(first);
		expect(calls).toHaveLength(202);
	});
});

const failureFor = async (
	respond: RespondToExchange,
	credential = newCredential(),
): Promise<unknown> =>
	await tokenEndpoint(respond)
		.renew(credential)
		.catch((error: unknown) => error);

/** The words for a response without a token. @param body What it contains instead. */
const missing = (status: number, body: string, words = '') =>
	tokenProblems.missing({ at: standInOrigin, status, words, body });

/** The words for an exchange without a usable response. */
function unanswered(row: Parameters<typeof networkWords>[0]) {
	const problem = networkWords(row, standInOrigin);
	const { problem: message, remedy: description } = tokenProblems.noResponse({
		...problem,
		failure: lostForNow,
	});
	return { message, description };
}

describe('A failed token exchange', () => {
	test.each([
		['userId', '', credentialProblems.empty('User ID')],
		['apiKey', '  ', credentialProblems.empty('API Key')],
		['apiKey', 'two\nlines', credentialProblems.wrongCharacters('API Key')],
		['userId', 'Łucja', credentialProblems.wrongCharacters('User ID')],
	])('reports the mistake in %s: %j', async (field, value, problem) => {
		const { calls, renew } = tokenEndpoint(() => tokenResponse('t'));
		await expect(renew(newCredential({ [field]: value }))).rejects.toMatchObject(
			errorWith(problem),
		);
		expect(calls).toHaveLength(0);
	});

	test.each([
		[429, { message: 'slow' }, 429],
		[500, 'text', 500],
		[503, {}, 503],
		[200, { success: false, responseCode: 500 }, 500],
		[200, { success: false, responseCode: 429 }, 429],
	])(
		'with HTTP %i and the body %j reports that the credential may be correct',
		async (status, body, shown) => {
			const error = await failureFor(() => response(body, status, { 'retry-after': '3' }));
			expect(error).toMatchObject({
				message: expect.stringContaining(`(HTTP ${shown}`) as string,
				description: tokenProblems.notNow({ status: shown, words: '' }).remedy,
				shownStatus: shown,
				failure:
					shown === 429
						? { what: 'refused', status: 429, isFromService: true }
						: { what: 'unsent', isTemporary: true },
				retryAfterMs: 3000,
			});
		},
	);

	test('with HTTP 403 and words about a rate limit is not about the credential, and is not temporary', async () => {
		const words = 'Rate limit exceeded';
		for (const body of [{ message: words }, { success: false, message: words }]) {
			expect(await failureFor(() => response(body, 403))).toMatchObject({
				message: tokenProblems.notNow({ status: 403, words }).problem,
				failure: { what: 'unsent', isTemporary: false },
			});
		}
	});

	const blocked = '<html><title>Request blocked</title></html>';
	test.each([
		[401, blocked, 'a web page', ''],
		[403, blocked, 'a web page', ''],
		[407, blocked, 'a web page', ''],
		[403, '', 'an empty body', ''],
		[403, {}, 'JSON without fields', ''],
		[403, { message: 'Forbidden' }, '', 'Forbidden'],
		[401, 'Unauthorized', '', 'Unauthorized'],
	])(
		'with HTTP %i and the body %j reports that a firewall or a proxy has blocked the call',
		async (status, body, shown, words) => {
			expect(await failureFor(() => response(body, status))).toMatchObject({
				...errorWith(tokenProblems.blocked({ status, words, body: shown })),
				failure: { what: 'unsent', isTemporary: false },
				docsAnchor: 'something-else-rejected-the-request',
			});
		},
	);

	test.each<[number, object, number, string?]>([
		// As with any other call, HTTP 200 with a rejection is treated as 400 if the body does not contain a
		// status, but the message does not show a status that the service did not respond with.
		[200, { success: false }, 400, '200, but success is false'],
		[200, { success: false, responseCode: 401, message: 'no such key' }, 401],
		[401, { success: false, message: 'no such key' }, 401],
		[403, { responseCode: 403, message: 'no such key' }, 403],
		[400, { success: false, message: 'wrong key' }, 400],
		[200, { responseCode: 400, message: 'wrong key' }, 400],
	])(
		'with HTTP %i and the body %j reports that the credential is wrong',
		async (status, body, shown, statusWords = String(shown)) => {
			expect(await failureFor(() => response(body, status))).toMatchObject({
				message: expect.stringContaining(`(HTTP ${statusWords}`) as string,
				description: tokenProblems.refused({ status: shown, words: '' }).remedy,
				shownStatus: shown,
				failure: { what: 'unsent', isTemporary: false },
			});
		},
	);

	test.each<[number, unknown, string, number?]>([
		[200, '<html><title>Welcome</title></html>', 'a web page'],
		[200, { success: true, responseData: {} }, 'JSON with the fields success, responseData'],
		[200, { token: 3 }, 'JSON with the fields token'],
		[200, { responseCode: 200 }, 'JSON with the fields responseCode'],
		[404, { success: false, message: 'No such endpoint' }, 'JSON with the fields success, message'],
		[200, { success: false, responseCode: 405 }, 'JSON with the fields success, responseCode', 405],
	])(
		'with HTTP %i and the body %j reports that the Base URL is wrong',
		async (status, body, what, shown = status) => {
			expect(await failureFor(() => response(body, status))).toMatchObject({
				...errorWith(missing(shown, what)),
				shownStatus: shown,
			});
		},
	);

	describe('with a Base URL that ends with an endpoint', () => {
		const { problem: refusedKey } = tokenProblems.refused({ status: 401, words: '' });
		const refusal = () => response({ success: false }, 401);
		const messageAt = async (baseUrl: string, respond: RespondToExchange = refusal) => {
			const { renew } = tokenEndpoint(respond);
			const error = await failureOf(renew(newCredential({ baseUrl })));
			return error.message;
		};
		const takeOff = (end: string, right = 'https://sign.example.com/api') =>
			tokenProblems.endpointInBaseUrl({
				baseUrl: right + end,
				endpoint: end,
				otherwise: { problem: '', remedy: '' },
			}).problem;

		const pathsOfContract = endpointNames.map((name) => name.split(' ')[1] ?? '');
		const paths = [...new Set(pathsOfContract)].map((path) => path.replace(/:\w+/, 'v%201'));
		paths.push(
			'/identity/session/results',
			'/Access/Token',
			'/identity/session/results/{sessionId}',
		);

		test.each(paths)('reports that %s has to be taken off', async (path) => {
			const end = path.replace(/\{|\}/g, (brace) => encodeURIComponent(brace));
			for (const slash of ['', '/']) {
				const message = await messageAt(`https://sign.example.com/api${path}${slash}`);
				expect(message).toBe(takeOff(end) + refusedKey);
			}
			const atRoot = await messageAt(`http://localhost:3000${path}`);
			expect(atRoot).toBe(takeOff(end, 'http://localhost:3000') + refusedKey);
		});

		const json = 'JSON with the fields success, message';
		test.each<[unknown, number, CallProblem]>([
			[{ success: false, message: 'No such endpoint' }, 404, missing(404, json)],
			['<html></html>', 200, missing(200, 'a web page')],
			['<html></html>', 403, tokenProblems.blocked({ status: 403, words: '', body: 'a web page' })],
			['', 302, tokenProblems.redirected({ status: 302, rightUrl: undefined })],
		])('reports it before any other problem (%j, HTTP %i)', async (body, status, problem) => {
			const message = await messageAt('https://sign.example.com/api/templates/v2', () =>
				response(body, status),
			);
			expect(message).toBe(takeOff('/templates/v2') + problem.problem);
		});

		test.each([429, 500, 503])('does not mention it after HTTP %i', async (status) => {
			const message = await messageAt('https://sign.example.com/api/webhooks', () =>
				response({ success: false }, status),
			);
			expect(message).toBe(tokenProblems.notNow({ status, words: '' }).problem);
		});

		test.each(['/webhooks', '/access/token', '/templates', '/v1/templates/v2'])(
			'is used as it is if the service issues a token there (%s)',
			async (path) => {
				const { calls, renew } = numbered();
				expect(await renew(newCredential({ baseUrl: `https://sign.example.com${path}` }))).toBe(
					't1',
				);
				expect(calls[0]?.url).toBe(`https://sign.example.com${path}/access/token`);
			},
		);

		test.each([
			'/api',
			'/v2',
			'/token',
			'/access',
			'/access/tokens',
			'/my-templates',
			'/templates/v3',
			'/webhooks/api',
			'/access/token/api',
			'/identity',
			'/identity/session/results/1/2',
			'/session/results',
		])('is not confused with one that ends in %s', async (path) => {
			expect(await messageAt(`https://sign.example.com${path}`)).toBe(refusedKey);
		});
	});

	test.each<[number, unknown, string]>([
		[400, { errors: [{ field: 'user-id', message: 'is missing' }] }, 'user-id: is missing'],
		[422, 'user-id is missing', 'user-id is missing'],
	])('with HTTP %i and the body %j contains the reason', async (status, body, words) => {
		expect(await failureFor(() => response(body, status))).toMatchObject({
			message: missing(status, '', words).problem,
		});
	});

	test.each([
		[
			'http://sign.example.com/api',
			'https://sign.example.com/api/access/token',
			'https://sign.example.com/api',
		],
		[
			'http://sign.example.com:8080/api',
			'https://sign.example.com:8443/x',
			'https://sign.example.com:8443/api',
		],
		['http://sign.example.com/api', 'https://elsewhere.example.com/api', undefined],
		['https://sign.example.com/api', 'https://sign.example.com/login', undefined],
		['http://sign.example.com/api', '/login', undefined],
	])(
		'at %s that is redirected to %s causes an error with the Base URL to enter',
		async (baseUrl, location, right) => {
			const { renew } = tokenEndpoint(() => response('', 308, { location }));
			const error: unknown = await renew(newCredential({ baseUrl })).catch(
				(thrown: unknown) => thrown,
			);
			expect(error).toMatchObject({
				message: tokenProblems.redirected({ status: 308, rightUrl: right }).problem,
				shownStatus: 308,
				failure: { what: 'unsent', isTemporary: false },
			});
		},
	);

	test('with HTTP 429 and a long Retry-After reports when the next attempt is possible', async () => {
		jest.useFakeTimers({ now: Date.parse('2026-11-25T04:40:10Z') });
		try {
			const headers = { 'retry-after': '3600' };
			expect(await failureFor(() => response({}, 429, headers))).toMatchObject({
				message:
					"The service won't issue an access token before 05:41 UTC on 2026-11-25 (HTTP 429). Try again in 60 minutes",
				retryAfterMs: 3_600_000,
			});
		} finally {
			jest.useRealTimers();
		}
	});

	test('ignores a token in an unsuccessful response', async () => {
		expect(await failureFor(() => response({ token: 't' }, 401))).toMatchObject({
			shownStatus: 401,
		});
		expect(await failureFor(() => response({ token: 't', success: false }))).toMatchObject({
			message: tokenProblems.refused({
				status: 400,
				statusWords: '200, but success is false',
				words: '',
			}).problem,
		});
		expect(await failureFor(() => response({ token: 't' }, 300))).toMatchObject({
			shownStatus: 300,
		});
	});

	test.each([
		['that is too long for a header', 'x'.repeat(8193)],
		['of one megabyte', 'x'.repeat(1_000_000)],
		['with a space', 'to ken'],
		['with a line break', 'token\n'],
		['with a non-ASCII character', 'tok€n'],
		['with an invisible character', 'tok\u007fen'],
	])('can be caused by a token %s', async (_name, text) => {
		expect(await failureFor(() => tokenResponse(text))).toMatchObject({
			description: missing(200, '').remedy,
			failure: { what: 'unsent', isTemporary: false },
		});
	});

	test('is not caused by an 8,192-character token', async () => {
		const longest = `!~${'x'.repeat(8190)}`;
		expect(await tokenEndpoint(() => tokenResponse(longest)).renew(newCredential())).toBe(longest);
	});

	test("ends after the call's timeout if the service does not respond", async () => {
		const error = await failureFor(
			async (options) => await neverRespond({ options }),
			newCredential({ timeoutSeconds: 1 }),
		);
		expect(error).toMatchObject({
			...unanswered('noResponse'),
		});
	});

	test('asks the user to check a Base URL that may be wrong', async () => {
		expect(await failureFor(() => Promise.reject(errorWithCode('ECONNREFUSED')))).toMatchObject({
			...unanswered('refusingConnections'),
		});
	});

	test('hides the API key and the tokens if the service quotes them', async () => {
		const credential = newCredential({ accessToken: 'token-a', refusedTokens: ['token-e'] });
		const message = 'the-api-key and token-a and token-e';
		for (const [status, body] of [
			[401, { message }],
			[500, { message }],
		] as const) {
			const error = (await failureFor(() => response(body, status), { ...credential })) as Error;
			expect(error.message).toContain('… and … and …');
		}
	});
});

describe('A rejected token', () => {
	const onlyTakes =
		(token: string): Respond =>
		(call) =>
			call.token === token ? undefined : { status: 401, body: {} };

	test('is renewed once, and later calls use the new token', async () => {
		const { context, calls, reads, exchanges } = standIn(onlyTakes('token-1'));
		const client = new ServiceClient(context);
		await client.call(creation);
		await client.call(read);
		expect(calls.map(({ token }) => token)).toEqual(['token-0', 'token-1', 'token-1']);
		expect(reads()).toBe(2);
		expect(exchanges()).toBe(1);
	});

	test('is renewed after HTTP 401 even if n8n has just fetched it for the call', async () => {
		const { calls, outcome } = await callOnce(onlyTakes('token-2'), read, {}, { accessToken: '' });
		expect(outcome).toEqual({ success: true });
		expect(calls.map(({ token }) => token)).toEqual(['token-1', 'token-2']);
	});

	test('causes an error if its replacement is also rejected', async () => {
		const { calls, outcome } = await callOnce(onlyTakes('none'), creation);
		expect(calls).toHaveLength(2);
		expect(outcome).toMatchObject({
			message: "This account doesn't have permission for this operation (HTTP 401)",
			description:
				"The document wasn't created. The service rejected even a new access token. Ask your provider which permissions the account needs.",
			mayHaveCreated: false,
		});
	});

	describe.each([401, 403])('(HTTP %i)', (status) => {
		const items = 500;
		const forbid = () => standIn(() => ({ status, body: {} }));
		const refused = { shownStatus: status };

		test('is renewed only a few times, no matter how many items are processed in a row', async () => {
			const forbidden = forbid();
			const client = new ServiceClient(forbidden.context);
			for (let item = 0; item < items; item++) {
				await expect(client.call(creation)).rejects.toMatchObject(refused);
			}
			expect(forbidden.exchanges()).toBe(maxVainRenewals);
			expect(forbidden.calls).toHaveLength(items + maxVainRenewals);
		});

		test('is renewed only a few times, no matter how many items and executions run at once', async () => {
			const forbidden = forbid();
			const clients = [1, 2, 3].map(() => new ServiceClient(forbidden.context));
			let started = 0;
			const worker = async () => {
				while (started++ < items) {
					const client = clients[started % clients.length] as ServiceClient;
					await expect(client.call(creation)).rejects.toMatchObject(refused);
				}
			};
			await Promise.all(Array.from({ length: 50 }, worker));
			expect(forbidden.exchanges()).toBeLessThanOrEqual(maxVainRenewals);
		});
	});

	test('is renewed only a few times if several n8n processes share it', async () => {
		const forbidden = standIn(() => ({ status: 403, body: {} }));
		const inOtherProcess = (): ServiceClient => {
			let made: ServiceClient | undefined;
			jest.isolateModules(() => {
				const other = jest.requireActual<{ ServiceClient: typeof ServiceClient }>(
					'../../nodes/SignVerify/account/client',
				);
				made = new other.ServiceClient(forbidden.context);
			});
			return made as ServiceClient;
		};
		const clients = [new ServiceClient(forbidden.context), inOtherProcess(), inOtherProcess()];
		for (let item = 0; item < 60; item++) {
			const client = clients[item % clients.length];
			await expect(client?.call(creation)).rejects.toMatchObject({ shownStatus: 403 });
		}
		expect(forbidden.exchanges()).toBeLessThanOrEqual(clients.length * maxVainRenewals);
	});

	test('is not renewed after HTTP 403 if n8n has just fetched it for the call', async () => {
		const { calls, exchanges, outcome } = await callOnce(
			() => ({ status: 403, body: {} }),
			creation,
			{},
			{ accessToken: '' },
		);
		expect(outcome).toMatchObject({ shownStatus: 403 });
		expect(calls).toHaveLength(1);
		expect(exchanges()).toBe(1);
	});

	test('is renewed only once per call, even if the call is attempted several times', async () => {
		const { calls, exchanges } = await callOnce(
			(_call, count) => ({ status: count % 2 ? 401 : 503, body: {} }),
			read,
		);
		// The first token is refused. With the renewed token, the call first gets HTTP 503 and is then
		// refused.
		expect(calls.map(({ token }) => token)).toEqual(['token-0', 'token-1', 'token-1']);
		expect(exchanges()).toBe(1);
	});

	test('is renewed every time another n8n instance with the same account invalidates it', async () => {
		// Each new token invalidates the previous one. The service responds with 403 to calls that still use
		// the old token.
		let valid = '';
		const { context, calls, exchanges } = standIn((call) =>
			call.token === valid ? undefined : { status: 403, body: {} },
		);
		const client = new ServiceClient(context);
		for (let round = 1; round <= 3 * maxVainRenewals; round++) {
			// The other n8n instance has just renewed the token.
			valid = `token-${round}`;
			expect(await client.call(creation)).toEqual({ success: true });
		}
		expect(exchanges()).toBe(3 * maxVainRenewals);
		expect(calls).toHaveLength(6 * maxVainRenewals);
	});

	/**
	 * Runs a list of items. For each item, the service first rejects the token, and then responds to the call
	 * with the renewed token in the given way.
	 * @returns The number of token exchanges.
	 */
	const exchangesAfter = async (status: number, body: unknown) => {
		const { context, exchanges } = standIn((_call, count) =>
			count % 2 === 1 ? { status: 403, body: { success: false } } : { status, body },
		);
		for (let item = 0; item < 2 * maxVainRenewals; item++) {
			const client = new ServiceClient(context, 0);
			await client.call(creation).catch(() => undefined);
		}
		return exchanges();
	};

	// These responses come before the service has checked the renewed token.
	test.each([
		[502, '<html>Bad Gateway</html>'],
		[500, { success: false }],
		[404, '<html>Not Found</html>'],
	])(
		'is renewed only a few times if each new token gets HTTP %i with the body %j',
		async (status, body) => {
			expect(await exchangesAfter(status, body)).toBeLessThanOrEqual(maxVainRenewals + 1);
		},
	);

	test.each([
		[200, { success: true }],
		[404, { success: false, message: 'No such document' }],
		[400, { success: false }],
	])(
		'is renewed every time if each new token gets HTTP %i with the body %j',
		async (status, body) => {
			expect(await exchangesAfter(status, body)).toBe(2 * maxVainRenewals);
		},
	);

	test('can be renewed again a minute after too many useless renewals', async () => {
		const now = jest.spyOn(performance, 'now').mockReturnValue(2_000_000);
		try {
			let isForbidden = true;
			const { context, exchanges } = standIn((call) =>
				!isForbidden && call.token === `token-${maxVainRenewals + 1}`
					? undefined
					: { status: 403, body: {} },
			);
			const client = new ServiceClient(context);
			for (let item = 0; item < 20; item++) await client.call(creation).catch(() => undefined);
			isForbidden = false;
			await expect(client.call(creation)).rejects.toMatchObject({ shownStatus: 403 });
			expect(exchanges()).toBe(maxVainRenewals);
			now.mockReturnValue(2_000_000 + 60_000);
			expect(await client.call(creation)).toEqual({ success: true });
		} finally {
			now.mockRestore();
		}
	});

	test('is replaced with a newer one that another process fetched at the same moment', async () => {
		let stored = 'token-0';
		const { context, calls, exchanges } = standIn((call) => {
			// The other process immediately invalidates the token of this process.
			if (call.token === 'token-1') stored = 'token-of-another';
			return call.token === 'token-of-another' ? undefined : { status: 401, body: {} };
		});
		const own = await context.getCredentials('signVerifyApi');
		jest
			.spyOn(context, 'getCredentials')
			.mockImplementation(async () => ({ ...own, accessToken: stored }));
		expect(await new ServiceClient(context).call(creation)).toEqual({ success: true });
		expect(calls.map(({ token }) => token)).toEqual(['token-0', 'token-1', 'token-of-another']);
		expect(exchanges()).toBe(1);
	});
});

describe("In n8n's Engine 2.0, which neither fetches nor stores tokens, the token", () => {
	/** The node's calls in executions that share a process. n8n has stored no token, unless one is given. */
	const engine2 = (respond: Respond, accessToken = '') =>
		standIn(respond, { accessToken }, undefined, { isInEngine2: true });

	/** Makes this many calls at once in a new execution. */
	const execute = async ({ context }: ReturnType<typeof engine2>, count: number) => {
		const client = new ServiceClient(context);
		return await Promise.all(
			Array.from(
				{ length: count },
				async () => await client.call(creation).catch((error: unknown) => error),
			),
		);
	};
	const success = { success: true };

	test('is fetched once for all calls of all executions, with the usual headers', async () => {
		const service = engine2(() => undefined);
		const outcomes = await Promise.all([execute(service, 20), execute(service, 20)]);
		outcomes.push(await execute(service, 2));
		expect(outcomes.flat()).toEqual(Array.from({ length: 42 }, () => success));
		expect(service.exchanges()).toBe(1);
		expect(service.calls).toHaveLength(42);
		const { options } = service.calls[0] ?? {};
		expect(options).toMatchObject({
			method: 'POST',
			headers: { 'user-id': expect.stringMatching(/^user \d+$/) as string, token: 'token-1' },
			disableFollowRedirect: true,
			body: creation.body,
		});
		await new ServiceClient(service.context).call(read);
		expect(service.calls.at(-1)?.options.headers).toMatchObject({
			Authorization: 'Bearer token-1',
		});
	});

	test('is the one that n8n has stored, until the process fetches one', async () => {
		const service = engine2(({ token }) => ({ status: token === 'token-1' ? 200 : 401 }), 'stored');
		// Since then, the stored token has expired.
		expect(await execute(service, 20)).toEqual(Array.from({ length: 20 }, () => success));
		expect(service.exchanges()).toBe(1);
		const sent = service.calls.length;
		await execute(service, 5);
		expect(service.calls.slice(sent).map(({ token }) => token)).toEqual(
			Array.from({ length: 5 }, () => 'token-1'),
		);
	});

	test('is renewed once if it expires, however many calls are refused', async () => {
		const now = jest.spyOn(performance, 'now').mockReturnValue(3_000_000);
		try {
			let valid = 'token-1';
			const service = engine2(({ token }) => (token === valid ? undefined : { status: 401 }));
			await execute(service, 1);
			valid = 'token-2';
			now.mockReturnValue(3_000_000 + 3_600_000);
			expect(await execute(service, 20)).toEqual(Array.from({ length: 20 }, () => success));
			expect(service.exchanges()).toBe(2);
			expect(service.calls.at(-1)?.token).toBe('token-2');
		} finally {
			now.mockRestore();
		}
	});

	test.each([401, 403])(
		'is renewed only a few times if every call gets HTTP %i',
		async (status) => {
			const service = engine2(() => ({ status, body: {} }), 'stored');
			for (const outcome of await execute(service, 50)) {
				expect(outcome).toMatchObject({ shownStatus: status, mayHaveCreated: false });
			}
			for (let execution = 0; execution < 20; execution++) await execute(service, 1);
			expect(service.exchanges()).toBeLessThanOrEqual(maxVainRenewals);
		},
	);

	test('is not needed to see that a call may have created something, which is not repeated', async () => {
		const service = engine2(() => Promise.reject(errorWithCode('ECONNRESET')));
		const [outcome] = await execute(service, 1);
		expect(outcome).toMatchObject({ mayHaveCreated: true });
		expect((outcome as Error).message).toContain('may have been created');
		expect(service.calls).toHaveLength(1);
	});

	test("is missing from the error if the exchange fails, and the call isn't sent", async () => {
		const service = engine2(() => undefined);
		service.context.helpers.httpRequest = async () =>
			await Promise.resolve(response({ success: false, message: 'the-api-key is wrong' }, 401));
		const [outcome] = await execute(service, 1);
		expect(outcome).toMatchObject({ mayHaveCreated: false });
		expect((outcome as Error).message).toContain('… is wrong');
		expect(service.calls).toEqual([]);
	});

	test.each([
		['UnimplementedError', 'Gateway credits are not supported on Engine 2.0 yet'],
		['Error', 'Engine 2.0 does not support credentials with an expirable property yet'],
	])('is not sent after another error of n8n: %s, %s', async (name, message) => {
		const service = standIn(() => undefined);
		service.context.helpers.httpRequestWithAuthentication = async () =>
			await Promise.reject(Object.assign(new Error(message), { name }));
		await execute(service, 1);
		expect(service.calls).toEqual([]);
	});
});

test.each<IDataObject>([
	{ userId: 'another' },
	{ apiKey: 'another' },
	{ baseUrl: 'https://another.example/api' },
	{ accessToken: 'as older versions stored it' },
	{ accessToken: {} },
])('A stored token is never sent after the credential has been edited: %j', async (edited) => {
	const { context, calls } = standIn(() => undefined);
	const own = await context.getCredentials('signVerifyApi');
	jest.spyOn(context, 'getCredentials').mockResolvedValue({ ...own, ...edited });
	await new ServiceClient(context).call(creation);
	expect(calls.map(({ token }) => token)).toEqual(['token-1']);
});
