import type {
	IAuthenticate,
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	IDataObject,
	IHttpRequestHelper,
	IHttpRequestOptions,
	Icon,
	INodeProperties,
} from 'n8n-workflow';

import { renewToken } from '../nodes/SignVerify/api/token';
import {
	normalizeBaseUrl,
	originOf,
	pathBelow,
	withoutSlashes,
} from '../nodes/SignVerify/transport/baseUrl';
import { ServiceError } from '../nodes/SignVerify/transport/errors';
import { textOf } from '../nodes/SignVerify/util/values';

/** The account at the signing service (docs/service.md#authentication). */
export class SignVerifyApi implements ICredentialType {
	name = 'signVerifyApi';

	displayName = 'SignVerify API';

	icon: Icon = {
		light: 'file:../nodes/SignVerify/signVerify.svg',
		dark: 'file:../nodes/SignVerify/signVerify.dark.svg',
	};

	// As in transport/errors.ts; n8n's rules want the whole address here.
	documentationUrl =
		'https://github.com/n8n-nodes-signverify/n8n-nodes-signverify#set-up-the-credential';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://sign.example.com/api',
			description: 'URL of the service, as your provider gave it to you',
		},
		{
			displayName: 'User ID',
			name: 'userId',
			type: 'string',
			default: '',
			required: true,
			description: 'Your user ID at the service',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description:
				'Your secret key. It is sent only to get an access token, never with other calls.',
		},
		{
			displayName: 'Access Token',
			name: 'accessToken',
			type: 'hidden',
			// Without `expirable` n8n never calls preAuthentication.
			typeOptions: { expirable: true, password: true },
			default: '',
		},
	];

	/**
	 * Exchanges user ID and key for an access token (docs/service.md#token). n8n calls it when
	 * there is no token, when the service answers 401, and in a credential test.
	 * @throws ServiceError saying which field of the credential is wrong.
	 */
	async preAuthentication(
		this: IHttpRequestHelper,
		credentials: ICredentialDataDecryptedObject,
	): Promise<IDataObject> {
		return { accessToken: await renewToken(this.helpers, credentials) };
	}

	/**
	 * Adds what every call but the token exchange carries: `user-id` and `token`, and for the
	 * template endpoints `Authorization` (docs/service.md#authentication). The call then follows
	 * no redirect.
	 * @param requestOptions Of n8n's present helpers, with `url`, or of the older ones that the HTTP
	 * Request node uses, with `uri`.
	 * @throws ServiceError when the call goes to another host: the token stays at home.
	 */
	authenticate: IAuthenticate = async (
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> => {
		const baseUrl = normalizeBaseUrl(credentials.baseUrl);
		const path = pathBelow(baseUrl, addressOf(requestOptions));
		if (path === undefined) {
			throw new ServiceError({
				message: `This credential is only for ${originOf(baseUrl)}`,
				description: 'Use an address below the Base URL of the credential, or another credential.',
				topic: 'the-credential',
			});
		}
		const token = textOf(credentials.accessToken);
		requestOptions.headers = {
			...requestOptions.headers,
			'user-id': textOf(credentials.userId).trim(),
			token,
		};
		if (path === '/templates' || path.startsWith('/templates/')) {
			requestOptions.headers.Authorization = `Bearer ${token}`;
		}
		return Object.assign(requestOptions, noRedirects);
	};

	test: ICredentialTestRequest = {
		request: {
			// As the calls of the nodes take it (transport/baseUrl.ts).
			baseURL: '={{ String($credentials.baseUrl ?? "").trim().replace(/\\/+$/, "") }}',
			url: '/templates/v2',
			disableFollowRedirect: true,
		},
		rules: redirects.map((value) => ({
			type: 'responseCode',
			properties: {
				value,
				message: `The service redirects this call to another URL (HTTP ${value}). Enter the address that it leads to as the Base URL.`,
			},
		})),
	};
}

/** Statuses that lead to another address. */
const redirects = [301, 302, 303, 307, 308];

/**
 * A redirect would carry the token to an address that nobody has checked. The first is what n8n's
 * present request helper looks at, the others are what its older one does.
 */
const noRedirects = {
	disableFollowRedirect: true,
	followRedirect: false,
	followAllRedirects: false,
	maxRedirects: 0,
};

/** Where a call goes: what n8n's HTTP client makes of base address and address. */
function addressOf(options: IHttpRequestOptions & { uri?: string }): string {
	const { baseURL, uri } = options;
	// n8n's types promise a `url`; the older helper has none.
	const address = (options.url as string | undefined) ?? uri ?? '';
	// A whole address is called as it is, whatever base address there may be.
	if (!baseURL || /^([a-z][a-z\d+.-]*:)?\/\//i.test(address)) return address;
	return `${withoutSlashes(baseURL)}/${address.replace(/^\//, '')}`;
}
