import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { isFinalStatus, readIdentityRequest, readIdentityResults } from '../../api/identity';
import { ServiceError } from '../../http/errors';
import { isObject, textOf } from '../../util/values';
import { pick } from '../../webhooks/output';
import { readSwitch } from '../parameters';
import { readAll } from '../inputError';
import type { ItemContext, Operation } from '../types';
import { readValidationId, unknownRequest, validationIdField } from './get';

/** The form for whether to output personal data. */
export const personalDataField: INodeProperties = {
	displayName: 'Include Personal Data (OCR)',
	name: 'includePersonalData',
	type: 'boolean',
	default: false,
	description:
		'Whether to add what was read from the official ID: name, address, date and place of birth, gender, nationality, and the numbers of the document. It is then kept with the execution, for all who may see it.',
};

/** @throws InputError if it is neither on nor off. */
export function readPersonal(item: ItemContext): boolean {
	return readSwitch(item, 'includePersonalData', 'Include Personal Data (OCR)');
}

/**
 * identity / getResults: the results of a verification
 * (docs/dev/service.md#get-identity-verification-results). What was read from the person's ID is in the
 * output only if the user wants it (design rule 6).
 */
export const getIdentityResults: Operation = {
	resource: 'identity',
	value: 'getResults',
	name: 'Get Results',
	action: 'Get results of identity verification',
	description:
		'Get the scores and statuses of a finished verification, and whether the person passed (null without a verdict)',
	toolOutput: ({ score, ...json }) => ({ ...json, score: overallOf(score) }),
	fields: [
		// For the service, the session of a request has the request's ID. Workflows save it by this name.
		{ ...validationIdField, name: 'sessionId' },
		personalDataField,
	],

	async run(item) {
		const { sessionId, personal } = readAll({
			sessionId: () => readValidationId(item, 'sessionId'),
			personal: () => readPersonal(item),
		});
		const json = await readIdentityResults(item.service, sessionId, personal);
		if (json) return [{ json }];
		throw await whyMissing(item, sessionId);
	},
};

/** The score as a whole and that of each part, without the single checks. */
function overallOf(score: unknown): IDataObject | null {
	if (!isObject(score)) return null;
	const parts = Object.entries(score).filter(([, part]) => isObject(part));
	return Object.fromEntries(
		parts.map(([name, part]) => [
			name,
			isObject(part) && 'overall' in part ? pick(part, ['overall']) : part,
		]),
	);
}

/** "Not ready yet" or "not found": a session has the ID of its request. */
async function whyMissing(item: ItemContext, id: string): Promise<ServiceError> {
	const request = await readIdentityRequest(item.service, id);
	if (!request) return unknownRequest(id);
	const status = textOf(request.status) || 'unknown';
	if (isFinalStatus(status)) {
		return new ServiceError({
			message: `The verification is ${status}, but the service gives no results for it`,
			description: 'Try again in a moment, or ask the provider of the service.',
			docsAnchor: 'the-service-gives-no-results',
		});
	}
	return new ServiceError({
		message: `The results are not ready yet (status ${status})`,
		description:
			'The person has to finish the verification first. Ask again later, or start from a SignVerify Trigger that waits for the result.',
	});
}
