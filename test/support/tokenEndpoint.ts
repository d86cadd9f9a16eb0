import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IHttpRequestOptions,
} from 'n8n-workflow';

import { SignVerifyApi } from '../../credentials/SignVerifyApi.credentials';
import { standInOrigin } from './standIn';

const type = new SignVerifyApi();
let accounts = 0;
/** A credential that no other test has used: tokens are remembered by account. */
export const account = (more: IDataObject = {}): ICredentialDataDecryptedObject => ({
	baseUrl: `${standInOrigin}/api/`,
	userId: `user ${accounts++}`,
	apiKey: 'the-api-key',
	accessToken: '',
	...more,
});

/** Answers a call of the exchange, or throws as the HTTP client does. */
export type Respond = (options: IHttpRequestOptions, count: number) => unknown;
/** What the endpoint answers. */
export const answer = (body: unknown, statusCode = 200, headers: IDataObject = {}) => ({
	body,
	statusCode,
	headers,
});
/** An answer with a token. */
export const token = (text: string) => answer({ responseData: { accessToken: text } });

/** n8n's HTTP helper with a token endpoint behind it. */
export function endpoint(respond: Respond) {
	const calls: IHttpRequestOptions[] = [];
	const helpers = {
		httpRequest: async (options: IHttpRequestOptions) => {
			calls.push(options);
			return await Promise.resolve(respond(options, calls.length));
		},
	};
	const renew = async (credential: ICredentialDataDecryptedObject) => {
		const { accessToken } = await type.preAuthentication.call({ helpers }, { ...credential });
		return accessToken;
	};
	return { calls, renew };
}
