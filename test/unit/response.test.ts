import fc from 'fast-check';
import type { IDataObject, IN8nHttpFullResponse } from 'n8n-workflow';
import { Readable } from 'node:stream';

import { ServiceError } from '../../nodes/SignVerify/http/serviceError';
import { type ServiceRequest, maxResponseBytes } from '../../nodes/SignVerify/http/request';
import {
	describeBody,
	messageOf,
	readBody,
	readEnvelope,
	isEnvelope,
	verdictOf,
} from '../../nodes/SignVerify/http/response';
import { maxTries, verdictOn } from '../../nodes/SignVerify/http/retry';
import { plainText, redactor } from '../../nodes/SignVerify/util/redact';
import { objectOf } from '../../nodes/SignVerify/util/values';
import { allTextOf, textsIn } from '../support/errors';
import {
	callOnce,
	creation,
	deletion,
	read,
	errorWithCode,
	standInOrigin,
} from '../support/standIn';
import { expectLinear } from '../support/growth';
import { kindsOfResponses, type Outcome } from '../support/verdicts';
import { readNetworkError, noResponse } from '../../nodes/SignVerify/http/failures';
import { refusedProblems, tooMuch } from '../../nodes/SignVerify/http/callProblems';

const page =
	'<!DOCTYPE html><html><head><title>502 Bad\n Gateway</title></head><body>nginx</body></html>';

describe('A response', () => {
	const responseWith = (statusCode: number, body: unknown): IN8nHttpFullResponse =>
		({ statusCode, body, headers: {} }) as IN8nHttpFullResponse;
	const readOf = (response: IN8nHttpFullResponse, request: ServiceRequest) =>
		readEnvelope(
			{ response, verdict: verdictOf(response) },
			request,
			'https://sign.example.com',
			plainText,
		);

	test.each([
		[401, {}, 'rejects the token'],
		[403, {}, 'rejects the token'],
		[400, {}, 'does not reject the token'],
		[200, { success: false, responseCode: 401 }, 'rejects the token'],
		[200, { success: false, responseCode: '403' }, 'rejects the token'],
		[200, { responseCode: 401 }, 'rejects the token'],
		[200, { success: false, responseCode: 400 }, 'does not reject the token'],
		[200, { success: true, responseCode: 401 }, 'does not reject the token'],
		[500, { success: false, responseCode: 401 }, 'does not reject the token'],
	])('with status %i and the body %j %s', (status, body, expected) => {
		const { status: read } = verdictOf(responseWith(status, body));
		expect([401, 403].includes(read) ? 'rejects the token' : 'does not reject the token').toBe(
			expected,
		);
	});

	test('reports a failure if its code is 300 or more', () => {
		const verdictFor = (responseCode: number) => verdictOf(responseWith(200, { responseCode }));
		expect(verdictFor(299)).toEqual({ meaning: 'success', status: 200 });
		expect(verdictFor(300)).toEqual({ meaning: 'refusal', status: 300 });
	});

	test("is not the service's if its code is blank", () => {
		expect(['200', 200, ' ', ''].map((responseCode) => isEnvelope({ responseCode }))).toEqual([
			true,
			true,
			false,
			false,
		]);
	});

	test('must contain the list that the call requests', () => {
		const asked: ServiceRequest = { ...read, findList: ({ responseData }) => responseData };
		const list = { success: true, responseData: [1] };
		expect(readOf(responseWith(200, list), asked)).toBe(list);
		expect(() => readOf(responseWith(200, { success: true, ok: 1 }), asked)).toThrow(
			'JSON with the fields success, ok',
		);
		expect(() => readOf(responseWith(200, [1]), asked)).toThrow('JSON without fields');
	});
});

const calls: ServiceRequest[] = [creation, read, deletion];

describe.each(kindsOfResponses)('A response in the category "$says"', ({ bodies, expected }) => {
	test.each(bodies.map((body): [unknown] => [body]))(
		'with the body %j has the documented outcomes',
		async (body) => {
			for (const [index, request] of calls.entries()) {
				const { outcome } = await callOnce(() => ({ body: body ?? null }), request, {
					maxTimeMs: 100,
				});
				expect({ kind: request.purpose, outcome: outcomeOf(outcome) }).toEqual({
					kind: request.purpose,
					outcome: expected[index],
				});
				const hasWords = typeof body !== 'string' && JSON.stringify(body)?.includes('These words');
				if (outcome instanceof ServiceError && hasWords) {
					expect(outcome.message).toContain('These words');
				}
			}
		},
	);
});

