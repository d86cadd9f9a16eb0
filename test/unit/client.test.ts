import { ExpressionError, type IDataObject, NodeOperationError } from 'n8n-workflow';

import { ServiceClient } from '../../nodes/SignVerify/account/client';
import { credentialProblems } from '../../nodes/SignVerify/account/credentialProblems';
import { eventCallMs, executionCallMs, listCallMs } from '../../nodes/SignVerify/http/callTimeouts';
import { RateLimiter } from '../../nodes/SignVerify/http/rateLimit';
import type { ServiceContext, ServiceRequest } from '../../nodes/SignVerify/http/request';
import { maxTries } from '../../nodes/SignVerify/http/retry';
import { ServiceError } from '../../nodes/SignVerify/http/serviceError';
import { callProblems, refusedProblems } from '../../nodes/SignVerify/http/callProblems';
import { settle } from '../../nodes/SignVerify/util/async';
import { fixedHeadersOf } from '../../sandbox/contract/endpoints';
import { errorWith, networkWords, refusedWords } from '../support/problemWords';
import {
	callOnce,
	creation,
	deletion,
	pausesBetween,
	read,
	errorWithCode,
	standIn,
	standInOrigin,
	type Respond,
	neverRespond,
} from '../support/standIn';
import { sleep, stopwatch, useVirtualTime } from '../support/virtualTime';

useVirtualTime();

/** Makes a service that fails this many times and then succeeds. */
const failing =
	(times: number, status: number, headers: IDataObject = {}): Respond =>
	(_call, count) =>
		count <= times ? { status, headers, body: { success: false, message: 'no' } } : undefined;

/** Makes the nth read of the credential fail. Returns a function that counts the reads. */
function failAt(context: ServiceContext, nth: number, error: Error): () => number {
	const stored = context.getCredentials.bind(context) as () => Promise<never>;
	let reads = 0;
	context.getCredentials = async () =>
		++reads === nth ? await Promise.reject(error) : await stored();
	return () => reads;
}

/** The message about a creation that got no usable response. */
const mayHaveCreated = (row: Parameters<typeof networkWords>[0]) =>
	`${networkWords(row, standInOrigin).problem}, so the document may have been created`;

const envDenied = 'access to env vars denied';

/** An error whose class has this name. */
const named = (name: string, message: string) => Object.assign(new Error(message), { name });

