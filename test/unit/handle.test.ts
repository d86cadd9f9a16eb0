import { bodiesAbout } from '../support/documentStates';
import { Response } from '../n8n/incoming';
import { address, triggerNode, completed, stored } from '../support/triggerNode';
import { claimEvent } from '../../nodes/SignVerify/events/seen';

const told = (message: string) => ({ message });
const wrongSecret = {
	items: [],
	status: 401,
	answer: told('The secret in the URL is missing or wrong.'),
};

describe('a request', () => {
	test('brings a secret that follows from the API key, and n8n need not keep anything', async () => {
		expect((await triggerNode().call()).items).toHaveLength(1);
		const { secretFor } = triggerNode();
		const secret = secretFor('completedDocument');
		expect(secret).toMatch(/^[\w-]{43}$/);
		const withCredential = (more: object) =>
			triggerNode({}, { credential: { ...stored, ...more } });
		const strangers = [
			triggerNode({}, { instance: 'another' }),
			triggerNode({}, { mode: 'manual' }),
			triggerNode({ events: ['signDocument'] }),
		];
		for (const { call } of strangers) expect(await call({ secret })).toEqual(wrongSecret);
		// The secret of a new key counts at once, and the one before for ten seconds more.
		const newKey = withCredential({ apiKey: 'a new key' });
		for (const given of [{}, { secret }]) expect((await newKey.call(given)).items).toHaveLength(1);
		jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 10_001);
		expect(await newKey.call({ secret })).toEqual(wrongSecret);
		// The test service of the same provider, with the same key.
		const elsewhere = withCredential({ baseUrl: 'https://test.example' });
		expect(await elsewhere.call({ secret })).toEqual(wrongSecret);
		// As it is sent: a pasted key may have spaces around it.
		expect(
			(await withCredential({ apiKey: ' the API key\n' }).call({ secret })).items,
		).toHaveLength(1);
	});

	test('without the secret gets 401 before the credential or anything of the body is read', async () => {
		const readRawBody = jest.fn();
		const request = { rawBody: undefined, readRawBody };
		const { call, secretFor, logged } = triggerNode();
		const withoutCredential = triggerNode({}, { credential: undefined, logged });
		const own = secretFor('completedDocument');
		for (const secret of [undefined, '', 'wrong', [own], { own }, `${own}x`, own.slice(1)]) {
			expect(await withoutCredential.call({ secret, request })).toEqual(wrongSecret);
		}
		// A stranger fills no log.
		expect(logged).toEqual([]);
		expect(await call({ secret: 'x'.repeat(43), request })).toEqual(wrongSecret);
		expect(readRawBody).not.toHaveBeenCalled();
		await call({ request });
		expect(readRawBody).toHaveBeenCalledTimes(1);
	});

	test('is neither refused nor accepted while n8n cannot read the credential', async () => {
		const { call, logged } = triggerNode({}, { credential: undefined });
		// From a stranger, too, which must not fill the log.
		await call({ secret: 'x'.repeat(43) });
		expect(await call()).toEqual({
			items: [],
			status: 500,
			answer: told("n8n couldn't process this event. Send the event again."),
		});
		expect(logged).toEqual([
			'SignVerify Trigger could not process an event: n8n couldn\'t read the credential: Credential with ID "0" does not exist for type "signVerifyApi".',
		]);
	});

	test('that is refused is in the log, without its secret, at most once a minute', async () => {
		// An expression may give a text.
		const { call, logged, secretFor } = triggerNode({ events: 'completedDocument' });
		const secret = secretFor('completedDocument');
		const clock = jest.spyOn(performance, 'now');
		const line = (what: string) => `SignVerify Trigger refused ${what} at ${address}: `;
		const pending = () => call({ body: completed({ status: 'FINISHED' }) });
		expect(await pending()).toMatchObject({ status: 422 });
		expect(await pending()).toMatchObject({ status: 422 });
		clock.mockReturnValue(performance.now() + 60_001);
		expect(await call({ body: { type: 'other' }, secret })).toMatchObject({ status: 422 });
		clock.mockReturnValue(performance.now() + 60_001);
		expect(await call({ secret: 'x'.repeat(43) })).toMatchObject({ status: 401 });
		clock.mockRestore();
		expect(logged).toEqual([
			`${line('completedDocument')}The document of this event isn't completed.`,
			`${line('completedDocument')}This workflow hasn't subscribed to this event.`,
			`${line('an event')}The secret in the URL is missing or wrong. If the credential has changed, unpublish and publish the workflow.`,
		]);
		// What a filter excludes is no trouble.
		const filtered = triggerNode({ filters: { titleContains: 'contract' } });
		await filtered.call();
		expect(filtered.logged).toEqual([]);
	});

	test.each([
		['is too large', { status: 413 }, 413, 'The body is larger than this n8n accepts.'],
		['ends too soon', { status: 400 }, 400, 'The body cannot be read.'],
		['is badly compressed', { code: 'Z_DATA_ERROR' }, 400, 'The body cannot be read.'],
	])('whose body %s is refused', async (_name, details, status, message) => {
		const readRawBody = async () => await Promise.reject(Object.assign(new Error('no'), details));
		const { call, logged } = triggerNode();
		expect(await call({ request: { rawBody: undefined, readRawBody } })).toEqual({
			items: [],
			status,
			answer: told(message),
		});
		// It has the secret, so it is genuine, and it is lost.
		expect(logged).toEqual([expect.stringContaining(message)]);
	});

	test.each(['multipart/form-data; boundary=x', 'Multipart/Form-Data; boundary=x', 'MULTIPART/x'])(
		'of the content type %s is no JSON, and not read once more',
		async (type) => {
			const readRawBody = async () => await Promise.reject(new Error('it is read already'));
			const request = { rawBody: undefined, headers: { 'content-type': type }, readRawBody };
			expect(await triggerNode().call({ request })).toMatchObject({
				status: 400,
				answer: told('The body must be a JSON object.'),
			});
		},
	);

	test('starts When Everyone Has Signed only with what says so', async () => {
		const { call } = triggerNode();
		for (const [index, { body, trigger }] of bodiesAbout('').entries()) {
			body.Document.documentID = `state ${index}`;
			const { status, items } = await call({ body, event: 'completedDocument' });
			const started = trigger === 200 ? 1 : 0;
			expect({ body, status, started: items.length }).toEqual({ body, status: trigger, started });
		}
	});

	test('that comes again is dropped, also while the first one is under way', async () => {
		const { start, call } = triggerNode();
		const body = completed();
		const { response } = await start({ body });
		response.close();
		// The service may send it again with the time of then.
		const repeat = call({ body: { ...body, addedOn: 2 } });
		response.json({});
		expect(await repeat).toEqual({
			items: [],
			status: 200,
			answer: told('This event was already processed.'),
		});
	});

	test('to a node that is set up wrong gets 500, and n8n logs why', async () => {
		const { call, logged } = triggerNode({ events: [] });
		expect(await call()).toMatchObject({
			items: [],
			status: 500,
			answer: told("n8n couldn't process this event. Send the event again."),
		});
		expect(logged).toEqual([
			'SignVerify Trigger could not process an event: Trigger On: nothing is selected',
		]);
	});

	test('whose answer is on its way is not answered twice', async () => {
		const response = new Response().status(202).json('sent');
		const { status, answer } = await triggerNode({ events: [] }).call({ response });
		expect([status, answer]).toEqual([202, 'sent']);
	});
});

