import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { readIdentityRequest } from '../../api/identity';
import { ServiceError } from '../../http/errors';
import { outputField, readOutput } from '../../input/form';
import { readAll } from '../../input/inputError';
import type { ItemContext } from '../../input/item';
import { readId } from '../../input/parameters';
import { isoTime, textOf } from '../../util/values';
import type { Operation } from '../types';

/** The form for which request is meant. */
export const validationIdField: INodeProperties = {
	displayName: 'Validation ID',
	name: 'validationId',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. 64f1c0de5a2b3c4d5e6f7081',
	description: 'The validationId that requesting the verification gave',
};

/** @throws InputError if it is not an ID. */
export function readValidationId(item: ItemContext, name = validationIdField.name): string {
	const source = 'Use the validationId that "Request" gave.';
	return readId(item.parameter(name), validationIdField.displayName, source);
}

/** @throws ServiceError if the service does not know the ID. */
export async function knownRequest(item: ItemContext, id: string): Promise<IDataObject> {
	const request = await readIdentityRequest(item.service, id);
	if (request) return request;
	throw new ServiceError({
		message: `Validation ID: the service has no identity request with the ID "${id}"`,
		description:
			'Use the validationId that "Request" gave, and the same account in the credential.',
		httpStatus: 404,
	});
}

/** identity / get: the status of a request (docs/dev/service.md#get-an-identity-verification-request). */
export const getIdentity: Operation = {
	resource: 'identity',
	value: 'get',
	name: 'Get',
	action: 'Get identity verification',
	description:
		'Get the status of a requested verification. Its customerId, once there is one, lets the person sign later with a selfie alone.',
	fields: [validationIdField, outputField],

	async run(item) {
		const { validationId, output } = readAll({
			validationId: () => readValidationId(item),
			output: () => readOutput(item.parameter(outputField.name)),
		});
		const request = await knownRequest(item, validationId);
		if (output === 'raw') return [{ json: request }];
		// The link is the person's own, so only raw output has it.
		const { emailId, status, createdAt, customerId = null, backgroundCheck = null } = request;
		const [email, created] = [textOf(emailId), isoTime(createdAt) ?? null];
		const json = { validationId, email, status: textOf(status), createdAt: created };
		return [{ json: { ...json, customerId, backgroundCheck } }];
	},
};