describe('The service client', () => {
	const fixed = {
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
		encoding: 'stream',
	};

	test('sends a read call without a body or a content type', async () => {
		const { calls, outcome } = await callOnce(() => undefined, read);
		expect(outcome).toEqual({ success: true });
		const { abortSignal, headers, ...options } = calls[0]?.options ?? { url: '' };
		expect(options).toMatchObject({
			...fixed,
			method: 'GET',
			url: 'https://sign.example.com/api/templates/v2',
			timeout: 30_000,
		});
		expect(options).not.toHaveProperty('body');
		const names = ['Authorization', 'accept', 'token', 'user-id'];
		expect(Object.keys(headers ?? {}).sort()).toEqual(names);
		expect(abortSignal).toBeInstanceOf(AbortSignal);
	});

	test('sends a delete call without a body but with the fixed headers that the contract requires', async () => {
		const { calls } = await callOnce(() => undefined, deletion, {}, { timeoutSeconds: 7 });
		expect(calls[0]?.options).toMatchObject({
			method: 'DELETE',
			url: 'https://sign.example.com/api/webhooks',
			qs: { webHookID: 'w' },
			timeout: 7000,
		});
		const { token, 'user-id': userId, ...headers } = calls[0]?.options.headers ?? {};
		expect(token).toBe('token-0');
		expect(headers).toEqual({ accept: 'application/json', ...fixedHeadersOf('DELETE') });
		expect(userId).toMatch(/^user \d+$/);
		expect(calls[0]?.options).not.toHaveProperty('body');
	});

	test('sends the body of a create call as JSON', async () => {
		const { calls } = await callOnce(() => undefined, creation);
		expect(calls[0]?.options).toMatchObject({
			method: 'POST',
			body: { a: 1 },
			headers: { 'content-type': 'application/json' },
		});
		const names = ['accept', 'content-type', 'token', 'user-id'];
		expect(Object.keys(calls[0]?.options.headers ?? {}).sort()).toEqual(names);
		expect(calls[0]?.options).not.toHaveProperty('qs');
	});

	test('reads the credential once for all calls', async () => {
		const { context, calls, reads } = standIn(() => undefined);
		const client = new ServiceClient(context);
		await Promise.all([client.call(read), client.call(read)]);
		await client.call(read);
		expect(calls.map(({ token }) => token)).toEqual(['token-0', 'token-0', 'token-0']);
		expect(reads()).toBe(1);
	});

	test("quotes n8n's message if n8n cannot read the credential, and reports that nothing was created", async () => {
		const { context, calls } = standIn(() => undefined);
		const words = 'Node does not have any credentials set';
		const node = context.getNode();
		for (const error of [new NodeOperationError(node, words), named('NodeOperationError', words)]) {
			const reads = failAt(context, 1, error);
			await expect(new ServiceClient(context).call(creation)).rejects.toMatchObject({
				mayHaveCreated: false,
				message: "n8n couldn't read the credential: Node does not have any credentials set",
				docsAnchor: 'credential-not-read',
			});
			expect(reads()).toBe(1);
		}
		expect(calls).toHaveLength(0);
	});

	test.each([
		['of the same n8n-workflow', new ExpressionError(envDenied)],
		// If another copy of n8n-workflow is installed, n8n's errors have the same names but other classes.
		['of another n8n-workflow', named('ExpressionError', envDenied)],
		['in a function', named('ExpressionExtensionError', envDenied)],
	])(
		'advises about an expression in the credential that n8n does not allow (an error %s)',
		async (_whose, error) => {
			const { context, calls } = standIn(() => undefined);
			const reads = failAt(context, 1, error);
			await expect(new ServiceClient(context).call(creation)).rejects.toMatchObject({
				message: credentialProblems.wrongExpression(envDenied).problem,
				description: expect.stringContaining(
					credentialProblems.wrongExpression(envDenied).remedy,
				) as string,
			});
			expect(reads()).toBe(1);
			expect(calls).toHaveLength(0);
		},
	);

	test.each([
		['http://sign.example.com', 'https://sign.example.com/x', 'https://sign.example.com'],
		['http://sign.example.com', 'https://login.example.com/x', undefined],
	])('names what to change if %s redirects to %s', async (baseUrl, location, httpsOrigin) => {
		const { outcome } = await callOnce(
			() => ({ status: 301, headers: { location }, body: '' }),
			read,
			{},
			{ baseUrl },
		);
		const { remedy: description } = refusedProblems.redirected.words({
			status: 301,
			words: '',
			httpsOrigin,
		});
		expect(outcome).toMatchObject({ description });
	});

	test('writes a line to the log, at the level debug, without any secret', async () => {
		const { context } = standIn((_, count) => {
			if (count === 1) throw errorWithCode('ECONNREFUSED');
			return { status: 200 };
		});
		const lines: string[] = [];
		Object.assign(context, { logger: { debug: (line: string) => lines.push(line) } });
		const url = 'https://n8n.example.com/x?secret=do-not-show';
		await new ServiceClient(context).call({ ...read, qs: { url }, secrets: [url] });
		expect(lines).toEqual([
			expect.stringMatching(/^SignVerify: GET \/[\w/]+: no response after \d+ ms$/),
			expect.stringMatching(/^SignVerify: GET \/[\w/]+: HTTP 200 after \d+ ms$/),
		]);
	});

	test('reads the credential again if n8n failed to read it the first time', async () => {
		const { context, calls } = standIn(() => undefined);
		const reads = failAt(context, 1, new Error('timeout exceeded when trying to connect'));
		const client = new ServiceClient(context);
		const outcomes = await Promise.all([client.call(creation), client.call(creation)]);
		expect(outcomes).toEqual([{ success: true }, { success: true }]);
		expect(reads()).toBe(2);
		expect(calls).toHaveLength(2);
	});

	test('repeats a call whose token was rejected, even if the credential cannot be read at that moment', async () => {
		const { context, calls } = standIn((_call, count) =>
			count === 1 ? { status: 401, body: { message: 'expired' } } : undefined,
		);
		const reads = failAt(context, 2, new Error('The database is locked'));
		expect(await new ServiceClient(context).call(creation)).toEqual({ success: true });
		expect(reads()).toBe(2);
		expect(calls.map(({ token }) => token)).toEqual(['token-0', 'token-0']);
	});
});

