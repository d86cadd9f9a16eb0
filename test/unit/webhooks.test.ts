import { listWebhooks } from '../../nodes/SignVerify/api/webhooks';
import { ServiceClient } from '../../nodes/SignVerify/http/client';
import { redactWebhook } from '../../nodes/SignVerify/operations/webhook/create';
import { startWaiting } from '../../nodes/SignVerify/wait/start';
import { newSecret, unreachable, urlWithSecret } from '../../nodes/SignVerify/webhooks/url';
import { setUp } from '../support/registrations';
import { standIn } from '../support/standIn';
import { maxBytes, maxStructure, readEvent } from '../../nodes/SignVerify/webhooks/request';
import { processorTimeOf } from '../support/processorTime';

test.each([
	['https://a.example/?TOKEN=MARKED', 'https://a.example/?TOKEN=…'],
	['HTTPS://a.example/?%73ecret=MARKED&a=MARKED?b=MARKED', 'HTTPS://a.example/?%73ecret=…&a=…?b=…'],
	['https://a.example/?MARKED&amp;b=MARKED;c==MARKED=', 'https://a.example/?…&…;b=…;c=…'],
	['https://a.example/?secret%3DMARKED#MARKED', 'https://a.example/?…#…'],
	['https://a.example/%3Fsecret=MARKED', 'https://a.example/%3Fsecret=…'],
	['/relative?a=MARKED\nMARKED', '/relative?a=…'],
	['https://a.example/#at=MARKED', 'https://a.example/#at=…'],
])('a shown webhook has no value of the query of %j, in any text', (text, shown) => {
	const webhook = (url: string) => ({
		webHookID: 'a',
		type: 'signDocument',
		webHookUrl: url,
		name: url,
		options: [{ callback: [url] }, 1, null],
	});
	expect(redactWebhook(webhook(text))).toEqual(webhook(shown));
});

/** The webhooks that are read from an answer, and what n8n's log says. */
async function listed(responseData: unknown) {
	const { context } = standIn(() => ({ body: { success: true, responseData } }));
	const logged: string[] = [];
	const logger = { warn: (line: string) => logged.push(line) };
	const webhooks = await listWebhooks(new ServiceClient({ ...context, logger } as never));
	return { webhooks, logged };
}

test('an odd webhook in the list does not hide the others', async () => {
	const odd = [null, 7, 'x', [], {}, { webHookID: null }, { webHookID: { a: 1 } }];
	const partly = { webHookID: 7, type: ['x'], webHookUrl: { url: 'x' }, name: {}, more: [1] };
	const whole = { webHookID: 'b', type: 'signDocument', webHookUrl: 'x' };
	expect(await listed([...odd, partly, whole])).toEqual({
		webhooks: [{ webHookID: '7', type: '', webHookUrl: '', name: '', more: [1] }, whole],
		logged: [
			"SignVerify: 7 entries in the service's list of webhooks were left out, because they have no ID.",
		],
	});
	expect((await listed([whole])).logged).toEqual([]);
});

describe('a URL of n8n that a service on the internet cannot call', () => {
	const service = 'https://sign.example.com';
	const warning = (n8n: string) =>
		`The service at ${service} cannot reach this n8n at ${n8n}, so no event will arrive. Set WEBHOOK_URL to the public URL of n8n, and restart n8n.`;
	const said = (host: string, baseUrl = `${service}/api`) =>
		unreachable(baseUrl, `http://${host}:5678/webhook/a?secret=b`);

	test.each([
		...['localhost', 'n8n', 'n8n.local', 'a.internal', '127.0.0.1', '10.1.2.3', '0.0.0.0'],
		...['172.16.0.1', '172.31.255.255', '192.168.1.2', '169.254.1.1', '[::1]', '[fd00::1]'],
	])('is named: %s', (host) => {
		expect(said(host)).toBe(warning(`http://${host}:5678`));
		// They may be in the same network.
		expect(said(host, 'http://192.168.1.9/api')).toBeUndefined();
		expect(said(host, 'no URL')).toBeUndefined();
	});

	test.each([
		...['n8n.example.com', '10.example.com', 'localhost.example.com', '8.8.8.8'],
		...['172.15.0.1', '172.32.0.1', '192.169.0.1', '[2001:db8::1]'],
	])('is not %s', (host) => {
		expect(said(host)).toBeUndefined();
	});

	test('is in the log when a trigger is published, and a hint of a node that waits; both go on', async () => {
		const at = 'http://localhost:5678/webhook/abc/signverify';
		const { trigger, registered, warnings } = setUp();
		await trigger(['signDocument'], { at }).create();
		expect(registered()).toHaveLength(1);
		expect(warnings).toEqual([`SignVerify Trigger: ${warning('http://localhost:5678')}`]);

		const { context } = standIn(({ options }) =>
			options.method === 'GET' ? { body: { success: true, responseData: [] } } : undefined,
		);
		const hints: string[] = [];
		const execute = {
			...context,
			...{ getSignedResumeUrl: () => `${at}?secret=x`, getInstanceId: () => 'i' },
			getWorkflow: () => ({ name: 'Contracts' }),
		};
		const item = {
			execute,
			service: new ServiceClient(context),
			hint: (text: string) => hints.push(text),
		};
		const done = { json: { sent: true } };
		const start = async () => await Promise.resolve(done);
		expect(await startWaiting(item as never, 'completedDocument', 1000, start)).toEqual([done]);
		expect(hints).toEqual([warning('http://localhost:5678')]);
	});
});

const types = ['completedDocument', 'signDocument'];
const event = { type: 'signDocument', Document: { documentID: 'd1' }, addedOn: 1 };
const bytesOf = (body: unknown) =>
	Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
const validated = (body: unknown, registered = 'signDocument', subscribed = types) =>
	readEvent(
		{ getRequestObject: () => ({ headers: {}, rawBody: bytesOf(body) }) } as never,
		registered,
		subscribed,
	);

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
	test('a genuine event is taken, also with a byte order mark', async () => {
		for (const body of [event, `\uFEFF${JSON.stringify(event)}`]) {
			expect(await validated(body)).toMatchObject({ event: 'signDocument', body: event });
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
	])('%j as a body is 400', async (body) => {
		expect(await validated(body)).toMatchObject({ status: 400 });
	});

	test.each(['sendDocument', 'completedDocument', 'rejectedDocument', 'TEST', '__proto__', 7, {}])(
		'the type %j is 422 on the URL of another event',
		async (type) => {
			expect(await validated({ ...event, type })).toMatchObject({ status: 422 });
		},
	);

	test('an event without a type is that of its URL, if that is subscribed', async () => {
		for (const type of [undefined, null, ''])
			expect(await validated({ ...event, type })).toMatchObject({ event: 'signDocument' });
		expect(await validated({ Document: {} }, 'sendDocument')).toMatchObject({ status: 422 });
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
	])('a body of %s is taken, and a larger one is 413', async (_name, most, tooMuch) => {
		expect(await validated(most)).toMatchObject({ event: 'signDocument' });
		expect(await validated(tooMuch)).toMatchObject({ status: 413 });
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
		async (event) => {
			for (const body of [{ Document: {} }, { type: 'FACE', a: 1 }, { type: 7 }, { type: '' }]) {
				expect(await validated(body, event, unknown)).toMatchObject({ event, body });
			}
			// The name of another event is no such word.
			const other = await validated({ type: 'failedBiometricRequest' }, event, unknown);
			expect(other).toMatchObject({ status: 422 });
		},
	);
});
