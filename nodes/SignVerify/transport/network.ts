import { isObject } from './envelope';

/** What an error of the HTTP client means for the person in front of the form. */
export interface NetworkTrouble {
	/** The rest of a sentence whose subject is the service's address. */
	problem: string;
	remedy: string;
	/** True when the request certainly never reached the service. */
	neverSent: boolean;
}

const checkAddress = 'Check the Base URL in the credential, and that the service is up.';

const troubles: Record<string, NetworkTrouble> = {
	ENOTFOUND: {
		problem: 'has a host name that does not exist',
		remedy: checkAddress,
		neverSent: true,
	},
	EAI_AGAIN: {
		problem: 'has a host name that cannot be looked up right now',
		remedy: checkAddress,
		neverSent: true,
	},
	ECONNREFUSED: { problem: 'refuses connections', remedy: checkAddress, neverSent: true },
	EHOSTUNREACH: { problem: 'cannot be reached from here', remedy: checkAddress, neverSent: true },
	ENETUNREACH: { problem: 'cannot be reached from here', remedy: checkAddress, neverSent: true },
	ECONNRESET: {
		problem: 'broke the connection off',
		remedy: 'Try again in a moment.',
		neverSent: false,
	},
	EPIPE: {
		problem: 'broke the connection off',
		remedy: 'Try again in a moment.',
		neverSent: false,
	},
	ETIMEDOUT: {
		problem: 'did not answer in time',
		remedy: 'Try again in a moment.',
		neverSent: false,
	},
	ECONNABORTED: {
		problem: 'did not answer in time',
		remedy: 'Try again in a moment.',
		neverSent: false,
	},
	ERR_CANCELED: {
		problem: 'was not waited for, since the execution was cancelled',
		remedy: 'Run the workflow again.',
		neverSent: false,
	},
	EPROTO: {
		problem: 'does not speak HTTPS',
		remedy: 'Check whether the Base URL should start with http:// or https://.',
		neverSent: true,
	},
};

/**
 * Reads an error thrown by n8n's HTTP helper. n8n wraps the client's error, sometimes twice, and
 * rewrites its message; the code survives in one of a few places.
 * @returns What it means, in words that hold neither the address nor a header.
 */
export function readNetworkError(error: unknown): NetworkTrouble {
	for (const code of codesOf(error, 0)) {
		const known = troubles[code];
		if (known) return known;
		if (/CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code)) {
			return {
				problem: 'has a certificate that cannot be trusted',
				remedy: 'Have the certificate corrected, or check that the Base URL is the right one.',
				neverSent: true,
			};
		}
	}
	return { problem: 'could not be asked', remedy: checkAddress, neverSent: false };
}

function codesOf(error: unknown, depth: number): string[] {
	if (!isObject(error) && !(error instanceof Error)) return [];
	if (depth > 4) return [];
	const { code, cause, httpCode, reason, errors } = error as unknown as Record<string, unknown>;
	const own = [code, httpCode].filter((value): value is string => typeof value === 'string');
	// A host name with several addresses fails with one error for each of them.
	const inner = [cause, reason, ...(Array.isArray(errors) ? (errors as unknown[]) : [])];
	return [...own, ...inner.flatMap((value) => codesOf(value, depth + 1))];
}
