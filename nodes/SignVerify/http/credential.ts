import { createHash } from 'crypto';
import type { ICredentialDataDecryptedObject, INodeProperties } from 'n8n-workflow';

import { isEmpty, parseUrl, textOf, withoutSlashes } from '../util/values';
import {
	describeError,
	type ErrorFacts,
	isExpressionFailure,
	isNodeFailure,
	ServiceError,
} from './errors';
import { unsentForGood, unsentForNow } from './retry';
import { eventCallMs } from './timeLimits';

/*
 * Validates a credential's fields, and creates the errors for credentials that don't work. n8n's credential
 * test shows only an error's message, so every message also contains the remedy.
 */

/**
 * Validates a credential's Base URL. The path of every call is appended to it.
 * @returns The URL without a trailing slash.
 * @throws ServiceError if the URL is empty or isn't http(s), or if it contains a login (which the service
 * doesn't use), a query or a fragment (either of which would swallow the appended path).
 */
export function normalizeBaseUrl(value: unknown): string {
	const text = typeof value === 'string' ? value.trim() : '';
	const parsed = parseUrl(text);
	if (!text) throw wrongBaseUrl('required, but empty. Enter the URL that your provider gave you');
	if (!parsed || !/^https?:$/.test(parsed.protocol)) {
		throw wrongBaseUrl('not a URL. It must begin with https:// or http://');
	}
	if (parsed.username || parsed.password) {
		throw wrongBaseUrl(
			'delete the login details and the "@" after them. The node logs in with the User ID and the API Key instead',
		);
	}
	if (parsed.search || parsed.hash)
		throw wrongBaseUrl('delete the "?" or "#" and everything after it');
	return withoutSlashes(`${parsed.origin}${parsed.pathname}`);
}

function wrongBaseUrl(problem: string): ServiceError {
	return wrongCredential(
		`Base URL: ${problem}`,
		'Correct it in the credential. An example is https://sign.example.com/api.',
	);
}

/**
 * Validates a field that is sent as a header.
 * @throws ServiceError if the value is empty, or contains line breaks or characters outside Latin-1, as a
 * pasted key might.
 */
export function headerValue(field: string, value: unknown): string {
	const text = textOf(value).trim();
	if (text && /^[\x20-\x7e\xa0-\xff]+$/.test(text)) return text;
	throw wrongCredential(
		text
			? `${field}: contains characters that aren't allowed. Copy it again`
			: `${field}: required, but empty. Copy it from your provider's account`,
		`Paste the ${field} into the credential.`,
	);
}

/**
 * The minimum for "Requests per Second". Handling an event can take two calls, and the event's sender waits
 * only a few seconds.
 */
const minRequestsPerSecond = 2 / (eventCallMs / 1000);

interface LimitField extends INodeProperties {
	typeOptions: { minValue: number; maxValue: number; numberPrecision?: number };
	default: number;
}

/** The credential fields that limit calls to the account, as n8n shows them. */
const limitFields = {
	parallelRequests: {
		displayName: 'Parallel Requests',
		name: 'parallelRequests',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 50, numberPrecision: 0 },
		default: 10,
		description:
			'The maximum number of items to process at the same time, across all executions that use this account. In queue mode, each worker has its own limit.',
	},
	requestsPerSecond: {
		displayName: 'Requests per Second',
		name: 'requestsPerSecond',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 1000 },
		default: 0,
		hint: `0 means no limit. Otherwise, enter ${minRequestsPerSecond} or more.`,
		description:
			'The maximum number of calls per second, across all executions that use this account. If your provider reports too many requests, set or lower this limit. In queue mode, each worker has its own limit.',
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

/** The fields in {@link limitFields}, in the order in which the form shows them. */
export const callLimitFields: INodeProperties[] = Object.values(limitFields);

/** The limits for calls to an account. */
export interface Limits {
	/** The maximum number of items to process at the same time. */
	maxParallelRequests: number;
	/** The maximum number of calls per second; 0 means no limit. */
	maxRequestsPerSecond: number;
	/** The timeout (ms) for a single attempt at a call, including reading the response. */
	timeoutMs: number;
}

/**
 * Reads the limits from a credential. Fields missing from a stored credential get their default values.
 * @throws ServiceError for a field that isn't a number or is out of range.
 */
export function limitsOf(credential: ICredentialDataDecryptedObject): Limits {
	const maxParallelRequests = readLimit(credential, limitFields.parallelRequests);
	const maxRequestsPerSecond = readLimit(credential, limitFields.requestsPerSecond);
	const timeoutSeconds = readLimit(credential, limitFields.timeout);
	if (maxRequestsPerSecond > 0 && maxRequestsPerSecond < minRequestsPerSecond) {
		throw wrongCredential(
			`Requests per Second in the credential: must be 0 (no limit) or a number from ${minRequestsPerSecond} to 1000. If your provider allows fewer calls, enter 0. The node then pauses whenever the service reports too many requests`,
			"With a lower limit, the node couldn't process an event before your provider gives up on it.",
		);
	}
	return { maxParallelRequests, maxRequestsPerSecond, timeoutMs: timeoutSeconds * 1000 };
}

/**
 * Reads one number from a credential. @throws ServiceError for a value that isn't a number or is out of
 * range.
 */
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
	throw wrongCredential(
		`${displayName} in the credential: must be a ${isWhole ? 'whole ' : ''}number from ${minValue} to ${maxValue}`,
		'Correct it in the credential.',
	);
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
export function credentialHashOf(credential: ICredentialDataDecryptedObject): string {
	const account = [credential.baseUrl, credential.userId, credential.apiKey].map(textOf);
	return createHash('sha256').update(JSON.stringify(account)).digest('hex');
}

/**
 * Returns the stored token; '' if there is none, it isn't valid, or it belongs to a different account or
 * host.
 */
export function tokenOf(credential: ICredentialDataDecryptedObject): string {
	const { accessToken, accountHash } = credential;
	return accountHash === credentialHashOf(credential) && isToken(accessToken) ? accessToken : '';
}

/**
 * Creates the error for a credential that n8n couldn't provide. The call that needs the credential wasn't
 * sent.
 */
export function credentialUnread(error: unknown): ServiceError {
	const message = `n8n couldn't read the credential: ${describeError(error).message}`;
	if (isExpressionFailure(error)) {
		return wrongCredential(
			message,
			'Open the credential and correct its expressions. If one of them uses $env, ask the person who runs your n8n to set N8N_BLOCK_ENV_ACCESS_IN_NODE to false, because n8n blocks $env otherwise.',
		);
	}
	return wrongCredential(
		message,
		'Select the credential in the node again. If the message mentions an encryption key or a database, contact the person who runs your n8n.',
		// n8n throws a NodeOperationError if the node has no credential. Any other error is a problem in n8n
		// or its database.
		{ failure: isNodeFailure(error) ? unsentForGood : unsentForNow },
	);
}

/**
 * Creates the error for a failure caused by the credential.
 * @param message What happened.
 * @param description What to do about it.
 */
export function wrongCredential(
	message: string,
	description: string,
	facts: Partial<ErrorFacts> = {},
): ServiceError {
	return new ServiceError({ ...facts, message, description, docsAnchor: 'the-credential' });
}
