import type { IN8nHttpFullResponse } from 'n8n-workflow';

import { isRefusedToken, readAnswer } from '../../nodes/SignVerify/http/response';
import type { ServiceRequest } from '../../nodes/SignVerify/http/request';

const read: ServiceRequest = { method: 'GET', path: '/templates' };
const deletion: ServiceRequest = { method: 'DELETE', path: '/webhooks' };
const creation: ServiceRequest = { method: 'POST', path: '/x', creates: 'the document' };
const origin = 'https://sign.example.com';

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