/** What became of a delivery. */
const claim = async (...given: Parameters<typeof claimEvent>) =>
	(await claimEvent(...given)) ? 'repeat' : 'new';
const day = 86_400_000;
let count = 0;
const newKey = () => `key ${count++}`;
const answered = (status: number) => {
	const response = new Response();
	return { response, end: () => (response.status(status).json({}), response.close()) };
};

describe('an event that comes again', () => {
	test('is a repeat once it was answered 2xx', async () => {
		const key = newKey();
		const first = answered(200);
		expect(await claim(key, first.response)).toBe('new');
		first.end();
		expect(await claim(key, new Response())).toBe('repeat');
		expect(await claim(newKey(), new Response())).toBe('new');
	});

	test('is a repeat for a day after n8n has accepted it', async () => {
		const key = newKey();
		const first = answered(200);
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

	test.each([500, 503, 422])('is taken when the first one was answered %i', async (status) => {
		const key = newKey();
		const first = answered(status);
		await claim(key, first.response);
		first.end();
		expect(await claim(key, new Response())).toBe('new');
	});

	test('is taken by exactly one of those that waited when the first failed', async () => {
		const key = newKey();
		const first = answered(500);
		await claim(key, first.response);
		const waiting = [answered(200), answered(200), answered(200)];
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
		'is under way until n8n answers %i, however long it is held back',
		async (status, expected) => {
			jest.useFakeTimers();
			const key = newKey();
			const first = answered(status);
			await claim(key, first.response);
			first.response.close();
			// Hours later, and its sender does not wait for ever either.
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

	test('is forgotten after ten thousand others', async () => {
		const key = newKey();
		const first = answered(200);
		await claim(key, first.response);
		first.end();
		for (let other = 0; other < 10_000; other++) {
			const next = answered(200);
			await claim(newKey(), next.response);
			next.end();
		}
		expect(await claim(key, new Response())).toBe('new');
	});
});
