import type { IExecuteFunctions } from 'n8n-workflow';

import { eventRow } from '../../nodes/SignVerify/api/events';
import { isAboutDocument, type Notification } from '../../nodes/SignVerify/api/notification';
import { listWebhooks, redactWebhook, registerWebhook } from '../../nodes/SignVerify/api/webhooks';
import { ServiceClient } from '../../nodes/SignVerify/account/client';
import { listSearch } from '../../nodes/SignVerify/methods/listSearch';
import { startWaiting } from '../../nodes/SignVerify/wait/start';
import { checkReachable, publicUrlProblems } from '../../nodes/SignVerify/registrations/publicUrl';
import {
	hashOfSecret,
	isSecret,
	newSecret,
	urlWithSecret,
} from '../../nodes/SignVerify/registrations/webhookSecret';
import { withDocsLink } from '../support/errors';
import { setUpService } from '../support/registrations';
import { failureOf } from '../support/service';
import { standIn } from '../support/standIn';
import { readEvent } from '../../nodes/SignVerify/events/eventRequest';
import { maxResponseBytes } from '../../nodes/SignVerify/http/request';
import { settle } from '../../nodes/SignVerify/util/async';
import { plainText } from '../../nodes/SignVerify/util/redact';
import { expectLinear } from '../support/growth';
import { syncWebhooks } from '../../nodes/SignVerify/registrations/webhookSync';
import {
	cleanUpExpired,
	listBeforeWait,
	unregisterWait,
} from '../../nodes/SignVerify/registrations/waitWebhooks';
import { registrationProblems } from '../../nodes/SignVerify/registrations/registrationProblems';

test('Outdated webhooks are found in linear time', async () => {
	await expectLinear(20_000, (length) => {
		const responseData = Array.from({ length }, (_, at) => ({
			webHookID: `w-${at}`,
			type: 'signDocument',
			webHookUrl: 'https://n8n.example/webhook/abc/signverify?secret=x',
		}));
		const { context } = standIn(() => ({ body: { success: true, responseData } }));
		const known = { knownWebhooks: [], doubtfulIds: [] };
		return async () => {
			const service = new ServiceClient(context);
			const wanted = { urls: new Map(), name: '' };
			const { obsolete } = await syncWebhooks(service, wanted, () => true, known);
			expect(obsolete).toHaveLength(length);
		};
	});
});

test('A webhook is redacted in time that grows with the length of its name', async () => {
	await expectLinear(40_000, (length) => {
		const long = { name: 'a'.repeat(length) };
		return () => redactWebhook(long);
	});
});

test.each([
	['https://a.example/?TOKEN=MARKED', 'https://a.example/?TOKEN=…'],
	['HTTPS://a.example/?%73ecret=MARKED&a=MARKED?b=MARKED', 'HTTPS://a.example/?%73ecret=…&a=…?b=…'],
	['https://a.example/?MARKED&amp;b=MARKED;c==MARKED=', 'https://a.example/?…&…;b=…;c=…'],
	['https://a.example/?secret%3DMARKED#MARKED', 'https://a.example/?…#…'],
	['https://a.example/%3Fsecret=MARKED', 'https://a.example/%3Fsecret=…'],
	['/relative?a=MARKED\nMARKED', '/relative?a=…'],
	['https://a.example/#at=MARKED', 'https://a.example/#at=…'],
])('A displayed webhook hides query values in every field: %j', (text, shown) => {
	const webhook = (url: string) => ({
		webHookID: 'a',
		type: 'signDocument',
		webHookUrl: url,
		name: url,
		options: [{ callback: [url] }, 1, null],
	});
	expect(redactWebhook(webhook(text))).toEqual(webhook(shown));
});

