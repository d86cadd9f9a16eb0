import { ownerOf } from '../../nodes/SignVerify/trigger/state';
import { completed, receive, secret, told } from '../support/requestToTrigger';
import { FakeResponse } from '../support/response';

describe('a request', () => {
	test('that brings an event starts the workflow with it', async () => {
		const body = completed();
		const { item, said, calls, fetched } = await receive({ body });
		expect(item).toEqual({
			json: expect.objectContaining({ event: 'completedDocument', title: 'Lease' }) as unknown,
		});
		expect(said).toBeUndefined();
		expect([calls, fetched]).toEqual([[], []]);
	});

	test('to a copy of the workflow gets 401, though it brings the secret of the original', async () => {
		const self = { getInstanceId: () => 'instance', getNode: () => ({ id: 'node' }) };
		const original = (id: string) => ownerOf({ ...self, getWorkflow: () => ({ id }) } as never);
		expect((await receive({ state: { secret, owner: original('workflow') } })).item).toBeDefined();
		for (const state of [{ secret, owner: original('the original') }, { secret }]) {
			expect(await receive({ state })).toMatchObject({
				item: undefined,
				status: 401,
				said: told('The secret in the URL is missing or wrong.'),
				logged: [
					expect.stringMatching(/this workflow is a copy.*Unpublish and publish the workflow/),
				],
			});
			// A stranger fills no log.
			expect(await receive({ state, given: 'wrong' })).toMatchObject({ status: 401, logged: [] });
		}
	});

	test('without the secret gets 401 before anything of the body is read', async () => {
		const readRawBody = jest.fn();
		const request = { headers: { 'content-type': 'application/octet-stream' }, readRawBody };
		for (const given of ['wrong', '']) {
			expect(await receive({ given, request })).toMatchObject({ status: 401, logged: [] });
		}
		expect(readRawBody).not.toHaveBeenCalled();
		await receive({ request });
		expect(readRawBody).toHaveBeenCalledTimes(1);
	});

	test.each([
		['is too large', { status: 413 }, 413, 'The body is larger than this n8n accepts.'],
		['ends too soon', { status: 400 }, 400, 'The body cannot be read.'],
		['is badly compressed', { code: 'Z_DATA_ERROR' }, 400, 'The body cannot be read.'],
	])('whose body %s is refused', async (_name, details, status, message) => {
		const readRawBody = async () => await Promise.reject(Object.assign(new Error('no'), details));
		expect(await receive({ request: { readRawBody } })).toMatchObject({
			item: undefined,
			status,
			said: told(message),
			logged: [],
		});
	});

	test.each(['multipart/form-data; boundary=x', 'Multipart/Form-Data; boundary=x', 'MULTIPART/x'])(
		'of the content type %s is no JSON, and not read once more',
		async (type) => {
			const readRawBody = async () => await Promise.reject(new Error('it is read already'));
			const request = { headers: { 'content-type': type }, readRawBody };
			expect(await receive({ request })).toMatchObject({
				status: 400,
				said: told('The body must be a JSON object.'),
				logged: [],
			});
		},
	);

	test('that a filter holds back gets 200', async () => {
		expect(await receive({ parameters: { filters: { titleContains: 'contract' } } })).toMatchObject(
			{
				item: undefined,
				status: 200,
				said: told('A filter of this workflow excludes this event.'),
			},
		);
	});

	test('that comes again is dropped, also while the first one is under way', async () => {
		const body = completed();
		const { response } = await receive({ body });
		response.close();
		const repeat = receive({ body });
		response.json({});
		expect(await repeat).toMatchObject({
			item: undefined,
			status: 200,
			said: told('This event was already processed.'),
		});
	});

	test('to a node that is set up wrong gets 500, and n8n logs why', async () => {
		expect(await receive({ parameters: { events: [] } })).toMatchObject({
			item: undefined,
			status: 500,
			said: told('n8n could not process this event. Send it again.'),
			logged: ['SignVerify Trigger could not process an event: Events: none is chosen'],
		});
	});

	test('whose answer is on its way is not answered twice', async () => {
		const response = new FakeResponse().status(202).json('sent');
		const result = await receive({ parameters: { events: [] }, response });
		expect([result.status, result.said]).toEqual([202, 'sent']);
	});
});
