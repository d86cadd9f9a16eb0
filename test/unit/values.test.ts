import { accountOf } from '../../nodes/SignVerify/http/rateLimit';
import { normalizeBaseUrl } from '../../nodes/SignVerify/http/credential';
import {
	canBeKey,
	isoTime,
	isWebAddress,
	normalName,
	normalText,
	originOf,
	pathBelow,
	textOf,
} from '../../nodes/SignVerify/util/values';
import { processorTimeOf } from '../support/processorTime';

test.each([
	['text', 'text'],
	[3, '3'],
	[false, 'false'],
	[null, ''],
	[{}, ''],
	[['a'], ''],
])('%j as text', (value, text) => {
	expect(textOf(value)).toBe(text);
});

test.each([
	[1_767_225_600_000, '2026-01-01T00:00:00.000Z'],
	['1767225600000', '2026-01-01T00:00:00.000Z'],
	['-1', '1969-12-31T23:59:59.999Z'],
	['2026-01-01T01:00+01:00', '2026-01-01T00:00:00.000Z'],
	['2026-01-01', '2026-01-01'],
	['9'.repeat(30), '9'.repeat(30)],
	['soon', 'soon'],
	['', undefined],
	[undefined, undefined],
])('the moment %j', (value, text) => {
	expect(isoTime(value)).toBe(text);
});

test.each(['={{ 1 }}', '=', '__proto__', 'constructor', 'prototype'])(
	'n8n cannot keep %j as a key',
	(key) => {
		expect(canBeKey(key)).toBe(false);
		expect(canBeKey(` ${key}`)).toBe(true);
	},
);

test.each([
	[' A\u00a0\t\r\nB\u3000 ', 'A B'],
	['e\u0301\u200b\u00ad\u2060', '\u00e9'],
	['\ufeff\u202e\u{E0001}a\u0000b\ufe0f', 'ab'],
	['\uff21\u2460', 'A1'],
	['\u200b', ''],
])('%j in its normal form is %j', (text, normal) => {
	expect(normalText(text)).toBe(normal);
	expect(normalName(text)).toBe(normal.toLowerCase());
});

test('the normal form of a long text takes no time', () => {
	const text = '\u00a0 \u200b'.repeat(300_000);
	expect(processorTimeOf(() => normalText(`${text}a${text}`))).toBeLessThan(1000);
});

describe('an account', () => {
	const idOf = (baseUrl: string, userId = 'u') => accountOf({ baseUrl, userId }).id;
	const id = idOf('https://sign.example.com/api');

	test.each([
		'https://sign.example.com/api/',
		' HTTPS://Sign.Example.COM/API',
		'https://sign.example.com:443//api//',
		'http://sign.example.com:80/api',
	])('is the same with the Base URL %j', (baseUrl) => {
		expect(idOf(baseUrl, ' u ')).toBe(id);
	});

	test.each([
		['https://sign.example.com', 'u'],
		['https://sign.example.com/test/api', 'u'],
		['https://sign.example.com:8443/api', 'u'],
		['https://sign.example.org/api', 'u'],
		['https://sign.example.com/api', 'v'],
	])('is another one with %s and the user %s', (baseUrl, userId) => {
		expect(idOf(baseUrl, userId)).not.toBe(id);
	});
});

describe('the base URL', () => {
	test.each([
		['https://sign.example.com', 'https://sign.example.com'],
		['https://sign.example.com/', 'https://sign.example.com'],
		['  https://sign.example.com/api/v1//  ', 'https://sign.example.com/api/v1'],
		['http://127.0.0.1:4010/api', 'http://127.0.0.1:4010/api'],
	])('%j', (given, normal) => {
		expect(normalizeBaseUrl(given)).toBe(normal);
	});

	test.each([
		['', 'Base URL: it is empty'],
		[undefined, 'Base URL: it is empty'],
		['sign.example.com', 'Base URL: this is not a URL'],
		['ftp://sign.example.com', 'Base URL: this is not a URL'],
		['https://sign.example.com/?a=1', 'Base URL: it must end before any "?" or "#"'],
		['https://sign.example.com/#a', 'Base URL: it must end before any "?" or "#"'],
	])('%j is refused', (given, message) => {
		expect(() => normalizeBaseUrl(given)).toThrow(message);
	});

	test('is shown without its path and login', () => {
		expect(originOf('https://user:pass@sign.example.com/secret/api')).toBe(
			'https://sign.example.com',
		);
		expect(originOf('sign.example.com/secret')).toBe('the Base URL');
	});
});

describe('a whole web address', () => {
	test.each([
		['https://sign.example.com/a?b=c', true],
		['HTTP://127.0.0.1:8080', true],
		['sign.example.com', false],
		['ftp://sign.example.com', false],
		['see https://sign.example.com', false],
		['https://sign.example.com/a lease', false],
		['https://', false],
		['https://sign.example.com:port', false],
		['', false],
	])('%j: %j', (text, is) => {
		expect(isWebAddress(text)).toBe(is);
	});
});

describe('the path below the base URL', () => {
	test.each([
		['https://a.example/api', 'https://a.example/api/templates/v2?x=1', '/templates/v2'],
		['https://a.example', 'https://a.example/templates', '/templates'],
		['https://a.example/api', 'https://a.example/api', '/'],
		['https://a.example/api', 'https://a.example/apis/templates', undefined],
		['https://a.example/api', 'https://b.example/api/templates', undefined],
		['https://a.example', 'http://a.example/templates', undefined],
		['https://a.example', 'not an address', undefined],
	])('%s and %s', (base, address, path) => {
		expect(pathBelow(base, address)).toBe(path);
	});
});
