import { Readable } from 'node:stream';

import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { bodiesOf, documentStates } from '../support/documentStates';
import { Response } from '../n8n/incoming';
import { errorWithCode } from '../support/standIn';
import {
	address,
	triggerNode,
	completedEvent,
	fileResponse,
	storedCredential,
} from '../support/triggerNode';
import { sleep, stopwatch, useVirtualTime } from '../support/virtualTime';
import { accountHashOf } from '../../nodes/SignVerify/account/credential';
import { eventRow, events } from '../../nodes/SignVerify/api/events';
import { logOncePerMinute } from '../../nodes/SignVerify/events/logOncePerMinute';
import { refuseForNow, respond } from '../../nodes/SignVerify/events/eventRequest';
import { claimEvent } from '../../nodes/SignVerify/events/eventClaims';
import { objectOf } from '../../nodes/SignVerify/util/values';
import { jsonRedactor } from '../../nodes/SignVerify/util/redact';
import { identityFinished } from '../support/events';
import { expectLinear } from '../support/growth';
import { valueProblems } from '../../nodes/SignVerify/text/textProblems';
import { filterProblems } from '../../nodes/SignVerify/trigger/templateFilter';

const told = (message: string) => ({ message });
const wrongSecret = {
	items: [],
	status: 401,
	body: told('The secret in the URL is missing or wrong.'),
};

describe('An event that quotes its URL', () => {
	const withCode = (code: (sign: string) => string) => (text: string) =>
		text.replace(/[^a-z\d]/gi, (sign) => code(sign.charCodeAt(0).toString(16)));

	const encodedWholly = (url: string) =>
		url.replace(/./g, (one) => `%${one.charCodeAt(0).toString(16)}`);

	test.each<[string, (url: string) => string]>([
		['as it is', (url) => url],
		['encoded', encodeURIComponent],
		['in capitals', (url) => url.toUpperCase()],
		['encoded wholly', (url) => encodedWholly(url)],
		['encoded wholly, twice', (url) => encodeURIComponent(encodedWholly(url))],
		['escaped wholly for HTML', (url) => url.replace(/./g, (one) => `&#${one.charCodeAt(0)};`)],
		['escaped for JSON', withCode((code) => `\\u00${code}`)],
		['escaped for HTML', withCode((code) => `&#x${code};`)],
		['in base64', (url) => Buffer.from(new URL(url).search).toString('base64')],
	])("doesn't bring the secret into the output if the URL is written %s", async (_how, write) => {
		for (const output of ['simplified', 'raw']) {
			for (const event of ['completedDocument', 'identityFinished']) {
				const type = event === 'completedDocument' ? event : identityFinished;
				const node = triggerNode({ events: [type], output });
				const written = write(`${address}?secret=${node.secretFor(type)}`);
				const base = { ...completedEvent({ title: `To ${written}` }), type, status: written };
				const body = { ...base, [written]: [{ reason: written }] };
				const { items } = await node.call({ body, event: type });
				expect(items).toHaveLength(1);
				expect(JSON.stringify(items).match(/…/g)?.length).toBeGreaterThan(0);
				const runs = node.secretFor(type).split(/[-_]+/);
				const longest = runs.reduce((one, other) => (one.length < other.length ? other : one));
				expect(JSON.stringify(items)).not.toContain(longest);
			}
		}
	});

	test('keeps everything else as it is', async () => {
		const node = triggerNode({ options: { output: 'raw' } });
		const secret = node.secretFor('completedDocument');
		const other = node.secretFor('signDocument');
		const body = {
			...completedEvent(),
			text: `"\n\u0000 …\\" https://ana:pw@a.example?secret=${other}&\ud83d\ude00`,
			large: 'x\\%25&#x2F;'.repeat(150_000),
		};
		const { items } = await node.call({ body: { ...body, url: `a?secret=${secret}&b` } });
		expect(items[0]?.json).toEqual({ ...body, url: 'a?secret=…&b' });
	});

	// Each of these pieces could be the beginning of the secret, however it's written.
	test.each(['abcdefgh-', '\\', '\\u0061', '%25', '%2561', '&#', '&#x61;'])(
		'is read in linear time even if a text repeats %j',
		async (piece) => {
			const redactJson = jsonRedactor(['abcdefgh-ijklmnop']);
			await expectLinear(20_000, (length) => {
				const json = JSON.stringify({ text: piece.repeat(length / piece.length) });
				return () => expect(redactJson(json)).toBe(json);
			});
		},
	);

	test('is the same string afterward if it contains no secret, or if the secret is too short', () => {
		expect(jsonRedactor([triggerNode().secretFor('signDocument')])('{"a": 1}')).toBe('{"a": 1}');
		expect(jsonRedactor(['', 'a', '--------'])('{"a": "--------"}')).toBe('{"a": "--------"}');
	});
});