function outcomeOf(outcome: unknown): Outcome {
	if (!(outcome instanceof ServiceError)) return 'done';
	if (outcome.mayHaveCreated) return 'mayExist';
	return outcome.description.includes(" wasn't created.") ? 'refused' : 'failed';
}

describe('The error message for a rejection', () => {
	const messageOfRejection = async (status: number, body: object) => {
		const { outcome, calls } = await callOnce(() => ({ status, body }), creation);
		return { message: (outcome as Error).message, callCount: calls.length };
	};

	test.each([
		[200, { success: false, message: 'no' }, 'HTTP 200, but success is false: "no"'],
		[201, { success: '0' }, 'HTTP 201, but success is false'],
		[200, { success: false, responseCode: 200 }, 'HTTP 200, but success is false'],
		[200, { error: 'no' }, 'HTTP 200, but it contains an error: "no"'],
		[200, { success: false, responseCode: 422, message: 'no' }, 'HTTP 422: "no"'],
		[400, { success: false, message: 'no' }, 'HTTP 400: "no"'],
		// The words stay in their quotation marks.
		[400, { success: false, message: 'The "Job" is gone' }, `HTTP 400: "The 'Job' is gone"`],
	])(
		'shows the status with which the service answered: HTTP %i, %j',
		async (status, body, words) => {
			const { message } = await messageOfRejection(status, body);
			expect(message).toBe(`The service rejected the request (${words})`);
		},
	);

	test.each([
		'Rate limit exceeded',
		'You reached your rate limits',
		'API_RATE_LIMIT',
		'rateLimitExceeded',
		'rate-limited',
		'Too many requests',
	])(
		'with HTTP 403 is about too many requests if the words of the service are: %s',
		async (words) => {
			const body = { success: false, message: words };
			const { message, callCount } = await messageOfRejection(403, body);
			// The call isn't repeated because of these words.
			const { callCount: usualCount } = await messageOfRejection(403, { success: false });
			expect(callCount).toBe(usualCount);
			expect(message).toBe(`The service received too many requests (HTTP 403: "${words}")`);
		},
	);

	test.each(['Forbidden', 'Corporate limit of the account', 'Rate of this account: limited'])(
		'with HTTP 403 is about a permission otherwise: %s',
		async (words) => {
			const { message } = await messageOfRejection(403, { success: false, message: words });
			const response = { status: 403, words };
			expect(message).toBe(refusedProblems.notPermitted.words(response).problem);
		},
	);
});

describe('The error message for a rejection that names a field', () => {
	const refused = async (message: unknown, status = 400) =>
		(await callOnce(() => ({ status, body: { message } }), { ...creation, path: '/templates/x' }))
			.outcome;

	test.each<[string, unknown, string]>([
		['begins with `param`', [{ msg: 'No', param: 'country' }], 'country: No'],
		['begins with `path`', [{ message: 'No', path: 'inputs.role' }], 'inputs.role: No'],
		[
			'does not repeat a name that is in the text',
			[{ msg: 'The role in inputs.role is empty', path: 'inputs.role' }],
			'The role in inputs.role is empty',
		],
		['is the text alone if there is no name', 'inputs.role must be', 'inputs.role must be'],
	])('%s', async (_does, message, words) => {
		expect(await refused(message)).toMatchObject({
			message: `The service rejected the request (HTTP 400: "${words}")`,
			description:
				"The document wasn't created. Fix the problem described in the message, and try again.",
			mayHaveCreated: false,
		});
	});
});

