import type { IN8nHttpFullResponse } from 'n8n-workflow';

import { isRefusedToken, readAnswer } from '../../nodes/SignVerify/transport/response';
import { toServiceError } from '../../nodes/SignVerify/transport/callError';
import { ServiceError } from '../../nodes/SignVerify/transport/errors';
import { ObservedRate } from '../../nodes/SignVerify/transport/observedRate';
import { readNetworkError } from '../../nodes/SignVerify/transport/network';
import { redact } from '../../nodes/SignVerify/util/redact';
import { attempt, delay, withTimeout } from '../../nodes/SignVerify/util/async';
import { RetryPolicy } from '../../nodes/SignVerify/transport/retry';
import type { ServiceRequest } from '../../nodes/SignVerify/transport/request';

const read: ServiceRequest = { method: 'GET', path: '/templates' };
const deletion: ServiceRequest = { method: 'DELETE', path: '/webhooks' };
const creation: ServiceRequest = { method: 'POST', path: '/x', creates: 'the document' };
const origin = 'https://sign.example.com';
const coded = (code: string) => Object.assign(new Error('no'), { code });

describe('the rate that a service allows', () => {
	/** So many calls a second, for so many seconds. */
	const pass = (rate: ObservedRate, perSecond: number, from: number, seconds: number): number => {
		const count = perSecond * seconds;
		for (let call = 1; call <= count; call++) rate.onSuccess(from + (call * 1000) / perSecond);
		return from + seconds * 1000;
	};

	test('is unlimited until the service says otherwise', () => {
		const rate = new ObservedRate();
		expect(rate.spacing(pass(rate, 50, 0, 3))).toBe(0);
	});

	test('is nine tenths of what passed in the last second', () => {
		const rate = new ObservedRate();
		const now = pass(rate, 50, 0, 3);
		rate.onLimit(now);
		expect(1000 / rate.spacing(now)).toBeCloseTo(45);
	});

	test('is counted back from the last pass, should the refusal be read late', () => {
		const rate = new ObservedRate();
		const now = pass(rate, 50, 0, 3) + 800;
		rate.onLimit(now);
		expect(1000 / rate.spacing(now)).toBeCloseTo(45);
	});

	test('is not learned from the first moments, in which another run may have taken its part', () => {
		const rate = new ObservedRate();
		rate.onLimit(0);
		const now = pass(rate, 50, 0, 0.5);
		rate.onLimit(now);
		expect(rate.spacing(now)).toBe(0);
	});

	test('grows, slowly at first, and soon after it has held for a while', () => {
		const rate = new ObservedRate();
		const now = pass(rate, 50, 0, 2);
		rate.onLimit(now);
		const after = (seconds: number) => 1000 / rate.spacing(now + seconds * 1000);
		expect(after(10)).toBeGreaterThan(45);
		expect(after(10)).toBeLessThan(50);
		expect(after(20)).toBeLessThan(50);
		expect(after(40)).toBeGreaterThan(120);
	});

	test('falls by a quarter at the most, and not twice for one storm', () => {
		const rate = new ObservedRate();
		let now = pass(rate, 50, 0, 2);
		rate.onLimit(now);
		now = pass(rate, 4, now, 1) + 1;
		rate.onLimit(now);
		const fallen = 1000 / rate.spacing(now);
		expect(fallen).toBeGreaterThan(33);
		expect(fallen).toBeLessThan(35);
		rate.onLimit(now + 500);
		expect(1000 / rate.spacing(now + 500)).toBeGreaterThanOrEqual(fallen);
	});
});

describe('giving up on work', () => {
	test('ends the work when its time is over', async () => {
		let ended: AbortSignal | undefined;
		const work = async (signal: AbortSignal) => {
			ended = signal;
			return await new Promise(() => {});
		};
		await expect(withTimeout(work, 20)).rejects.toMatchObject({ code: 'ETIMEDOUT' });
		expect(ended?.aborted).toBe(true);
	});

	test.each(['before', 'meanwhile'])(
		'ends it when the execution was cancelled %s',
		async (when) => {
			const cancel = new AbortController();
			if (when === 'before') cancel.abort();
			else setTimeout(() => cancel.abort(), 10);
			const work = async (signal: AbortSignal) =>
				await new Promise((_, reject) => {
					if (signal.aborted) reject(coded('ERR_CANCELED'));
					signal.addEventListener('abort', () => reject(coded('ERR_CANCELED')));
				});
			await expect(withTimeout(work, 5000, cancel.signal)).rejects.toMatchObject({
				code: 'ERR_CANCELED',
			});
		},
	);

	test('a hundred that wait for one signal make Node warn of nothing, and end with it', async () => {
		const warnings: Error[] = [];
		const note = (warning: Error) => void warnings.push(warning);
		process.on('warning', note);
		const cancel = new AbortController();
		const waits = Array.from({ length: 100 }, async () => await delay(30_000, cancel.signal));
		const calls = Array.from({ length: 100 }, async () =>
			attempt(withTimeout(async () => await new Promise(() => {}), 30_000, cancel.signal)),
		);
		await delay(10);
		cancel.abort();
		expect(new Set(await Promise.all(waits))).toEqual(new Set([false]));
		for (const { ok } of await Promise.all(calls)) expect(ok).toBe(false);
		process.off('warning', note);
		expect(warnings).toEqual([]);
	});
});