describe('A request to the trigger', () => {
	test('must contain the secret that is derived from the API key', async () => {
		expect((await triggerNode().call()).items).toHaveLength(1);
		const { secretFor } = triggerNode();
		const secret = secretFor('completedDocument');
		expect(secret).toMatch(/^[\w-]{43}$/);
		const withCredential = (more: object) =>
			triggerNode({}, { credential: { ...storedCredential, ...more } });
		const strangers = [
			triggerNode({}, { instance: 'another' }),
			triggerNode({}, { mode: 'manual' }),
			triggerNode({ events: ['signDocument'] }),
		];
		for (const { call } of strangers) expect(await call({ secret })).toEqual(wrongSecret);
		// After the API key has changed, the new secret is valid immediately, and the previous one for ten
		// more seconds.
		const newKey = withCredential({ apiKey: 'a new key' });
		for (const given of [{}, { secret }]) expect((await newKey.call(given)).items).toHaveLength(1);
		jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 10_001);
		expect(await newKey.call({ secret })).toEqual(wrongSecret);
		// A provider's test and production systems may use the same API key, but the secrets must be
		// different.
		const elsewhere = withCredential({ baseUrl: 'https://test.example' });
		expect(await elsewhere.call({ secret })).toEqual(wrongSecret);
		jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 1001);
		// The node trims the key before it sends it, so spaces around a pasted key make no difference.
		expect(
			(await withCredential({ apiKey: ' the API key\n' }).call({ secret })).items,
		).toHaveLength(1);
	});

	test('without the secret gets a 401 before the credential or the body is read', async () => {
		const readRawBody = jest.fn();
		const request = { rawBody: undefined, readRawBody };
		const { call, secretFor, logged } = triggerNode();
		const withoutCredential = triggerNode({}, { credential: undefined, logged });
		const own = secretFor('completedDocument');
		for (const secret of [undefined, '', 'wrong', [own], { own }, `${own}x`, own.slice(1)]) {
			expect(await withoutCredential.call({ secret, request })).toEqual(wrongSecret);
		}
		// A stranger must not be able to fill the log.
		expect(logged).toEqual([]);
		expect(await call({ secret: 'x'.repeat(43), request })).toEqual(wrongSecret);
		expect(readRawBody).not.toHaveBeenCalled();
		await call({ request });
		expect(readRawBody).toHaveBeenCalledTimes(1);
	});

	test('with a wrong secret makes the node read the credential at most once a second', async () => {
		const { call, credentialReads, secretFor } = triggerNode({}, { nodeId: 'under attack' });
		await call();
		expect(credentialReads).toHaveLength(1);
		const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now());
		const attack = async () =>
			await Promise.all(
				Array.from({ length: 50 }, async () => await call({ secret: 'x'.repeat(43) })),
			);
		for (const { status } of await attack()) expect(status).toBe(401);
		await attack();
		expect(credentialReads).toHaveLength(2);
		// A new API key is valid a second later, even if the attack continues.
		clock.mockReturnValue(performance.now() + 1001);
		const credential = { ...storedCredential, apiKey: 'a new key' };
		const newKey = triggerNode({}, { nodeId: 'under attack', credential });
		expect(newKey.secretFor('completedDocument')).not.toBe(secretFor('completedDocument'));
		expect((await newKey.call()).items).toHaveLength(1);
		clock.mockRestore();
	});

	test('gets a 500 while n8n cannot read the credential, so the event is sent again', async () => {
		const { call, logged } = triggerNode({}, { credential: undefined });
		// Without the credential, the node cannot recognize a wrong secret, but such requests must not fill
		// the log.
		await call({ secret: 'x'.repeat(43) });
		expect(await call()).toEqual({
			items: [],
			status: 500,
			body: told("n8n couldn't process this event. Send the event again."),
		});
		expect(logged).toEqual([
			'SignVerify Trigger couldn\'t process an event: n8n couldn\'t read the credential: Credential with ID "0" does not exist for type "signVerifyApi".',
		]);
	});

	test('is logged without its secret if it is rejected, but at most once a minute', async () => {
		// An expression may return text instead of a list.
		const { call, logged, secretFor } = triggerNode({ events: 'completedDocument' });
		const secret = secretFor('completedDocument');
		const clock = jest.spyOn(performance, 'now');
		const line = (what: string) => `SignVerify rejected ${what} at ${address}: `;
		const pending = () => call({ body: completedEvent({ status: 'FINISHED' }) });
		expect(await pending()).toMatchObject({ status: 422 });
		expect(await pending()).toMatchObject({ status: 422 });
		clock.mockReturnValue(performance.now() + 60_001);
		const other = { type: 'other', Document: { documentID: 'd' } };
		expect(await call({ body: other, secret })).toMatchObject({ status: 422 });
		clock.mockReturnValue(performance.now() + 60_001);
		expect(await call({ secret: 'x'.repeat(43) })).toMatchObject({ status: 401 });
		clock.mockRestore();
		expect(logged).toEqual([
			`${line('completedDocument')}The document in this event hasn't been completed. In the event, status is "FINISHED".`,
			`${line('completedDocument')}This workflow hasn't subscribed to this event.`,
			`${line('an event')}The secret in the URL is missing or wrong. If the credential has changed, or the event is no longer selected, unpublish the workflow and publish it again.`,
		]);
		// An event that a filter excludes is not a problem, so the log stays empty.
		const filtered = triggerNode({ filters: { templates: ['lease'] } });
		await filtered.call({ body: completedEvent({ templateID: 'nda' }) });
		expect(filtered.logged).toEqual([]);
	});

	test("is logged without the login in n8n's public URL if it is rejected", async () => {
		const at = address.replace('https://', 'https://ana:the-password@');
		const { call, logged } = triggerNode({}, { at });
		await call({ body: completedEvent({ status: 'FINISHED' }) });
		expect(logged).toEqual([
			expect.stringContaining(` at ${address.replace('https://', 'https://…@')}: `),
		]);
	});

	test('is logged if it is rejected, even shortly after a request with a wrong secret', async () => {
		const { call, logged } = triggerNode({}, { at: `${address}/attacked` });
		await call({ secret: 'x'.repeat(43) });
		await call({ body: completedEvent({ status: 'FINISHED' }) });
		await call({ secret: 'y'.repeat(43) });
		expect(logged).toEqual([
			expect.stringContaining('The secret in the URL is missing or wrong.'),
			expect.stringContaining("The document in this event hasn't been completed."),
		]);
	});

	test.each([
		['is too large', { status: 413 }, 413, 'The body is larger than this n8n instance accepts.'],
		['is incomplete', { status: 400 }, 400, "The body can't be read."],
		['cannot be decompressed', { code: 'Z_DATA_ERROR' }, 400, "The body can't be read."],
	])('is rejected if its body %s', async (_name, details, status, message) => {
		const readRawBody = async () => await Promise.reject(Object.assign(new Error('no'), details));
		const { call, logged } = triggerNode();
		expect(await call({ request: { rawBody: undefined, readRawBody } })).toEqual({
			items: [],
			status,
			body: told(message),
		});
		// The request had the right secret, so a genuine event was lost, and the log has to report this.
		expect(logged).toEqual([expect.stringContaining(message)]);
	});

	test.each(['multipart/form-data; boundary=x', 'Multipart/Form-Data; boundary=x', 'MULTIPART/x'])(
		'with the content type "%s" is rejected, and its body is not read a second time',
		async (type) => {
			const readRawBody = async () => await Promise.reject(new Error('it is read already'));
			const request = { rawBody: undefined, headers: { 'content-type': type }, readRawBody };
			expect(await triggerNode().call({ request })).toMatchObject({
				status: 400,
				body: told('The body must be a JSON object.'),
			});
		},
	);

	test.each([undefined, 'text/x-json', 'application/x-other; of="multipart/mixed"'])(
		'with the content type %j is accepted if its body is JSON that n8n has not read yet',
		async (type) => {
			const request = {
				rawBody: undefined as Buffer | undefined,
				headers: type === undefined ? {} : { 'content-type': type },
				async readRawBody() {
					this.rawBody = await Promise.resolve(Buffer.from(JSON.stringify(completedEvent())));
				},
			};
			expect((await triggerNode().call({ request })).items).toHaveLength(1);
		},
	);

	const [shown, undocumented] = [true, false].map((isShown) =>
		events
			.map(({ type }) => type)
			.filter((type) => (eventRow(type).body !== undefined) === isShown),
	);

	test.each(
		(shown ?? []).flatMap((event) =>
			['', ' \n', {}, { type: 'ping' }, { type: event, addedOn: 1 }, { Document: null }].map(
				(body) => [event, body] as const,
			),
		),
	)(
		'for %s with the body %j gets a 200, but does not count as an event, because it contains no document',
		async (event, body) => {
			const { call, logged } = triggerNode();
			const result = {
				items: [],
				status: 200,
				body: told("This call doesn't contain an event."),
			};
			expect(await call({ event, body })).toEqual(result);
			// The first call was not accepted as an event, so the second one does not count as a repeat.
			expect(await call({ event, body })).toEqual(result);
			const line = `SignVerify ignored a call for ${event} at ${address}: This call doesn't contain an event.`;
			const names = Object.keys(objectOf(body)).map((name) => `"${name}"`);
			const fields = names.length > 0 ? ` Its outermost fields are ${names.join(', ')}.` : '';
			expect(logged).toEqual([`${line}${fields}`]);
			expect(await call({ event, body, secret: 'x'.repeat(43) })).toEqual(wrongSecret);
		},
	);

	test.each<[string, IDataObject, string]>([
		['wrapped', { data: completedEvent(), id: 7 }, '"data", "id"'],
		['with a small letter', { type: 'completedDocument', document: {} }, '"type", "document"'],
		['with an address', { 'ada@example.com': {}, data: {} }, '"data"'],
		['with a long address', { [`${'x'.repeat(40)}@example.com`]: {}, data: {} }, '"data"'],
		[
			'with long fields',
			{ ['x'.repeat(31)]: 1, ['y'.repeat(30)]: 1 },
			`"${'x'.repeat(29)}…", "${'y'.repeat(30)}"`,
		],
		['with a secret', { 'the API key': 1, 'a\n<b>': 1 }, '"…", "a ‹b›"'],
		[
			'with many fields',
			Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`f${index}`, 1])),
			Array.from({ length: 10 }, (_, index) => `"f${index}"`).join(', '),
		],
	])('that comes %s is logged with its outermost fields', async (_how, body, names) => {
		const { call, logged } = triggerNode();
		await call({ event: 'completedDocument', body });
		await call({ event: 'completedDocument', body: { ...body, other: 1 } });
		const [line, ...others] = logged;
		expect(line?.split(' Its outermost fields are ')[1]).toBe(`${names}.`);
		expect(others).toEqual([]);
	});

	test.each(
		(shown ?? []).flatMap((event) =>
			['ping', '[]', 'null', '{"type":'].map((body) => [event, body]),
		),
	)(
		'for %s with the body %s is rejected, because the body may be a damaged event',
		async (event, body) => {
			expect(await triggerNode().call({ event, body })).toEqual({
				items: [],
				status: 400,
				body: told('The body must be a JSON object.'),
			});
		},
	);

	test.each(undocumented ?? [])(
		'for %s starts the workflow with any JSON object, but does not count as an event if it has no content',
		async (event) => {
			const { call, logged } = triggerNode();
			const at = Date.now();
			expect((await call({ event, body: { event: 'ping', at } })).items).toHaveLength(1);
			for (const body of ['', ' \n', {}, '{ }\n'])
				expect(await call({ event, body })).toMatchObject({ status: 200, items: [] });
			expect(logged).toEqual([
				`SignVerify ignored a call for ${event} at ${address}: This call doesn't contain an event.`,
			]);
		},
	);

	test('starts When Everyone Has Signed only if it reports a completed document', async () => {
		const { call } = triggerNode();
		const bodies = documentStates.flatMap((state) => bodiesOf(state, ''));
		for (const [index, { body, trigger }] of bodies.entries()) {
			body.Document.documentID = `state ${index}`;
			const { status, items } = await call({ body, event: 'completedDocument' });
			expect({ body, status, starts: items.length > 0 }).toEqual({ body, ...trigger });
		}
	});

	test.each([
		[{ status: 'VOID' }, 200, 'In the event, status is "VOID".'],
		[{ isCanceled: true }, 200, 'In the event, status is "COMPLETED" and isCanceled is true.'],
		[{ status: 'ARCHIVED' }, 422, 'In the event, status is "ARCHIVED".'],
		[{ status: 'x'.repeat(500_000) }, 422, /In the event, status is "x{70,80}…\.$/],
		[{ status: null }, 422, 'The event contains no status.'],
	])(
		'about a document with %p gets a %i, the log names the status, and a later completion still starts the workflow',
		async (state, expected, words) => {
			const at = `${address}/${expected}-${String(words)}`;
			const { call, logged } = triggerNode({}, { at });
			expect(await call({ body: completedEvent(state) })).toMatchObject({
				status: expected,
				items: [],
			});
			expect(logged).toEqual([
				typeof words === 'string' ? expect.stringContaining(words) : expect.stringMatching(words),
			]);
			expect((await call({ body: completedEvent() })).items).toHaveLength(1);
		},
	);

	test.each([
		[
			'the API key',
			{ status: `key ${storedCredential.apiKey} revoked` },
			'status is "key … revoked"',
		],
		['a token', { status: 'refused a.token' }, 'status is "refused …"'],
		[
			'the secret of a webhook',
			{ status: `https://n8n.example/hook?secret=${'s'.repeat(43)}` },
			'status is "https://n8n.example/hook?secret=…"',
		],
		[
			'personal data',
			{ status: { by: 'ada@example.com' }, isDeleted: ['Ada Lovelace'] },
			'status is not a text and isDeleted is not a text',
		],
	])(
		'about a document whose status contains %s is logged without it',
		async (what, state, words) => {
			const accountHash = accountHashOf(storedCredential);
			const credential = { ...storedCredential, accessToken: 'a.token', accountHash };
			const { call, logged } = triggerNode({}, { at: `${address}/logs ${what}`, credential });
			await call({ body: completedEvent(state) });
			expect(logged).toEqual([expect.stringContaining(` In the event, ${words}.`)]);
		},
	);

	test('is logged without its status while n8n cannot read the credential', async () => {
		const at = `${address}/unreadable`;
		const { call, secretFor } = triggerNode({}, { at });
		await call();
		const { call: callLater, logged } = triggerNode({}, { at, credential: undefined });
		const secret = secretFor('completedDocument');
		expect(await callLater({ secret, body: completedEvent({ status: 'ARCHIVED' }) })).toMatchObject(
			{
				status: 422,
			},
		);
		expect(logged).toEqual([expect.stringMatching(/hasn't been completed\.$/)]);
	});

	test('starts the workflow with the personal data that was selected in Include', async () => {
		const logsStatus = [{ operationType: 'SIGNED' }];
		const body = completedEvent({ logsStatus });
		const { items } = await triggerNode({ options: { include: ['history'] } }).call({ body });
		expect(items[0]?.json).toMatchObject({ history: [{ what: 'SIGNED' }] });
	});

	test('is ignored if it repeats an event that is still being processed', async () => {
		const { start, call } = triggerNode();
		const body = completedEvent();
		const { response } = await start({ body });
		response.close();
		// The service may repeat an event with a new time.
		const repeat = call({ body: { ...body, addedOn: 2 } });
		response.json({});
		expect(await repeat).toEqual({
			items: [],
			status: 200,
			body: told('This event was already processed.'),
		});
	});

	test('starts each test run, even if an earlier one has received the same event', async () => {
		const body = completedEvent();
		const run = async () => (await triggerNode({}, { mode: 'manual' }).call({ body })).items.length;
		expect([await run(), await run()]).toEqual([1, 1]);
	});

	test('gets a 200 without starting the workflow if a filter excludes its event', async () => {
		const { call } = triggerNode({ filters: { templates: ['lease'] } });
		expect((await call({ body: completedEvent({ templateID: 'lease' }) })).items).toHaveLength(1);
		expect(await call({ body: completedEvent({ templateID: 'nda' }) })).toEqual({
			items: [],
			status: 200,
			body: told('A filter in this workflow excludes this event.'),
		});
	});

	test('gets a 500 if the node itself fails, and n8n logs why', async () => {
		const { logger, lines } = twoLogs();
		const response = new Response();
		const context = { getResponseObject: () => response, logger } as never;
		const bug = new TypeError('x is not a function');
		const handle = async () =>
			await Promise.resolve().then(() => refuseForNow(context, 'Failed', bug));
		await respond(context, handle, 'Failed');
		expect(response.statusCode).toBe(500);
		expect(lines).toEqual(['error: Failed: x is not a function']);
	});

	test('gets a 500 if the node is set up incorrectly, and n8n logs why', async () => {
		const { call, logged } = triggerNode({ events: [] });
		expect(await call()).toMatchObject({
			items: [],
			status: 500,
			body: told("n8n couldn't process this event. Send the event again."),
		});
		expect(logged).toEqual([
			`SignVerify Trigger couldn't process an event: Trigger On: ${valueProblems.notSelected.problem}`,
		]);
	});

	test('gets a 500 and starts nothing if the trigger was published with a filter that the node does not know', async () => {
		const { call, logged } = triggerNode({ filters: { sentBy: 'ana@example.com' } });
		expect(await call()).toMatchObject({ items: [], status: 500 });
		expect(logged).toEqual([
			`SignVerify Trigger couldn't process an event: Filters: ${filterProblems.unknownFilter('sentBy').problem}`,
		]);
	});

	test('does not get a second response if one was already sent', async () => {
		const response = new Response().status(202).json('sent');
		const { status, body } = await triggerNode({ events: [] }).call({ response });
		expect(status).toBe(202);
		expect(body).toBe('sent');
	});
});

/** A logger that notes the level of each line. */
function twoLogs() {
	const lines: string[] = [];
	const note = (level: string) => (line: string) => lines.push(`${level}: ${line}`);
	return { lines, logger: { warn: note('warn'), error: note('error') } };
}

describe("A line in n8n's log", () => {
	test('is a warning or an error, and appears at most once a minute for each subject', () => {
		const { logger, lines } = twoLogs();
		const log = (...given: [level: 'warn' | 'error', line: string, subject?: string]) =>
			logOncePerMinute({ logger } as never, ...given);
		log('warn', 'rejected a', 'https://n8n.example');
		log('warn', 'rejected b', 'https://n8n.example');
		log('error', 'failed');
		log('error', 'failed');
		log('error', 'failed again');
		const expected = ['warn: rejected a', 'error: failed', 'error: failed again'];
		expect(lines).toEqual(expected);
		const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_001);
		log('warn', 'rejected c', 'https://n8n.example');
		clock.mockRestore();
		expect(lines).toEqual([...expected, 'warn: rejected c']);
	});
});

/** Claims a delivery of an event and returns whether the event is new or a repeat. */
const claim = async (...given: Parameters<typeof claimEvent>) =>
	(await claimEvent(...given)).repeated ? 'repeat' : 'new';
const day = 86_400_000;
let count = 0;
const newKey = () => `key ${count++}`;
const respondedWith = (status: number) => {
	const response = new Response();
	return { response, end: () => (response.status(status).json({}), response.close()) };
};

describe('A repeated event', () => {
	test('is ignored after the first one got a 2xx response', async () => {
		const key = newKey();
		const first = respondedWith(200);
		expect(await claim(key, first.response)).toBe('new');
		first.end();
		expect(await claim(key, new Response())).toBe('repeat');
		expect(await claim(newKey(), new Response())).toBe('new');
	});

	test('is processed as a supplement if it brings a file that no accepted one had', async () => {
		const key = newKey();
		const deliver = async (linked: string[], downloaded = linked, status = 200) => {
			const { response, end } = respondedWith(status);
			const { repeated, earlierFiles, recordFiles } = await claimEvent(key, response, linked);
			const isEmpty = repeated ?? recordFiles(downloaded);
			end();
			await new Promise(setImmediate);
			if (repeated) return 'repeat';
			if (isEmpty) return 'without a new file';
			return earlierFiles ? `supplement of ${earlierFiles.join()}` : 'new';
		};
		expect(await deliver(['certificate', 'document'], ['certificate'])).toBe('new');
		expect(await deliver([])).toBe('repeat');
		expect(await deliver(['certificate'])).toBe('repeat');
		expect(await deliver(['document'], [])).toBe('without a new file');
		const both = ['certificate', 'document'];
		expect(await deliver(both, ['certificate'])).toBe('without a new file');
		expect(await deliver(['document'], ['document'], 503)).toBe('supplement of certificate');
		expect(await deliver(['certificate'])).toBe('repeat');
		expect(await deliver(['document'])).toBe('supplement of certificate');
		expect(await deliver(both)).toBe('repeat');
		expect(await deliver([...both, 'pscCertificate'])).toBe('supplement of certificate,document');
	});

	test('is processed as a supplement only once if it arrives twice at the same time', async () => {
		const key = newKey();
		const first = respondedWith(200);
		await claimEvent(key, first.response, []);
		first.end();
		await new Promise(setImmediate);
		const deliveries = [respondedWith(200), respondedWith(200)];
		const claims = deliveries.map(async ({ response }) => {
			const claimed = await claimEvent(key, response, ['document']);
			claimed.recordFiles(['document']);
			return claimed;
		});
		await new Promise(setImmediate);
		for (const { end } of deliveries) end();
		const results = await Promise.all(claims);
		expect(results.map(({ repeated }) => repeated?.status)).toEqual([undefined, 200]);
	});

	test('starts the workflow again only if a selected file arrives for the first time', async () => {
		const fetch = () => ({
			statusCode: 200,
			headers: {},
			body: Readable.from([Buffer.from('%PDF-1.7')]),
		});
		const event = completedEvent();
		const link = (name: string, at: number) => ({
			...event,
			Document: { ...event.Document, [name]: `https://files.example.com/1?at=${at}` },
		});
		const bodies = [
			event,
			link('certificateURL', 1),
			link('documentURL', 2),
			link('documentURL', 3),
		];
		const startsOf = async (form: IDataObject) => {
			const { call } = triggerNode(form, { fetch, at: `${address}/${count++}` });
			const all = [];
			for (const body of bodies) all.push(...(await call({ body })).items);
			return all.map(({ json }) => json.isSupplement);
		};
		expect(await startsOf({ downloadFiles: true, files: ['document'] })).toEqual([false, true]);
	});

	describe('with a link to a file that could not be fetched', () => {
		useVirtualTime();

		const pdf = () => fileResponse('%PDF-1.7');
		const failure = (statusCode: number) => () => ({
			statusCode,
			headers: {},
			body: Readable.from([]),
		});

		/** A trigger for an event whose links lead to a server with these responses, which can be changed. */
		function receiver(server: Record<'document' | 'certificate', () => unknown>) {
			const stored: string[] = [];
			const fetch = async ({ url }: IHttpRequestOptions) => {
				// Deliveries at the same moment must overlap.
				await sleep(0.1);
				return await server[url.includes('/document') ? 'document' : 'certificate']();
			};
			const store = async (_content: unknown, fileName: string) => {
				stored.push(fileName);
				return await Promise.resolve({ data: '', mimeType: 'application/pdf', fileName });
			};
			const form = { downloadFiles: true, files: ['document', 'certificate'] };
			const node = triggerNode(form, { fetch, store, at: `${address}/${count++}` });
			const event = completedEvent({ title: 'Lease' });
			const deliver = async (...names: Array<keyof typeof server>) => {
				const linked = names.map((name) => [
					`${name}URL`,
					`https://files.example.com/${name}?at=${count++}`,
				]);
				const Document = { ...event.Document, ...Object.fromEntries(linked) } as IDataObject;
				const { status, body, items } = await node.call({ body: { ...event, Document } });
				const [start] = items.map(({ json }) => [json.isSupplement, json.attachmentFields]);
				return start ?? { status, body };
			};
			return { deliver, stored, fetched: node.fetched };
		}

		const nothing = { status: 200, body: { message: 'This event was already processed.' } };

		test.each<[string, () => unknown]>([
			['is not there yet', failure(404)],
			['is refused', failure(403)],
			['has expired', failure(410)],
			['is on a server that is down', failure(503)],
			['is a page', () => fileResponse('<html>Sign in</html>')],
			[
				'is on a server that refuses connections',
				() => {
					throw errorWithCode('ECONNREFUSED');
				},
			],
		])('starts the workflow once more when the file arrives, if it %s', async (_name, fail) => {
			const server = { document: fail, certificate: failure(410) };
			const { deliver } = receiver(server);
			expect(await deliver('document')).toEqual([false, '']);
			expect(await deliver('document')).toEqual(nothing);
			expect(await deliver('document', 'certificate')).toEqual(nothing);
			server.document = pdf;
			expect(await deliver('document')).toEqual([true, 'document']);
			expect(await deliver('document')).toEqual(nothing);
			expect(await deliver()).toEqual(nothing);
		});

		test('stores nothing in n8n unless the workflow starts, and then has all files', async () => {
			const server = { document: failure(410), certificate: pdf };
			const { deliver, stored, fetched } = receiver(server);
			expect(await deliver('document', 'certificate')).toEqual([false, 'certificate']);
			expect(stored).toHaveLength(1);
			expect(fetched).toHaveLength(2);
			expect(await deliver('document', 'certificate')).toEqual(nothing);
			expect(stored).toHaveLength(1);
			expect(fetched).toHaveLength(3);
			server.document = pdf;
			expect(await deliver('document', 'certificate')).toEqual([true, 'document,certificate']);
			expect(stored.slice(1).sort()).toEqual([
				expect.stringMatching(/^Lease – d\d+ - certificate\.pdf$/),
				expect.stringMatching(/^Lease – d\d+\.pdf$/),
			]);
			expect(await deliver('document', 'certificate')).toEqual(nothing);
			expect(stored).toHaveLength(3);
		});

		test('takes ten seconds at most, even if an earlier file is downloaded after the missing one', async () => {
			const server: Record<string, () => unknown> = { document: failure(410), certificate: pdf };
			const { deliver } = receiver(server);
			await deliver('document', 'certificate');
			server.document = async () => (await sleep(8), pdf());
			server.certificate = async () => await new Promise(() => {});
			const elapsedMs = stopwatch();
			expect(await deliver('document', 'certificate')).toEqual([true, 'document']);
			expect(elapsedMs()).toBeCloseTo(10_000, 0);
		});

		test('takes ten seconds at most, even if it had to wait for an earlier delivery', async () => {
			const hanging = async () => await new Promise(() => {});
			const { deliver } = receiver({ document: hanging, certificate: pdf });
			const elapsedMs = stopwatch();
			const results = await Promise.all([
				deliver('document'),
				deliver('document'),
				deliver('document'),
			]);
			expect(results).toEqual([[false, ''], nothing, nothing]);
			expect(elapsedMs()).toBeLessThan(11_000);
		});

		test.each<[string, () => unknown, string]>([
			['there', pdf, 'document'],
			['missing', failure(404), ''],
		])(
			'starts the workflow once for four deliveries at once if the file is %s',
			async (_name, document, attachments) => {
				const { deliver } = receiver({ document, certificate: pdf });
				const results = await Promise.all(
					Array.from({ length: 4 }, async () => await deliver('document')),
				);
				expect(results).toEqual([[false, attachments], nothing, nothing, nothing]);
			},
		);
	});

	test('does not start the workflow again because of a file if Download Files is off', async () => {
		const { call } = triggerNode();
		const body = completedEvent();
		expect((await call({ body })).items).toHaveLength(1);
		const Document = { ...body.Document, documentURL: 'https://files.example.com/1' };
		expect((await call({ body: { ...body, Document } })).items).toEqual([]);
	});

	test('is ignored for one day after n8n accepted the first one', async () => {
		const key = newKey();
		const first = respondedWith(200);
		await claim(key, first.response);
		const later = (ms: number) => jest.spyOn(performance, 'now').mockReturnValue(start + ms);
		const start = performance.now();
		later(2 * day);
		first.end();
		await new Promise(setImmediate);
		later(3 * day - 1);
		expect(await claim(key, new Response())).toBe('repeat');
		later(3 * day);
		expect(await claim(key, new Response())).toBe('new');
		jest.restoreAllMocks();
	});

	test('gets a 503 if its sender disconnects while the first one is being processed', async () => {
		const key = newKey();
		await claim(key, new Response());
		const processing = { status: 503, message: 'This event is being processed.' };
		const leaving = new Response();
		const claimed = claimEvent(key, leaving);
		leaving.close();
		expect((await claimed).repeated).toEqual(processing);
		// The sender may have disconnected before the node handles the event.
		const gone = new Response();
		gone.close();
		await new Promise(setImmediate);
		expect(await claimEvent(key, gone)).toMatchObject({ repeated: processing });
	});

	test.each([300, 302, 500, 503, 422])(
		'is processed if the first one got HTTP %i',
		async (status) => {
			const key = newKey();
			const first = respondedWith(status);
			await claim(key, first.response);
			first.end();
			expect(await claim(key, new Response())).toBe('new');
		},
	);

	test('is processed only once if several duplicates were waiting when the first attempt failed', async () => {
		const key = newKey();
		const first = respondedWith(500);
		await claim(key, first.response);
		const waiting = [respondedWith(200), respondedWith(200), respondedWith(200)];
		const claims = waiting.map(async ({ response, end }) => {
			const claimed = await claim(key, response);
			setImmediate(end);
			return claimed;
		});
		first.end();
		expect((await Promise.all(claims)).sort()).toEqual(['new', 'repeat', 'repeat']);
	});

	test.each([
		[200, 'repeat'],
		[500, 'new'],
	])(
		'waits until n8n has responded to the first one with HTTP %i, however long that takes',
		async (status, expected) => {
			jest.useFakeTimers();
			const key = newKey();
			const first = respondedWith(status);
			await claim(key, first.response);
			first.response.close();
			// Handling the first event takes hours, but the sender of the repeat stops waiting long before
			// that.
			await jest.advanceTimersByTimeAsync(3 * 3_600_000);
			const early = new Response();
			const claimed = claim(key, early);
			await jest.advanceTimersByTimeAsync(120_000);
			early.close();
			expect(await claimed).toBe('repeat');
			expect(jest.getTimerCount()).toBe(0);
			jest.useRealTimers();
			const late = claim(key, new Response());
			first.end();
			expect(await late).toBe(expected);
		},
	);

	test('is processed again after 10,000 other events', async () => {
		const key = newKey();
		const first = respondedWith(200);
		await claim(key, first.response);
		first.end();
		for (let other = 0; other < 10_000; other++) {
			const next = respondedWith(200);
			await claim(newKey(), next.response);
			next.end();
		}
		expect(await claim(key, new Response())).toBe('new');
	});
});