describe('The message from the service', () => {
	test.each([
		['is read from text in "message"', { message: 'Document not found' }, 'Document not found'],
		[
			'is read from a list in "message"',
			{ message: [{ msg: 'one' }, { message: 'two' }, 'three'] },
			'one; two; three',
		],
		['is read from "msg" in an object', { message: { msg: 'wrong' } }, 'wrong'],
		['is read from "error"', { error: 'wrong' }, 'wrong'],
		[
			'is read from a list in "errors", with the fields',
			{ message: 'Invalid', errors: [{ field: 'country', message: "isn't supported" }] },
			"Invalid; country: isn't supported",
		],
		[
			'is read from an object in "errors", whose keys are the fields',
			{ errors: { country: ["isn't supported", 'is too short'], inputs: 'required' } },
			"country: isn't supported; country: is too short; inputs: required",
		],
		[
			'is read from objects in "errors", whose keys are the fields',
			{ errors: { country: { message: 'required' }, 'signatories.0.email': [{ msg: 'wrong' }] } },
			'country: required; signatories.0.email: wrong',
		],
		['is read from "details"', { details: 'Only 3 left' }, 'Only 3 left'],
		[
			'is read from "details" in "error"',
			{ error: { code: 7, details: [{ path: ['signatories', 0, 'name'], message: 'Required' }] } },
			'signatories.0.name: Required',
		],
		[
			'is read from "detail" in a list',
			{ detail: [{ type: 'missing', loc: ['a'], msg: 'Field required', input: { x: 'y' } }] },
			'Field required',
		],
		['is read from "reason"', { reason: 'No credits', status: 'x' }, 'No credits'],
		[
			'is read from "responseData"',
			{ success: false, responseData: { message: 'wrong', field: 'country' } },
			'country: wrong',
		],
		[
			'is read from lists in the body and in "responseData"',
			[{ message: 'one', responseData: 1 }, { errors: ['two'] }],
			'one; two',
		],
		[
			'is read from a list in "responseData"',
			{ responseData: [{ error: 'one' }, { message: 'two' }, 'three'] },
			'one; two',
		],
		[
			'is read from the keys of an entry without a text of its own',
			{ errors: [{ field: 'country', code: 'UNKNOWN' }] },
			'country: UNKNOWN',
		],
		[
			'is not repeated',
			{ message: 'No', error: 'No', errors: [{ message: 'No' }, { message: 'Yes' }] },
			'No; Yes',
		],
		[
			'is read at most two levels below',
			{ errors: { one: { b: 'two', c: { d: 'three' } } } },
			'b: two',
		],
		[
			'is not read from other keys',
			{ title: 'x', responseData: { title: 'x', data: { message: 'x' } }, data: { message: 'x' } },
			'',
		],
		[
			'does not begin with the URL that was called',
			{ error: 'Bad Request', path: '/api/documents' },
			'Bad Request',
		],
		['is plain text', 'The country is not supported', 'The country is not supported'],
		['is empty for XML', '<?xml version="1.0"?><Error>No</Error>', ''],
		['is empty for JSON in a text', { message: '{"country":"Spain"}', detail: '[]' }, ''],
		['is empty for a web page', page, ''],
		['is empty if "message" contains a web page', { message: page }, ''],
		['is empty for an envelope without a message', { success: false }, ''],
		['is empty if "message" is a list without text', { message: [{ msg: '' }, null, 3] }, ''],
		['is empty for a missing body', undefined, ''],
	])('%s', (_name, body, words) => {
		expect(messageOf(body, plainText, creation)).toBe(words);
	});

	test('is truncated to 300 characters', () => {
		const wordsOf = (length: number) =>
			Array.from({ length: 10 }, (_, at) => `${at}${'x'.repeat(length)}`);
		expect(messageOf({ message: 'x'.repeat(1000) }, plainText, creation)).toHaveLength(300);
		expect(messageOf({ message: wordsOf(200) }, plainText, creation)).toHaveLength(300);
	});
});

/** A request with names, addresses, links and values in all of its parts. */
const spoken: ServiceRequest = {
	...creation,
	path: '/templates/createDocumentByTemplate',
	qs: { url: 'https://n8n.example.com/webhook/quoted' },
	body: {
		templateID: 'quoted-template',
		country: 'Quotedland',
		inputs: {
			'<<name>>': 'Quoted Name',
			message: 'Quoted message',
			reason: 'Quoted reason',
			errors: 'Quoted errors',
			link: 'https://quoted.example.com/a?b=c',
			clause: 'Quoted clause\n'.repeat(100),
		},
		signatories: [
			{ name: 'Ana Quoted', email: 'ana@quoted.example' },
			{ name: 'Béa Quoted', email: 'bea@quoted.example' },
		],
		staticSignPositions: [{ user: { email: 'ana@quoted.example' }, color: '#quoted', page: 1 }],
	},
};

