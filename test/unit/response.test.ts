import type { IN8nHttpFullResponse } from 'n8n-workflow';

import { ServiceError } from '../../nodes/SignVerify/http/errors';
import type { ServiceRequest } from '../../nodes/SignVerify/http/request';
import {
	describeBody,
	messageOf,
	readAnswer,
	verdictOf,
} from '../../nodes/SignVerify/http/response';
import { redactor } from '../../nodes/SignVerify/util/redact';
import { callOnce, creation, deletion, read } from '../support/standIn';
import { processorTimeOf } from '../support/processorTime';
import { kindsOfAnswers, type Outcome } from '../support/verdicts';

const asItIs = (text: string) => text;
const page =
	'<!DOCTYPE html><html><head><title>502 Bad\n Gateway</title></head><body>nginx</body></html>';

describe('an answer', () => {
	const answer = (statusCode: number, body: unknown): IN8nHttpFullResponse =>
		({ statusCode, body, headers: {} }) as IN8nHttpFullResponse;
	const readOf = (given: IN8nHttpFullResponse, request: ServiceRequest) =>
		readAnswer(given, request, 'https://sign.example.com', asItIs);

	test.each([
		[401, {}, true],
		[403, {}, true],
		[400, {}, false],
		[200, { success: false, responseCode: 401 }, true],
		[200, { success: false, responseCode: '403' }, true],
		[200, { responseCode: 401 }, true],
		[200, { success: false, responseCode: 400 }, false],
		[200, { success: true, responseCode: 401 }, false],
		[500, { success: false, responseCode: 401 }, false],
	])('HTTP %i %j is about the token: %s', (status, body, expected) => {
		const { status: read } = verdictOf(answer(status, body));
		expect([401, 403].includes(read)).toBe(expected);
	});

	test('404 is not done, also for a deletion', () => {
		expect(() => readOf(answer(404, {}), deletion)).toThrow('did not find it');
	});

	test('has the list that was asked for', () => {
		const asked: ServiceRequest = { ...read, findList: ({ responseData }) => responseData };
		const list = { success: true, responseData: [1] };
		expect(readOf(answer(200, list), asked)).toBe(list);
		expect(() => readOf(answer(200, { success: true, ok: 1 }), asked)).toThrow(
			'JSON with the fields success, ok',
		);
		expect(() => readOf(answer(200, [1]), asked)).toThrow('JSON without fields');
	});
});

const calls: ServiceRequest[] = [creation, read, deletion];

describe.each(kindsOfAnswers)('an answer: $says', ({ bodies, expected }) => {
	test.each(bodies.map((body) => ({ body })))('$body', async ({ body }) => {
		for (const [index, request] of calls.entries()) {
			const { outcome } = await callOnce(() => ({ body: body ?? null }), request, {
				maxRetryTime: 0,
			});
			expect([request.method, outcomeOf(outcome)]).toEqual([request.method, expected[index]]);
			const hasWords = typeof body !== 'string' && JSON.stringify(body)?.includes('These words');
			if (outcome instanceof ServiceError && hasWords) {
				expect(outcome.message).toContain('These words');
			}
		}
	});
});

function outcomeOf(outcome: unknown): Outcome {
	if (!(outcome instanceof ServiceError)) return 'done';
	if (outcome.mayHaveCreated) return 'mayExist';
	return outcome.description.includes('Nothing was created') ? 'refused' : 'failed';
}

describe('a refusal that names a path', () => {
	const labelFor = (path: string) => (path.endsWith('known') ? 'Field' : undefined);
	const refused = async (message: unknown, status = 400) =>
		(await callOnce(() => ({ status, body: { message } }), { ...creation, labelFor })).outcome;

	test.each<[string, unknown, string]>([
		['beside its words', [{ msg: 'No', param: 'known' }], 'Field: No'],
		['as a path', [{ message: 'No', path: 'a.0.known' }], 'Field: No'],
		['that the form does not have', [{ msg: 'No', path: 'other' }], 'No'],
		['as the first word', 'a.0.known must be', 'Field: must be'],
		['twice', [{ msg: '/a/0/known: must be', path: '/a/0/known' }], 'Field: must be'],
		['only in the middle', 'The known is', 'The known is'],
	])('%s has the label of the form, and its own words', async (_how, message, words) => {
		expect(await refused(message)).toMatchObject({
			message: `The service refused the request (HTTP 400: ${words})`,
			description: 'Correct what it names and run again. Nothing was created.',
			mayHaveCreated: false,
		});
	});

	test('has no label if the values are not what is wrong', async () => {
		expect(await refused([{ msg: 'No', path: 'known' }], 404)).toMatchObject({
			message: 'The service did not find it (HTTP 404: No)',
		});
	});
});

describe("the service's own words", () => {
	test.each([
		['a text', { message: 'Document not found' }, 'Document not found'],
		['a list', { message: [{ msg: 'one' }, { message: 'two' }, 'three'] }, 'one; two; three'],
		['an object with msg', { message: { msg: 'wrong' } }, 'wrong'],
		['an error', { error: 'wrong' }, 'wrong'],
		['a page', page, ''],
		['a page in a message', { message: page }, ''],
		['an envelope without a message', { success: false }, ''],
		['nothing that is a text', { message: [{ msg: '' }, null, 3] }, ''],
		['nothing', undefined, ''],
	])('%s', (_name, body, words) => {
		expect(messageOf(body, asItIs)).toBe(words);
	});

	test('are cut to 300 characters', () => {
		expect(messageOf({ message: 'x'.repeat(1000) }, asItIs)).toHaveLength(300);
		expect(messageOf({ message: Array(10).fill('x'.repeat(200)) }, asItIs)).toHaveLength(300);
	});
});

test.each([
	['', 'an empty body'],
	[undefined, 'an empty body'],
	['hello', 'text that is not JSON'],
	[page, 'a web page'],
	[[], 'JSON without fields'],
	[{ a: 1, b: 2 }, 'JSON with the fields a, b'],
	[{}, 'JSON without fields'],
	[42, 'JSON without fields'],
])('%j is described as %s', (body, words) => {
	expect(describeBody(body, asItIs)).toBe(words);
});

describe('a hostile answer of a megabyte', () => {
	const size = 1_000_000;
	const filled = (unit: string) => unit.repeat(size / unit.length);
	let nested: unknown = 'deep';
	for (let depth = 0; depth < size / 10; depth++) nested = depth % 2 ? { msg: nested } : [nested];
	const names = Object.fromEntries(Array.from({ length: size / 10 }, (_, at) => [`name ${at}`, 1]));

	test.each<[string, unknown]>([
		['many spaces before a page', `${filled(' ')}<html>`],
		['many dots', filled('a.')],
		['a message that nests deeply', { message: nested }],
		['many messages', { message: Array(size / 10).fill({ msg: 'x' }) }],
		[
			'many texts for one field',
			{ message: [{ msg: Array(size / 10).fill('x <b> '.repeat(50)) }] },
		],
		['many fields', names],
	])('%s: is described at once, in few words', (_name, body) => {
		const redact = redactor(['a-long-secret-key', 'https://n8n.example/x?s=1']);
		let words: string[] = [];
		const time = processorTimeOf(() => {
			words = [messageOf(body, redact, () => undefined), describeBody(body, redact)];
		});
		expect(time).toBeLessThan(500);
		expect(Math.max(...words.map(({ length }) => length))).toBeLessThan(400);
	});
});
