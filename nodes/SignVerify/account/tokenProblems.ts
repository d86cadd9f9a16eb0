import {
	type CallProblem,
	type CallProblemTable,
	endOfPause,
	type FailedResponse,
	type NoResponseProblem,
	openBaseUrl,
	statusInWords,
	statusOrBodyInWords,
} from '../http/callProblems';
import { type Failure, unsentForGood, unsentForNow } from '../http/retry';

const getNewToken = 'Open the credential. n8n then tests it and gets a new token.';

/*
 * The token. n8n's credential test shows only an error's message, so every message also contains the remedy.
 * In all of these rows, the call that needs the token hasn't been sent yet.
 */

export const tokenProblems = {
	noResponse: ({ problem, remedy, docsAnchor, failure }: NoResponseProblem) => ({
		problem: `Base URL: ${problem}. ${remedy.replace(/\.$/, '')}`,
		remedy: "The node didn't make the call, because it couldn't get an access token.",
		docsAnchor,
		failure: failure.isTemporary ? unsentForNow : unsentForGood,
	}),
	/** A rate limit or 5xx. A rate limit applies to the entire account, but only 429 certainly is one. */
	notNow: (response: FailedResponse) => {
		const { status, retryAfterMs } = response;
		const { moment, remedy = 'Try again in a moment' } = endOfPause(retryAfterMs) ?? {};
		const problem = moment
			? `won't issue an access token before ${moment}`
			: "isn't issuing access tokens right now";
		const failure: Failure =
			status === 429
				? { what: 'refused', status, isFromService: true }
				: status === 403
					? unsentForGood
					: unsentForNow;
		return {
			problem: `The service ${problem} ${statusInWords(response)}. ${remedy}`,
			remedy:
				"The problem is on your provider's side, so there may be nothing wrong with your credential.",
			failure,
		};
	},
	/** 3xx. @param facts `rightUrl` is the Base URL to enter, if the service only wants https://. */
	redirected: ({ status, rightUrl }: { status: number; rightUrl: string | undefined }) => ({
		problem: `The service redirects this call to another URL (HTTP ${status}). ${rightUrl ? `Enter ${rightUrl} as the Base URL` : openBaseUrl}`,
		remedy: 'To protect the API Key, the node follows no redirects.',
	}),
	/** 401, 403, or 407 that the service itself didn't return. */
	blocked: (response: FailedResponse & { body: string }) => ({
		problem: `Something other than the signing service rejected the request for an access token ${statusOrBodyInWords(response)}. Most likely, a firewall, a proxy, or a web server blocked the call. Check the Base URL, and ask your provider whether this n8n instance is allowed to call the service`,
		remedy:
			"The User ID and the API Key may be right, so don't replace them before you've checked the Base URL.",
		docsAnchor: 'something-else-rejected-the-request',
	}),
	/** Any other refusal by the service itself. */
	refused: (response: FailedResponse) => ({
		problem: `The service rejected the User ID or the API Key ${statusInWords(response)}. Copy both again`,
		remedy:
			"Paste both into the credential. If they're right, the key may have been revoked, so create a new one in your provider's account.",
		docsAnchor: 'user-id-or-api-key-rejected',
	}),
	/** Anything else. */
	missing: ({ at, ...response }: FailedResponse & { at: string; body: string }) => ({
		problem: `${at} responded, but didn't return an access token ${statusOrBodyInWords(response)}. Check the Base URL and its path, which is often /api`,
		remedy: 'Compare the Base URL in the credential with the one your provider gave you.',
	}),
	/**
	 * Any of these problems, if the Base URL ends with an endpoint's path.
	 * @param facts `otherwise` is the problem if the Base URL is right nevertheless.
	 */
	endpointInBaseUrl: ({
		baseUrl,
		endpoint,
		otherwise,
	}: {
		baseUrl: string;
		endpoint: string;
		otherwise: CallProblem;
	}) => ({
		...otherwise,
		problem: `Base URL: ends with ${endpoint}, which the node adds itself. Take it off, and enter ${baseUrl.slice(0, -endpoint.length)}. If the Base URL is right: ${otherwise.problem}`,
	}),
	ofAnotherAccount: {
		problem: 'The stored access token belongs to another account or Base URL',
		remedy: getNewToken,
	},
	mayHaveExpired: {
		problem: 'The stored access token may have expired',
		remedy: getNewToken,
	},
} satisfies CallProblemTable;
