import type { INodeProperties } from 'n8n-workflow';

import { ServiceError } from '../../http/errors';
import { readId, readSwitch } from '../parameters';
import type { ItemContext } from '../types';

/** The form for which request is meant. */
export const validationIdField: INodeProperties = {
	displayName: 'Validation ID',
	name: 'validationId',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. 64f1c0de5a2b3c4d5e6f7081',
	description: 'The validationId that requesting the verification gave',
	builderHint: { propertyHint: 'From the item of identity / request: validationId.' },
};

/** @throws InputError if it is not an ID. */
export function readValidationId(item: ItemContext): string {
	const source = 'Use the validationId that "Request" gave.';
	return readId(item.parameter('validationId'), validationIdField.displayName, source);
}

/** The service does not know this ID. */
export function unknownRequest(field: string, id: string): ServiceError {
	return new ServiceError({
		message: `${field}: the service has no identity request with the ID "${id}"`,
		description:
			'Use the validationId that "Request" gave, and the same account in the credential.',
		httpStatus: 404,
	});
}

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