describe('When a call fails or has to wait, the service client', () => {
	test('retries a read with increasingly long pauses after a server error', async () => {
		const { calls, outcome } = await callOnce(failing(maxTries.reading.didNothing - 1, 503));
		expect(outcome).toEqual({ success: true });
		expect(calls).toHaveLength(maxTries.reading.didNothing);
		// Jitter shortens each pause to as little as half of its full length.
		const delays = pausesBetween(calls);
		expect(delays).toHaveLength(maxTries.reading.didNothing - 1);
		[300, 600, 1200].forEach((full, index) => {
			expect(delays[index]).toBeGreaterThanOrEqual(full / 2);
			expect(delays[index]).toBeLessThanOrEqual(full);
		});
	});

	test('reports the number of failed attempts', async () => {
		const { calls, outcome } = await callOnce(failing(9, 500));
		expect(calls).toHaveLength(maxTries.reading.didNothing);
		expect(outcome).toMatchObject({
			message: 'The service failed (HTTP 500: "no")',
			description: expect.stringMatching(
				new RegExp(
					`^The problem is on your provider's side\\. Try again in a moment\\. The node tried ${maxTries.reading.didNothing} times in \\d s\\.$`,
				),
			) as string,
			shownStatus: 500,
			mayHaveCreated: false,
		});
	});

	test.each([
		['an error', new RangeError('Maximum call stack size exceeded')],
		['a string', 'thrown words'],
		['undefined', undefined],
	])(
		'reports that something may have been created, even if the code unexpectedly throws %s',
		async (_what, thrown) => {
			const answered = { status: 200 };
			const failing = Object.defineProperty(answered, 'body', {
				get() {
					throw thrown as Error;
				},
			});
			const { calls, outcome } = await callOnce(() => failing, creation);
			expect(calls).toHaveLength(1);
			expect(outcome).toBeInstanceOf(ServiceError);
			expect(outcome).toMatchObject({ mayHaveCreated: true });
		},
	);

	test('waits as long as an HTTP 429 response requests', async () => {
		const { calls, outcome } = await callOnce(failing(1, 429, { 'retry-after': '2' }), creation);
		expect(outcome).toEqual({ success: true });
		expect(calls).toHaveLength(2);
		expect(pausesBetween(calls)).toEqual([2000]);
	});

	test('does not wait at all if the wait would exceed the time limit', async () => {
		const account = { userId: 'impatient' };
		const impatient = await callOnce(failing(1, 429, { 'retry-after': '11' }), read, {}, account);
		expect(impatient.calls).toHaveLength(1);
		expect(impatient.outcome).toMatchObject({ shownStatus: 429 });
		// The next call is not sent either, because the remaining pause is longer than that call's time
		// limit.
		const next = await callOnce(() => undefined, read, {}, account);
		expect(next.calls).toHaveLength(0);
		const patient = await callOnce(failing(1, 429, { 'retry-after': '4' }), read, {
			maxTimeMs: 3000,
		});
		expect(patient.calls).toHaveLength(1);
		expect(patient.outcome).toMatchObject(errorWith(refusedWords('tooManyRequests', 429, 'no')));
		expect(next.outcome).toMatchObject(errorWith(refusedWords('tooManyRequests', 429)));
	});

	test("fails all of the account's calls immediately if the service requests a one-hour pause", async () => {
		const account = { userId: 'asked to wait' };
		const hour = { 'retry-after': '3600' };
		const elapsedMs = stopwatch();
		const now = Date.parse('2026-11-25T04:40:10Z');
		jest.setSystemTime(now);
		const first = await callOnce(failing(1, 429, hour), creation, { maxTimeMs: 300_000 }, account);
		expect(first.calls).toHaveLength(1);
		const until = "and won't accept any before 05:41 UTC on 2026-11-25 (HTTP 429";
		const docsAnchor = 'too-many-requests';
		expect(first.outcome).toMatchObject({
			message: `The service received too many requests, ${until}: "no")`,
			description: "The document wasn't created. Try again in 60 minutes.",
			docsAnchor,
		});
		const other = await callOnce(() => undefined, read, { maxTimeMs: 300_000 }, account);
		expect(other.calls).toHaveLength(0);
		expect(other.outcome).toMatchObject({
			message: `The service received too many requests, ${until})`,
			description: 'Try again in 60 minutes.',
			docsAnchor,
		});
		expect(elapsedMs()).toBeLessThan(1000);
	});

	test('waits four minutes if the time limit allows it', async () => {
		const { calls, outcome } = await callOnce(failing(1, 429, { 'retry-after': '240' }), creation, {
			maxTimeMs: 300_000,
		});
		expect(outcome).toEqual({ success: true });
		expect(pausesBetween(calls)).toEqual([240_000]);
	});

	test('does not send a call whose turn under Requests per Second would come after the time limit', async () => {
		const account = { userId: 'slow', requestsPerSecond: 0.5 };
		const calls = [1, 2].map(async () =>
			callOnce(() => undefined, creation, { maxTimeMs: 1500 }, account),
		);
		const [first, second] = await Promise.all(calls);
		expect(first?.outcome).toEqual({ success: true });
		expect(second?.calls).toEqual([]);
		expect(second?.outcome).toMatchObject({
			message: callProblems.ownLimit.problem,
			mayHaveCreated: false,
		});
	});
});