describe('the failure of a call without an answer', () => {
	test.each([
		['ECONNRESET', true, true, 'never'],
		['ETIMEDOUT', true, true, 'never'],
		['EPIPE', true, true, 'never'],
		['ERR_CANCELED', true, true, 'never'],
		['SOMETHING', true, true, 'never'],
		['ECONNREFUSED', true, false, 'always'],
		['EAI_AGAIN', true, false, 'always'],
		['ENOTFOUND', true, false, 'never'],
		['CERT_HAS_EXPIRED', true, false, 'never'],
		['EPROTO', true, false, 'never'],
		// Without a token it cannot have gone out.
		['ECONNRESET', false, false, 'always'],
		['ETIMEDOUT', false, false, 'always'],
		['ERR_CANCELED', false, false, 'never'],
	])('%s of a creation, token there: %s', (code, hadToken, mayHaveCreated, repeat) => {
		expect(toServiceError(coded(code), creation, origin, hadToken)).toMatchObject({
			mayHaveCreated,
			repeat,
		});
	});

	test.each(['ECONNRESET', 'ETIMEDOUT', 'SOMETHING'])('%s of a read may be repeated', (code) => {
		expect(toServiceError(coded(code), read, origin, true)).toMatchObject({
			mayHaveCreated: false,
			repeat: 'ifIdempotent',
		});
	});

	test.each([
		['a cause', { cause: coded('ECONNREFUSED') }],
		['a cause of a cause', { cause: Object.assign(new Error(), { cause: coded('ECONNREFUSED') }) }],
		['one error for each address', { errors: [new Error(), coded('ECONNREFUSED')] }],
		['what n8n calls httpCode', { httpCode: 'ECONNREFUSED' }],
		['what n8n calls reason', { reason: coded('ECONNREFUSED') }],
	])('the code is found in %s', (_name, more) => {
		const error = Object.assign(new Error('wrapped'), more);
		expect(readNetworkError(error)).toMatchObject({ neverSent: true, repeat: 'always' });
	});

	test('our own failure inside the wrapping of n8n is found', () => {
		const own = new ServiceError({ message: 'own', description: 'd' });
		const wrapped = new Error('outer', { cause: new Error('inner', { cause: own }) });
		expect(toServiceError(wrapped, creation, origin, true)).toBe(own);
	});
});

describe('an answer', () => {
	const answer = (statusCode: number, body: unknown): IN8nHttpFullResponse =>
		({ statusCode, body, headers: {} }) as IN8nHttpFullResponse;
	const readOf = (given: IN8nHttpFullResponse, request: ServiceRequest) =>
		readAnswer(given, request, origin, (text) => text);

	test.each([
		[401, {}, true],
		[403, {}, true],
		[400, {}, false],
		[200, { success: false, responseCode: 401 }, true],
		[200, { success: false, responseCode: '403' }, true],
		[200, { success: false, responseCode: 400 }, false],
		[200, { success: true, responseCode: 401 }, false],
		[500, { success: false, responseCode: 401 }, false],
	])('HTTP %i %j is about the token: %s', (status, body, expected) => {
		expect(isRefusedToken(answer(status, body))).toBe(expected);
	});

	test.each(['', null, undefined])('%j to a delete is done', (body) => {
		expect(readOf(answer(200, body), deletion)).toEqual({});
		expect(() => readOf(answer(200, body), read)).toThrow('with an empty body');
	});

	test('404 is done only for a deletion that says so', () => {
		expect(readOf(answer(404, {}), { ...deletion, ignoreNotFound: true })).toEqual({});
		expect(() => readOf(answer(404, {}), deletion)).toThrow('did not find it');
	});

	test('a failure without a code inside a 200 counts as a refusal', () => {
		const error = (() => {
			try {
				return readOf(answer(200, { success: false, message: 'no' }), creation);
			} catch (thrown) {
				return thrown;
			}
		})();
		expect(error).toMatchObject({ answered: 400, mayHaveCreated: false, repeat: 'never' });
	});
});

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

test('secrets are taken out of words, as they are and as they stand in an address', () => {
	const secret = 'a key/with?signs';
	const words = `x ${secret} y ${encodeURIComponent(secret)} z`;
	expect(redact(words, [secret, undefined, 'abc', ''])).toBe('x … y … z');
	expect(redact('abc stays', ['abc'])).toBe('abc stays');
});
