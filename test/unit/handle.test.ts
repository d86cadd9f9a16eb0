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

	test('gives the body as it is where Simplify is off', async () => {
		const body = completed();
		expect((await receive({ body, parameters: { simplify: false } })).item).toEqual({ json: body });
	});

	test('without the secret gets 401 and starts nothing', async () => {
		expect(await receive({ given: 'wrong' })).toMatchObject({
			item: undefined,
			status: 401,
			said: told('This address needs its secret.'),
		});
	});

	test('from a sender that is not allowed gets 403, with the secret or without', async () => {
		const parameters = { options: { allowedSenders: '203.0.113.7' } };
		for (const given of [secret, 'wrong']) {
			expect(await receive({ parameters, given })).toMatchObject({
				item: undefined,
				status: 403,
				said: told('This address takes nothing from this sender.'),
			});
		}
		expect((await receive({ parameters, ip: '203.0.113.7' })).item).toBeDefined();
	});

	test('that a filter holds back gets 200', async () => {
		expect(await receive({ parameters: { filters: { titleContains: 'contract' } } })).toMatchObject(
			{
				item: undefined,
				status: 200,
				said: told('This workflow does not wait for this document.'),
			},
		);
	});

	test('that comes again is dropped, and one that is under way is asked for again', async () => {
		const body = completed();
		const { response } = await receive({ body });
		response.close();
		expect(await receive({ body })).toMatchObject({
			item: undefined,
			status: 503,
			said: told('This event is just being taken. Send it again.'),
		});
		response.json({});
		expect(await receive({ body })).toMatchObject({
			item: undefined,
			status: 200,
			said: told('This event was taken before.'),
		});
	});

	test('to a node that is set up wrong gets 500, and n8n logs why', async () => {
		expect(await receive({ parameters: { events: [] } })).toMatchObject({
			item: undefined,
			status: 500,
			said: told('The event could not be taken. Send it again.'),
			logged: ['SignVerify Trigger could not take an event: Events: none is chosen'],
		});
	});

	test('whose answer is on its way is not answered twice', async () => {
		const response = new FakeResponse().status(202).json('sent');
		const result = await receive({ parameters: { events: [] }, response });
		expect([result.status, result.said]).toEqual([202, 'sent']);
	});
});
