import type {
	ICredentialDataDecryptedObject,
	IHttpRequestHelper,
	IHttpRequestOptions,
} from 'n8n-workflow';
import { authenticate, tokenRefused } from './authenticate';
import { forgetYoungToken, hasYoungToken, renewToken, type StoredToken } from './token';
import { tokenProblems } from './tokenProblems';

/*
 * After any error, n8n's older request helper, which the HTTP Request node uses, gets a new token and repeats the
 * call, even if the service may have created a document. The helper passes the same credential object to both
 * functions below, so together, they keep it from repeating a call that writes.
 */

/** The credential objects with which a call that writes has been sent. n8n makes a new object for each call. */
const usedCredentials = new WeakSet<ICredentialDataDecryptedObject>();

/**
 * Authenticates a call for the credential type ({@link authenticate}). A call that writes is sent only with a young
 * token, because it can't be repeated if its token has expired.
 * @throws ServiceError with status 401 before such a call is sent. n8n then gets a new token, and calls this again.
 * @n8n
 */
export function authenticateOnce(
	credential: ICredentialDataDecryptedObject,
	options: IHttpRequestOptions,
): IHttpRequestOptions {
	if (isRepeatedWrite(options)) {
		if (!hasYoungToken(credential)) throw tokenRefused(tokenProblems.mayHaveExpired);
		usedCredentials.add(credential);
	}
	return authenticate(credential, options);
}

/**
 * Gets a token for the credential type ({@link renewToken}).
 * @returns Nothing after a call that writes. n8n then reports the call's error instead of repeating it.
 * @throws ServiceError as {@link renewToken} does.
 * @n8n
 */
export async function tokenForCall(
	helpers: IHttpRequestHelper['helpers'],
	credential: ICredentialDataDecryptedObject,
): Promise<StoredToken | Record<string, never>> {
	if (!usedCredentials.has(credential)) return await renewToken(helpers, credential);
	// The service may have refused this token, so the next call gets another one.
	forgetYoungToken(credential);
	return {};
}

/** Only the older helper's options contain `uri`. */
function isRepeatedWrite(options: IHttpRequestOptions & { uri?: string }): boolean {
	return options.uri !== undefined && !['GET', 'HEAD'].includes(options.method ?? 'GET');
}
