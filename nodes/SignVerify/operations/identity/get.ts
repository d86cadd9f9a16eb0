import { readIdentityRequest } from '../../api/identity';
import { optionsField } from '../form';
import { pick } from '../toolOutput';
import type { Operation } from '../types';
import { readValidationId, unknownRequest, validationIdField } from './fields';

/** identity / get: the status of a request (docs/dev/service.md#get-an-identity-verification-request). */
export const getIdentity: Operation = {
	resource: 'identity',
	value: 'get',
	name: 'Get',
	action: 'Get identity verification',
	description:
		'Get the status of a requested verification. Its customerId, once there is one, lets the person sign later with a selfie alone.',
	// The link is the person's own, so an AI agent gets it only if it is selected.
	toolOutput: {
		id: 'sessionId',
		fields: [
			'userId',
			'emailId',
			'status',
			'createdAt',
			'sessionId',
			'customerId',
			'url',
			'backgroundCheck',
		],
		simplify: (json) => pick(json, ['emailId', 'status', 'createdAt', 'sessionId', 'customerId']),
	},
	fields: [validationIdField, optionsField()],

	async run(item) {
		const id = readValidationId(item);
		const json = await readIdentityRequest(item.service, id);
		if (json) return [{ json }];
		throw unknownRequest(validationIdField.displayName, id);
	},
};
