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

import {
	credentialHashOf,
	callLimitFields,
	normalizeBaseUrl,
	tokenOf,
} from '../nodes/SignVerify/account/credential';
import { renewToken } from '../nodes/SignVerify/account/token';
import { needsAuthorization } from '../nodes/SignVerify/api/authorization';
import { ServiceError } from '../nodes/SignVerify/http/errors';
import { credentialProblems, tokenProblems } from '../nodes/SignVerify/http/problems';
import { originOf, pathBelow, textOf, withoutSlashes } from '../nodes/SignVerify/util/values';

/** The credential for an account with the signing service (docs/dev/service.md#authentication). */
export class SignVerifyApi implements ICredentialType {
	name = 'signVerifyApi';

	displayName = 'SignVerify API';

	icon: Icon = {
		light: 'file:../nodes/SignVerify/signVerify.svg',
		dark: 'file:../nodes/SignVerify/signVerify.dark.svg',
	};

	// The same URL as in http/docs.ts. It is repeated here because n8n's lint rules require a literal.
	documentationUrl =
		'https://github.com/n8n-nodes-signverify/n8n-nodes-signverify#set-up-the-credential';

	// Hide n8n's own fields for allowed domains, because `authenticate` sends the token only to the Base URL
	// anyway.
	hideDomainRestrictionFields = true;

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://sign.example.com/api',
			description: 'URL that your provider gave you for the signing service',
		},
		{
			displayName: 'User ID',
			name: 'userId',
			type: 'string',
			default: '',
			required: true,
			description: "Your user ID in your provider's account",
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description:
				'Your secret key, sent only to get an access token. If it has fewer than 20 characters, ask for a longer one.',
		},
		...callLimitFields,
		{
			displayName: 'Access Token',
			name: 'accessToken',
			type: 'hidden',
			// n8n calls preAuthentication only for a credential with an `expirable` property.
			typeOptions: { expirable: true, password: true },
			default: '',
		},
		// Identifies the account that the stored token belongs to. This must be a declared field, because n8n
		// doesn't store undeclared values.
		{ displayName: 'Account Hash', name: 'accountHash', type: 'hidden', default: '' },
	];

	/**
	 * Exchanges the user ID and the API key for an access token (docs/dev/service.md#token). n8n calls this
	 * method when no token is stored, when a call fails with HTTP 401, and when a user tests the credential.
	 * @returns The values to store in the credential: the token, and a hash that identifies the token's
	 * account.
	 * @throws ServiceError. Its message says which credential field is wrong, or why the service did not
	 * issue a token.
	 */
	async preAuthentication(
		this: IHttpRequestHelper,
		credentials: ICredentialDataDecryptedObject,
	): Promise<IDataObject> {
		const accessToken = await renewToken(this.helpers, credentials);
		return { accessToken, accountHash: credentialHashOf(credentials) };
	}

	/**
	 * Adds the authentication headers to every call except the token exchange: `user-id`, `token` and, for
	 * paths that need it, `Authorization` (docs/dev/service.md#authentication). Also turns off redirects.
	 * @param requestOptions The call's options, which are modified in place. The URL is in `url` for n8n's
	 * newer request helper, and in `uri` for the older helper, which the HTTP Request node uses.
	 * @returns The same options.
	 * @throws ServiceError with status 401 if the stored token belongs to another account. n8n then gets a
	 * new token and retries the call.
	 * @throws ServiceError without a status if the call would expose the token, because it goes to another
	 * host, uses a proxy that could read the token, or skips certificate verification.
	 */
	authenticate: IAuthenticate = async (
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> => {
		const baseUrl = normalizeBaseUrl(credentials.baseUrl);
		const path = pathBelow(baseUrl, addressOf(requestOptions));
		if (path === undefined) {
			throw new ServiceError(credentialProblems.otherHost(originOf(baseUrl)));
		}
		checkConnection(baseUrl, requestOptions);
		const token = tokenOf(credentials);
		if (!token) {
			const error = new ServiceError(tokenProblems.ofAnotherAccount);
			// Status 401 makes n8n get a new token and repeat the call.
			throw Object.assign(error, { response: { status: 401 } });
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
			// Removes leading and trailing spaces, and trailing slashes, as normalizeBaseUrl() in
			// account/credential.ts does for the nodes' calls.
			baseURL: '={{ String($credentials.baseUrl ?? "").trim().replace(/\\/+$/, "") }}',
			// Lists the webhooks, because that works for every account. Listing templates might not work,
			// because each template version has its own list, and a service may support only one version.
			url: '/webhooks',
			disableFollowRedirect: true,
		},
		// n8n accepts both kinds of rules in one list, although the type doesn't allow it.
		rules: [
			...[301, 302, 303, 307, 308].map((value) => ({
				type: 'responseCode',
				properties: {
					value,
					message: `The service redirects this call to another URL (HTTP ${value}). Open the Base URL in a browser, and enter the URL that you're redirected to.`,
				},
			})),
			// The nodes detect more kinds of rejections than this rule does, for example a `success` that is
			// the string "false" (verdictOf() in http/response.ts). A rule can compare only one field with
			// one value, so the test may pass with a credential whose calls then fail.
			{
				type: 'responseSuccessBody',
				properties: {
					key: 'success',
					value: false,
					message:
						'The service issued an access token, but refused to list the webhooks. Ask your provider which permissions the account needs.',
				},
			},
		] as NonNullable<ICredentialTestRequest['rules']>,
	};
}

/**
 * Turns off redirects, because a redirect would send the token to an unchecked URL. n8n's newer request
 * helper reads the first option, and its older helper reads the others.
 */
const noRedirects = {
	disableFollowRedirect: true,
	followRedirect: false,
	followAllRedirects: false,
	maxRedirects: 0,
};

/** The options of n8n's newer request helper, plus the options that only the older helper has. */
type CallOptions = IHttpRequestOptions & { uri?: string; rejectUnauthorized?: boolean };

/**
 * Rejects options that would expose the token. When a credential is shared, users can select it in an HTTP
 * Request node without being able to see its values. With these options, they could send the token to a proxy
 * or server that they control.
 * @throws ServiceError if the call uses any of these options.
 */
function checkConnection(baseUrl: string, options: CallOptions): void {
	const { proxy, rejectUnauthorized, skipSslCertificateValidation, agentOptions } = options;
	const skipsCertificate =
		skipSslCertificateValidation ||
		rejectUnauthorized === false ||
		agentOptions?.rejectUnauthorized === false;
	if (skipsCertificate) throw new ServiceError(credentialProblems.uncheckedCertificate);
	if (proxy && (!baseUrl.startsWith('https://') || agentOptions?.ca)) {
		throw new ServiceError(credentialProblems.readableProxy);
	}
}

/** Returns a call's full URL, joining `baseURL` and `url` the way n8n's HTTP client does. */
function addressOf(options: CallOptions): string {
	const { baseURL, uri } = options;
	// n8n's type requires `url`, but the older helper's options don't have it.
	const address = (options.url as string | undefined) ?? uri ?? '';
	// The HTTP client ignores the base URL if `url` is absolute.
	if (!baseURL || /^([a-z][a-z\d+.-]*:)?\/\//i.test(address)) return address;
	return `${withoutSlashes(baseURL)}/${address.replace(/^\//, '')}`;
}
