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

import { needsAuthorization } from '../nodes/SignVerify/api/authorization';
import {
	accountHashOf,
	callLimitFields,
	normalizeBaseUrl,
	tokenOf,
	wrongCredential,
} from '../nodes/SignVerify/http/credential';
import { renewToken } from '../nodes/SignVerify/http/token';
import { originOf, pathBelow, textOf, withoutSlashes } from '../nodes/SignVerify/util/values';

/** The account at the signing service (docs/dev/service.md#authentication). */
export class SignVerifyApi implements ICredentialType {
	name = 'signVerifyApi';

	displayName = 'SignVerify API';

	icon: Icon = {
		light: 'file:../nodes/SignVerify/signVerify.svg',
		dark: 'file:../nodes/SignVerify/signVerify.dark.svg',
	};

	// As in http/errors.ts; n8n's rules require the whole URL here.
	documentationUrl =
		'https://github.com/n8n-nodes-signverify/n8n-nodes-signverify#set-up-the-credential';

	// `authenticate` lets the token go only to the Base URL, whatever a person would enter there.
	hideDomainRestrictionFields = true;

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
		...callLimitFields,
		{
			displayName: 'Access Token',
			name: 'accessToken',
			type: 'hidden',
			// Without `expirable`, n8n never calls preAuthentication.
			typeOptions: { expirable: true, password: true },
			default: '',
		},
		// Whose token it is; n8n keeps only what is declared here.
		{ displayName: 'Account Hash', name: 'accountHash', type: 'hidden', default: '' },
	];

	/**
	 * Exchanges user ID and key for an access token (docs/dev/service.md#token). n8n calls it if there is no
	 * token, after HTTP 401, and in a credential test.
	 * @throws ServiceError that says which field of the credential is wrong.
	 */
	async preAuthentication(
		this: IHttpRequestHelper,
		credentials: ICredentialDataDecryptedObject,
	): Promise<IDataObject> {
		const accessToken = await renewToken(this.helpers, credentials);
		return { accessToken, accountHash: accountHashOf(credentials) };
	}

	/**
	 * Adds the headers of every call except the token exchange: `user-id` and `token`, and `Authorization` for
	 * the paths that need it (docs/dev/service.md#authentication). The call then follows no redirect.
	 * @param requestOptions Of n8n's present helpers, with `url`, or of the older ones, with `uri`, which
	 * the HTTP Request node uses.
	 * @throws ServiceError with status 401 if the stored token is not the account's. It throws one
	 * without a status if somebody else than the service could read the token: the call goes to another
	 * host, through a proxy that sees it, or to a server that does not prove who it is.
	 */
	authenticate: IAuthenticate = async (
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> => {
		const baseUrl = normalizeBaseUrl(credentials.baseUrl);
		const path = pathBelow(baseUrl, addressOf(requestOptions));
		if (path === undefined) {
			throw wrongCredential(
				`This credential is only for ${originOf(baseUrl)}`,
				'Use a URL below the Base URL of the credential, or another credential.',
			);
		}
		checkConnection(baseUrl, requestOptions);
		const token = tokenOf(credentials);
		if (!token) {
			const what = 'The stored access token belongs to another account or Base URL';
			const failure = wrongCredential(what, 'Test the credential. n8n then gets a new one.');
			// With this status, n8n gets a new token and makes the call again.
			throw Object.assign(failure, { response: { status: 401 } });
		}
		requestOptions.headers = {
			...requestOptions.headers,
			'user-id': textOf(credentials.userId).trim(),
			token,
		};
		if (needsAuthorization(path)) {
			requestOptions.headers.Authorization = `Bearer ${token}`;
		}
		return Object.assign(requestOptions, noRedirects);
	};

	test: ICredentialTestRequest = {
		request: {
			// As in the calls of the nodes (http/credential.ts).
			baseURL: '={{ String($credentials.baseUrl ?? "").trim().replace(/\\/+$/, "") }}',
			// Every service has this list; that of templates may be of one version only.
			url: '/webhooks',
			disableFollowRedirect: true,
		},
		// n8n takes rules of both kinds together, although its type does not.
		rules: [
			...[301, 302, 303, 307, 308].map((value) => ({
				type: 'responseCode',
				properties: {
					value,
					message: `The service redirects this call to another URL (HTTP ${value}). Open the Base URL in a browser, and enter the URL that you get to.`,
				},
			})),
			{
				type: 'responseSuccessBody',
				properties: {
					key: 'success',
					value: false,
					message:
						'The service gives an access token, but refuses to list the webhooks. Ask your provider what the account may do.',
				},
			},
		] as ICredentialTestRequest['rules'],
	};
}

/**
 * A redirect would send the token to a URL that nobody has checked. n8n's present request helper reads
 * the first option, and its older one the others.
 */
const noRedirects = {
	disableFollowRedirect: true,
	followRedirect: false,
	followAllRedirects: false,
	maxRedirects: 0,
};

/** Options of n8n's present request helper, and of its older one. */
type CallOptions = IHttpRequestOptions & { uri?: string; rejectUnauthorized?: boolean };

/**
 * In an HTTP Request node, a person who may use the credential and not read it chooses these options. A
 * proxy or a server of their own would show them the token.
 */
function checkConnection(baseUrl: string, options: CallOptions): void {
	const { proxy, rejectUnauthorized, skipSslCertificateValidation, agentOptions } = options;
	const checks = [rejectUnauthorized, agentOptions?.rejectUnauthorized];
	if (skipSslCertificateValidation || checks.includes(false)) {
		throw wrongCredential(
			'This credential needs a certificate that is checked, because any server could read the access token without the check',
			'Turn off "Ignore SSL Issues (Insecure)" in the options of the node.',
		);
	}
	if (proxy && (!baseUrl.startsWith('https://') || agentOptions?.ca)) {
		throw wrongCredential(
			'This credential cannot be used with this proxy, because the proxy could read the access token',
			'Remove "Proxy" from the options of the node. A proxy is possible if the Base URL begins with https:// and the node has no certificate authority of its own.',
		);
	}
}

/** The URL of a call, as n8n's HTTP client makes it from base URL and URL. */
function addressOf(options: CallOptions): string {
	const { baseURL, uri } = options;
	// n8n's types promise a `url`; the older helper has none.
	const address = (options.url as string | undefined) ?? uri ?? '';
	// For a whole URL, the base URL is ignored.
	if (!baseURL || /^([a-z][a-z\d+.-]*:)?\/\//i.test(address)) return address;
	return `${withoutSlashes(baseURL)}/${address.replace(/^\//, '')}`;
}