describe("A call's time limit", () => {
	/**
	 * Makes a call to a service that never responds. Returns the outcome, the calls, and how long they took
	 * (ms).
	 */
	async function waitInSilence(
		maxTimeMs: number,
		request: ServiceRequest,
		credential: IDataObject = {},
	) {
		const elapsedMs = stopwatch();
		const { calls, outcome } = await callOnce(neverRespond, request, { maxTimeMs }, credential);
		return { calls, outcome, ms: elapsedMs() };
	}

	test.each([
		['an event is being processed', eventCallMs, {}],
		['an event is being processed without a token', eventCallMs, { accessToken: '' }],
		['a list is loading in the editor', listCallMs, {}],
		['an execution with a long Timeout is running', executionCallMs, { timeoutSeconds: 120 }],
	])('ends a pending attempt while %s', async (_which, maxTimeMs, credential) => {
		const { calls, outcome, ms } = await waitInSilence(maxTimeMs, read, credential);
		expect(ms).toBe(maxTimeMs);
		expect(outcome).toMatchObject({
			message: networkWords('noResponse', standInOrigin).problem,
		});
		expect(calls.length).toBeGreaterThan(0);
	});

	test.each([deletion, { purpose: 'registering', path: '/webhooks' } as const])(
		'ends a pending attempt if the call may be repeated ($kind)',
		async (request) => {
			expect((await waitInSilence(eventCallMs, request)).ms).toBe(eventCallMs);
		},
	);

	test('ends a pending token exchange', async () => {
		const elapsedMs = stopwatch();
		const context = standIn(() => undefined, { accessToken: '' }).context;
		context.helpers.httpRequestWithAuthentication = async () => await new Promise(() => {});
		await expect(new ServiceClient(context, eventCallMs).call(read)).rejects.toThrow('in time');
		expect(elapsedMs()).toBe(eventCallMs);
	});

	test('does not interrupt a create call, because the document may already exist', async () => {
		const { calls, outcome, ms } = await waitInSilence(executionCallMs, creation, {
			timeoutSeconds: 1800,
		});
		expect(ms).toBe(1_800_000);
		expect(calls).toHaveLength(1);
		expect(outcome).toMatchObject({ mayHaveCreated: true });
	});

	/** Makes a create call that has to wait this long for its turn and then never gets a response. */
	async function createAfterPause(pauseSeconds: number, timeoutSeconds: number) {
		const elapsedMs = stopwatch();
		const headers = { 'retry-after': String(pauseSeconds) };
		const respond: Respond = async (call, count) =>
			count === 1 ? { status: 429, headers } : await neverRespond(call);
		const settings = { maxTimeMs: executionCallMs };
		const { calls, outcome } = await callOnce(respond, creation, settings, { timeoutSeconds });
		return { count: calls.length, outcome, ms: elapsedMs() };
	}

	test.each([
		['30 seconds', 30],
		['an hour', 3600],
	])(
		'gives a create call its full Timeout of %s, even if the call has waited for its turn until the last second',
		async (_what, timeoutSeconds) => {
			const sent = await createAfterPause(299, timeoutSeconds);
			expect(sent).toMatchObject({ count: 2, outcome: { mayHaveCreated: true } });
			expect(sent.ms).toBe((299 + timeoutSeconds) * 1000);
			const denied = await createAfterPause(301, timeoutSeconds);
			expect(denied).toMatchObject({ count: 1, ms: 0, outcome: { mayHaveCreated: false } });
		},
	);

	test.each([
		['server error', 503, 'The service failed (HTTP 503: "no")'],
		['429 response', 429, 'The service received too many requests (HTTP 429: "no")'],
	])(
		'that interrupts the last attempt does not hide an earlier %s',
		async (_what, status, message) => {
			const elapsedMs = stopwatch();
			const slowly: Respond = async (call, count) => {
				await sleep(1.8);
				return (await failing(99, status)(call, count)) ?? {};
			};
			const { calls, outcome } = await callOnce(slowly, read, { maxTimeMs: eventCallMs });
			expect(elapsedMs()).toBe(eventCallMs);
			expect(calls).toHaveLength(3);
			expect(outcome).toMatchObject({ message, shownStatus: status });
			expect((outcome as ServiceError).description).toMatch(/ The node tried 3 times in 5 s\.$/);
		},
	);

	test('does not hide why a create call failed if no time is left for another attempt', async () => {
		const elapsedMs = stopwatch();
		const context = standIn(() => undefined, { timeoutSeconds: 100 }).context;
		context.helpers.httpRequestWithAuthentication = async () => {
			await sleep(99.8);
			throw errorWithCode('ECONNREFUSED');
		};
		const outcome = new ServiceClient(context, executionCallMs).call(creation);
		await expect(outcome).rejects.toMatchObject({
			message: networkWords('refusingConnections', standInOrigin).problem,
		});
		expect(Math.round(elapsedMs() / 1000)).toBe(300);
	});
});

