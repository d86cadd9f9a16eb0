import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { Envelope } from '../../api/types';
import { firstText } from '../../reading/firstText';
import { placesIn } from '../../reading/places';
import { textOf } from '../../transport/text';
import { optionsField } from '../options';
import { sendOnceOption } from '../sendOnce';
import type { ItemContext, ItemOutput, Operation } from '../types';
import { readEmail, readSwitch, readText } from '../values';

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
];

/** A request as the call takes it. */
export interface IdentityRequestInput extends IDataObject {
	email: string;
	type: string;
	backgroundCheck: boolean;
}

/** @throws InputError for a wrong value; nothing is sent. */
export function readRequest(item: ItemContext): IdentityRequestInput {
	return {
		email: readEmail(item.parameter('email'), 'Email'),
		type: readText(item.parameter('verificationType'), 'Verification Type', 'Enter FACE.'),
		backgroundCheck: readSwitch(item.parameter('backgroundCheck'), 'Background Check'),
	};
}

/**
 * Reads the answer to a request (docs/service.md#create-an-identity-verification-request). The ID
 * may be called otherwise, since a session has the ID of its request, and both may stand in a list
 * or in an object.
 * @returns What the answer holds, with these two at the top if they are anywhere.
 */
function createdRequest({ responseData, ...envelope }: Envelope): IDataObject {
	// An outer ID is rather that of the request than one of something in it.
	const places = placesIn(responseData ?? envelope, () => true).reverse();
	const named = places.map((each) => firstText(each.validationId, each.validationID));
	const sessions = places.map((each) => firstText(each.sessionId, each.sessionID));
	const ids = named.some((id) => id !== undefined) ? named : sessions;
	const at = ids.findIndex((id) => id !== undefined);
	const url = firstText(places[at]?.url, ...places.map((each) => each.url));
	return {
		...(responseData === undefined ? {} : places[0]),
		...(at < 0 ? {} : { validationId: ids[at] }),
		...(url === undefined ? {} : { url }),
	};
}

/** Asks for a verification; gives the answer (`url`, `validationId`) with the person's e-mail. */
export async function sendRequest(
	item: ItemContext,
	body: IdentityRequestInput,
): Promise<ItemOutput> {
	const envelope = await item.service.call({
		method: 'POST',
		path: '/identity/validation/request',
		body,
		creates: 'the identity request',
	});
	const json: IDataObject = { email: body.email, ...createdRequest(envelope) };
	return { json, created: `identity request ${textOf(json.validationId)}`.trim() };
}

/**
 * identity / request: asks for the verification of a person
 * (docs/service.md#create-an-identity-verification-request). The answer's `url` is for the person:
 * nobody mails it to them.
 */
export const requestIdentity: Operation = {
	resource: 'identity',
	value: 'request',
	name: 'Request',
	action: 'Request an identity verification',
	description:
		'Ask for the verification of a person. Gives a link to send to the person, who registers an ID and a selfie there, and a validationId to ask for the result with.',
	fields: [...requestFields, optionsField([sendOnceOption])],

	sendsOnce: true,

	async run(item) {
		return [await sendRequest(item, readRequest(item))];
	},
};
