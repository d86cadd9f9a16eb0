import type { IDataObject } from 'n8n-workflow';

import { isoTime } from '../../notifications/time';
import { isObject } from '../../transport/envelope';
import { ServiceFailure } from '../../transport/failure';
import { textOf } from '../../transport/text';
import { optionsField } from '../options';
import type { ItemContext, Operation } from '../types';
import { readId, readSwitch } from '../values';
import { readIdentity, requestPath, unknownRequest } from './requests';

/**
 * identity / getResults: what a verification found (interface: Get identity verification results).
 * What was read from the person's ID leaves the node only when asked for (design rule 6).
 */
export const getIdentityResults: Operation = {
	resource: 'identity',
	value: 'getResults',
	name: 'Get Results',
	action: 'Get the results of an identity verification',
	description:
		'Get the scores and statuses of a finished verification. Overall is score.overall; its status is OK when the person passed.',
	fields: [
		{
			displayName: 'Session ID',
			name: 'sessionId',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. 64f1c0de5a2b3c4d5e6f7081',
			description: 'The sessionId of the verification, which is the same as its validationId',
		},
		{
			displayName: 'Include Personal Data (OCR)',
			name: 'includePersonalData',
			type: 'boolean',
			default: false,
			description:
				'Whether to add what was read from the official ID: name, address, date and place of birth, gender, nationality, and the numbers of the document. It is then kept with the execution, for all who may see it.',
		},
		optionsField(),
	],

	async run(item) {
		const sessionId = readId(
			item.parameter('sessionId'),
			'Session ID',
			'Use the sessionId of the request, or the validationId that "Request" gave.',
		);
		const personal = readSwitch(
			item.parameter('includePersonalData'),
			'Include Personal Data (OCR)',
		);
		const found = await readIdentity(item, '/identity/session/results', sessionId);
		if (isObject(found?.results)) {
			const { score, ocr } = found.results;
			return [
				{
					json: {
						sessionId,
						customerId: found.customerId ?? null,
						score: scoresOf(score),
						...(personal ? { ocr: withIsoBirthDate(ocr) } : {}),
					},
				},
			];
		}
		throw await whyMissing(item, sessionId);
	},
};

/** Values and statuses only: nothing else in the scores is documented to be free of personal data. */
function scoresOf(node: unknown): IDataObject {
	if (!isObject(node)) return {};
	const kept = Object.entries(node)
		.filter(([name, value]) => isObject(value) || name === 'value' || name === 'status')
		.map(([name, value]) => [name, isObject(value) ? scoresOf(value) : value]);
	return Object.fromEntries(kept) as IDataObject;
}

function withIsoBirthDate(ocr: unknown): IDataObject | null {
	if (!isObject(ocr)) return null;
	const iso = isoTime(ocr.birthDate);
	return iso ? { ...ocr, birthDateIso: iso } : ocr;
}

/** Tells "not ready yet" from "not found": a session has the ID of its request. */
async function whyMissing(item: ItemContext, id: string): Promise<ServiceFailure> {
	const request = await readIdentity(item, requestPath, id);
	if (!request) return unknownRequest('Session ID', id);
	const status = textOf(request.status) || 'unknown';
	if (status === 'COMPLETED') {
		return new ServiceFailure({
			message: 'The verification is COMPLETED, but the service gives no results for it',
			description: 'Try again in a moment, or ask the provider of the service.',
		});
	}
	return new ServiceFailure({
		message: `The results are not ready yet (status ${status})`,
		description:
			'The person has to finish the verification first. Ask again later, or start from a SignVerify Trigger that waits for the result.',
	});
}
