import {
	addressWithSecret,
	isSecret,
	makeSecret,
} from '../../nodes/SignVerify/notifications/authenticity';
import { deepestBody, judge, largestBody } from '../../nodes/SignVerify/notifications/receive';

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

	test('only JSON counts, whatever n8n made of another content type', () => {
		for (const raw of ['a=b', '<a>1</a>', '', '[1]', '"text"', 'null', '\uFFFF']) {
			const rawBody = Buffer.from(raw);
			expect(judge({ secret, body: { a: 'b' }, rawBody }, secret, types)).toMatchObject({
				status: 400,
			});
		}
	});

	test('the declared encoding counts', () => {
		const text = JSON.stringify({ ...event, note: 'é' });
		for (const encoding of ['latin1', 'utf16le', 'utf-8', undefined]) {
			const rawBody = Buffer.from(text, (encoding ?? 'utf8') as BufferEncoding);
			expect(judge({ secret, body: {}, rawBody, encoding }, secret, types)).toMatchObject({
				body: { note: 'é' },
			});
		}
	});

	test('a body over 8 MB is 413, one nested over 100 deep is 400', () => {
		const large = Buffer.alloc(largestBody + 1, ' ');
		expect(judge({ secret, body: {}, rawBody: large }, secret, types)).toMatchObject({
			status: 413,
		});
		const nested = (depth: number) =>
			Buffer.from(`{"type":"signDocument","a":${'['.repeat(depth)}${']'.repeat(depth)}}`);
		const judged = (depth: number) =>
			judge({ secret, body: {}, rawBody: nested(depth) }, secret, types);
		expect(judged(deepestBody - 1).accepted).toBe(true);
		expect(judged(deepestBody + 1)).toMatchObject({ status: 400 });
		expect(judged(500_000)).toMatchObject({ status: 400 });
	});
});

describe('the events whose bodies are not documented', () => {
	const identity = 'VERIFICATION_REQUEST_FINISHED';
	const judged = (body: object, subscribed: string[]) =>
		judge({ secret, body }, secret, subscribed);

	test('may lack their type: the one subscribed event is meant', () => {
		expect(judged({ result: 1 }, ['pendingBiometric'])).toMatchObject({
			event: 'pendingBiometric',
		});
		expect(judged({ result: 1 }, ['pendingBiometric', 'signDocument'])).toMatchObject({
			event: 'pendingBiometric',
		});
		expect(judged({ Document: {} }, ['pendingBiometric', identity])).toMatchObject({
			event: 'pendingBiometric',
		});
		expect(
			judged({ sessionId: 'v' }, ['pendingBiometric', 'failedBiometric', identity]),
		).toMatchObject({ event: identity });
	});

	test('are taken as unknown rather than lost where several could be meant', () => {
		expect(judged({ Document: {} }, ['pendingBiometric', 'failedBiometric'])).toMatchObject({
			accepted: true,
			event: 'unknown',
		});
	});

	test('the identity event may carry the type of its request', () => {
		const body = { type: 'FACE', data: { validationId: 'v' } };
		expect(judged(body, [identity])).toMatchObject({ event: identity, body });
		expect(judged(body, ['pendingBiometric'])).toMatchObject({ status: 422 });
		expect(judged({ type: 'FACE' }, [identity])).toMatchObject({ status: 422 });
	});

	test('the documented ones always carry theirs', () => {
		expect(judged({ Document: { documentID: 'd' } }, ['signDocument'])).toMatchObject({
			status: 422,
		});
	});
});
