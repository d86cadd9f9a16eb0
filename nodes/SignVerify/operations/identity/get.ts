import { optionsField } from '../options';
import type { Operation } from '../types';
import { readId } from '../values';
import { readIdentity, requestPath, unknownRequest } from './requests';

/** identity / get: how far a request is (interface: Get an identity verification request). */
export const getIdentity: Operation = {
	resource: 'identity',
	value: 'get',
	name: 'Get',
	action: 'Get an identity verification',
	description:
		'Get the status of a requested verification. Its customerId, once there is one, lets the person sign later with a selfie alone.',
	fields: [
		{
			displayName: 'Validation ID',
			name: 'validationId',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. 64f1c0de5a2b3c4d5e6f7081',
			description: 'The validationId that requesting the verification gave',
		},
		optionsField(),
	],

	async run(item) {
		const field = 'Validation ID';
		const id = readId(
			item.parameter('validationId'),
			field,
			'Use the validationId that "Request" gave.',
		);
		const json = await readIdentity(item.service, requestPath, id);
		if (json) return [{ json }];
		throw unknownRequest(field, id);
	},
};
