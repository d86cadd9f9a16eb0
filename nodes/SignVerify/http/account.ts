import type { ICredentialDataDecryptedObject, INodeProperties } from 'n8n-workflow';

import { settle, Slots } from '../util/async';
import { isEmpty, remember, textOf } from '../util/values';
import { normalizeBaseUrl, wrongCredential } from './credential';
import { RateLimiter } from './rateLimit';

/** The fields of a credential that limit how its account is called, as n8n shows them. */
export const limitFields: INodeProperties[] = [
	{
		displayName: 'Parallel Requests',
		name: 'parallelRequests',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 50, numberPrecision: 0 },
		default: 10,
		description: 'How many items may be sent at the same time, by all executions together',
	},
	{
		displayName: 'Requests per Second',
		name: 'requestsPerSecond',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 1000 },
		default: 0,
		hint: '0 = no limit',
		description: 'How many calls all executions together may make per second',
	},
	{
		displayName: 'Timeout',
		name: 'timeoutSeconds',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 3600 },
		default: 30,
		hint: 'Seconds',
		description: 'How long the service may take to answer one call',
	},
];

/** How an account may be called. */
export interface Limits {
	/** Items at the same time. */
	parallel: number;
	/** Calls per second; 0 means no limit. */
	perSecond: number;
	/** Milliseconds that one try of a call may take, until its answer was read. */
	timeout: number;
}

/**
 * Reads the limits of a credential. One that was stored without them has the defaults.
 * @throws ServiceError for a field that is not a number, or out of its range.
 */
export function limitsOf(credential: ICredentialDataDecryptedObject): Limits {
	const read = limitFields.map(({ displayName, name, typeOptions, default: byDefault }) => {
		const { minValue = 0, maxValue = 0, numberPrecision } = typeOptions ?? {};
		const isWhole = numberPrecision === 0;
		const given = credential[name];
		const value = isEmpty(given) ? Number(byDefault) : Number(textOf(given) || NaN);
		const isIn = value >= minValue && value <= maxValue;
		if (isIn && (!isWhole || Number.isInteger(value))) return value;
		throw wrongCredential(
			`${displayName} of the credential: it must be a ${isWhole ? 'whole ' : ''}number from ${minValue} to ${maxValue}`,
			'Correct it in the credential.',
		);
	});
	const [parallel, perSecond, seconds] = read as [number, number, number];
	return { parallel, perSecond, timeout: seconds * 1000 };
}

/** How an account is called, by all executions of this process together. */
export interface Account extends Limits {
	/** Base URL and user ID. It is the same however the Base URL is written. */
	id: string;
	baseUrl: string;
	rateLimiter: RateLimiter;
	/** For the calls of items: so many run at once. */
	slots: Slots;
}

type Shared = Pick<Account, 'rateLimiter' | 'slots'>;

/** Accounts whose calls are bounded together, used last. */
const maxAccounts = 200;
export const accounts = new Map<string, Shared>();

/**
 * What a call needs to know of its account. Credentials with the same base URL and user ID share it,
 * and the limits of the one that was used last hold.
 * @throws ServiceError for a Base URL or a limit that cannot be used.
 */
export function accountOf(credential: ICredentialDataDecryptedObject): Account {
	const baseUrl = normalizeBaseUrl(credential.baseUrl);
	const limits = limitsOf(credential);
	// Who corrects its case, its slashes or http to https has no other account (Send Once Keys).
	const address = baseUrl
		.replace(/^https?:/, '')
		.replace(/\/+/g, '/')
		.toLowerCase();
	const id = JSON.stringify([address, textOf(credential.userId).trim()]);
	const shared = accounts.get(id) ?? { rateLimiter: new RateLimiter(), slots: new Slots() };
	remember(accounts, id, shared, maxAccounts);
	return { id, baseUrl, ...limits, ...shared };
}

/** How long (ms) what was looked up is given to others. */
const lookUpTime = 10_000;
const maxLookUps = 20;

interface LookUp {
	value: Promise<unknown>;
	/** A moment of `performance.now()`; Infinity while it is running. */
	until: number;
}

export const lookUps = new Map<string, LookUp>();

/**
 * Looks something up, or joins a look-up that is running or was done within ten seconds. A failure is
 * not shared: it may be that of an execution which was cancelled.
 * @param key What it is, and whose: nothing is shared between two keys.
 * @returns A copy, because nodes may change what n8n gives them.
 */
export async function lookUp<Value>(key: string, load: () => Promise<Value>): Promise<Value> {
	for (const [each, { until }] of lookUps) if (until < performance.now()) lookUps.delete(each);
	const other = lookUps.get(key);
	const joined = other && (await settle(other.value));
	if (joined?.ok) return structuredClone(joined.value) as Value;

	const own: LookUp = { value: load(), until: Infinity };
	remember(lookUps, key, own, maxLookUps);
	const { ok } = await settle(own.value);
	own.until = ok ? performance.now() + lookUpTime : 0;
	return structuredClone(await own.value) as Value;
}
