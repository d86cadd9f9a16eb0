import { normalizeBaseUrl } from '../../nodes/SignVerify/http/credential';
import { isWebAddress, originOf, pathBelow } from '../../nodes/SignVerify/util/values';

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
