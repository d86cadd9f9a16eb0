import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IHttpRequestOptions,
} from 'n8n-workflow';

import { SignVerifyApi } from '../../credentials/SignVerifyApi.credentials';
import { standInOrigin } from './standIn';

const credentialType = new SignVerifyApi();
let accounts = 0;
/** Makes a credential that no other test has used, because tokens are cached by account. */
export const newCredential = (more: IDataObject = {}): ICredentialDataDecryptedObject => ({
	baseUrl: `${standInOrigin}/api/`,
	userId: `user ${accounts++}`,
	apiKey: 'the-api-key',
	accessToken: '',
	...more,
});

/** Returns the response to a token exchange or throws as the HTTP client does. */
export type RespondToExchange = (options: IHttpRequestOptions, count: number) => unknown;
export const response = (body: unknown, statusCode = 200, headers: IDataObject = {}) => ({
	body,
	statusCode,
	headers,
});
export const tokenResponse = (text: string) => response({ responseData: { accessToken: text } });

/** Makes n8n's HTTP helper, with a token endpoint that responds to its calls. */
export function tokenEndpoint(respond: RespondToExchange) {
	const calls: IHttpRequestOptions[] = [];
	const helpers = {
		httpRequest: async (options: IHttpRequestOptions) => {
			calls.push(options);
			return await Promise.resolve(respond(options, calls.length));
		},
	};
	const renew = async (credential: ICredentialDataDecryptedObject) => {
		const { accessToken } = await credentialType.preAuthentication.call(
			{ helpers },
			{ ...credential },
		);
		return accessToken;
	};
	return { calls, renew };
}
