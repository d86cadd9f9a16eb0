import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { SignVerifyApi } from '../../credentials/SignVerifyApi.credentials';
import { accountHashOf } from '../../nodes/SignVerify/account/credential';
import { type KeptCredential, requestWithOlderHelper } from '../n8n/credential';
import { standInOrigin } from '../support/standIn';
import { newCredential, tokenResponse } from '../support/tokenEndpoint';

type Call = IHttpRequestOptions & { uri?: string };

/** A credential as n8n stores it, and a service that responds to each call as given. */
function httpRequestNode(respond: (token: unknown, count: number) => unknown, token = '') {
	let stored = newCredential();
	Object.assign(stored, { accessToken: token, accountHash: accountHashOf(stored) });
	const sent: Array<{ method: unknown; token: unknown }> = [];
	let exchanges = 0;
	const kept: KeptCredential = {
		type: new SignVerifyApi(),
		read: async () => await Promise.resolve({ ...stored }),
		keep: async (output: ICredentialDataDecryptedObject) => {
			stored = { ...stored, ...output };
			await Promise.resolve();
		},
		httpRequest: async ({ url, method, headers }: Call) => {
			// Only the token exchange uses n8n's newer options.
			if (url !== undefined) return await Promise.resolve(tokenResponse(`token-${++exchanges}`));
			sent.push({ method, token: headers?.token });
			return await Promise.resolve(respond(headers?.token, sent.length));
		},
	};
	return {
		sent,
		exchanges: () => exchanges,
		call: async (method: 'GET' | 'POST' | 'DELETE') => {
			const uri = `${standInOrigin}/api/templates/createDocumentByTemplateV2`;
			return await requestWithOlderHelper(kept, { uri, method });
		},
	};
}

const down = () => {
	throw new Error('502');
};
const refusing = (refused: string) => (token: unknown) => {
	if (token === refused) throw new Error('401');
	return 'created';
};

describe("n8n's HTTP Request node", () => {
	test.each(['POST', 'DELETE'] as const)(
		'sends a %s only once, whether the token is new or old',
		async (method) => {
			for (const token of ['', 'old']) {
				const { call, sent, exchanges } = httpRequestNode(down, token);
				await expect(call(method)).rejects.toThrow('502');
				expect(sent).toEqual([{ method, token: 'token-1' }]);
				expect(exchanges()).toBe(1);
			}
		},
	);

	test('sends a POST although the stored token has expired', async () => {
		const { call, sent } = httpRequestNode(refusing('old'), 'old');
		expect(await call('POST')).toBe('created');
		expect(sent).toEqual([{ method: 'POST', token: 'token-1' }]);
	});

	test('gets one token for all calls at the same time, and for the next ones', async () => {
		const { call, sent, exchanges } = httpRequestNode(() => 'created', 'old');
		await Promise.all([call('POST'), call('POST'), call('POST')]);
		await call('POST');
		expect(sent.map(({ token }) => token)).toEqual(Array(4).fill('token-1'));
		expect(exchanges()).toBe(1);
	});

	test('sends the next POST with another token if the service no longer accepts a new one', async () => {
		const { call, sent } = httpRequestNode((token, count) =>
			count === 1 ? 'created' : refusing('token-1')(token),
		);
		expect(await call('POST')).toBe('created');
		await expect(call('POST')).rejects.toThrow('401');
		expect(await call('POST')).toBe('created');
		expect(sent.map(({ token }) => token)).toEqual(['token-1', 'token-1', 'token-2']);
	});

	test('still repeats a GET with a new token', async () => {
		const { call, sent } = httpRequestNode(refusing('old'), 'old');
		expect(await call('GET')).toBe('created');
		expect(sent.map(({ token }) => token)).toEqual(['old', 'token-1']);
	});
});
