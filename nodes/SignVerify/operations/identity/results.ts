import type { INodeProperties } from 'n8n-workflow';

import { readSwitch } from '../parameters';
import type { ItemContext } from '../types';

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
