import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { isoTime } from '../../reading/time';
import type { ServiceClient } from '../../transport/client';
import { isObject } from '../../transport/envelope';
import type { ItemContext } from '../types';
import { readSwitch } from '../values';
import { readIdentity } from './requests';

/** The form for whether personal data comes out. */
export const personalDataField: INodeProperties = {
	displayName: 'Include Personal Data (OCR)',
	name: 'includePersonalData',
	type: 'boolean',
	default: false,
	description:
		'Whether to add what was read from the official ID: name, address, date and place of birth, gender, nationality, and the numbers of the document. It is then kept with the execution, for all who may see it.',
};

/** @throws InputError when it is neither on nor off. */
export function readPersonal(item: ItemContext): boolean {
	return readSwitch(item.parameter('includePersonalData'), 'Include Personal Data (OCR)');
}

/**
 * Reads what a verification found (docs/service.md#get-identity-verification-results).
 * @param personal Whether to give what was read from the person's ID, too (design rule 6).
 * @returns undefined while there are no results. Before the person is done, the service may answer
 * with the whole form of them, every value empty. `score` is null if only the ID was read.
 * @throws ServiceError when the service fails or cannot be reached.
 */
export async function readResults(
	service: ServiceClient,
	sessionId: string,
	personal: boolean,
): Promise<IDataObject | undefined> {
	const found = await readIdentity(service, '/identity/session/results', sessionId);
	if (!isObject(found?.results)) return undefined;
	const { score, ocr } = found.results;
	const scores = scoresOf(score);
	if (!hasValue(scores) && !hasValue(ocr)) return undefined;
	return {
		sessionId,
		customerId: found.customerId ?? null,
		score: hasValue(scores) ? scores : null,
		...(personal ? { ocr: withIsoBirthDate(ocr) } : {}),
	};
}

/** Values and statuses only: nothing else in the scores is documented to be free of personal data. */
function scoresOf(node: unknown): IDataObject {
	if (!isObject(node)) return {};
	const kept = Object.entries(node)
		.filter(([name, value]) => isObject(value) || name === 'value' || name === 'status')
		.map(([name, value]) => [name, isObject(value) ? scoresOf(value) : value]);
	return Object.fromEntries(kept) as IDataObject;
}

/** Whether anything below says something: a number, or a text that is not empty. */
function hasValue(node: unknown): boolean {
	if (Array.isArray(node)) return node.some(hasValue);
	if (isObject(node)) return Object.values(node).some(hasValue);
	return typeof node === 'number' || (typeof node === 'string' && node.trim() !== '');
}

function withIsoBirthDate(ocr: unknown): IDataObject | null {
	if (!isObject(ocr)) return null;
	const iso = isoTime(ocr.birthDate);
	return iso ? { ...ocr, birthDateIso: iso } : ocr;
}
