import type { CallProblemTable } from '../http/callProblems';
import { unsentForGood, unsentForNow } from '../http/retry';

/*
 * The token. n8n's credential test shows only an error's message, so every message also contains the remedy.
 * In all of these rows, the call that needs the token hasn't been sent yet.
 */
/* The credential. Here as well, every message contains the remedy. */

const correctBaseUrl = 'Correct it in the credential. An example is https://sign.example.com/api.';

export const credentialProblems = {
	noBaseUrl: {
		problem: 'Base URL: required, but empty. Enter the URL that your provider gave you',
		remedy: correctBaseUrl,
	},
	noUrl: {
		problem:
			'Base URL: not a URL. It must begin with https:// or http:// and contain no spaces or invisible characters',
		remedy: correctBaseUrl,
	},
	loginInBaseUrl: {
		problem:
			'Base URL: delete the login details and the "@" after them. The node logs in with the User ID and the API Key instead',
		remedy: correctBaseUrl,
	},
	queryInBaseUrl: {
		problem: 'Base URL: contains "?" or "#". Delete it and everything after it',
		remedy: correctBaseUrl,
	},
	/** @param field The name of a field that is sent as a header. */
	empty: (field: string) => ({
		problem: `${field}: required, but empty. Copy it from your provider's account`,
		remedy: `Paste the ${field} into the credential.`,
	}),
	wrongCharacters: (field: string) => ({
		problem: `${field}: contains characters that aren't allowed. Copy it again`,
		remedy: `Paste the ${field} into the credential.`,
	}),
	/** @param facts `range` is what the number must be, such as "a number from 1 to 50". */
	wrongNumber: ({ field, range }: { field: string; range: string }) => ({
		problem: `${field} in the credential: must be ${range}`,
		remedy: 'Correct it in the credential.',
	}),
	/** @param least The lowest limit with which an event can still be processed. */
	tooFewRequests: (least: number) => ({
		problem: `Requests per Second in the credential: must be 0 (no limit) or a number from ${least} to 1000. If your provider allows fewer calls, enter 0. The node then pauses whenever the service reports too many requests`,
		remedy:
			"With a lower limit, the node couldn't process an event before your provider gives up on it.",
	}),
	wrongExpression: (reason: string) => ({
		problem: `n8n couldn't read the credential: ${reason}`,
		remedy:
			'Open the credential and correct its expressions. If one of them uses $env, ask the person who runs your n8n to set N8N_BLOCK_ENV_ACCESS_IN_NODE to false, because n8n blocks $env otherwise.',
		docsAnchor: 'credential-not-read',
	}),
	/**
	 * @param facts `isMissing` is true if the node has no credential. Any other problem is in n8n or its
	 * database.
	 */
	unread: ({ reason, isMissing }: { reason: string; isMissing: boolean }) => ({
		problem: `n8n couldn't read the credential: ${reason}`,
		remedy:
			'Select a credential in the node. If the message mentions an encryption key or a database, contact the person who runs your n8n.',
		docsAnchor: 'credential-not-read',
		failure: isMissing ? unsentForGood : unsentForNow,
	}),
	otherAccount: {
		problem: 'The credential has been changed to another account',
		remedy:
			'Its Base URL or User ID changed while the node was using it, so the node made no more calls. Run the remaining items again.',
	},
	/** A waiting node reads the credential again when its event arrives, without an item. */
	readsItem: {
		problem:
			"The credential has an expression that reads data from the item, so a waiting node can't use it",
		remedy: 'Use an expression with $vars or $secrets, or a separate credential for each account.',
	},
	severalAccounts: (item: number) => ({
		problem: `The credential uses a different account for item ${item} than for item 1`,
		remedy: 'Run the node once for each account, for example with Loop Over Items.',
	}),
	/** The call would send the token to another host. */
	otherHost: (at: string) => ({
		problem: `This credential is only for ${at}`,
		remedy:
			'Use a URL that starts with the Base URL in the credential, or select another credential.',
	}),
	/** A header would make a proxy pass the token on to another host. */
	otherHostHeader: (at: string) => ({
		problem: `This credential is only for ${at}, but the request has a Host header for another host`,
		remedy: "Remove Host from the node's headers, or select another credential.",
	}),
	uncheckedCertificate: {
		problem:
			"This credential can't be used without certificate checks, because any server could then read the access token",
		remedy: 'Turn off Ignore SSL Issues (Insecure) in the node.',
	},
	readableProxy: {
		problem:
			"This credential can't be used with this proxy, because the proxy could read the access token",
		remedy:
			"Remove the Proxy option from the node. A proxy is only allowed if the Base URL begins with https:// and the node doesn't specify its own certificate authority.",
	},
} satisfies CallProblemTable;