describe('A call that is denied its turn', () => {
	/** Records each time that a call asks the account's rate limiter for a turn. */
	const countTurnsAsked = () => jest.spyOn(RateLimiter.prototype, 'acquire').mock.calls;

	/** With one call every two seconds, the retry's turn would come after the time limit. */
	const slow = { requestsPerSecond: 0.5 };
	const impatient = { maxTimeMs: 1500 };

	test('does not ask for another turn after the service has reported too many requests', async () => {
		const turnsAsked = countTurnsAsked();
		const elapsedMs = stopwatch();
		const { calls, outcome } = await callOnce(
			failing(99, 429),
			creation,
			{ maxTimeMs: 5000 },
			slow,
		);
		expect(calls).toHaveLength(3);
		expect(turnsAsked).toHaveLength(4);
		expect(elapsedMs()).toBe(4000);
		expect(outcome).toMatchObject({
			message: 'The service received too many requests (HTTP 429)',
			description:
				"The document wasn't created. Try again in a moment. To avoid this error, set or lower Requests per Second in the credential. The node tried 3 times in 4 s.",
			shownStatus: 429,
			mayHaveCreated: false,
		});
	});

	test('does not ask for another turn', async () => {
		const account = { userId: 'slow, and without another turn', ...slow };
		await callOnce(() => undefined, read, {}, account);
		const turnsAsked = countTurnsAsked();
		const elapsedMs = stopwatch();
		const { calls, outcome } = await callOnce(() => undefined, creation, impatient, account);
		expect(calls).toEqual([]);
		expect(turnsAsked).toHaveLength(1);
		expect(elapsedMs()).toBe(0);
		expect(outcome).toMatchObject({
			message: callProblems.ownLimit.problem,
			description: callProblems.ownLimit.remedy,
		});
	});

	test('is not reported as unsent if the service may have acted on an earlier attempt', async () => {
		const { calls, outcome } = await callOnce(failing(1, 500), deletion, impatient, slow);
		expect(calls).toHaveLength(1);
		expect(outcome).toMatchObject({
			message: refusedWords('failed', 500, 'no').problem,
			description: refusedWords('failed', 500).remedy,
		});
	});

	test('fails immediately if the pause becomes too long, and counts only the attempts that were made', async () => {
		const account = { userId: 'paused for longer' };
		jest.setSystemTime(Date.parse('2026-11-25T04:40:10Z'));
		const elapsedMs = stopwatch();
		const slowRefusal = callOnce(
			async () => {
				await sleep(1);
				return { status: 429, headers: { 'retry-after': '3600' } };
			},
			read,
			{},
			account,
		);
		const waiting = await callOnce(failing(9, 429, { 'retry-after': '5' }), read, {}, account);
		expect(elapsedMs()).toBe(1000);
		expect(waiting.calls).toHaveLength(1);
		expect(waiting.outcome).toMatchObject({
			message:
				"The service received too many requests, and won't accept any before 05:41 UTC on 2026-11-25 (HTTP 429)",
			description: 'Try again in 60 minutes.',
		});
		await slowRefusal;
	});

	test('is reported as canceled if the execution is canceled while the call waits', async () => {
		const account = { userId: 'slow and canceled', ...slow };
		await callOnce(() => undefined, read, {}, account);
		const cancel = new AbortController();
		const { context, calls } = standIn(() => undefined, account, cancel.signal);
		const turnsAsked = countTurnsAsked();
		const elapsedMs = stopwatch();
		setTimeout(() => cancel.abort(), 500);
		await expect(new ServiceClient(context).call(creation)).rejects.toMatchObject({
			message: callProblems.canceled.problem,
			mayHaveCreated: false,
		});
		expect(elapsedMs()).toBe(500);
		expect(calls).toEqual([]);
		expect(turnsAsked).toHaveLength(1);
	});
});

