import {
	isWebAddress,
	normalizeBaseUrl,
	originOf,
	pathBelow,
} from '../../nodes/SignVerify/http/baseUrl';
import { readNetworkError } from '../../nodes/SignVerify/http/network';
import { redact } from '../../nodes/SignVerify/util/redact';

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

describe('errors of the HTTP client', () => {
	const coded = (code: string) => Object.assign(new Error('x'), { code });

	test('are found inside wrappings, several attempts included', () => {
		const inner = Object.assign(new AggregateError([coded('ECONNREFUSED')]), { code: undefined });
		expect(readNetworkError(new Error('n8n', { cause: inner }))).toMatchObject({
			problem: 'refuses connections',
			neverSent: true,
		});
	});

	test.each(['ECONNRESET', 'ETIMEDOUT', 'ECONNABORTED', 'EPIPE', 'something new'])(
		'%s may have reached the service',
		(code) => {
			expect(readNetworkError(coded(code)).neverSent).toBe(false);
		},
	);

	test('a bad certificate is called that', () => {
		expect(readNetworkError(coded('DEPTH_ZERO_SELF_SIGNED_CERT')).problem).toMatch('certificate');
	});

	test('a cause that points at itself ends', () => {
		const error = new Error('x') as Error & { cause: unknown };
		error.cause = error;
		expect(readNetworkError(error).problem).toBe('could not be reached');
	});
});

describe('taking out secrets', () => {
	test('as they are and URI-encoded, and leaves short ones', () => {
		expect(redact('key k/e+y1 or k%2Fe%2By1, id 12', ['k/e+y1', '12', undefined])).toBe(
			'key … or …, id 12',
		);
	});
});
