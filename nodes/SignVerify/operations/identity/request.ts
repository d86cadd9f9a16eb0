import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { requestVerification } from '../../api/identity';
import type { IdentityRequestBody } from '../../api/types';
import { optionsField } from '../../input/form';
import { readAll } from '../../input/inputError';
import { type ItemContext, type ItemOutput, readSwitch } from '../../input/item';
import { readEmail, readText } from '../../input/parameters';
import { textOf } from '../../util/values';
import { checkOnlyOption, sendsNotice } from '../sendItem';
import { sendOnceOption } from '../sendOnceKey';
import type { SendingOperation } from '../types';

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
		type: 'string',
		default: 'FACE',
		required: true,
		description:
			'How the person is verified. FACE means by an official ID and a selfie. Ask your provider for other types.',
	},
	{
		displayName: 'Background Check',
		name: 'backgroundCheck',
		type: 'boolean',
		default: false,
		description: 'Whether the service is also to check the background of the person',
	},
];

/** Some services mail the person, others only give the link. */
export const requestNotice = sendsNotice('requests a real verification');

/** @throws InputError for a wrong value; nothing is sent. */
export function readRequest(item: ItemContext): IdentityRequestBody {
	return readAll({
		email: () => readEmail(item.parameter('email'), 'Email'),
		type: () =>
			readText(
				item.parameter('verificationType'),
				'Verification Type',
				'Enter a type, such as FACE.',
			),
		backgroundCheck: () => readSwitch(item, 'backgroundCheck', 'Background Check'),
	});
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
export const requestIdentity: SendingOperation<IdentityRequestBody> = {
	resource: 'identity',
	value: 'request',
	name: 'Request',
	action: 'Request identity verification',
	description:
		'Ask for the verification of a person. Gives a link to send to the person, who registers an ID and a selfie there, and a validationId to ask for the result with.',
	fields: [...requestFields, requestNotice, optionsField([checkOnlyOption, sendOnceOption])],

	async prepare(item) {
		const data = readRequest(item);
		return { preview: { ...data }, data };
	},

	async send(item, body) {
		return [await sendRequest(item, body)];
	},
};
