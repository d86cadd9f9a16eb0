import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { requestVerification } from '../../api/identity';
import type { IdentityRequestBody } from '../../api/types';
import { textOf } from '../../util/values';
import { sendOnceOption } from '../sendItem';
import { checkOnlyOption, optionsField } from '../form';
import { readEmail, readSwitch, readText } from '../parameters';
import { readAll } from '../inputError';
import type { ItemContext, ItemOutput, SendingOperation } from '../types';

/** The form for whom to verify, and how. */
export const requestFields: INodeProperties[] = [
	{
		displayName: 'Email',
		name: 'email',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'name@email.com',
		description: 'E-mail address of the person to verify',
		builderHint: { propertyHint: 'Nobody mails this person the link: send the url of the output.' },
	},
	{
		displayName: 'Verification Type',
		name: 'verificationType',
		type: 'options',
		options: [
			{ name: 'Face', value: 'FACE', description: 'By an official ID and a selfie' },
			{ name: 'Other', value: 'other', description: 'A type that your provider told you' },
		],
		default: 'FACE',
		description: 'How the person is verified',
	},
	{
		displayName: 'Other Type',
		name: 'otherType',
		type: 'string',
		default: '',
		required: true,
		displayOptions: { show: { verificationType: ['other'] } },
		description: 'What your provider calls this type of verification',
	},
	{
		displayName: 'Background Check',
		name: 'backgroundCheck',
		type: 'boolean',
		default: false,
		description: 'Whether the service is also to check the background of the person',
	},
];

/** @throws InputError for a wrong value; nothing is sent. */
export function readRequest(item: ItemContext): IdentityRequestBody {
	return readAll({
		email: () => readEmail(item.parameter('email'), 'Email'),
		type: () => readType(item),
		backgroundCheck: () => readSwitch(item, 'backgroundCheck', 'Background Check'),
	});
}

function readType(item: ItemContext): string {
	const chosen = readText(item.parameter('verificationType'), 'Verification Type', 'Choose one.');
	if (chosen !== 'other') return chosen;
	return readText(item.parameter('otherType'), 'Other Type', 'Enter what your provider calls it.');
}

/** Asks for a verification. The output is the answer (`url`, `validationId`) with the person's e-mail. */
export async function sendRequest(
	item: ItemContext,
	body: IdentityRequestBody,
): Promise<ItemOutput> {
	const answer = await requestVerification(item.service, body);
	const json: IDataObject = { email: body.email, ...answer };
	return { json, created: `identity request ${textOf(json.validationId)}`.trim() };
}

/**
 * identity / request: asks for the verification of a person
 * (docs/dev/service.md#create-an-identity-verification-request). The answer's `url` is for the person, who
 * does not get it from the service.
 */
export const requestIdentity: SendingOperation = {
	resource: 'identity',
	value: 'request',
	name: 'Request',
	action: 'Request identity verification',
	description:
		'Ask for the verification of a person. Gives a link to send to the person, who registers an ID and a selfie there, and a validationId to ask for the result with.',
	fields: [...requestFields, optionsField([checkOnlyOption, sendOnceOption])],

	async prepare(item) {
		const request = readRequest(item);
		return {
			preview: { ...request },
			send: async () => [await sendRequest(item, request)],
		};
	},
};
