import { urlWithSecret, isSecret, newSecret } from '../../nodes/SignVerify/webhooks/url';
import { maxDepth, validateBody, maxBytes } from '../../nodes/SignVerify/webhooks/validate';

const secret = newSecret();
const types = ['completedDocument', 'signDocument'];
const event = { type: 'signDocument', Document: { documentID: 'd1' }, addedOn: 1 };

describe('the secret of an address', () => {
	test('has 256 bits and needs no encoding', () => {
		expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
		expect(encodeURIComponent(secret)).toBe(secret);
		expect(newSecret()).not.toBe(secret);
	});

	test('is a query parameter beside the event', () => {
		const own = 'https://n8n.example/webhook/1/signverify';
		const address = new URL(urlWithSecret(own, secret, 'signDocument'));
		expect([...address.searchParams]).toEqual([
			['secret', secret],
			['event', 'signDocument'],
		]);
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

describe('validating a request', () => {
	test('a genuine event is taken, with or without a JSON content type', () => {
		const rawBody = Buffer.from(JSON.stringify(event));
		for (const incoming of [
			{ body: event, rawBody },
			{ body: event },
			{ body: {}, rawBody },
			{ body: JSON.stringify(event) },
			{ body: {}, rawBody: Buffer.from(`\uFEFF${JSON.stringify(event)}`) },
		]) {
			expect(validateBody(incoming, types)).toMatchObject({
				event: 'signDocument',
				body: event,
			});
		}
	});

	test.each([
		['nothing', {}],
		['a list', [event]],
		['a number', 3],
		['no JSON', 'hello'],
	])('%s as a body is 400', (_name, body) => {
		expect(validateBody({ body }, types)).toMatchObject({ status: 400 });
	});

	test('an event that was not subscribed is 422', () => {
		expect(validateBody({ body: { ...event, type: 'sendDocument' } }, types)).toMatchObject({
			status: 422,
		});
		expect(validateBody({ body: { type: '__proto__' } }, types)).toMatchObject({
			status: 422,
		});
		expect(validateBody({ body: { Document: {} } }, types)).toMatchObject({ status: 422 });
	});

	test('only JSON counts, whatever n8n made of another content type', () => {
		for (const raw of ['a=b', '<a>1</a>', '', '[1]', '"text"', 'null', '\uFFFF']) {
			const rawBody = Buffer.from(raw);
			expect(validateBody({ body: { a: 'b' }, rawBody }, types)).toMatchObject({
				status: 400,
			});
		}
	});

	test('a body over 8 MB is 413, one nested over 100 deep is 400', () => {
		const large = Buffer.alloc(maxBytes + 1, ' ');
		expect(validateBody({ body: {}, rawBody: large }, types)).toMatchObject({
			status: 413,
		});
		const nested = (depth: number) =>
			Buffer.from(`{"type":"signDocument","a":${'['.repeat(depth)}${']'.repeat(depth)}}`);
		const validated = (depth: number) => validateBody({ body: {}, rawBody: nested(depth) }, types);
		expect(validated(maxDepth - 1)).toMatchObject({ event: 'signDocument' });
		expect(validated(maxDepth + 1)).toMatchObject({ status: 400 });
		expect(validated(500_000)).toMatchObject({ status: 400 });
	});
});

describe('the events whose bodies are not documented', () => {
	const identity = 'VERIFICATION_REQUEST_FINISHED';
	test('are what their address names, whatever their type says', () => {
		const both = ['pendingBiometric', 'failedBiometric', identity];
		for (const body of [{ Document: {} }, { type: 'FACE', a: 1 }, { type: 7 }, { type: '' }]) {
			for (const event of both) {
				expect(validateBody({ body }, both, event)).toMatchObject({
					event,
					body,
				});
			}
		}
	});

	test('a known type counts over the address', () => {
		expect(validateBody({ body: event }, types, 'completedDocument')).toMatchObject({
			event: 'signDocument',
		});
		const other = { ...event, type: 'sendDocument' };
		expect(validateBody({ body: other }, types, 'completedDocument')).toMatchObject({
			status: 422,
		});
	});
});
