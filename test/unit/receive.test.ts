import {
	addressWithSecret,
	isSecret,
	makeSecret,
} from '../../nodes/SignVerify/notifications/authenticity';
import { judge } from '../../nodes/SignVerify/notifications/receive';

const secret = makeSecret();
const types = ['completedDocument', 'signDocument'];
const event = { type: 'signDocument', Document: { documentID: 'd1' }, addedOn: 1 };

describe('the secret of an address', () => {
	test('has 256 bits and needs no encoding', () => {
		expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
		expect(encodeURIComponent(secret)).toBe(secret);
		expect(makeSecret()).not.toBe(secret);
	});

	test('is a query parameter', () => {
		const address = new URL(addressWithSecret('https://n8n.example/webhook/1/signverify', secret));
		expect([...address.searchParams]).toEqual([['secret', secret]]);
	});

	test.each([
		['another one', 'x'],
		['none', undefined],
		['an empty one', ''],
		['two', [secret, secret]],
		['an object', { secret }],
		['a longer one', `${secret}x`],
	])('%s does not open', (_name, given) => {
		expect(isSecret(given, secret)).toBe(false);
	});

	test('a node without a secret lets nobody in', () => {
		expect(isSecret('', '')).toBe(false);
		expect(isSecret(undefined, undefined)).toBe(false);
	});
});

describe('judging a request', () => {
	test('a genuine event is taken, with or without a JSON content type', () => {
		const rawBody = Buffer.from(JSON.stringify(event));
		for (const incoming of [
			{ secret, body: event, rawBody },
			{ secret, body: event },
			{ secret, body: {}, rawBody },
			{ secret, body: JSON.stringify(event) },
			{ secret, body: {}, rawBody: Buffer.from(`\uFEFF${JSON.stringify(event)}`) },
		]) {
			expect(judge(incoming, secret, types)).toEqual({
				accepted: true,
				event: 'signDocument',
				body: event,
			});
		}
	});

	test('without the right secret it is 401, whatever the body', () => {
		expect(judge({ secret: 'x', body: event }, secret, types)).toMatchObject({
			accepted: false,
			status: 401,
		});
		expect(judge({ secret: undefined, body: null }, secret, types)).toMatchObject({ status: 401 });
		expect(judge({ secret, body: event }, undefined, types)).toMatchObject({ status: 401 });
	});

	test.each([
		['nothing', {}],
		['a list', [event]],
		['a number', 3],
		['no JSON', 'hello'],
	])('%s as a body is 400', (_name, body) => {
		expect(judge({ secret, body }, secret, types)).toMatchObject({ accepted: false, status: 400 });
	});

	test('an event that was not subscribed is 422', () => {
		expect(
			judge({ secret, body: { ...event, type: 'sendDocument' } }, secret, types),
		).toMatchObject({ status: 422 });
		expect(judge({ secret, body: { type: '__proto__' } }, secret, types)).toMatchObject({
			status: 422,
		});
		expect(judge({ secret, body: { Document: {} } }, secret, types)).toMatchObject({ status: 422 });
	});

	test('a body without a type is the one subscribed event', () => {
		expect(judge({ secret, body: { result: 1 } }, secret, ['pendingBiometric'])).toMatchObject({
			accepted: true,
			event: 'pendingBiometric',
		});
	});
});
