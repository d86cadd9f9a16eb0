import type {
	IAuthenticate,
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	IHttpRequestHelper,
	Icon,
	INodeProperties,
} from 'n8n-workflow';

import { callLimitFields } from '../nodes/SignVerify/account/credential';
import { authenticateOnce, tokenForCall } from '../nodes/SignVerify/account/httpRequestNode';

const refusedList =
	'Your User ID and API Key work, but the service refused to list the webhooks. Ask your provider which permissions the account needs.';

/** The credential for an account with the signing service (docs/dev/service.md#authentication). */
export class SignVerifyApi implements ICredentialType {
	name = 'signVerifyApi';

	displayName = 'SignVerify API';

	icon: Icon = {
		light: 'file:../nodes/SignVerify/signVerify.svg',
		dark: 'file:../nodes/SignVerify/signVerify.dark.svg',
	};

	// The same URL as in errors/docs.ts. It is repeated here because n8n's lint rules require a literal.
	documentationUrl =
		'https://github.com/n8n-nodes-signverify/n8n-nodes-signverify/blob/main/docs/install.md#set-up-the-credential';

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
			// @n8n n8n calls preAuthentication only for a credential with an `expirable` property.
			typeOptions: { expirable: true, password: true },
			default: '',
		},
		// @n8n Identifies the account that the stored token belongs to. This must be a declared field, because n8n
		// doesn't store undeclared values.
		{ displayName: 'Account Hash', name: 'accountHash', type: 'hidden', default: '' },
	];

	/**
	 * Exchanges the user ID and the API key for an access token (docs/dev/service.md#token). n8n calls this
	 * method when no token is stored, when a user tests the credential, and when a call fails: with HTTP 401, or for
	 * any reason if the HTTP Request node makes the call.
	 * @returns The values to store in the credential: the token, and a hash that identifies the token's
	 * account. Nothing if n8n must not repeat the call.
	 * @throws ServiceError. Its message says which credential field is wrong, or why the service did not
	 * issue a token.
	 */
	async preAuthentication(
		this: IHttpRequestHelper,
		credentials: ICredentialDataDecryptedObject,
	): ReturnType<typeof tokenForCall> {
		return await tokenForCall(this.helpers, credentials);
	}

	/** Adds the authentication headers to every call except the token exchange. */
	authenticate: IAuthenticate = async (credentials, requestOptions) =>
		authenticateOnce(credentials, requestOptions);

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
			...[401, 403].map((value) => ({
				type: 'responseCode',
				properties: { value, message: refusedList },
			})),
			// The nodes detect more kinds of refusals than this rule does, for example a `success` that is
			// the string "false" (verdictOf() in http/response.ts). A rule can compare only one field with
			// one value, so the test may pass with a credential whose calls then fail.
			{
				type: 'responseSuccessBody',
				properties: {
					key: 'success',
					value: false,
					message: refusedList,
				},
			},
		] as NonNullable<ICredentialTestRequest['rules']>,
	};
}