describe('A rejection that quotes the request', () => {
	const parts = [
		spoken.body,
		{ ...spoken.qs, ...spoken.body },
		spoken.qs,
		spoken.body?.inputs,
		spoken.body?.signatories,
		...(spoken.body?.signatories as unknown[]),
		spoken.body?.staticSignPositions,
		textsIn(spoken.body),
		textsIn(spoken.body).map((text) => text.toUpperCase()),
		...textsIn(spoken.body).map((text) => ` ${text} `),
		JSON.stringify(spoken.body),
		JSON.stringify(spoken.body, null, '\t'),
		JSON.stringify(spoken.body?.signatories),
	];
	const wordKeys = ['message', 'messages', 'msg', 'error', 'errors', 'detail', 'details', 'reason'];
	/** Each place in a body for a part of the request. The words next to it have to arrive. */
	const places: Array<[string, (part: unknown, key: string) => unknown]> = [
		['the body', (part) => ({ ...objectOf(part), message: 'Said' })],
		['`responseData`', (part) => ({ message: 'Said', responseData: part })],
		['a list in `responseData`', (part) => ({ message: 'Said', responseData: [part] })],
		['an object in `responseData`', (part) => ({ message: 'Said', responseData: { body: part } })],
		['a key for words', (part, key) => ({ responseData: { msg: 'Said' }, [key]: part })],
		['a list', (part, key) => ({ responseData: { msg: 'Said' }, [key]: [part] })],
		['an object', (part, key) => ({ responseData: { msg: 'Said' }, [key]: { request: part } })],
		['two objects', (part, key) => ({ responseData: { msg: 'Said' }, [key]: { a: { b: part } } })],
		['a list two levels below', (part, key) => [{ msg: 'Said' }, { [key]: { a: [{ b: part }] } }]],
		['a value beside the words', (part, key) => ({ [key]: [{ msg: 'Said', value: part }] })],
		['fields beside the words', (part, key) => ({ [key]: [{ ...objectOf(part), msg: 'Said' }] })],
		['a field', (part, key) => ({ [key]: [{ msg: 'Said', field: part, path: part }] })],
		['`responseData` below', (part, key) => ({ msg: 'Said', responseData: { [key]: [part] } })],
	];

	test.each(places)('in %s shows the words, and none of its values', (_where, bodyWith) => {
		for (const part of parts) {
			for (const key of wordKeys) {
				const words = messageOf(bodyWith(part, key), plainText, spoken);
				expect(words).toContain('Said');
				expect(words).not.toMatch(/quoted/i);
			}
		}
	});
});

test.each([
	`${JSON.stringify(spoken.body)} was Said`,
	`Said: ${JSON.stringify(spoken.body?.signatories)}`,
	'note=Quoted clause&email=ana@quoted.example: Said',
	'Ana Quoted <ana@quoted.example>: Said',
])("Several of the request's values in a sentence are left out of it (%#)", (text) => {
	for (const body of [text, { message: text }, { errors: { person: text } }]) {
		const words = messageOf(body, plainText, spoken);
		expect(words).not.toMatch(/(?!quoted-)quoted/i);
		// The rest of a long sentence isn't shown.
		if (text.length < 1000) expect(words).toContain('Said');
	}
});

test('A single one of the values is shown, because the sentence is about it', () => {
	const text = 'ana@quoted.example is used twice in Said';
	expect(messageOf({ message: text }, plainText, spoken)).toBe(text);
});

test('An error about a rejection that quotes the request contains none of its values', async () => {
	const { outcome } = await callOnce(
		({ options: { body } }) => ({
			status: 422,
			body: { errors: [{ field: 'country', message: 'Said', value: body }], details: body },
		}),
		spoken,
	);
	expect(outcome).toMatchObject({
		message: 'The service rejected the request (HTTP 422: "country: Said")',
	});
	expect(allTextOf(outcome, ['stack'])).not.toMatch(/quoted/i);
});

