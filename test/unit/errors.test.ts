import {
	ExpressionError,
	NodeApiError,
	NodeOperationError,
	type INode,
	type NodeExecutionHint,
} from 'n8n-workflow';
import fc from 'fast-check';
import { toNodeError } from '../../nodes/SignVerify/errors/nodeError';
import { ServiceError } from '../../nodes/SignVerify/http/serviceError';
import { unclear } from '../../nodes/SignVerify/http/failures';
import { InputError, readEach } from '../../nodes/SignVerify/errors/inputError';
import { withDocsLink, allTextOf } from '../support/errors';
import { failureOf } from '../support/service';
import { createItemContexts } from '../../nodes/SignVerify/item/item';
import { ServiceClient } from '../../nodes/SignVerify/account/client';
import { errorItem } from '../../nodes/SignVerify/operations/runErrors';
import { cleanUpObsolete } from '../../nodes/SignVerify/registrations/webhookSync';
import { plainText, redactor, withoutLogins } from '../../nodes/SignVerify/util/redact';
import { valueProblems } from '../../nodes/SignVerify/text/textProblems';
import { callOnce, creation } from '../support/standIn';
import { expectLinear } from '../support/growth';
import { everything } from '../support/sample';

const node = { name: 'SignVerify', type: 't', typeVersion: 1, parameters: {} } as unknown as INode;

const problem = valueProblems.empty.problem;
const wrong = (field: string, remedy: string) =>
	new InputError(field, { problem, remedy, docsAnchor: 'not-text' });

