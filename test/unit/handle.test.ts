import { ownerOf } from '../../nodes/SignVerify/trigger/state';
import { bodiesAbout } from '../support/documentStates';
import { FakeResponse } from '../support/response';
import { activeTrigger, completed } from '../support/triggerNode';

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
