import { ownerOf } from '../../nodes/SignVerify/trigger/state';
import { bodiesAbout } from '../support/documentStates';
import { FakeResponse } from '../support/response';
import { activeTrigger, completed } from '../support/triggerNode';
import { claimEvent } from '../../nodes/SignVerify/webhooks/seen';

const told = (message: string) => ({ message });
const wrongSecret = {
	items: [],
	status: 401,
	answer: told('The secret in the URL is missing or wrong.'),
};

describe('a request', () => {
	test('to a copy of the workflow gets 401, though it brings the secret of the original', async () => {
		const { published, call } = activeTrigger();
		expect((await call()).items).toHaveLength(1);
		const self = { getInstanceId: () => 'instance', getNode: () => ({ id: 'node' }) };
		const owner = ownerOf({ ...self, getWorkflow: () => ({ id: 'the original' }) } as never);
		for (const state of [{ ...published, owner }, { webhooks: published.webhooks }]) {
			const copy = activeTrigger({}, { state });
			// A stranger fills no log.
			expect(await copy.call({ secret: 'wrong' })).toEqual(wrongSecret);
			expect(copy.logged).toEqual([]);
			expect(await copy.call()).toEqual(wrongSecret);
			expect(copy.logged).toEqual([
				expect.stringMatching(/this workflow is a copy.*Unpublish and publish the workflow/),
			]);
		}
	});

	test.each([
		['nothing', {}],
		['no object', { webhooks: 'x' }],
		['no hash', { webhooks: { completedDocument: { id: 'x' } } }],
		['an empty hash', { webhooks: { completedDocument: { hash: '' } } }],
		['a hash that is no text', { webhooks: { completedDocument: { hash: {} } } }],
		['a hash of one character of two bytes', { webhooks: { signDocument: { hash: 'é' } } }],
		['a list, and null', { webhooks: { completedDocument: [], signDocument: null } }],
		['an unknown event', { webhooks: { __proto__: { hash: 'x' }, other: { hash: 'x' } } }],
	])('to a trigger that has kept %s gets 401', async (_name, kept) => {
		const { owner } = activeTrigger().published;
		const { call, logged } = activeTrigger({}, { state: { owner, ...kept } });
		for (const secret of ['', 'x', undefined]) expect(await call({ secret })).toEqual(wrongSecret);
		expect(logged).toEqual([]);
	});

	test('without the secret gets 401 before anything of the body is read', async () => {
		const readRawBody = jest.fn();
		const { call, secretFor } = activeTrigger();
		const request = { rawBody: undefined, readRawBody };
		const own = secretFor('completedDocument');
		const { hash } = activeTrigger().published.webhooks.completedDocument as { hash: string };
		for (const secret of [undefined, '', 'wrong', [own], { own }, `${own}x`, own.slice(1), hash]) {
			expect(await call({ secret, request })).toEqual(wrongSecret);
		}
		expect(readRawBody).not.toHaveBeenCalled();
		await call({ request });
		expect(readRawBody).toHaveBeenCalledTimes(1);
	});

	test.each([
		['is too large', { status: 413 }, 413, 'The body is larger than this n8n accepts.'],
		['ends too soon', { status: 400 }, 400, 'The body cannot be read.'],
		['is badly compressed', { code: 'Z_DATA_ERROR' }, 400, 'The body cannot be read.'],
	])('whose body %s is refused', async (_name, details, status, message) => {
		const readRawBody = async () => await Promise.reject(Object.assign(new Error('no'), details));
		const { call, logged } = activeTrigger();
		expect(await call({ request: { rawBody: undefined, readRawBody } })).toEqual({
			items: [],
			status,
			answer: told(message),
		});
		expect(logged).toEqual([]);
	});

	test.each(['multipart/form-data; boundary=x', 'Multipart/Form-Data; boundary=x', 'MULTIPART/x'])(
		'of the content type %s is no JSON, and not read once more',
		async (type) => {
			const readRawBody = async () => await Promise.reject(new Error('it is read already'));
			const request = { rawBody: undefined, headers: { 'content-type': type }, readRawBody };
			expect(await activeTrigger().call({ request })).toMatchObject({
				status: 400,
				answer: told('The body must be a JSON object.'),
			});
		},
	);

	test('starts Document Completed only with what says so', async () => {
		const { call } = activeTrigger();
		for (const [index, { body, trigger }] of bodiesAbout('').entries()) {
			body.Document.documentID = `state ${index}`;
			const { status, items } = await call({ body, event: 'completedDocument' });
			const started = trigger === 200 ? 1 : 0;
			expect({ body, status, started: items.length }).toEqual({ body, status: trigger, started });
		}
	});

	test('that a filter holds back gets 200', async () => {
		const { call } = activeTrigger({ filters: { titleContains: 'contract' } });
		expect(await call()).toEqual({
			items: [],
			status: 200,
			answer: told('A filter of this workflow excludes this event.'),
		});
	});

	test('that comes again is dropped, also while the first one is under way', async () => {
		const { start, call } = activeTrigger();
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
		const { call, logged } = activeTrigger({ events: [] });
		expect(await call()).toMatchObject({
			items: [],
			status: 500,
			answer: told('n8n could not process this event. Send it again.'),
		});
		expect(logged).toEqual([
			'SignVerify Trigger could not process an event: Events: none is chosen',
		]);
	});

	test('whose answer is on its way is not answered twice', async () => {
		const response = new FakeResponse().status(202).json('sent');
		const { status, answer } = await activeTrigger({ events: [] }).call({ response });
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
	const response = new FakeResponse();
	return { response, end: () => (response.status(status).json({}), response.close()) };
};

describe('an event that comes again', () => {
	test('is a repeat once it was answered 2xx', async () => {
		const key = newKey();
		const first = answered(200);
		expect(await claim(key, first.response)).toBe('new');
		first.end();
		expect(await claim(key, new FakeResponse())).toBe('repeat');
		expect(await claim(newKey(), new FakeResponse())).toBe('new');
	});

	test('is a repeat for a day after n8n has accepted it', async () => {
		const key = newKey();
		const first = answered(200);
		await claim(key, first.response);
		const later = (ms: number) => jest.spyOn(Date, 'now').mockReturnValue(start + ms);
		const start = Date.now();
		later(2 * day);
		first.end();
		await new Promise(setImmediate);
		later(3 * day - 1);
		expect(await claim(key, new FakeResponse())).toBe('repeat');
		later(3 * day);
		expect(await claim(key, new FakeResponse())).toBe('new');
		jest.restoreAllMocks();
	});

	test.each([500, 503, 422])('is taken when the first one was answered %i', async (status) => {
		const key = newKey();
		const first = answered(status);
		await claim(key, first.response);
		first.end();
		expect(await claim(key, new FakeResponse())).toBe('new');
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
			const early = new FakeResponse();
			const claimed = claim(key, early);
			await jest.advanceTimersByTimeAsync(120_000);
			early.close();
			expect(await claimed).toBe('repeat');
			expect(jest.getTimerCount()).toBe(0);
			jest.useRealTimers();
			const late = claim(key, new FakeResponse());
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
		expect(await claim(key, new FakeResponse())).toBe('new');
	});
});