test('Words are found in any body, and stay on one short line', () => {
	const key = fc.constantFrom(
		...'message errors details reason path field inputs'.split(' '),
		'__proto__',
		'constructor',
		'x',
	);
	const text = fc.oneof(fc.constantFrom('no', '', '<html>', '{"a":1}', 'a\nb'), fc.string());
	const { body } = fc.letrec<{ body: unknown }>((tie) => ({
		body: fc.oneof(
			{ depthSize: 'medium' },
			text,
			fc.constantFrom(null, true, 7),
			fc.array(tie('body')),
			fc.array(fc.tuple(key, tie('body'))).map((entries) => {
				const members = entries.map((entry) => entry.map((part) => JSON.stringify(part)).join(':'));
				return JSON.parse(`{${members.join()}}`) as IDataObject;
			}),
		),
	}));
	fc.assert(
		fc.property(body, (value) => {
			const words = messageOf(value, plainText, spoken);
			expect(words).toBe(plainText(words));
			expect(words.length).toBeLessThanOrEqual(300);
			expect(({} as IDataObject).message).toBeUndefined();
		}),
	);
});

test.each([
	['', 'an empty body'],
	[undefined, 'an empty body'],
	['hello', "text that isn't JSON"],
	[page, 'a web page'],
	[
		// What nginx, Go, and Apache respond to a plain HTTP call.
		'<html><title>400 The plain HTTP request was sent to HTTPS port</title></html>',
		'a page that asks for https:// instead of http://',
	],
	[
		'Client sent an HTTP request to an HTTPS server.',
		'a page that asks for https:// instead of http://',
	],
	[
		"You're speaking plain HTTP to an SSL-enabled server port.",
		'a page that asks for https:// instead of http://',
	],
	[{ a: 1, b: 2 }, 'JSON with the fields a, b'],
	[{}, 'JSON without fields'],
])('The body %j is described as "%s"', (body, words) => {
	expect(describeBody(body, plainText)).toBe(words);
});

describe('A hostile response', () => {
	const filled = (unit: string, length: number) => unit.repeat(length / unit.length);
	const nested = (depth: number): unknown => {
		let value: unknown = 'deep';
		for (let level = 0; level < depth; level++) value = level % 2 ? { msg: value } : [value];
		return value;
	};
	const names = (length: number) =>
		Object.fromEntries(Array.from({ length }, (_, at) => [`name ${at}`, 1]));
	const many = (length: number, entry: unknown) => Array.from({ length }, () => entry);

	test.each<[string, (size: number) => unknown]>([
		['many spaces before a web page', (size) => `${filled(' ', size)}<html>`],
		['many dots', (size) => filled('a.', size)],
		['a deeply nested message', (size) => ({ message: nested(size) })],
		['many messages', (size) => ({ message: many(size, { msg: 'x' }) })],
		[
			'many strings for one field',
			(size) => ({ message: [{ msg: many(size, 'x <b> '.repeat(50)) }] }),
		],
		['many fields', names],
		[
			'many errors',
			(size) => ({ errors: names(size), details: [names(size)], responseData: many(size, {}) }),
		],
		['many empty errors', (size) => ({ errors: many(size, { x: { y: [''] } }) })],
		['many lists', (size) => ({ errors: many(size, [[['x']]]) })],
		['a long name', (size) => ({ errors: { [filled('x', size)]: filled('y', size) } })],
		[
			'a long text of JSON',
			(size) => ({
				errors: [filled('[', size), filled('{"a":', size), `[${filled('1,', size)}1]`],
			}),
		],
		['a field with many parts', (size) => ({ errors: [{ path: many(size, 'x'), msg: 'No' }] })],
	])('is described briefly and in linear time even if it contains %s', async (_name, bodyOf) => {
		const redact = redactor(['a-long-secret-key', 'https://n8n.example/x?s=1']);
		await expectLinear(40_000, (size) => {
			const body = bodyOf(size);
			return () => {
				const words = [messageOf(body, redact, creation), describeBody(body, redact)];
				expect(Math.max(...words.map(({ length }) => length))).toBeLessThan(400);
			};
		});
	});

	test('is compared in linear time with a request that contains many texts', async () => {
		// The node looks for words in at most 1,000 places of a response.
		await expectLinear(40_000, (size) => {
			const texts = Array.from({ length: size }, (_, at) => `Text ${at}`);
			const body = { errors: many(size / 40, { msg: 'No' }) };
			const request = { ...creation, body: { texts } };
			return () => expect(messageOf(body, plainText, request)).toBe('No');
		});
	});
});