/** Makes a context whose execution is canceled before the service responds. */
function cancelledUnderWay(): ServiceContext {
	const cancel = new AbortController();
	const { context } = standIn(
		async (call) => {
			setImmediate(() => cancel.abort());
			return await neverRespond(call);
		},
		{},
		cancel.signal,
	);
	return context;
}

describe('A canceled deletion', () => {
	test.each([
		['during the pause before a retry', 100, 0],
		['while waiting for its next turn', 1000, 0.5],
	])('is not reported as unsent if it was canceled %s', async (_when, ms, requestsPerSecond) => {
		const cancel = new AbortController();
		const { context } = standIn(failing(1, 500), { requestsPerSecond }, cancel.signal);
		setTimeout(() => cancel.abort(), ms);
		const outcome = await settle(new ServiceClient(context).call(deletion));
		expect(outcome).toMatchObject({ ok: false, error: { shownStatus: 500 } });
		const { description } = (outcome as unknown as { error: ServiceError }).error;
		expect(description).toContain('The execution was cancelled before the node could try again.');
		expect(description).not.toContain('not sent');
	});

	test('is reported as unanswered if it was canceled before the response arrived', async () => {
		const outcome = new ServiceClient(cancelledUnderWay()).call(deletion);
		await expect(outcome).rejects.toMatchObject({
			message: networkWords('canceled', standInOrigin).problem,
		});
	});
});

describe('Retry On Fail', () => {
	const settings = { retryOnFail: true, maxTries: 5, waitBetweenTries: 5000 };

	test.each<[string, ServiceRequest, Respond]>([
		['a refused creation', creation, failing(9, 400)],
		['a creation that may have succeeded', creation, failing(9, 502)],
		['a read that found nothing', read, failing(9, 404)],
		['a read that fails', read, failing(9, 502)],
	])(
		'does not change how often and how fast the node repeats %s',
		async (_which, request, respond) => {
			const measured = async (more: object) => {
				const { calls } = await callOnce(respond, request, { maxTimeMs: executionCallMs, ...more });
				const pauses = pausesBetween(calls);
				expect(pauses.filter((ms) => ms >= settings.waitBetweenTries)).toEqual([]);
				return calls.length;
			};
			expect(await measured(settings)).toBe(await measured({}));
		},
	);
});

