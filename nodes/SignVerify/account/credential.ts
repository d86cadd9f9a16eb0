import { createHash } from 'crypto';
import type { ICredentialDataDecryptedObject, INodeProperties } from 'n8n-workflow';
import { describeError, isExpressionError, isNodeError } from '../errors/nodeError';
import { ServiceError } from '../http/serviceError';
import { remember } from '../util/singleFlight';
import { originOf, parseUrl, withoutSlashes } from '../util/urls';
import { isEmpty, textOf } from '../util/values';
import { eventCallMs } from '../http/callTimeouts';
import { credentialProblems } from './credentialProblems';

/**
 * Validates a credential's Base URL. The path of every call is appended to it.
 * @returns The URL without a trailing slash.
 * @throws ServiceError if the URL is empty or isn't http(s), or if it contains a login (which the service
 * doesn't use), a query or a fragment (either of which would swallow the appended path).
 */
export function normalizeBaseUrl(value: unknown): string {
	const text = typeof value === 'string' ? value.trim() : '';
	const parsed = parseUrl(text);
	if (!text) throw new ServiceError(credentialProblems.noBaseUrl);
	// The URL in a message wouldn't show an invisible character, with which every call would fail.
	if (!parsed || !/^https?:$/.test(parsed.protocol) || /[\s\p{Cf}]/u.test(text))
		throw new ServiceError(credentialProblems.noUrl);
	if (parsed.username || parsed.password) throw new ServiceError(credentialProblems.loginInBaseUrl);
	if (parsed.search || parsed.hash) throw new ServiceError(credentialProblems.queryInBaseUrl);
	return withoutSlashes(`${parsed.origin}${parsed.pathname}`);
}

/** The Base URLs of the credentials in use. Parsing a URL takes a good part of the time that a call takes. */
const baseUrls = new WeakMap<ICredentialDataDecryptedObject, { baseUrl: string; origin: string }>();

/**
 * Returns a credential's Base URL ({@link normalizeBaseUrl}), and the part of it that errors may show.
 * @throws ServiceError for an invalid Base URL.
 */
export function baseUrlOf(credential: ICredentialDataDecryptedObject): {
	baseUrl: string;
	origin: string;
} {
	return remember(baseUrls, credential, () => {
		const baseUrl = normalizeBaseUrl(credential.baseUrl);
		return { baseUrl, origin: originOf(baseUrl) };
	});
}

/**
 * Validates a field that is sent as a header.
 * @throws ServiceError if the value is empty, or contains line breaks or characters outside Latin-1, as a
 * pasted key might.
 */
export function headerValue(field: string, value: unknown): string {
	const text = textOf(value).trim();
	if (text && /^[\x20-\x7e\xa0-\xff]+$/.test(text)) return text;
	const problem = text
		? credentialProblems.wrongCharacters(field)
		: credentialProblems.empty(field);
	throw new ServiceError(problem);
}

/**
 * The minimum for "Requests per Second". Handling an event can take two calls, and the event's sender waits
 * only a few seconds.
 */
export const minRequestsPerSecond = 2 / (eventCallMs / 1000);

interface LimitField extends INodeProperties {
	typeOptions: { minValue: number; maxValue: number; numberPrecision?: number };
	default: number;
}

const limitFields = {
	parallelRequests: {
		displayName: 'Parallel Requests',
		name: 'parallelRequests',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 50, numberPrecision: 0 },
		default: 10,
		description:
			'How many items to process at once for this account. In queue mode, each worker has its own limit.',
	},
	requestsPerSecond: {
		displayName: 'Requests per Second',
		name: 'requestsPerSecond',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 1000 },
		default: 0,
		hint: `0 means no limit. Otherwise, enter ${minRequestsPerSecond} or more.`,
		description:
			'The maximum number of calls per second for this account. Set or lower it if your provider reports too many requests.',
	},
	timeout: {
		displayName: 'Timeout',
		name: 'timeoutSeconds',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 3600 },
		default: 30,
		description: 'How long to wait for a response to each call, in seconds',
	},
} satisfies Record<string, LimitField>;

export const callLimitFields: INodeProperties[] = Object.values(limitFields);

export interface CallLimits {
	/** The maximum number of items to process at the same time. */
	maxParallelRequests: number;
	/** The maximum number of calls per second; 0 means no limit. */
	maxRequestsPerSecond: number;
	/** The timeout (ms) for a single try at a call, including reading the response. */
	timeoutMs: number;
}

/**
 * Reads the limits from a credential. Fields missing from a stored credential get their default values.
 * @throws ServiceError for a field that isn't a number or is out of range.
 */
export function callLimitsOf(credential: ICredentialDataDecryptedObject): CallLimits {
	const maxParallelRequests = readLimit(credential, limitFields.parallelRequests);
	const maxRequestsPerSecond = readLimit(credential, limitFields.requestsPerSecond);
	const timeoutSeconds = readLimit(credential, limitFields.timeout);
	if (maxRequestsPerSecond > 0 && maxRequestsPerSecond < minRequestsPerSecond) {
		throw new ServiceError(credentialProblems.tooFewRequests(minRequestsPerSecond));
	}
	return { maxParallelRequests, maxRequestsPerSecond, timeoutMs: timeoutSeconds * 1000 };
}

function readLimit(
	credential: ICredentialDataDecryptedObject,
	{ displayName, name, typeOptions, default: byDefault }: LimitField,
): number {
	const { minValue, maxValue, numberPrecision } = typeOptions;
	const isWhole = numberPrecision === 0;
	const stored = credential[name];
	const value = isEmpty(stored) ? byDefault : Number(textOf(stored) || NaN);
	const isInRange = value >= minValue && value <= maxValue;
	if (isInRange && (!isWhole || Number.isInteger(value))) return value;
	const range = `a ${isWhole ? 'whole ' : ''}number from ${minValue} to ${maxValue}`;
	throw new ServiceError(credentialProblems.wrongNumber({ field: displayName, range }));
}

/**
 * Whether a value can be sent in a header as a token: it must consist of 1 to 8,192 visible ASCII characters.
 * The length is limited because every response is searched for the token.
 */
export function isToken(value: unknown): value is string {
	return typeof value === 'string' && /^[!-~]{1,8192}$/.test(value);
}

/**
 * Returns a hash of the Base URL, the user ID and the API key, exactly as entered. The hash is stored with
 * the token, as `accountHash`. If the credential is edited later, the hash no longer matches, which shows
 * that the token was issued for the old values. The token itself is stored unhashed so that n8n can recognize
 * it and remove it from the output of its HTTP Request node.
 */
export function accountHashOf(credential: ICredentialDataDecryptedObject): string {
	const account = [credential.baseUrl, credential.userId, credential.apiKey].map(textOf);
	return createHash('sha256').update(JSON.stringify(account)).digest('hex');
}

/**
 * Returns the stored token; '' if there is none, it isn't valid, or it belongs to a different account or
 * host.
 */
export function tokenOf(credential: ICredentialDataDecryptedObject): string {
	const { accessToken, accountHash } = credential;
	return accountHash === accountHashOf(credential) && isToken(accessToken) ? accessToken : '';
}

/**
 * Creates the error for a credential that n8n couldn't provide. The call that needs the credential wasn't
 * sent.
 */
export function credentialUnread(error: unknown): ServiceError {
	const reason = describeError(error).message;
	if (isExpressionError(error)) {
		return new ServiceError(credentialProblems.wrongExpression(reason));
	}
	// @n8n n8n throws a NodeOperationError if the node has no credential.
	const isMissing = isNodeError(error);
	return new ServiceError(credentialProblems.unread({ reason, isMissing }));
}