const { signal } = new AbortController();

/** Makes a response whose body arrives in these pieces. Also returns the body's stream. */
function streamedResponse(pieces: Iterable<Buffer>) {
	const body = Readable.from(pieces);
	const whole = { body, headers: {}, statusCode: 200 } as unknown as IN8nHttpFullResponse;
	return { body, whole };
}

const bodyOf = async (pieces: Iterable<Buffer>, kind?: 'single' | 'list'): Promise<unknown> =>
	(await readBody(streamedResponse(pieces).whole, signal, kind)).body;

/** Makes pieces that contain this many bytes in total. */
function* bytes(count: number) {
	const piece = Buffer.alloc(100_000, 'x');
	for (let left = count; left > 0; left -= piece.length) yield piece.subarray(0, left);
}

describe('A response body', () => {
	test('is parsed as JSON no matter how it is split or what its content type is', async () => {
		const single = Array.from(Buffer.from('{"name":"Zoë"}'), (byte) => Buffer.from([byte]));
		const { whole } = streamedResponse(single);
		whole.headers = { 'content-type': 'text/html; charset=iso-8859-1' };
		expect(await readBody(whole, signal)).toEqual({ ...whole, body: { name: 'Zoë' } });
	});

	test('is read as UTF-8, without its byte order mark', async () => {
		expect(await bodyOf([Buffer.from('\ufeff"Zoë"')])).toBe('Zoë');
		expect(await bodyOf([Buffer.from('"Zoë"', 'latin1')])).toBe('"Zo\ufffd"'.slice(1, -1));
	});

	test.each([{ a: 1 }, null, undefined, '{"a":1}'])(
		'that is not a stream is left unchanged: %j',
		async (body) => {
			const given = { body, headers: {}, statusCode: 200 } as unknown as IN8nHttpFullResponse;
			expect(await readBody(given, signal)).toBe(given);
		},
	);

	test.each([
		['the default limit', undefined, 2_000_000, tooMuch],
		['the limit for lists', 'list', 8_000_000, tooMuch],
	] as const)(
		'up to %s is read, and a larger one is rejected',
		async (_which, kind, most, code) => {
			expect(await bodyOf(bytes(most), kind)).toHaveLength(most);
			const { body, whole } = streamedResponse(bytes(most + 1));
			await expect(readBody(whole, signal, kind)).rejects.toMatchObject({
				code,
				message: 'The response is too large',
			});
			expect(body.destroyed).toBe(true);
		},
	);

	test('that is too large is reported as a single response, not as a list, even if both have the same limit', async () => {
		jest.replaceProperty(maxResponseBytes, 'list', maxResponseBytes.single);
		try {
			const { whole } = streamedResponse(bytes(maxResponseBytes.single + 1));
			await expect(readBody(whole, signal)).rejects.toMatchObject({ code: tooMuch });
		} finally {
			jest.restoreAllMocks();
		}
	});

	test('with up to 100 levels is parsed, and a deeper one is rejected', async () => {
		const deep = (depth: number) => [Buffer.from('['.repeat(depth) + ']'.repeat(depth))];
		expect(await bodyOf(deep(100))).toHaveLength(1);
		const tooDeep = { code: tooMuch, message: 'The response is nested too deeply' };
		await expect(bodyOf(deep(101))).rejects.toMatchObject(tooDeep);
	});

	test('keeps all digits of long numbers, and stays text if it is not JSON', async () => {
		const id = '9007199254740993';
		expect(await bodyOf([Buffer.from(`{"id":${id}}`)])).toEqual({ id });
		expect(await bodyOf([Buffer.from(`id ${id}`)])).toBe(`id ${id}`);
	});

	test('is read in linear time even if it has many members', async () => {
		await expectLinear(80_000, (count) => {
			const piece = Buffer.from(`{"templates":[${'{},'.repeat(count)}{}]}`);
			return async () => await bodyOf([piece], 'list');
		});
	});

	test('is rejected in linear time if it has many levels', async () => {
		await expectLinear(80_000, (count) => {
			const piece = Buffer.alloc(count, '[');
			return async () => await expect(bodyOf([piece], 'list')).rejects.toThrow('too deep');
		});
	});
});

