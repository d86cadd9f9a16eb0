import { ServiceError } from '../../nodes/SignVerify/http/errors';
import { unanswered } from '../../nodes/SignVerify/http/messages';
import { readNetworkError } from '../../nodes/SignVerify/http/network';
import type { ServiceRequest } from '../../nodes/SignVerify/http/request';

const read: ServiceRequest = { method: 'GET', path: '/templates' };
const creation: ServiceRequest = { method: 'POST', path: '/x', creates: 'the document' };
const origin = 'https://sign.example.com';
const coded = (code: string) => Object.assign(new Error('no'), { code });

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
	])('%s of a creation, token there: %s', (code, hadToken, mayHaveCreated, retryable) => {
		expect(unanswered(coded(code), creation, origin, hadToken)).toMatchObject({
			mayHaveCreated,
			retryable,
		});
	});

	test.each(['ECONNRESET', 'ETIMEDOUT', 'SOMETHING'])('%s of a read may be repeated', (code) => {
		expect(unanswered(coded(code), read, origin, true)).toMatchObject({
			mayHaveCreated: false,
			retryable: 'whenIdempotent',
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
		expect(readNetworkError(error)).toMatchObject({ neverSent: true, retryable: 'always' });
	});

	test('a cause that points at itself ends', () => {
		const error = new Error('x') as Error & { cause: unknown };
		error.cause = error;
		expect(readNetworkError(error).problem).toBe('could not be reached');
	});

	test('our own failure inside the wrapping of n8n is found', () => {
		const own = new ServiceError({ message: 'own', description: 'd' });
		const wrapped = new Error('outer', { cause: new Error('inner', { cause: own }) });
		expect(unanswered(wrapped, creation, origin, true)).toBe(own);
	});
});
