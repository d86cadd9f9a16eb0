import type { ICredentialDataDecryptedObject, INodeProperties } from 'n8n-workflow';

import { isEmpty, textOf } from '../util/values';
import { wrongCredential } from './credential';

/** The fields of a credential that limit how its account is called, as n8n shows them. */
export const callLimitFields: INodeProperties[] = [
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
	const read = callLimitFields.map(({ displayName, name, typeOptions, default: byDefault }) => {
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