describe('Reading a response body', () => {
	test('stops, and closes the connection, when the signal is aborted', async () => {
		const ending = new AbortController();
		const body = new Readable({ read() {} });
		const reading = readBody({ body, headers: {}, statusCode: 200 }, ending.signal);
		body.push('a piece');
		ending.abort();
		await expect(reading).rejects.toThrow();
		expect(body.destroyed).toBe(true);
	});

	test('removes its listener from the signal afterward', async () => {
		const added = jest.spyOn(signal, 'addEventListener');
		const removed = jest.spyOn(signal, 'removeEventListener');
		await bodyOf([Buffer.from('x')]);
		await expect(bodyOf(bytes(3_000_000))).rejects.toThrow();
		expect(added).toHaveBeenCalledTimes(2);
		expect(removed.mock.calls).toEqual(added.mock.calls);
	});
});

describe('A call that fails without a response', () => {
	const uncertain = 'may have created something, so it is not repeated';
	const repeated = 'has created nothing and is repeated';
	const most = maxTries.creating.didNothing;
	const hopeless = 'has created nothing and is not repeated';

	test.each([
		['ECONNRESET', uncertain, 1],
		['SOMETHING', uncertain, 1],
		[tooMuch, uncertain, 1],
		['ECONNREFUSED', repeated, most],
		['EAI_AGAIN', repeated, most],
		['ENOTFOUND', hopeless, 1],
		['CERT_HAS_EXPIRED', hopeless, 1],
		// With this error and the next one, the connection was open, so the request may have been sent.
		['ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC', uncertain, 1],
		['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', uncertain, 1],
		['EPROTO', hopeless, 1],
		['ERR_SSL_UNSUPPORTED_PROTOCOL', hopeless, 1],
		['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', hopeless, 1],
		['ERR_SSL_WRONG_VERSION_NUMBER', uncertain, 1],
		['HPE_INVALID_CONSTANT', uncertain, 1],
	])('(%s) %s', (code, outcome, tries) => {
		const mayHaveCreated = outcome === uncertain;
		const failed = noResponse(errorWithCode(code), creation, standInOrigin);
		expect(failed.mayHaveCreated).toBe(mayHaveCreated);
		expect(verdictOn(failed.failure, creation)).toMatchObject({
			mayHaveCreated,
			tries,
		});
	});

	test('has created nothing if the proxy requires a login before it opens a tunnel', () => {
		const cause = new Error('tunneling socket could not be established, statusCode=407');
		const error = Object.assign(errorWithCode('ECONNRESET'), { cause });
		const failed = noResponse(error, creation, standInOrigin);
		expect(failed).toMatchObject({
			mayHaveCreated: false,
			failure: { what: 'unsent', isTemporary: false },
		});
	});

	test.each([
		["the error's cause", { cause: errorWithCode('ECONNREFUSED') }],
		[
			'a nested cause',
			{ cause: Object.assign(new Error(), { cause: errorWithCode('ECONNREFUSED') }) },
		],
		[
			'a list of errors for several addresses',
			{ errors: [new Error(), errorWithCode('ECONNREFUSED')] },
		],
		[`n8n's property "httpCode"`, { httpCode: 'ECONNREFUSED' }],
		[`n8n's property "reason"`, { reason: errorWithCode('ECONNREFUSED') }],
	])('is recognized as unsent if ECONNREFUSED is in %s', (_name, more) => {
		const error = Object.assign(new Error('wrapped'), more);
		expect(readNetworkError(error, standInOrigin)).toMatchObject({
			failure: { what: 'unsent', isTemporary: true },
		});
	});

	test.each([
		['is known to have created nothing', 'connect'],
		['may have created something', 'read'],
		['may have created something', 'write'],
	])('%s if the network was unreachable during "%s"', (outcome, syscall) => {
		const mayHaveCreated = outcome === 'may have created something';
		const cause = Object.assign(errorWithCode('EHOSTUNREACH'), { syscall });
		const error = Object.assign(errorWithCode('EHOSTUNREACH'), { cause });
		expect(noResponse(error, creation, standInOrigin)).toMatchObject({ mayHaveCreated });
	});

	test.each<[string, object, string, string]>([
		[
			'plain HTTP on an HTTPS port',
			{ code: 'HPE_INVALID_CONSTANT' },
			'http://a.example:443',
			"can't be reached over HTTP",
		],
		[
			'a closed connection with plain HTTP',
			{ code: 'ECONNRESET' },
			'http://a.example',
			"closed the connection or didn't respond in time",
		],
		[
			'HTTPS on an HTTP port',
			{ code: 'ERR_SSL_WRONG_VERSION_NUMBER' },
			'https://a.example',
			"can't be reached over HTTPS",
		],
		[
			'HTTPS on an HTTP port',
			{ code: 'ERR_SSL_PACKET_LENGTH_TOO_LONG' },
			'https://a.example',
			"can't be reached over HTTPS",
		],
		[
			'old TLS',
			{ code: 'ERR_SSL_UNSUPPORTED_PROTOCOL' },
			'https://a.example',
			"can't be reached over HTTPS",
		],
		[
			'old TLS',
			{ code: 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION' },
			'https://a.example',
			"can't be reached over HTTPS",
		],
		[
			'old TLS',
			{
				code: 'EPROTO',
				message: 'write EPROTO 0:error:0A000102:SSL routines::unsupported protocol:',
			},
			'https://a.example',
			"can't be reached over HTTPS",
		],
		[
			'a proxy that is down',
			{ code: 'ECONNREFUSED', port: 3128 },
			'https://a.example',
			"can't be reached through the proxy (ECONNREFUSED)",
		],
		[
			'a service that is down',
			{ code: 'ECONNREFUSED', port: 443 },
			'https://a.example',
			'is refusing connections',
		],
		[
			'a service that is down',
			{ code: 'ECONNREFUSED', port: 8443 },
			'https://a.example:8443',
			'is refusing connections',
		],
		[
			'an unknown proxy',
			{ code: 'ENOTFOUND', hostname: 'proxy.lan' },
			'https://a.example',
			"can't be reached through the proxy (ENOTFOUND)",
		],
		[
			'a proxy whose name service does not respond',
			{ code: 'EAI_AGAIN', hostname: 'proxy.lan' },
			'https://a.example',
			"can't be reached through the proxy (EAI_AGAIN)",
		],
		[
			'an unknown host',
			{ code: 'ENOTFOUND', hostname: 'a.example' },
			'https://a.example',
			"can't be reached, because its host name can't be found",
		],
		[
			'an expired certificate',
			{ code: 'CERT_HAS_EXPIRED' },
			'https://a.example',
			"has a certificate that can't be trusted",
		],
		[
			'a proxy that requires a login',
			{ message: 'tunneling socket could not be established, statusCode=407' },
			'https://a.example',
			"can't be reached through the proxy (HTTP 407)",
		],
		[
			'a host that is out of reach',
			{ code: 'EHOSTUNREACH' },
			'https://a.example',
			"couldn't be reached (EHOSTUNREACH)",
		],
	])('is explained if the cause is %s: %j', (_name, fields, origin, words) => {
		const error = new Error('wrapped', { cause: Object.assign(new Error('x'), fields) });
		expect(readNetworkError(error, origin).problem).toBe(`${origin} ${words}`);
	});

	test('is described even if the error is its own cause', () => {
		const error = new Error('x') as Error & { cause: unknown };
		error.cause = error;
		const { problem } = readNetworkError(error, standInOrigin);
		expect(problem).toBe(`${standInOrigin} couldn't be reached`);
	});

	test('keeps its original error even if n8n has wrapped that error in others', () => {
		const own = new ServiceError({ problem: 'own', remedy: 'd', docsAnchor: 'proxy' });
		const wrapped = new Error('outer', { cause: new Error('inner', { cause: own }) });
		expect(noResponse(wrapped, creation, standInOrigin)).toBe(own);
	});
});
