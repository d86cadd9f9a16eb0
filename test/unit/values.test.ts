import { normalizeBaseUrl } from '../../nodes/SignVerify/http/credential';
import {
	canBeKey,
	isoTime,
	isWebAddress,
	originOf,
	pathBelow,
	textOf,
} from '../../nodes/SignVerify/util/values';

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