test.each([
	['https://MARKED:MARKED@a.example/x', 'https://…@a.example/x'],
	['https://MARKED@a.example', 'https://…@a.example'],
	['HTTPS://MARKED:MARKED@MARKED@a.example/@team/x?a=MARKED', 'HTTPS://…@a.example/@team/x?a=…'],
	['https%3A%2F%2FMARKED%3AMARKED%40a.example%2Fx', 'https%3A%2F%2F…%40a.example%2Fx'],
	['https:\\\\MARKED:MARKED@a.example/', 'https:\\\\…@a.example/'],
	['https:MARKED:MARKED@a.example/', 'https:…@a.example/'],
	['https:/MARKED:MARKED@a.example/', 'https:/…@a.example/'],
	['https:////MARKED:MARKED@a.example/', 'https:////…@a.example/'],
	['//MARKED:MARKED@a.example/', '//…@a.example/'],
	['ftp://MARKED:MARKED@a.example/', 'ftp://…@a.example/'],
	// The next two are not valid URLs, but a service may store them.
	['https://MARKED:MAR/KED@a.example/', 'https://…@a.example/'],
	['https://MARKED:MAR#KED@a.example/', 'https://…@a.example/'],
	['https://a.example:8443/@team', 'https://a.example:8443/@team'],
])('A displayed webhook does not show a login in any field: %j', (text, shown) => {
	const webhook = (url: string) => ({
		webHookID: 'a',
		type: 'signDocument',
		webHookUrl: url,
		name: `called ${url}`,
		options: [{ callback: [url] }],
	});
	const redacted = redactWebhook(webhook(text));
	expect(redacted).toEqual(webhook(shown));
	// The service's messages are redacted in the same way.
	expect(plainText(`wrong: ${text}`)).toBe(plainText(`wrong: ${shown.replace('a=…', 'a=MARKED')}`));
});

test.each(['/', '//', '//a:b', 'https:', 'https://a:@', '%2f', '%2f%40'])(
	'A webhook is redacted in linear time even if its URL repeats %j many times',
	async (part) => {
		await expectLinear(40_000, (length) => {
			const webHookUrl = part.repeat(length / part.length);
			return () => redactWebhook({ webHookUrl });
		});
	},
);

