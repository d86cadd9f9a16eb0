import type { IDataObject } from 'n8n-workflow';

import { ServiceClient } from '../../nodes/SignVerify/http/client';
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

	test('is exchanged for the one that another process has got meanwhile', async () => {
		const { context, calls, exchanges } = standIn(onlyTakes('token-of-another'));
		const client = new ServiceClient(context);
		const read2 = jest.spyOn(context, 'getCredentials');
		const first = client.call(read);
		const own = await context.getCredentials('signVerifyApi');
		read2.mockResolvedValue({ ...own, accessToken: 'token-of-another' });
		await first;
		expect(calls.map(({ token }) => token)).toEqual(['token-0', 'token-of-another']);
		expect(exchanges()).toBe(0);
	});

	test('because another process got a newer one at the same moment is exchanged for that', async () => {
		let stored = 'token-0';
		const { context, calls, exchanges } = standIn((call) => {
			// What this process gets, the other one ends at once.
			if (call.token === 'token-1') stored = 'token-of-another';
			return call.token === 'token-of-another' ? undefined : { status: 401, body: {} };
		});
		const own = await context.getCredentials('signVerifyApi');
		jest
			.spyOn(context, 'getCredentials')
			.mockImplementation(async () => ({ ...own, accessToken: stored }));
		expect(await new ServiceClient(context).call(creation)).toEqual({ success: true });
		expect(calls.map(({ token }) => token)).toEqual(['token-0', 'token-1', 'token-of-another']);
		expect(exchanges()).toBe(1);
	});

	test.each<IDataObject>([
		{ userId: 'another' },
		{ apiKey: 'another' },
		{ baseUrl: 'https://another.example/api' },
		{ accessToken: 'as older versions stored it' },
		{ accessToken: {} },
	])('is never sent after the credential was edited: %j', async (edited) => {
		const { context, calls } = standIn(() => undefined);
		const own = await context.getCredentials('signVerifyApi');
		jest.spyOn(context, 'getCredentials').mockResolvedValue({ ...own, ...edited });
		await new ServiceClient(context).call(creation);
		expect(calls.map(({ token }) => token)).toEqual(['token-1']);
	});
});
