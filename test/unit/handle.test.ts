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
			withCredential({ apiKey: 'a new key' }),
			// The test service of the same provider, with the same key.
			withCredential({ baseUrl: 'https://test.example' }),
			triggerNode({ events: ['signDocument'] }),
		];
		for (const { call } of strangers) expect(await call({ secret })).toEqual(wrongSecret);
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
		expect(await call()).toEqual({
			items: [],
			status: 500,
			answer: told('n8n could not process this event. Send it again.'),
		});
		expect(logged).toEqual([
			'SignVerify Trigger could not process an event: n8n could not read the credential: Credential with ID "0" does not exist for type "signVerifyApi".',
		]);
	});

	test('that is refused is in the log, without its secret, at most once a minute', async () => {
		const { call, logged, secretFor } = triggerNode({ events: ['completedDocument'] });
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
			`${line('completedDocument')}The document of this event is not completed.`,
			`${line('completedDocument')}This workflow has not subscribed to this event.`,
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

	test('starts Document Completed only with what says so', async () => {
		const { call } = triggerNode();
		for (const [index, { body, trigger }] of bodiesAbout('').entries()) {
			body.Document.documentID = `state ${index}`;
			const { status, items } = await call({ body, event: 'completedDocument' });
			const started = trigger === 200 ? 1 : 0;
			expect({ body, status, started: items.length }).toEqual({ body, status: trigger, started });
		}
	});

	test('that comes again is dropped once the first one was processed', async () => {
		const { start, call } = triggerNode();
		const body = completed();
		const { response } = await start({ body });
		// The service may send it again with the time of then.
		const repeat = async () => await call({ body: { ...body, addedOn: 2 } });
		const refused = (status: number, message: string) => ({
			items: [],
			status,
			answer: told(message),
		});
		expect(await repeat()).toEqual(refused(503, 'This event is being processed.'));
		response.json({});
		expect(await repeat()).toEqual(refused(200, 'This event was already processed.'));
	});

	test('to a node that is set up wrong gets 500, and n8n logs why', async () => {
		const { call, logged } = triggerNode({ events: [] });
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
		const response = new Response().status(202).json('sent');
		const { status, answer } = await triggerNode({ events: [] }).call({ response });
		expect([status, answer]).toEqual([202, 'sent']);
	});
});

const day = 86_400_000;
let count = 0;
const newKey = () => `key ${count++}`;
/** What becomes of a delivery: `new`, or how it is refused. */
const claim = (key: string, response = new Response()) =>
	claimEvent(key, response)?.status ?? 'new';
/** Claims an event, and lets n8n answer. */
async function answered(key: string, status: number): Promise<void> {
	const response = new Response();
	expect(claim(key, response)).toBe('new');
	response.status(status).json({});
	await new Promise(setImmediate);
}

describe('an event that comes again', () => {
	test('was processed if n8n has answered 2xx, for a day', async () => {
		const key = newKey();
		const now = jest.spyOn(performance, 'now').mockReturnValue(2 * day);
		await answered(key, 200);
		now.mockReturnValue(3 * day - 1);
		expect(claim(key)).toBe(200);
		now.mockReturnValue(3 * day);
		expect(claim(key)).toBe('new');
		now.mockRestore();
		expect(claim(newKey())).toBe('new');
	});

	test.each([500, 503, 422])('is taken when the first one was answered %i', async (status) => {
		const key = newKey();
		await answered(key, status);
		expect([claim(key), claim(key)]).toEqual(['new', 503]);
	});

	test('is to be sent again until n8n answers, also if its sender has left', async () => {
		const key = newKey();
		const first = new Response();
		claim(key, first);
		first.close();
		await new Promise(setImmediate);
		expect(claim(key)).toBe(503);
		first.status(200).end();
		await new Promise(setImmediate);
		expect(claim(key)).toBe(200);
	});

	test('is forgotten after ten thousand others', async () => {
		const key = newKey();
		await answered(key, 200);
		for (let other = 0; other < 10_000; other++) claim(newKey());
		expect(claim(key)).toBe('new');
	});
});
