import { ServiceClient } from '../../nodes/SignVerify/transport/client';
import { callOnce, creation, read } from '../support/calls';
import { standIn, type Respond } from '../support/standIn';

describe('a token that the service refuses', () => {
	const onlyTakes =
		(token: string): Respond =>
		(call) =>
			call.token === token ? undefined : { status: 401, body: {} };

	test('is renewed once, and the new one serves the calls that follow', async () => {
		const { context, calls, reads, exchanges } = standIn(onlyTakes('token-1'));
		const client = new ServiceClient(context);
		await client.call(creation);
		await client.call(read);
		expect(calls.map(({ token, expired }) => [token, expired])).toEqual([
			['token-0', undefined],
			['token-1', 'token-0'],
			['token-1', 'token-0'],
		]);
		expect([reads(), exchanges()]).toEqual([2, 1]);
	});

	test('is renewed by one of several calls at once', async () => {
		const { context, calls, exchanges } = standIn(onlyTakes('token-1'));
		const client = new ServiceClient(context);
		await Promise.all([client.call(read), client.call(read), client.call(read)]);
		expect(exchanges()).toBe(1);
		expect(calls.filter(({ token }) => token === 'token-1')).toHaveLength(3);
	});

	test('right after n8n got it is the one that has expired', async () => {
		const { calls, outcome } = await callOnce(onlyTakes('token-2'), read, {}, { accessToken: '' });
		expect(outcome).toEqual({ success: true });
		expect(calls.map(({ token, expired }) => [token, expired])).toEqual([
			['token-1', undefined],
			['token-2', 'token-1'],
		]);
	});

	test('and the next one, too, is an error and no loop', async () => {
		const { calls, outcome } = await callOnce(onlyTakes('none'), creation);
		expect(calls).toHaveLength(2);
		expect(outcome).toMatchObject({
			message: 'The service does not allow this (HTTP 401)',
			description:
				'A new access token did not help. Check that the account in the credential may do this. Nothing was created.',
			mayHaveCreated: false,
		});
	});
});
