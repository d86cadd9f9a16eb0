import { isObject } from '../../transport/envelope';
import { textOf } from '../../transport/text';
import { readEmail } from '../document/signatories';
import { optionsField } from '../options';
import { sendOnceOption } from '../sendOnce';
import type { Operation } from '../types';
import { readSwitch, readText } from '../values';

/**
 * identity / request: asks for the verification of a person (interface: Create an identity
 * verification request). The answer's `url` is for the person: nobody mails it to them.
 */
export const requestIdentity: Operation = {
	resource: 'identity',
	value: 'request',
	name: 'Request',
	action: 'Request an identity verification',
	description:
		'Ask for the verification of a person. Gives a link to send to the person, who registers an ID and a selfie there, and a validationId to ask for the result with.',
	fields: [
		{
			displayName: 'Email',
			name: 'email',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'name@email.com',
			description: 'E-mail address of the person to verify',
		},
		{
			displayName: 'Verification Type',
			name: 'verificationType',
			type: 'string',
			default: 'FACE',
			required: true,
			description: 'FACE, or another type that your provider told you',
		},
		{
			displayName: 'Background Check',
			name: 'backgroundCheck',
			type: 'boolean',
			default: false,
			description: 'Whether the service is also to check the background of the person',
		},
		optionsField([sendOnceOption]),
	],

	sendsOnce: true,

	async run(item) {
		const email = readEmail(item.parameter('email'), 'Email');
		const type = readText(item.parameter('verificationType'), 'Verification Type', 'Enter FACE.');
		const backgroundCheck = readSwitch(item.parameter('backgroundCheck'), 'Background Check');
		const { responseData } = await item.service.call({
			method: 'POST',
			path: '/identity/validation/request',
			body: { email, type, backgroundCheck },
			creates: 'the identity request',
		});
		return [{ json: { email, ...(isObject(responseData) ? responseData : {}) } }];
	},

	created: ({ validationId }) => `identity request ${textOf(validationId)}`.trim(),
};
