import { Rows } from '../http/callProblems';
import { unsentForGood, unsentForNow } from '../http/retry';

/*
 * The token. n8n's credential test shows only an error's message, so every message also contains the remedy.
 * In all of these rows, the call that needs the token hasn't been sent yet.
 */
/* The credential. Here as well, every message contains the remedy. */

const correctBaseUrl = 'Correct it in the credential. An example is https://sign.example.com/api.';

export const credentialProblems = {
	noBaseUrl: {
		message: 'Base URL: required, but empty. Enter the URL that your provider gave you',
		description: correctBaseUrl,
	},
	noUrl: {
		message:
			'Base URL: not a URL. It must begin with https:// or http:// and contain no spaces or invisible characters',
		description: correctBaseUrl,
	},
	loginInBaseUrl: {
		message:
			'Base URL: delete the login details and the "@" after them. The node logs in with the User ID and the API Key instead',
		description: correctBaseUrl,
	},
	queryInBaseUrl: {
		message: 'Base URL: contains "?" or "#". Delete it and everything after it',
		description: correctBaseUrl,
	},
	/** @param field The name of a field that is sent as a header. */
	empty: (field: string) => ({
		message: `${field}: required, but empty. Copy it from your provider's account`,
		description: `Paste the ${field} into the credential.`,
	}),
	wrongCharacters: (field: string) => ({
		message: `${field}: contains characters that aren't allowed. Copy it again`,
		description: `Paste the ${field} into the credential.`,
	}),
	/** @param facts `range` is what the number must be, such as "a number from 1 to 50". */
	wrongNumber: ({ field, range }: { field: string; range: string }) => ({
		message: `${field} in the credential: must be ${range}`,
		description: 'Correct it in the credential.',
	}),
	/** @param least The lowest limit with which an event can still be processed. */
	tooFewRequests: (least: number) => ({
		message: `Requests per Second in the credential: must be 0 (no limit) or a number from ${least} to 1000. If your provider allows fewer calls, enter 0. The node then pauses whenever the service reports too many requests`,
		description:
			"With a lower limit, the node couldn't process an event before your provider gives up on it.",
	}),
	wrongExpression: (reason: string) => ({
		message: `n8n couldn't read the credential: ${reason}`,
		description:
			'Open the credential and correct its expressions. If one of them uses $env, ask the person who runs your n8n to set N8N_BLOCK_ENV_ACCESS_IN_NODE to false, because n8n blocks $env otherwise.',
		docsAnchor: 'credential-not-read',
	}),
	/**
	 * @param facts `isMissing` is true if the node has no credential. Any other problem is in n8n or its
	 * database.
	 */
	unread: ({ reason, isMissing }: { reason: string; isMissing: boolean }) => ({
		message: `n8n couldn't read the credential: ${reason}`,
		description:
			'Select a credential in the node. If the message mentions an encryption key or a database, contact the person who runs your n8n.',
		docsAnchor: 'credential-not-read',
		failure: isMissing ? unsentForGood : unsentForNow,
	}),
	otherAccount: {
		message: 'The credential has been changed to another account',
		description:
			'Its Base URL or User ID changed while the node was using it, so the node made no more calls. Run the remaining items again.',
	},
	/** A waiting node reads the credential again when its event arrives, without an item. */
	readsItem: {
		message:
			"The credential has an expression that reads data from the item, so a waiting node can't use it",
		description:
			'Use an expression with $vars or $secrets, or a separate credential for each account.',
	},
	severalAccounts: (item: number) => ({
		message: `The credential uses a different account for item ${item} than for item 1`,
		description: 'Run the node once for each account, for example with Loop Over Items.',
	}),
	/** The call would send the token to another host. */
	otherHost: (at: string) => ({
		message: `This credential is only for ${at}`,
		description:
			'Use a URL that starts with the Base URL in the credential, or select another credential.',
	}),
	/** A header would make a proxy pass the token on to another host. */
	otherHostHeader: (at: string) => ({
		message: `This credential is only for ${at}, but the request has a Host header for another host`,
		description: "Remove Host from the node's headers, or select another credential.",
	}),
	uncheckedCertificate: {
		message:
			"This credential can't be used without certificate checks, because any server could then read the access token",
		description: 'Turn off Ignore SSL Issues (Insecure) in the node.',
	},
	readableProxy: {
		message:
			"This credential can't be used with this proxy, because the proxy could read the access token",
		description:
			"Remove the Proxy option from the node. A proxy is only allowed if the Base URL begins with https:// and the node doesn't specify its own certificate authority.",
	},
} satisfies Rows;
