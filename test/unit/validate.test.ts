import { newSecret, urlWithSecret } from '../../nodes/SignVerify/webhooks/url';
import { maxBytes, maxStructure, validateBody } from '../../nodes/SignVerify/webhooks/request';
import { processorTimeOf } from '../support/processorTime';

const types = ['completedDocument', 'signDocument'];
const event = { type: 'signDocument', Document: { documentID: 'd1' }, addedOn: 1 };
const bytesOf = (body: unknown) =>
	Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
const validated = (body: unknown, registered = 'signDocument', subscribed = types) =>
	validateBody(bytesOf(body), registered, subscribed);

test('a secret has 256 bits, and is a query parameter that needs no encoding', () => {
	const address = urlWithSecret('https://n8n.example/webhook/1/signverify');
	const [[name, secret = ''] = [], ...more] = new URL(address).searchParams;
	expect([name, more]).toEqual(['secret', []]);
	expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
	expect(address).toContain(`?secret=${secret}`);
	expect(newSecret()).not.toBe(newSecret());
	expect(urlWithSecret('https://n8n.example/?a=b')).toMatch(/\?a=b&secret=[\w-]{43}$/);
});

describe('validating a request', () => {
	test('a genuine event is taken, also with a byte order mark', () => {
		for (const body of [event, `\uFEFF${JSON.stringify(event)}`]) {
			expect(validated(body)).toMatchObject({ event: 'signDocument', body: event });
		}
	});

	test.each([
		'{}',
		'[{"type":"signDocument"}]',
		'3',
		'a=b',
		'<a>1</a>',
		'',
		'"text"',
		'null',
		'\uFFFF',
	])('%j as a body is 400', (body) => {
		expect(validated(body)).toMatchObject({ status: 400 });
	});

	test.each(['sendDocument', 'completedDocument', 'rejectedDocument', 'TEST', '__proto__', 7, {}])(
		'the type %j is 422 on the URL of another event',
		(type) => {
			expect(validated({ ...event, type })).toMatchObject({ status: 422 });
		},
	);

	test('an event without a type is that of its URL, if that is subscribed', () => {
		for (const type of [undefined, null, ''])
			expect(validated({ ...event, type })).toMatchObject({ event: 'signDocument' });
		expect(validated({ Document: {} }, 'sendDocument')).toMatchObject({ status: 422 });
	});

	const padded = (length: number) => JSON.stringify(event).padEnd(length);
	const nested = (depth: number) =>
		`{"type":"signDocument","a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
	// The object, a comma, the list, and one comma less than members.
	const members = (nodes: number) => `{"type":"signDocument","a":[${'1,'.repeat(nodes - 3)}1]}`;

	test.each([
		['1 MB', padded(maxBytes), padded(maxBytes + 1)],
		['20,000 nodes', members(maxStructure.nodes), members(maxStructure.nodes + 1)],
		['a depth of 100', nested(maxStructure.depth), nested(maxStructure.depth + 1)],
	])('a body of %s is taken, and a larger one is 413', (_name, most, tooMuch) => {
		expect(validated(most)).toMatchObject({ event: 'signDocument' });
		expect(validated(tooMuch)).toMatchObject({ status: 413 });
	});

	test.each([
		['empty objects', `{"a":[${'{},'.repeat(330_000)}{}]}`],
		['lists in lists', `{"a":${'['.repeat(490_000)}${']'.repeat(490_000)}}`],
		['members', `{${'"a":1,'.repeat(166_000)}"a":1}`],
		['half a text', `{"a":"${'\\'.repeat(999_000)}`],
		['one text', JSON.stringify({ type: 'signDocument', a: 'x'.repeat(999_000) })],
		['a title', JSON.stringify({ ...event, Document: { title: '\u202e'.repeat(300_000) } })],
	])('1 MB of %s is answered at once', (_name, body) => {
		expect(body.length).toBeLessThanOrEqual(maxBytes);
		expect(processorTimeOf(() => validated(body))).toBeLessThan(250);
	});
});

describe('the events whose bodies are not documented', () => {
	const unknown = ['pendingBiometric', 'failedBiometric', 'VERIFICATION_REQUEST_FINISHED'];
	test.each(unknown)(
		'%s is what its URL was registered for, whatever word its type is',
		(event) => {
			for (const body of [{ Document: {} }, { type: 'FACE', a: 1 }, { type: 7 }, { type: '' }]) {
				expect(validated(body, event, unknown)).toMatchObject({ event, body });
			}
			// The name of another event is no such word.
			const other = validated({ type: 'failedBiometricRequest' }, event, unknown);
			expect(other).toMatchObject({ status: 422 });
		},
	);
});