describe('A node error', () => {
	test('for a failed call contains the problem, the next step, the status and the item', () => {
		const failure = new ServiceError({
			problem: 'It failed',
			remedy: 'Do',
			shownStatus: 404,
			docsAnchor: 'other-messages',
		});
		const error = toNodeError(node, failure, { index: 2, count: 4 }, { more: 'One was sent.' });
		expect(error).toBeInstanceOf(NodeApiError);
		expect(error).toMatchObject({
			message: 'It failed [item 3]',
			description: withDocsLink('Do One was sent.', 'other-messages'),
			httpCode: '404',
		});
		// If this index were set, n8n would add a second item number to the message.
		expect(error.context).not.toHaveProperty('itemIndex');
		const unanswered = new ServiceError({
			problem: 'It failed',
			remedy: 'Do',
			docsAnchor: 'proxy',
		});
		const plain = toNodeError(node, unanswered);
		expect(plain).toMatchObject({ message: 'It failed', httpCode: null });
	});

	test('for a response that is neither a success nor a refusal contains its status', () => {
		const response = { origin: 'https://sign.example.com', status: 200, words: '' };
		for (const isForeign of [true, false]) {
			const action = { purpose: 'creating' as const, noun: 'the document' };
			const failure = unclear({ ...response, body: 'a web page', isForeign }, action);
			expect(toNodeError(node, failure)).toMatchObject({ httpCode: '200' });
		}
	});

	test('is plain text in emails and on web pages, and HTML with a link in the editor', () => {
		const failure = wrong('Email', 'Enter <one> & go.');
		const { description, context } = toNodeError(node, failure, undefined, {
			more: ['Item 2.', 'Item 3.'],
		});
		const url =
			'https://github.com/n8n-nodes-signverify/n8n-nodes-signverify/blob/main/docs/troubleshooting.md#not-text';
		expect(description).toBe(`Enter ‹one› & go.\nItem 2.\nItem 3. More: ${url}`);
		expect(context.descriptionTemplate).toBe(
			`Enter ‹one› & go.<br>Item 2.<br>Item 3. <a href="${url}" target="_blank">More about this error</a>`,
		);
	});

	test('does not contain any words that would make n8n mistake it for a canceled execution', () => {
		const failure = new ServiceError({
			problem: 'Refused: canceled',
			remedy: 'Do',
			docsAnchor: 'proxy',
		});
		expect(toNodeError(node, failure).message).toBe('Refused: cancelled');
	});

	test('keeps the original wording if the error is about a wrong value or comes from n8n', () => {
		const known: Array<[Error, string]> = [
			[wrong('Email', 'Enter one.'), withDocsLink('Enter one.', 'not-text')],
			[
				new NodeOperationError(node, `Email: ${valueProblems.empty.problem}`, {
					description: 'Enter one.',
				}),
				'Enter one.',
			],
		];
		for (const [failure, description] of known) {
			const error = toNodeError(node, failure, { index: 0, count: 1 });
			expect(error).toBeInstanceOf(NodeOperationError);
			expect(error).toMatchObject({
				message: `Email: ${valueProblems.empty.problem}`,
				description,
			});
		}
	});

	test('contains only the message of an unexpected error', () => {
		const unknown = Object.assign(new Error('oh'), { description: 'token 1', config: { a: 1 } });
		const error = toNodeError(node, unknown);
		expect(error.message).toBe('oh');
		expect(JSON.stringify(error)).not.toContain('token 1');
		expect(error.description).toMatch(/^More: https:\S+#other-messages$/);
		expect(toNodeError(node, 'thrown text').message).toBe('An unknown error occurred');
	});

	test("keeps n8n's wording for a failed expression, with only one item number", () => {
		const failure = new ExpressionError("Invalid input for 'role' [item 0]", {
			description: 'Why.',
		});
		expect(toNodeError(node, failure, { index: 0, count: 2 })).toMatchObject({
			message: "Invalid input for 'role' [item 1]",
			description: 'Why.',
		});
		expect(toNodeError(node, failure, { index: 0, count: 1 }).message).toBe(
			"Invalid input for 'role'",
		);
	});

	test('leaves the original error unchanged when a detail is added', () => {
		const first = new ServiceError({
			problem: 'm',
			remedy: 'Do.',
			shownStatus: 429,
			failure: { what: 'unsent', isTemporary: true },
			retryAfterMs: 5,
			docsAnchor: 'proxy',
		});
		expect(first.withDetail(' Now.')).toMatchObject({
			name: 'ServiceError',
			description: 'Do. Now.',
			docsAnchor: 'proxy',
			shownStatus: 429,
			failure: { what: 'unsent', isTemporary: true },
			retryAfterMs: 5,
		});
		expect(first.description).toBe('Do.');
	});
});

describe('An error about several wrong values', () => {
	const email = (number: number) =>
		wrong(`Position ${number}, Signatory Email`, 'Enter an email address.');
	const country = wrong('Country', 'Enter a country.');
	const fail = (error: InputError) => {
		throw error;
	};
	const allOf = async (...lists: InputError[][]) =>
		await failureOf((async () => readEach(lists, (list) => readEach(list, fail)))());

	test('lists all problems on one line and the remedy for each field on a separate line', async () => {
		const all = (await allOf([country], [email(1), email(2)])) as InputError;
		expect(all.message).toMatch(/\b3\b/);
		expect(all.message).toContain(
			`: Country: ${problem}; Position 1, Signatory Email: ${problem}; Position 2, Signatory Email: ${problem}`,
		);
		expect(all.description.split('\n')).toEqual([
			'Country: Enter a country.',
			'Position 1, Signatory Email: Enter an email address.',
			'Position 2, Signatory Email: Enter an email address.',
		]);
		expect(all.parts).toHaveLength(3);
	});

	test('states the remedy once, without field names, if it applies to all fields', async () => {
		const all = await allOf([email(1), email(2)]);
		expect(all.description).toBe('Enter an email address.');
	});

	test('groups fields that have the same problem and remedy, unless a comma or a colon in a name would blur the list', async () => {
		const field = (name: string, remedy: string) =>
			new InputError(name, { problem: 'the item has no matching column', remedy });
		const names = ['Role', 'Start', 'Fields: Tenant', 'Name, in capitals'];
		const all = await allOf([...names.map((name) => field(name, 'Add one.')), country]);
		expect(all.message).toContain(
			`: Role, Start: the item has no matching column; Fields: Tenant: the item has no matching column; Name, in capitals: the item has no matching column; Country: ${valueProblems.empty.problem}`,
		);
		expect(all.description).toBe(
			'Role, Start: Add one.\nFields: Tenant: Add one.\nName, in capitals: Add one.\nCountry: Enter a country.',
		);
	});

	test('keeps its line breaks in emails and in the editor, and ends with any other text on a separate line', async () => {
		const all = await allOf([country], [email(1)]);
		const { message, description, context } = toNodeError(node, all, undefined, {
			more: 'Nothing was sent.',
		});
		expect(message).not.toContain('\n');
		expect(description).toBe(
			'Country: Enter a country.\nPosition 1, Signatory Email: Enter an email address.\nNothing was sent.',
		);
		expect(context.descriptionTemplate).toMatch(
			/^Country: Enter a country\.<br>Position 1, Signatory Email: Enter an email address\.<br>Nothing was sent\.$/,
		);
		// The run's report already begins with a line break, so no <br> is inserted before it.
		expect(toNodeError(node, all, undefined, { more: ['Item 2 was sent.'] }).description).toMatch(
			/address\.\nItem 2 was sent\.$/,
		);
	});

	test('lists ten values and counts the others', async () => {
		const all = await allOf([
			country,
			...Array.from({ length: 11 }, (_, index) => email(index + 1)),
		]);
		expect(all.message).toMatch(
			new RegExp(
				`\\b12\\b.*; Position 9, Signatory Email: ${valueProblems.empty.problem};[^;]*\\b2\\b[^;]*$`,
			),
		);
		expect(String(all.description).split('\n')).toHaveLength(10);
	});
});

type Encode = (text: string) => string;

const encodings: Record<string, Encode> = {
	'in plain text': (text) => text,
	'encoded for a URL': encodeURIComponent,
	'encoded for a form': (text) => new URLSearchParams([['', text]]).toString().slice(1),
	'encoded character by character': (text) =>
		[...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
	'in capitals': (text) => text.toUpperCase(),
	'with an invisible character in the middle': (text) =>
		`${text.slice(0, 5)}\u200e\u200b\u0007\ud800${text.slice(5)}`,
	'with a line break after each character': (text) => [...text].join('\r\n'),
	'escaped by PHP': (text) => JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/'),
	'escaped as code in JSON': (text) => text.replace(/[^\w ]/g, (sign) => `\\u00${hexOf(sign)}`),
	'escaped as JSON in JSON': (text) => text.replace(/[^\w ]/g, (sign) => `\\\\u00${hexOf(sign)}`),
	'escaped for HTML': (text) => text.replace(/[^\w ]/g, (sign) => `&#x${hexOf(sign)};`),
	'escaped for HTML in decimal': (text) =>
		text.replace(/[^\w ]/g, (sign) => `&#${sign.charCodeAt(0)};`),
	'escaped for HTML twice': (text) => text.replace(/[^\w ]/g, (sign) => `&amp;#x${hexOf(sign)};`),
	'encoded for a URL in a URL': (text) => encodeURIComponent(encodeURIComponent(text)),
};
const hexOf = (sign: string) => Buffer.from(sign).toString('hex');

/** Returns only what people see of a text, in lowercase. Keys and tokens consist of these characters. */
const visibleIn = (text: string) => text.replace(/[^\p{L}\p{N}\p{P}\p{S}]/gu, '').toLowerCase();

/** A response body for each place where the nodes look for a message, with the given words in that place. */
const shapes: Record<string, (words: string) => unknown> = {
	'a message': (words) => ({ success: false, message: words }),
	'an error': (words) => ({ error: words }),
	'a list of messages': (words) => ({
		success: false,
		message: [{ msg: 'Wrong' }, { msg: words }],
	}),
	'a list of texts': (words) => ({ message: [words, words] }),
	'a message in a message': (words) => ({ message: { msg: words } }),
	'a text': (words) => words,
	'the title of a page': (words) => `<html><head><title>${words}</title></head></html>`,
	'a page in a message': (words) => ({ message: `<!doctype html><title>${words}</title>` }),
	'the name of a field': (words) => ({ ok: 1, [words]: 2 }),
};

const secretOf = (alphabet: string) =>
	fc.string({ unit: fc.constantFrom(...alphabet), minLength: 8, maxLength: 120 });
const secrets = fc.oneof(
	// No message contains four of these characters in a row by chance.
	secretOf('QWXZJKV23456789_-'),
	secretOf('QWXZ0123456789+/=&%"<>\'\\$# ').filter(
		(text) => text.trim().replace(/[+<> ]/g, '').length >= 4,
	),
);
const filler = fc.oneof(
	fc.constantFrom('', 'The key ', 'a'.repeat(290), `${' '.repeat(50)}- `, '>', '\n'),
	fc.integer({ min: 0, max: 5000 }).map((length) => '.'.repeat(length)),
);
const responses = fc.record({
	before: filler,
	after: filler,
	encoding: fc.constantFrom(...Object.keys(encodings)),
	shape: fc.constantFrom(...Object.keys(shapes)),
	status: fc.constantFrom(200, 302, 400, 403, 404, 429, 500),
});

/** Returns the parts of a secret that the text contains. Each part is eight characters long. */
function partsIn(text: string, secret: string): string[] {
	const parts = Array.from({ length: secret.length - 7 }, (_, at) => secret.slice(at, at + 8));
	return parts.filter((part) => text.includes(part) && part.trim().length > 7);
}

/** Returns everything that a failed call shows, except the stack trace. A successful call shows nothing. */
function shownBy(outcome: unknown): string {
	return outcome instanceof Error ? allTextOf(outcome).replace(/^ +at .*$/gm, '') : '';
}

function bodyOf(
	{ before, after, encoding, shape }: Record<string, string | number>,
	secret: string,
) {
	const words = `${before}${encodings[String(encoding)]?.(secret)}${after}`;
	return shapes[String(shape)]?.(words);
}

describe('A secret that the service quotes', () => {
	const runs = { numRuns: everything ? 300 : 100 };

	test('is not shown if it comes from the credential', async () => {
		const property = fc.asyncProperty(secrets, responses, async (secret, response) => {
			const { outcome } = await callOnce(
				() => ({ status: response.status, body: bodyOf(response, secret) }),
				creation,
				{ maxTimeMs: 0 },
				{ apiKey: secret, accessToken: `${secret}-token` },
			);
			expect(partsIn(shownBy(outcome), secret)).toEqual([]);
			expect(visibleIn(shownBy(outcome))).not.toContain(visibleIn(secret));
		});
		await fc.assert(property, runs);
	});

	test('is not shown if it comes from a URL in the request', async () => {
		const property = fc.asyncProperty(secrets, responses, async (value, response) => {
			const secret = encodeURIComponent(`${value}${value}`);
			const url = `https://n8n.example.com/webhook/1?secret=${secret}`;
			const { outcome } = await callOnce(
				() => ({ status: response.status, body: bodyOf(response, url) }),
				{ ...creation, secrets: [url] },
				{ maxTimeMs: 0 },
			);
			expect(partsIn(shownBy(outcome), secret)).toEqual([]);
		});
		await fc.assert(property, runs);
	});
});

describe('Redaction', () => {
	const key = 'sk-live-4f8a2b6c9d';

	const redact = (text: string, secrets: unknown[]) => redactor(secrets)(text);

	test.each([
		['leaves a shortened key unchanged', 'The key …c9d is wrong', 'The key …c9d is wrong'],
		['removes every occurrence of a secret', `${key}, ${key}`, '…, …'],
		['leaves all other text unchanged', '100 % of A & B \\ C', '100 % of A & B \\ C'],
	])('%s', (_does, text, shown) => {
		expect(redact(text, [key])).toBe(shown);
	});

	test.each(Object.entries(encodings))('removes a secret %s', (_how, encode) => {
		const secret = 'sk/live "4f8a>2b6c?9d';
		expect(redact(`(${encode(secret)})`, [secret])).toBe('(…)');
	});

	const token = 'Zm9v/YmFy+cXV1eA5Yz8mKQ==';

	test.each([
		['as base64url', 'Zm9v_YmFy-cXV1eA5Yz8mKQ'],
		['in base64', Buffer.from(token).toString('base64')],
		['in base64url', Buffer.from(token).toString('base64url')],
		['in base64 after one more character', Buffer.from(`:${token}`).toString('base64')],
		['in base64 with a user', Buffer.from(`ad:${token}`).toString('base64')],
		['in hex', Buffer.from(token).toString('hex')],
	])('leaves no part of a token that is written %s', (_how, written) => {
		const shown = redact(`Bad header (${written}) given`, [token]);
		expect(shown).toMatch(/^Bad header \(.{0,4}….{0,4}\) given$/);
	});

	test.each([
		['a text with the letters of a short key', 'a.b-c/d: 12:34', ['abcd', '1234']],
		[
			'the words of a URL',
			'The document completed already',
			['https://a.example/document-completed'],
		],
		['part of a key', 'Zm9v/YmFy', [token]],
		['what only looks escaped', '50%25 of \\u0041 & C:\\new &amp; R&D; &#x41;', [token]],
		['a short word in base64', 'dGVzdA', ['test']],
	])('leaves %s unchanged', (_what, text, secrets) => {
		expect(redact(text, secrets)).toBe(text);
	});

	const own = 'Q-_'.padEnd(43, 'aB3_x');

	test.each([
		'=',
		'\\u003d',
		'%3D',
		'%253D',
		'&#x3D;',
		'&amp;#61;',
		'":"',
		'": "',
		'\\":\\"',
		' = ',
		': ',
		' ',
	])("removes a webhook's secret that it doesn't know after the word secret and %j", (sign) => {
		expect(plainText(`url?SECRET${sign}${own}" is used`)).toBe(`url?SECRET${sign}…" is used`);
	});

	test.each([
		`secret=${own.slice(1)}`,
		`https://example.com/secret-${own}`,
		`https://example.com/secret/${'how-to-keep-the-key-of-an-account-to-yourself'}`,
		`secret ${own.repeat(2)}`,
		`The secret: ${'keep it to yourself '.repeat(9).trim()}`,
		`secretary=${own}`,
	])("leaves %j unchanged, which contains no webhook's secret", (text) => {
		expect(plainText(text)).toBe(text);
	});

	test.each([
		'https:\\/\\/',
		'https:\\u002f\\u002f',
		'https:&#x2F;&#x2F;',
		'https:&#47;&#47;',
		'https%253A%252F%252F',
	])(
		'removes a login after %j, however its own signs are written, and keeps what is no login',
		(start) => {
			for (const login of ['ana:pw', 'ana\\u003apw', 'a&#x2E;b&#58;pw', 'token', 'ana:p%2Fw']) {
				for (const at of ['@', '\\u0040', '&#64;', '%2540']) {
					expect(plainText(`${start}${login}${at}example.com`)).toBe(`${start}…${at}example.com`);
				}
			}
			for (const end of ['/', '\\u002f', '&#x2F;', ':80/', '\\nFrom ']) {
				const text = `${start}example.com${end}ana@example.com`;
				expect(plainText(text)).toBe(text);
			}
		},
	);

	const repeating = (part: string) => (length: number) => {
		const text = `a${part.repeat(length).slice(0, length - 2)}b`;
		return () => redact(text, [key]);
	};

	test.each(['%252F', '\\u002f', '&#x2F;', '\\', '&amp;', 'secret='])(
		'takes linear time even if a text repeats %j',
		async (part) => {
			await expectLinear(10_000, repeating(part));
		},
	);

	// After each of these beginnings of a URL, the rest of the text may be a login.
	test.each(['https:', 'http:%2540'])(
		'takes no longer than for 10,000 characters even if a longer text repeats %j',
		async (part) => {
			await expectLinear(40_000, repeating(part));
		},
	);

	test.each(['100%-of-it', '%41%42%43%44', '41%-of-it', 'of-it-100%2'])(
		'removes the secret %j, which looks encoded, however it is written',
		(secret) => {
			for (const written of [secret, encodeURIComponent(secret), `%${secret}41`]) {
				expect(redact(`(${written})`, [secret])).toMatch(/^\(%?…(?:41)?\)$/);
			}
		},
	);

	test('removes overlapping secrets completely and leaves values that are too short to be secrets', () => {
		const secrets = ['abcdef', ' abcdefgh\n', 'wxyz', 'uvw', 'ab', '', undefined, 7];
		expect(redact('abcdefgh abcdef wxyz uvw ab 7', secrets)).toBe('… … … uvw ab 7');
	});

	test('does not change any text if a secret consists only of unpaired surrogates', () => {
		expect(redact('all of it', ['\ud83d'.repeat(4)])).toBe('all of it');
	});

	test('keeps the beginning of long text', () => {
		expect(redactor([key])('x'.repeat(20_000), 20_000)).toMatch(/^x{9900,9999}…$/);
	});

	test('leaves no part of a secret at the end of truncated text', () => {
		for (let before = 0; before < key.length; before++) {
			const text = `${' '.repeat(before)}${key.repeat(3000)}`;
			expect(partsIn(redactor([key])(text, 20_000), key)).toEqual([]);
		}
	});

	test('takes linear time even if the secret is a long link', async () => {
		await expectLinear(40_000, (length) => {
			const link = `https://files.example.com/${'BwcH'.repeat(length / 4)}`;
			return () => expect(redact(`no ${link}`, [link])).toBe('…');
		});
	});

	test('removes the secrets in a URL and keeps its ordinary words', () => {
		const url = 'https://n8n.example.com/webhook/f00dfeed-1234/x?secret=0123456789abcdef';
		expect(redact('POST /webhooks: url must be https, n8n.example.com/webhook is not', [url])).toBe(
			'POST /webhooks: url must be https, n8n.example.com/webhook is not',
		);
		expect(redact('f00dfeed-1234 and 0123456789abcdef', [url])).toBe('… and …');
	});

	test('removes URL parts of at least 12 characters, both as written and decoded', () => {
		const url = 'https://n8n.example.com/abcdefghijkl/mnopqrstuvw/a%20secret%20key/100%-of%20it';
		expect(redact('abcdefghijkl, mnopqrstuvw', [url])).toBe('…, mnopqrstuvw');
		expect(redact('a%20secret%20key, a secret key, 100%-of%20it', [url])).toBe('…, …, …');
		expect(redact('abcdefghijkl', [url.replace('https:', 'http:')])).toBe('…');
	});

	test('removes the login in a URL that was entered with spaces around it', () => {
		expect(redact('wrong: only-token', [' https://only-token@n8n.example.com/x '])).toBe(
			'wrong: …',
		);
	});

	test.each([
		['HTTP://ada:100%^key@n8n.example.com/x', 'ada:100%^key'],
		['HTTP://ada:100%^key@n8n.example.com/x', '100%^key'],
		['http://ada:100%^key@n8n.example.com/x', 'ada:100%%5Ekey'],
		['https:/ada:a%20key@n8n.example.com/x', 'ada:a key'],
		['https://ada:a%20key@n8n.example.com/x', 'a key'],
		['https://only-token@n8n.example.com/x', 'only-token'],
	])('removes the login in the URL %s, even if the service quotes only "%s"', (url, login) => {
		expect(redact(`wrong: ${login}`, [url])).toBe('wrong: …');
		expect(redact('ada, n8n.example.com', [url])).toBe('ada, n8n.example.com');
	});
});

describe('A character inside a secret', () => {
	const key = 'sk-live-4f8a2b6c';
	const redact = redactor([key]);
	const all = Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code));
	/** What people can't see. This set doesn't depend on how the nodes clean a text. */
	const invisible = all.filter(
		(character) =>
			/[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u.test(character) &&
			!/[\p{Co}\p{Cn}]/u.test(character),
	);
	/** What the nodes remove or replace in a text, whatever it is. */
	const cleaned = all.filter((character) => plainText(`a${character}b`) !== `a${character}b`);

	test('is removed or replaced by cleaning in hundreds of cases', () => {
		expect(cleaned.length).toBeGreaterThan(2000);
		expect(invisible.length).toBeGreaterThan(2000);
	});

	test.each([
		['invisible', invisible],
		['removed or replaced by cleaning', cleaned],
	])('does not hide the secret if it is %s, at any position', (_what, characters) => {
		const positions = Array.from({ length: key.length - 1 }, (_, at) => at + 1);
		const shownWhole = characters.filter((character) => {
			const quoted = positions.map((at) => `${key.slice(0, at)}${character}${key.slice(at)}`);
			return visibleIn(redact(quoted.join(' (a) '))).includes(key);
		});
		expect(shownWhole).toEqual([]);
	});

	test.each(['\u0007', '\u200e', '\ud800', '\u200b', '\u00ad', '\n', '\u{e0041}'])(
		'does not hide the secret in an error, an item, or the log: %j',
		async (character) => {
			const quoted = [...key].join(character);
			const response = { status: 400, body: { success: false, message: `(${quoted})` } };
			const { outcome, context } = await callOnce(() => response, creation, {}, { apiKey: key });
			const lines: string[] = [];
			const logger = { ...context.logger, warn: (line: string) => lines.push(line) };
			await cleanUpObsolete(
				new ServiceClient({ ...context, logger }),
				[{ webHookID: 'w', type: 'signDocument', webHookUrl: 'https://n8n.example' }] as never,
				20_000,
			);
			const nodeError = toNodeError(node, outcome);
			for (const shown of [outcome, nodeError, errorItem(outcome, 0), lines].map((one) =>
				allTextOf(one),
			)) {
				expect(shown).toContain('(…)');
				expect(visibleIn(shown)).not.toContain(key);
			}
		},
	);

	test('does not hide a login in a URL', () => {
		expect(plainText('https:/\u0007/ada:pass\u200eword@example.com')).toBe('https://…@example.com');
	});
});

describe('Text in a message', () => {
	const markup = 'a <img src="https://x.example/p"> & <a href=x>b</a>\u202e\u0007\u009bc\n\td';
	const plain = 'a ‹img src="https://x.example/p"› & ‹a href=x›b‹/a›c d';

	test('does not contain markup or invisible characters', () => {
		expect(plainText(markup)).toBe(plain);
	});

	test('has a single space in place of removed control characters', () => {
		expect(plainText('a \u0000 b')).toBe('a b');
	});

	test('is read character by character only if there is a secret to search for', () => {
		const text = '/templates/v2 '.repeat(20);
		const tests = jest.spyOn(RegExp.prototype, 'test');
		const countFor = (secrets: string[]) => {
			const before = tests.mock.calls.length;
			expect(redactor(secrets)(text)).toBe(text.trim());
			return tests.mock.calls.length - before;
		};
		expect(countFor(['the-api-key'])).toBeGreaterThan(text.length);
		expect(countFor([])).toBeLessThan(text.length);
		expect(countFor(['', 'v2'])).toBeLessThan(text.length);
		tests.mockRestore();
	});

	test.each([' ', 'x ', '%2f'])(
		'contains no part of a login whose URL is truncated after many repetitions of %j',
		(unit) => {
			const login = 'https://user:secret-password@example.com/x';
			for (let length = 9_950; length < 10_050; length++) {
				const before = `${unit.repeat(length).slice(0, length - 1)} `;
				expect(plainText(before + login, 20_000)).not.toContain('secret');
			}
			expect(plainText(' '.repeat(300) + login, 80)).toBe('https://…@example.com/x');
		},
	);

	test('contains no part of a login that is cut off, even if nothing else is removed', () => {
		const text = `${'x '.repeat(4990)}https://user:secret-password@example.com/x`;
		expect(withoutLogins(text)).not.toContain('user');
	});

	test.each([' ', '<', 'x', '\u202e'])(
		'is truncated in linear time if it repeats %j',
		async (unit) => {
			await expectLinear(40_000, (length) => {
				const text = `a${unit.repeat(length)}b`;
				return () => expect(plainText(text).length).toBeLessThanOrEqual(2000);
			});
		},
	);

	test.each<[string, Error]>([
		['a failed call', new ServiceError({ problem: markup, remedy: markup, docsAnchor: 'proxy' })],
		[
			'a wrong value',
			new InputError('Fields', { problem: markup, remedy: markup, docsAnchor: 'proxy' }),
		],
		['an unexpected error', Object.assign(new Error(markup), { description: markup })],
	])('is sanitized in the node error for %s', (_what, failure) => {
		const { message, description, messages, context } = toNodeError(node, failure);
		expect(message.replace('Fields: ', '')).toBe(plain);
		expect(
			String(context.descriptionTemplate).replace(
				/ ?<a href=\S+ target=\S+>More about this error<\/a>$/,
				'',
			) || plain,
		).toBe(plain);
		expect((description ?? '').replace(/ ?More: \S+$/, '') || plain).toBe(plain);
		expect(JSON.stringify(messages)).not.toContain('<');
	});

	test.each<[string, string | string[]]>([
		['a sentence', markup],
		['a line', [markup]],
	])('is sanitized in %s that an execution adds to an error', (_what, more) => {
		const failure = wrong('Email', 'Enter one.');
		const { description, context } = toNodeError(node, failure, undefined, { more });
		expect(description?.replace(/\s+/g, ' ')).toMatch(`Enter one. ${plain} More: `);
		expect(String(context.descriptionTemplate).replace(/^Enter one\.(?: |<br>)/, '')).toMatch(
			`${plain} <a href="https://github.com/`,
		);
	});

	test('is sanitized in a warning', () => {
		const hints: NodeExecutionHint[] = [];
		const context = { addExecutionHints: (hint: NodeExecutionHint) => hints.push(hint) };
		const item = createItemContexts(context as never, undefined as never, { fields: [] }).contextOf(
			0,
		);
		item.hint(`The template "${markup}" has one place to sign`);
		expect(hints).toEqual([
			expect.objectContaining({ message: `The template "${plain}" has one place to sign` }),
		]);
	});
});
