import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { ServiceError } from '../http/serviceError';
import { type CallProblem } from '../http/callProblems';
import { pathBelow, withoutSlashes } from '../util/urls';
import { objectOf, textOf } from '../util/values';
import { baseUrlOf, tokenOf } from './credential';
import { credentialProblems } from './credentialProblems';
import { tokenProblems } from './tokenProblems';

/**
 * For these paths and all paths below them, the service expects the token twice: in the `token` header, and
 * as a bearer token in `Authorization` (docs/dev/service.md#authentication).
 */
const bearerPaths = ['/templates'];

/** @param path The path relative to the Base URL, without the query string, for example `/templates/v2`. */
export function needsAuthorization(path: string): boolean {
	return bearerPaths.some((base) => path === base || path.startsWith(`${base}/`));
}

/**
 * Adds the authentication headers to a call: `user-id`, `token` and, for paths that need it, `Authorization`
 * (docs/dev/service.md#authentication). Also turns off redirects.
 * @param requestOptions The call's options, which are modified in place. The URL is in `url` for n8n's
 * newer request helper, and in `uri` for the older helper, which the HTTP Request node uses.
 * @returns The same options.
 * @throws ServiceError with status 401 if the stored token belongs to another account. n8n then gets a
 * new token and retries the call.
 * @throws ServiceError without a status if the call would expose the token, because it goes to another
 * host, names another host in a header, uses a proxy that could read the token, or skips certificate
 * verification.
 * @n8n
 */
export function authenticate(
	credentials: ICredentialDataDecryptedObject,
	requestOptions: IHttpRequestOptions,
): IHttpRequestOptions {
	const { baseUrl, origin } = baseUrlOf(credentials);
	const path = pathBelow(baseUrl, addressOf(requestOptions));
	if (path === undefined) {
		throw new ServiceError(credentialProblems.otherHost(origin));
	}
	checkHostHeaders(baseUrl, requestOptions.headers);
	checkConnection(baseUrl, requestOptions);
	const token = tokenOf(credentials);
	if (!token) throw tokenRefused(tokenProblems.ofAnotherAccount);
	requestOptions.headers = {
		...requestOptions.headers,
		'user-id': textOf(credentials.userId).trim(),
		token,
	};
	if (needsAuthorization(path)) {
		requestOptions.headers.Authorization = `Bearer ${token}`;
	}
	return Object.assign(requestOptions, noRedirects);
}

/** Creates the error after which n8n gets a new token and makes the call. @n8n */
export function tokenRefused(problem: CallProblem): ServiceError {
	return Object.assign(new ServiceError(problem), { response: { status: 401 } });
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
 * Refuses options that would expose the token. When a credential is shared, users can select it in an HTTP
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

/**
 * Refuses a Host header for another host. If both hosts are behind the same proxy, such as a CDN, the proxy would pass
 * the call, and with it the token, on to the other host.
 * @throws ServiceError if a Host header names another host.
 */
function checkHostHeaders(baseUrl: string, headers: unknown): void {
	const values = hostHeadersIn(headers);
	if (values.length === 0) return;
	const { host, hostname, port, protocol, origin } = new URL(baseUrl);
	const withPort = `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
	const isOtherHost = (value: unknown) =>
		![host, withPort].includes(textOf(value).trim().toLowerCase());
	if (values.some(isOtherHost)) {
		throw new ServiceError(credentialProblems.otherHostHeader(origin));
	}
}

/** Returns the values of all Host headers that n8n's HTTP client, axios, could send. */
function hostHeadersIn(headers: unknown): unknown[] {
	return Object.entries(objectOf(headers)).flatMap(([name, value]) => {
		// The client trims the names of headers.
		if (name.trim().toLowerCase() === 'host') return [value].flat();
		// The client also sends the headers in an object named "common" or like the method.
		return hostHeadersIn(value);
	});
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