test('A call without a response times out and closes its connection', async () => {
	const elapsedMs = stopwatch();
	const credential = { timeoutSeconds: 1 };
	const { calls, outcome } = await callOnce(neverRespond, creation, { maxTimeMs: 0 }, credential);
	expect(outcome).toMatchObject({
		message: mayHaveCreated('noResponse'),
		mayHaveCreated: true,
	});
	expect((calls[0]?.options.abortSignal as AbortSignal).aborted).toBe(true);
	expect(elapsedMs()).toBe(1000);
});

describe('A canceled execution', () => {
	const unsent = {
		message: callProblems.canceled.problem,
		description: callProblems.canceled.remedy,
		mayHaveCreated: false,
	};

	test('does not send any more calls', async () => {
		const { context, calls } = standIn(() => undefined, {}, AbortSignal.abort());
		await expect(new ServiceClient(context).call(creation)).rejects.toMatchObject(unsent);
		expect(calls).toHaveLength(0);
	});

	test('does not retry', async () => {
		const cancel = new AbortController();
		const { context, calls } = standIn(
			() => {
				cancel.abort();
				return { status: 503 };
			},
			{},
			cancel.signal,
		);
		await expect(new ServiceClient(context).call(read)).rejects.toMatchObject({
			message: networkWords('canceled', standInOrigin).problem,
			mayHaveCreated: false,
		});
		expect(calls).toHaveLength(1);
	});

	test('reports that something may have been created, even if an earlier attempt had no effect', async () => {
		const cancel = new AbortController();
		const { context, calls } = standIn(
			async (call, count) => {
				if (count === 1) throw errorWithCode('ECONNREFUSED');
				setImmediate(() => cancel.abort());
				return await neverRespond(call);
			},
			{},
			cancel.signal,
		);
		await expect(new ServiceClient(context, executionCallMs).call(creation)).rejects.toMatchObject({
			message: mayHaveCreated('canceled'),
			mayHaveCreated: true,
		});
		expect(calls).toHaveLength(2);
	});

	test('aborts the call in progress', async () => {
		const context = cancelledUnderWay();
		await expect(new ServiceClient(context).call(creation)).rejects.toMatchObject({
			message: mayHaveCreated('canceled'),
		});
	});
});

describe('A client with a signal that ends its calls', () => {
	const neverAnswering = () => {
		const { context } = standIn(neverRespond);
		return new ServiceClient(context);
	};
	const ended = async (client: ServiceClient) => await settle(client.call(read));

	test.each<[string, (client: ServiceClient, end: AbortSignal) => ServiceClient]>([
		['keeps it', (client, end) => client.endedBy(end)],
		['keeps it with another time limit', (client, end) => client.endedBy(end).within(5000)],
		['gets it after a time limit', (client, end) => client.within(5000).endedBy(end)],
		[
			'keeps it beside a second one',
			(client, end) => client.endedBy(end).endedBy(new AbortController().signal),
		],
		[
			'gets it beside an earlier one',
			(client, end) => client.endedBy(new AbortController().signal).endedBy(end).within(5000),
		],
	])('%s', async (_what, make) => {
		const end = new AbortController();
		const call = ended(make(neverAnswering(), end.signal));
		await sleep(10);
		const elapsedMs = stopwatch();
		end.abort();
		const result = await call;
		expect(result.ok).toBe(false);
		expect(elapsedMs()).toBeLessThan(1000);
	});

	test('leaves the client that it was made from without it', async () => {
		const end = new AbortController();
		end.abort();
		const { calls, context } = standIn(() => undefined);
		const other = new ServiceClient(context);
		other.endedBy(end.signal);
		expect(await ended(other)).toMatchObject({ ok: true });
		expect(calls).toHaveLength(1);
	});
});
