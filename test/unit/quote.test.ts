import fc from 'fast-check';
import type { INode, NodeExecutionHint } from 'n8n-workflow';
import { createItemContexts } from '../../nodes/SignVerify/operations/itemContext';
import { ServiceClient } from '../../nodes/SignVerify/http/client';
import { InputError, ServiceError, toNodeError } from '../../nodes/SignVerify/http/errors';
import { redact } from '../../nodes/SignVerify/util/redact';
import { callOnce, creation, read } from '../support/calls';
import { processorTimeOf } from '../support/processorTime';
import { allOf } from '../support/allOf';

import { standIn, standInOrigin } from '../support/standIn';
import { plainText } from '../../nodes/SignVerify/util/plainText';
import { exchangeToken } from '../../nodes/SignVerify/api/token';
import { listTemplates } from '../../nodes/SignVerify/api/templates';

type Encode = (text: string) => string;

const html: Encode = (text) =>
	text.replace(
		/[&<>"']/g,
		(sign) => `&${{ '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot' }[sign] ?? '#39'};`,
	);
const hex = (character: string) => character.charCodeAt(0).toString(16).padStart(2, '0');
const each =
	(form: Encode): Encode =>
	(text) =>
		[...text].map(form).join('');
const encodings: Record<string, Encode> = {
	'as it is': (text) => text,
	'in lower case': (text) => text.toLowerCase(),
	'for a URL': encodeURIComponent,
	'for a URL, each character': each((character) => `%${hex(character)}`),
	'for a form': (text) => new URLSearchParams({ a: text }).toString().slice(2),
	'for HTML': html,
	'for HTML, each character': each((character) => `&#x${hex(character)};`),
	'for JSON': (text) => JSON.stringify(text).slice(1, -1),
	'for JSON, each character': each((character) => `\\u00${hex(character)}`),
	'for JSON, as PHP does it': (text) => JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/'),
	'as base64': (text) => Buffer.from(text).toString('base64'),
	'for Basic authentication': (text) => Buffer.from(`the-user:${text}`).toString('base64'),
	'for a URL in HTML': (text) => html(encodeURIComponent(text)),
	'for HTML in JSON': (text) => JSON.stringify(html(text)).slice(1, -1),
	'with control characters between': each((character) => `${character}\u0000`),
};

/** Answers that hold words, in all the ways that are read. */
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
	// Four of these in a row are in no message by chance.
	secretOf('QWXZJKV23456789_-'),
	secretOf('QWXZ0123456789+/=&%"<>\'\\$# '),
);
const filler = fc.oneof(
	fc.constantFrom('', 'The key ', 'a'.repeat(290), `${' '.repeat(50)}- `, '>', '\n'),
	fc.integer({ min: 0, max: 5000 }).map((length) => '.'.repeat(length)),
);
const answers = fc.record({
	before: filler,
	after: filler,
	encoding: fc.constantFrom(...Object.keys(encodings)),
	shape: fc.constantFrom(...Object.keys(shapes)),
	status: fc.constantFrom(200, 302, 400, 403, 404, 429, 500),
});

/** What of a secret stands in a text, four characters in a row at the least. */
function partsIn(text: string, secret: string): string[] {
	const parts = Array.from({ length: secret.length - 3 }, (_, at) => secret.slice(at, at + 4));
	const shown = text.toLowerCase();
	return parts.filter((part) => shown.includes(part.toLowerCase()) && part.trim().length > 3);
}

/** What a failed call shows; what worked is passed through as it is. Line numbers are no secret. */
function shownBy(outcome: unknown): string {
	return outcome instanceof Error ? allOf(outcome).replace(/^ +at .*$/gm, '') : '';
}

function bodyOf(
	{ before, after, encoding, shape }: Record<string, string | number>,
	secret: string,
) {
	const words = `${before}${encodings[String(encoding)]?.(secret)}${after}`;
	return shapes[String(shape)]?.(words);
}