test("A login in a webhook's URL is hidden in lists, labels, and errors", async () => {
	const login = 'ada:MARKED%20key';
	const url = `https://${login}@hooks.example/x`;
	const listed = [{ webHookID: 'w', type: 'signDocument', webHookUrl: url, name: url }];
	const listing = standIn(() => ({ body: { success: true, responseData: listed } }));
	const { results } = await listSearch.searchWebhooks.call(listing.context as never, '');
	expect(results).toEqual([
		{ name: 'w – When One Person Signs – https://…@hooks.example/x', value: 'w' },
	]);
	const said = [url, login, 'MARKED%20key', 'MARKED key', encodeURIComponent(url)];
	for (const words of said) {
		const message = `Wrong: ${words}`;
		const { context } = standIn(() => ({ status: 400, body: { success: false, message } }));
		const registered = registerWebhook(new ServiceClient(context), {
			event: eventRow('signDocument'),
			name: '',
			url,
		});
		const error = await registered.then(
			() => undefined,
			(thrown: Error) => thrown,
		);
		expect(error?.message).toMatch(/^The service rejected the request \(HTTP 400: "Wrong: .*…/);
		expect(error?.message).not.toMatch(/MARKED/);
	}
});

describe('The list of webhooks to delete', () => {
	const listOf = async (...webhooks: object[]) => {
		const entries = webhooks.map((webhook, index) => ({
			webHookID: `a-long-id-${index}`,
			type: 'signDocument',
			...webhook,
		}));
		const { context } = standIn(() => ({ body: { success: true, responseData: entries } }));
		const { results } = await listSearch.searchWebhooks.call(context as never, '');
		return results.map(({ name }) => name);
	};
	const hook = 'https://n8n.example/webhook/1/signverify';
	const shown = `When One Person Signs – ${hook}?secret=…`;
	const addedOn = Date.UTC(2026, 10, 28, 23, 59);
	const dayMs = 86_400_000;

	test('begins with the day of each webhook, or with its ID, so URLs that differ only in a secret can be told apart', async () => {
		expect(
			await listOf(
				{ webHookUrl: `${hook}?secret=MARKED-1`, addedOn },
				{ webHookUrl: `${hook}?secret=MARKED-2`, addedOn: String(addedOn - dayMs) },
				{ webHookUrl: `${hook}?secret=MARKED-3`, addedOn: '2026-11-26T10:00:00Z' },
				{ webHookUrl: `${hook}?secret=MARKED-4` },
				{ webHookUrl: `${hook}?secret=MARKED-5`, addedOn: 0 },
				{ webHookUrl: `${hook}?secret=MARKED-6`, addedOn: 'last week' },
			),
		).toEqual([
			`2026-11-26 – ${shown}`,
			`2026-11-27 – ${shown}`,
			`2026-11-28 – ${shown}`,
			`a-long-id-3 – ${shown}`,
			`a-long-id-4 – ${shown}`,
			`a-long-id-5 – ${shown}`,
		]);
	});

	test('has a different name for each webhook, even if they were registered on the same day', async () => {
		const waits = ['https://n8n.example/webhook-waiting/7/node?secret=MARKED', `${hook}?until=1`];
		const names = await listOf(
			...waits.flatMap((webHookUrl) => [
				{ webHookUrl, addedOn },
				{ webHookUrl, addedOn },
			]),
			{ webHookUrl: hook, addedOn },
		);
		const waiting = 'When One Person Signs – https://n8n.example/webhook-waiting/7/node?secret=…';
		expect(names).toEqual([
			`2026-11-28 – ${waiting} (ID …g-id-0)`,
			`2026-11-28 – ${waiting} (ID …g-id-1)`,
			`2026-11-28 – When One Person Signs – ${hook}`,
			`2026-11-28 – When One Person Signs – ${hook}?until=… (ID …g-id-2)`,
			`2026-11-28 – When One Person Signs – ${hook}?until=… (ID …g-id-3)`,
		]);
	});

	test('shows the day before a URL that is too long for the list', async () => {
		const webHookUrl = `https://a.example/${'x'.repeat(1000)}`;
		const names = await listOf({ webHookUrl, addedOn }, { webHookUrl, addedOn: addedOn - dayMs });
		expect(names.map((name) => name.slice(0, 12))).toEqual(['2026-11-27 –', '2026-11-28 –']);
		expect(Math.max(...names.map(({ length }) => length))).toBeLessThan(500);
	});
});

/**
 * Makes a node that waits at a URL, a service with these webhooks, and a list of the methods of its calls.
 * @param webHookUrl The URL that the service returns for a new webhook.
 */
function waitingAt(url: string, webhooks: unknown[] = [], webHookUrl?: string) {
	const standing = standIn(({ options }) => {
		const responseData = options.method === 'GET' ? webhooks : { webHookID: 'own', webHookUrl };
		return { body: { success: true, responseData } };
	});
	const context = {
		...standing.context,
		getWorkflow: () => ({ name: 'Contracts' }),
		getSignedResumeUrl: (given: Record<string, string> = {}) => {
			const names = Object.keys(given);
			// A service may sort a URL's parameters, but n8n's signature is valid only for their original
			// order. So they must already be sorted when n8n signs the URL.
			expect(names).toEqual([...names].sort());
			return `${url}?${new URLSearchParams(given).toString()}`;
		},
	} as unknown as IExecuteFunctions;
	const called = () => standing.calls.map(({ options }) => options.method);
	return { context, service: new ServiceClient(standing.context), called };
}

/** Returns the webhooks that the node reads from a response, and the lines in n8n's log. */
async function listed(responseData: unknown) {
	const { context } = standIn(() => ({ body: { success: true, responseData } }));
	const logged: string[] = [];
	// The client logs each call as well.
	const debug = (line: string) => void (line.includes('left out') && logged.push(line));
	const webhooks = await listWebhooks(
		new ServiceClient({ ...context, logger: { debug } } as never),
	);
	return { webhooks, logged };
}

test('A malformed webhook in the list does not hide the others', async () => {
	const odd = [null, 7, 'x', [], {}, { webHookID: null }, { webHookID: { a: 1 } }];
	const partly = { webHookID: 7, type: ['x'], webHookUrl: { url: 'x' }, name: {}, more: [1] };
	const whole = { webHookID: 'b', type: 'signDocument', webHookUrl: 'x' };
	// Some services list a webhook twice.
	expect(await listed([...odd, partly, whole, whole])).toEqual({
		webhooks: [{ webHookID: '7', type: '', webHookUrl: '', name: '', more: [1] }, whole],
		logged: ['SignVerify: left out webhooks that have no ID: 7'],
	});
	expect((await listed([whole])).logged).toEqual([]);
});

describe('An n8n URL', () => {
	const service = 'https://sign.example.com';
	const problem = (n8n: string) =>
		registrationProblems.unreachable({ from: service, to: n8n, remedy: '' }).problem;
	const { remedy } = publicUrlProblems.withEmptyPart({ shown: '', right: "n8n's public URL" });
	const said = (host: string, baseUrl = `${service}/api`) =>
		checkReachable(baseUrl, `http://${host}:5678/webhook/a?secret=b`);

	const localHosts = [
		'localhost',
		'localhost.',
		'n8n.localhost',
		'127.0.0.1',
		'127.1.2.3',
		'[::1]',
		'0.0.0.0',
		'[::]',
	];
	const privateNames = ['n8n', 'n8n.local', 'a.internal'];
	const privateAddresses = [
		'[fd00::1]',
		'10.1.2.3',
		'172.16.0.1',
		'172.31.255.255',
		'192.168.1.2',
		'169.254.1.1',
		'100.64.0.1',
		'100.99.1.1',
		'100.127.255.255',
	];
	const privateHosts = [...privateNames, ...privateAddresses];

	test.each(localHosts)('causes an error if its host is %j', (host) => {
		const message = problem(`http://${host}:5678`);
		expect(() => said(host)).toThrow(
			expect.objectContaining({ message, docsAnchor: 'events-cannot-arrive' }) as Error,
		);
	});

	test.each(privateHosts)('causes a warning if its host is %j', (host) => {
		expect(said(host)).toBe(`${problem(`http://${host}:5678`)}. ${remedy}`);
	});

	test.each([...localHosts, ...privateHosts])(
		'with the host %j is accepted if the service may be on the same network',
		(host) => {
			expect(said(host, 'http://192.168.1.9/api')).toBeUndefined();
			expect(said(host, 'http://localhost:3000/api')).toBeUndefined();
			expect(said(host, 'no URL')).toBeUndefined();
		},
	);

	test('is accepted if its host is on the internet', () => {
		const names = ['n8n.example.com', '10.example.com', 'localhost.example.com', '[2001:db8::1]'];
		const addresses = ['8.8.8.8', '172.15.0.1', '172.32.0.1', '192.169.0.1'];
		addresses.push('100.63.255.255', '100.128.0.1');
		expect([...names, ...addresses].filter((host) => said(host) !== undefined)).toEqual([]);
	});

	/**
	 * Starts a wait. Returns its result, the calls to the service, the node's hints, and the mock function
	 * that sends the document.
	 */
	async function wait(at: string) {
		const hints: string[] = [];
		const send = jest.fn(async () => await Promise.resolve({ json: { sent: true } }));
		const { called, ...context } = waitingAt(at);
		const item = { ...context, hint: (text: string) => hints.push(text) };
		const ended = await settle(
			startWaiting(
				item as never,
				{ about: 'document', maxWaitMs: 1000, included: { json: {} }, consequence: 'Look.' },
				send,
			),
		);
		return { ended, called, hints, send };
	}

	test('with a private host causes only a warning in the log or a hint', async () => {
		const at = 'http://192.168.1.2:5678/webhook/abc/signverify';
		const { trigger, registered, warnings } = setUpService();
		await trigger(['signDocument'], { at }).create();
		expect(registered()).toHaveLength(1);
		const warning = `${problem('http://192.168.1.2:5678')}. ${remedy}`;
		expect(warnings).toEqual([`SignVerify Trigger: ${warning}`]);

		const { ended, hints } = await wait(at);
		expect(ended).toEqual({ ok: true, value: { json: { sent: true } } });
		expect(hints).toEqual([warning]);
	});

	test('on the same machine causes an error before anything is registered or sent', async () => {
		const at = 'http://localhost:5678/webhook/abc/signverify';
		const { trigger, log } = setUpService();
		const to = 'http://localhost:5678';
		const { remedy: description } = registrationProblems.unreachable({ from: service, to, remedy });
		expect(description).toContain('Nothing was registered.');
		expect(await failureOf(trigger(['signDocument'], { at }).create())).toMatchObject({
			message: `${problem(to)}. ${description}`,
			description: withDocsLink(description, 'events-cannot-arrive'),
		});
		expect(log).toEqual([]);

		const { ended, called, send } = await wait(at);
		expect(ended).toMatchObject({
			ok: false,
			error: { message: problem('http://localhost:5678'), description: `${description} Look.` },
		});
		expect(send).not.toHaveBeenCalled();
		expect(called()).toEqual([]);
	});
});

const event = { type: 'signDocument', Document: { documentID: 'd1' }, addedOn: 1 };
const bytesOf = (body: unknown) =>
	Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
async function validated(body: unknown, registered = 'signDocument') {
	const getRequestObject = () => ({ headers: {}, rawBody: bytesOf(body) });
	const reading = await readEvent({ getRequestObject } as never, registered, []);
	return reading.isAccepted ? reading.notification : reading.response;
}

test('A secret has 256 bits and does not need to be encoded in a URL', () => {
	const address = urlWithSecret('https://n8n.example/webhook/1/signverify', newSecret());
	const { searchParams } = new URL(address);
	expect([...searchParams.keys()]).toEqual(['secret']);
	const secret = searchParams.get('secret') ?? '';
	expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
	expect(address).toContain(`?secret=${secret}`);
	expect(newSecret()).not.toBe(newSecret());
	expect(urlWithSecret('https://n8n.example/?a=b', 'x')).toBe('https://n8n.example/?a=b&secret=x');
});

test('A secret matches only its complete hash', () => {
	const [secret, hash] = ['own', hashOfSecret('own')];
	expect(isSecret(secret, hash)).toBe(true);
	for (const other of [hashOfSecret('other'), hash.slice(1), `${hash}A`, '']) {
		expect(isSecret(secret, other)).toBe(false);
	}
});

test("Removing a wait's webhooks never throws an error, even if the credential was deleted", async () => {
	const { context } = standIn(() => undefined);
	const getCredentials = async () => await Promise.reject(new Error('There is no such credential'));
	const service = new ServiceClient({ ...context, getCredentials } as never);
	const webhook = { hash: 'a', id: 'b', event: 'completedDocument' as const };
	const wait = { webhooks: [webhook], owner: '' };
	expect(await settle(unregisterWait(service, wait))).toMatchObject({ ok: true });
});

test('Nothing is sent if the service has stored the URL of a wait without its query', async () => {
	const url = 'https://n8n.example/webhook-waiting/1/node';
	const listed = [{ webHookID: 'own', type: 'completedDocument', webHookUrl: url }];
	const { called, ...context } = waitingAt(url, listed, url);
	const item = { ...context, hint: () => undefined };
	const send = jest.fn();
	const about = 'document' as const;
	const wait = { about, maxWaitMs: 1000, included: { json: {} }, consequence: 'Nothing was sent.' };
	const error = await failureOf(startWaiting(item as never, wait, send));
	expect(error.message).toContain(
		registrationProblems.urlNotKept('without everything after the question mark').problem,
	);
	// The webhook was in the list that the wait read before, so it isn't removed.
	expect(error.description).toMatch(/ before: own\. .* Nothing was sent\.$/);
	expect(called()).not.toContain('DELETE');
	expect(send).not.toHaveBeenCalled();
});

test("A wait's webhooks are removed if the node itself fails while sending", async () => {
	const { called, ...context } = waitingAt('https://n8n.example/webhook-waiting/1/node');
	const item = { ...context, hint: () => undefined };
	const send = async () => await Promise.reject(new TypeError('x is not a function'));
	const wait = {
		about: 'document' as const,
		maxWaitMs: 1000,
		included: { json: {} },
		consequence: '',
	};
	expect(await settle(startWaiting(item as never, wait, send))).toEqual({
		ok: false,
		error: new TypeError('x is not a function'),
	});
	expect(called().at(-1)).toBe('DELETE');
});

describe('Event validation', () => {
	test('accepts a genuine event, even with a byte order mark', async () => {
		for (const body of [event, `\uFEFF${JSON.stringify(event)}`]) {
			expect(await validated(body)).toMatchObject({ event: 'signDocument', body: event });
		}
	});

	test('keeps all digits of an ID above 2^53, so the event does not end a wait for a similar ID', async () => {
		const id = '9007199254740993';
		const raw = `{"type":"signDocument","Document":{"documentID":${id},"templateID":${id}}}`;
		const { document } = (await validated(raw)) as Required<Notification>;
		expect(document).toMatchObject({ ids: [id], summary: { templateId: id } });
		expect(isAboutDocument(document, id)).toBe(true);
		expect(isAboutDocument(document, '9007199254740992')).toBe(false);
	});

	test.each(['{}', '', '{"type":"signDocument"}'])(
		'responds with HTTP 200 to the body `%s`, which is not an event',
		async (body) => {
			expect(await validated(body)).toMatchObject({ status: 200 });
		},
	);

	test.each(['[{"type":"signDocument"}]', '3', 'a=b', '<a>1</a>', '"text"', 'null', '\uFFFF'])(
		'responds with HTTP 400 to the body `%s`',
		async (body) => {
			expect(await validated(body)).toMatchObject({ status: 400 });
		},
	);

	test.each(['sendDocument', 'completedDocument', 'rejectedDocument', 'TEST', '__proto__', 7, {}])(
		'responds with HTTP 422 if the type is %j but the URL is for another event',
		async (type) => {
			expect(await validated({ ...event, type })).toMatchObject({ status: 422 });
		},
	);

	test('uses the type in the URL if the body does not contain a type', async () => {
		for (const type of [undefined, null, ''])
			expect(await validated({ ...event, type })).toMatchObject({ event: 'signDocument' });
	});

	const padded = (length: number) => JSON.stringify(event).padEnd(length);
	const nested = (depth: number) =>
		`{"type":"signDocument","Document":{"a":${'['.repeat(depth - 2)}${']'.repeat(depth - 2)}}}`;

	test.each([
		[
			'of 2 MB, but responds with HTTP 413 to a larger one',
			padded(maxResponseBytes.single),
			padded(maxResponseBytes.single + 1),
		],
		['with 100 levels, but responds with HTTP 413 to a deeper one', nested(100), nested(101)],
	])('accepts a body %s', async (_name, most, tooMuch) => {
		expect(await validated(most)).toMatchObject({ event: 'signDocument' });
		const tooLarge = { status: 413, message: 'The body is too large.' };
		expect(await validated(tooMuch)).toEqual(tooLarge);
	});

	test.each<[string, (length: number) => string]>([
		['empty objects', (length) => `{"a":[${'{},'.repeat(length / 3)}{}]}`],
		['nested lists', (length) => `{"a":${'['.repeat(length / 2)}${']'.repeat(length / 2)}}`],
		['object members', (length) => `{${'"a":1,'.repeat(length / 6)}"a":1}`],
		['an unfinished string', (length) => `{"a":"${'\\'.repeat(length)}`],
		['one string', (length) => JSON.stringify({ type: 'signDocument', a: 'x'.repeat(length) })],
	])('responds in linear time to %s', async (_name, bodyOf) => {
		await expectLinear(80_000, (length) => {
			const body = bodyOf(length);
			return async () => await validated(body);
		});
	});
});

describe('An event without a documented body', () => {
	const unknown = ['pendingBiometric', 'failedBiometric', 'VERIFICATION_REQUEST_FINISHED'];
	test.each(unknown)(
		'gets the type "%s" from its URL unless its body names another event',
		async (event) => {
			for (const body of [{ Document: {} }, { type: 'FACE', a: 1 }, { type: 7 }, { type: '' }]) {
				expect(await validated(body, event)).toMatchObject({ event, body });
			}
			// A body that names a different event is rejected.
			const other = await validated({ type: 'failedBiometricRequest' }, event);
			expect(other).toMatchObject({ status: 422 });
		},
	);
});

test('Several waits that start at the same time remove expired webhooks only once', async () => {
	const webHookUrl = 'https://n8n.example/webhook-waiting/1/node?secret=x&until=1';
	const expired = { webHookID: 'a', type: 'completedDocument', webHookUrl };
	const { context, service, called } = waitingAt('https://n8n.example/webhook-waiting/2/node', [
		expired,
	]);
	const cleanUp = async (client = service) =>
		await cleanUpExpired(context, client, (await listBeforeWait(client)) ?? []);
	await Promise.all([cleanUp(), cleanUp(), cleanUp()]);
	expect(called()).toEqual(['GET', 'DELETE']);
	// That clean-up has ended, so the next wait looks for expired webhooks again. The list still contains the
	// deleted webhook.
	await cleanUp();
	expect(called()).toEqual(['GET', 'DELETE', 'GET']);
	// A wait in another account does not share the clean-up.
	const other = standIn(() => undefined);
	await Promise.all([cleanUp(), cleanUp(new ServiceClient(other.context))]);
	expect(other.calls).toHaveLength(1);
});
