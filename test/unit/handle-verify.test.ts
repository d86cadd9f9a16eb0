import type { IDataObject } from 'n8n-workflow';

import { identity, receive, told } from '../support/requestToTrigger';
import { coded, type Respond } from '../support/standIn';

describe('Verify With Service', () => {
	const parameters = { options: { verifyWithService: true } };
	let count = 0;
	/** An event that no other test has told of. */
	const event = () => ({ type: identity, validationId: `v${count++}` });
	const answer =
		(responseData: IDataObject): Respond =>
		() => ({ body: { responseData } });

	test('asks for the request that the event names, once', async () => {
		const body = event();
		const { item, calls } = await receive({ parameters, body, respond: answer({ a: 1 }) });
		expect(item).toBeDefined();
		expect(calls.map(({ options }) => [options.method, options.url, options.timeout])).toEqual([
			[
				'GET',
				`https://sign.example.com/api/identity/validation/request/${body.validationId}`,
				10_000,
			],
		]);
	});

	test.each<[string, IDataObject, string]>([
		['at the top', {}, 'validationId'],
		['as a session', {}, 'sessionId'],
		['one level below', { note: 'x', data: {} }, 'validationId'],
	])('finds the ID %s', async (_name, around, name) => {
		const id = `v${count++}`;
		const data = around.data ? { data: { [name]: id } } : { [name]: id };
		const body = { type: identity, ...around, ...data };
		const respond = answer({ sessionId: id });
		const { item, calls } = await receive({ parameters, body, respond });
		expect(item).toBeDefined();
		expect(calls[0]?.options.url).toMatch(new RegExp(`/${id}$`));
	});

	test.each<[string, Respond]>([
		['is not known', () => ({ status: 404, body: {} })],
		['has nothing to it', answer({})],
		['is another one', answer({ sessionId: 'another' })],
	])('refuses an event whose request %s', async (_name, respond) => {
		expect(await receive({ parameters, body: event(), respond })).toMatchObject({
			item: undefined,
			status: 422,
			said: told('The service knows no such identity request.'),
		});
	});

	test('refuses an event that names no request, without asking', async () => {
		const { status, calls } = await receive({ parameters, body: { type: identity, at: count++ } });
		expect([status, calls]).toEqual([422, []]);
	});

	test.each<[string, Respond]>([
		['fails', () => ({ status: 500, body: {} })],
		['refuses the key', () => ({ status: 403, body: {} })],
		[
			'is not there',
			() => {
				throw coded('ECONNREFUSED');
			},
		],
	])('has an event sent again where the service %s, and asks only once', async (_name, respond) => {
		const { status, said, calls } = await receive({ parameters, body: event(), respond });
		expect([status, said]).toEqual([
			503,
			told('The service could not be asked about this event. Send it again.'),
		]);
		expect(calls.filter(({ token }) => token === 'token-0')).toHaveLength(1);
	});

	test('is about identity events alone, and only where it is on', async () => {
		const respond: Respond = () => ({ status: 500 });
		expect((await receive({ parameters, respond })).item).toBeDefined();
		expect((await receive({ body: event(), respond })).item).toBeDefined();
	});
});