describe('a secret that the service quotes is not shown, wherever and however it does', () => {
	const runs = { numRuns: 300 };

	test('in answers to calls', async () => {
		const property = fc.asyncProperty(secrets, answers, async (secret, answer) => {
			const { outcome } = await callOnce(
				() => ({ status: answer.status, body: bodyOf(answer, secret) }),
				{ ...creation, noRetry: true },
				{ maxRetryTime: 0 },
				{ apiKey: secret, accessToken: `${secret}-token` },
			);
			expect(partsIn(shownBy(outcome), secret)).toEqual([]);
		});
		await fc.assert(property, runs);
	}, 60_000);

	test('in the address that a call has sent', async () => {
		const property = fc.asyncProperty(secrets, answers, async (value, answer) => {
			const secret = encodeURIComponent(`${value}${value}`);
			const url = `https://n8n.example.com/webhook/1?secret=${secret}`;
			const { outcome } = await callOnce(
				() => ({ status: answer.status, body: bodyOf(answer, url) }),
				{ ...creation, secrets: [url] },
				{ maxRetryTime: 0 },
			);
			expect(partsIn(shownBy(outcome), secret)).toEqual([]);
		});
		await fc.assert(property, runs);
	}, 60_000);

	test('in answers to the token exchange', async () => {
		const property = fc.asyncProperty(secrets, answers, async (text, answer) => {
			// Space around a key is not part of it.
			const secret = `x${text}x`;
			const httpRequest = async () => ({
				statusCode: answer.status,
				headers: {},
				body: bodyOf(answer, secret),
			});
			const credential = { baseUrl: standInOrigin, userId: 'u', apiKey: secret };
			const failure = await exchangeToken({ httpRequest }, credential).catch(
				(error: unknown) => error,
			);
			expect(partsIn(shownBy(failure), secret)).toEqual([]);
		});
		await fc.assert(property, runs);
	}, 60_000);

	test('in what stands for the list of templates', async () => {
		const property = fc.asyncProperty(secrets, filler, async (secret, before) => {
			const body = { success: true, [`${before}${secret}`]: 1 };
			const { context } = standIn(() => ({ body }), { accessToken: secret });
			const failure: unknown = await listTemplates(new ServiceClient(context), 'v2').catch(
				(error: unknown) => error,
			);
			expect(failure).toBeInstanceOf(ServiceError);
			expect(partsIn(shownBy(failure), secret)).toEqual([]);
		});
		await fc.assert(property, runs);
	}, 60_000);
});

describe('taking out secrets', () => {
	const key = 'sk-live-4f8a2b6c9d';

	test.each([
		['a part of it, too', `The key ${key.slice(0, 12)} is cut off`, 'The key … is cut off'],
		['not what is shown on purpose', 'The key …c9d is wrong', 'The key …c9d is wrong'],
		['all of them', `${key}, ${key}`, '…, …'],
		['and nothing else', '100 % of A & B \\ C', '100 % of A & B \\ C'],
	])('%s', (_name, text, shown) => {
		expect(redact(text, [key])).toBe(shown);
	});

	test('short ones only as a whole, and none that are too short to be any', () => {
		expect(redact('abcdef abcde ab', ['abcdef', 'ab', '', undefined, 7])).toBe('… abcde ab');
	});

	test('of an address leaves the words that a service may need', () => {
		const url = 'https://n8n.example.com/webhook/f00dfeed-1234/x?secret=0123456789abcdef';
		expect(redact('POST /webhooks: url must be https, n8n.example.com/webhook is not', [url])).toBe(
			'POST /webhooks: url must be https, n8n.example.com/webhook is not',
		);
		expect(redact('f00dfeed-1234 and 0123456789', [url])).toBe('… and …');
	});
});

describe('words for a message', () => {
	const markup = 'a <img src="https://x.example/p"> & <a href=x>b</a>\u202e\u0007\u009bc\n\td';
	const plain = 'a ‹img src="https://x.example/p"› & ‹a href=x›b‹/a›c d';
	const node = {
		name: 'SignVerify',
		type: 't',
		typeVersion: 1,
		parameters: {},
	} as unknown as INode;

	test('hold no markup and nothing unseen', () => {
		expect(plainText(markup)).toBe(plain);
	});

	test('keep every script, and characters that are made of several', () => {
		const words = 'Łucja 契約書 عقد 👩‍⚖️';
		expect(plainText(words)).toBe(words);
		expect(plainText('👩'.repeat(10), 6)).toBe('👩👩…');
	});

	test.each([' ', '<', 'x', '\u202e'])('are cut where there are too many: %j', (unit) => {
		const time = processorTimeOf(() =>
			expect(plainText(unit.repeat(5_000_000)).length).toBeLessThanOrEqual(2000),
		);
		expect(time).toBeLessThan(500);
	});

	test.each([
		new ServiceError({ message: markup, description: markup }),
		new InputError('Fields', markup, markup),
		Object.assign(new Error(markup), { description: markup }),
	])('%s: the error that n8n shows has them so', (failure) => {
		const { message, description, messages } = toNodeError(node, failure);
		expect(message.replace('Fields: ', '')).toBe(plain);
		expect((description ?? '').replace(/ ?More: \S+$/, '') || plain).toBe(plain);
		expect(JSON.stringify(messages)).not.toContain('<');
	});

	test('an item that failed has them so', async () => {
		const { outcome } = await callOnce(() => ({ status: 400, body: { message: markup } }), read);
		expect(outcome).toMatchObject({
			message: `The service refused the request (HTTP 400: ${plain})`,
		});
	});

	test('a warning has them so', () => {
		const hints: NodeExecutionHint[] = [];
		const execute = { addExecutionHints: (hint: NodeExecutionHint) => hints.push(hint) };
		const item = createItemContexts(execute as never, undefined as never)(0);
		item.hint(`The template "${markup}" has one place to sign`);
		expect(hints).toEqual([
			expect.objectContaining({ message: `The template "${plain}" has one place to sign` }),
		]);
	});
});
