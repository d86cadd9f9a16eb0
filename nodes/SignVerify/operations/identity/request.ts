import type { IdentityRequestBody } from '../../api/types';
import { textOf } from '../../util/values';
import type { SendingOperation } from '../types';
import {
	previewOfRequest,
	requestFields,
	requestOptions,
	readRequest,
	sendRequest,
} from './fields';

/**
 * identity / request: asks for the verification of a person
 * (docs/dev/service.md#create-an-identity-verification-request). The answer's `url` is for the person.
 */
export const requestIdentity: SendingOperation<IdentityRequestBody> = {
	resource: 'identity',
	value: 'request',
	name: 'Request',
	action: 'Request identity verification',
	description:
		'Ask for the verification of a person. Gives a link to send to the person, who registers an ID and a selfie there, and a validationId to ask for the result with.',
	fields: [...requestFields, ...requestOptions],

	prepare: async (item) => readRequest(item),
	preview: previewOfRequest,
	redirect: (body, testRecipient) => ({ ...body, email: testRecipient }),
	async send(item, body) {
		const sent = await sendRequest(item, body);
		if (textOf(sent.json.url).trim()) return sent;
		// The request exists: its validationId says so, and some services mail the person themselves.
		const warning =
			'The service gave no link (url) for the person. Ask your provider whether the person was mailed.';
		item.hint(warning);
		return { ...sent, json: { ...sent.json, url: null, warnings: [...item.warnings, warning] } };
	},
};
