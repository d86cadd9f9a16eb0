import { comparedEmail } from '../../api/documents';
import { type INodeProperties, type IDataObject } from 'n8n-workflow';

import { readIdentityRequest, requestVerification } from '../../api/identity';
import type { FoundObject } from '../../api/readById';
import { type IdentityRequestBody } from '../../api/types';
import { ServiceError } from '../../http/errors';
import { nounOf } from '../../api/events';
import { lostCreation } from '../../http/failures';
import { enteredIn, textKinds } from '../../input/enteredText';
import { fieldOf } from '../../input/field';
import { includeInputOption, optionsField, textField } from '../../input/form';
import { readAll } from '../../input/inputError';
import type { ItemContext, ItemOutput } from '../../input/item';
import { readNamedEmail } from '../../input/parameters';
import { readSwitch } from '../../input/savedForm';
import { readItemText } from '../../templateForm/itemText';
import { settleSync } from '../../util/async';
import { textOf, withFirst } from '../../util/values';
import { contentOf } from '../content';
import { sendOnceOption } from '../sendOnceKey';
import { inTestRunsOption, neverSendOption, sendsNotice } from '../testRuns';
import type { SendingWords } from '../types';

/**
 * How the operations that request a verification describe what they do. They say "requests" instead of
 * "emails", because some services return the link, but don't email it to the person.
 */
export const requestWords: SendingWords = {
	noun: nounOf.identity,
	effect: 'requests a verification for a real person',
	whenPublished: 'requests a verification for the real person',
	toMe: 'Email address of the person to verify instead. The verification is real, so it also starts published workflows with a SignVerify Trigger.',
	afterTest: (testerEmail) =>
		`the verification is for ${testerEmail} instead of the real person. When the published workflow runs, the real person is verified.`,
};

export const requestKeyOwner = async (): Promise<string[]> =>
	await Promise.resolve(['identity', '']);

const emailField = textField({
	displayName: 'Email',
	name: 'email',
	placeholder: 'e.g. name@email.com',
	description: 'Email address of the person to verify',
	builderHint: {
		propertyHint:
			'With the operation request, send the person the url from the output, because not every provider emails the link.',
	},
});

const typeField = textField({
	displayName: 'Verification Type',
	name: 'verificationType',
	default: 'FACE',
	description:
		'How the person is verified. FACE uses an official ID and a selfie. Ask your provider for other types.',
});

const backgroundCheckField: INodeProperties = {
	displayName: 'Background Check',
	name: 'backgroundCheck',
	type: 'boolean',
	default: false,
	description: 'Whether your provider also runs a background check on the person',
};

export const requestFields: INodeProperties[] = [emailField, typeField, backgroundCheckField];

export const requestOptions: INodeProperties[] = [
	sendsNotice(requestWords),
	optionsField([
		inTestRunsOption(requestWords),
		neverSendOption,
		sendOnceOption('application'),
		includeInputOption,
	]),
];

/**
 * Reads a request's fields: whom to verify, and how. Sends nothing.
 * @throws InputError for a wrong value.
 */
export function readRequest(item: ItemContext): IdentityRequestBody {
	return readAll({
		email: () => readItemText(item, enteredIn(item, fieldOf(emailField)), textKinds.email()),
		type: () =>
			readItemText(
				item,
				enteredIn(item, fieldOf(typeField)),
				textKinds.plain('Enter a type, such as FACE.'),
			),
		backgroundCheck: () => readSwitch(item, fieldOf(backgroundCheckField)),
	});
}

/** Replaces the person's address with the tester's, if there is one. */
export function redirectedRequest(
	request: IdentityRequestBody,
	testerEmail: string | undefined,
): IdentityRequestBody {
	return testerEmail === undefined ? request : { ...request, email: testerEmail };
}

/**
 * @returns The response (`url`, `validationId`) and the person's email.
 * @throws ServiceError, whose `mayHaveCreated` is true if the request may have been created. A response
 * without a validationId is treated as a lost response, because without the ID, the workflow can neither get
 * the request's result nor wait for it.
 */
export async function sendRequest(
	item: ItemContext,
	body: IdentityRequestBody,
): Promise<ItemOutput> {
	const response = await requestVerification(item.service, body);
	const validationId = textOf(response.validationId).trim();
	if (!validationId) {
		throw lostCreation("The service didn't return a validationId", nounOf.identity);
	}
	const checked = { validationId, email: body.email };
	const json = withFirst(checked, { ...response, warnings: [...item.warnings] });
	return { json, created: `identity request ${validationId}` };
}

/**
 * Returns a request's values for the user to check before sending. The fields have the same names as in the
 * form.
 */
export function previewOfRequest({
	email,
	type,
	backgroundCheck,
}: IdentityRequestBody): IDataObject {
	return { email, verificationType: type, backgroundCheck };
}

/** Returns the person of a request that is skipped, without checking the request. */
export async function describeRequest(item: ItemContext): Promise<IDataObject> {
	const email = settleSync(() => readNamedEmail(item.parameter('email'), 'Email').email);
	return await Promise.resolve(email.ok ? { email: email.value } : {});
}

/** Returns the values that `Prepared` compares ({@link contentOf}). */
export function contentOfRequest(body: IdentityRequestBody): Record<string, string> {
	const compared = { ...body, email: comparedEmail(body.email) };
	return contentOf(compared, {
		email: emailField.displayName,
		type: typeField.displayName,
		backgroundCheck: backgroundCheckField.displayName,
	});
}

export const validationIdField = textField({
	displayName: 'Validation ID',
	name: 'validationId',
	placeholder: 'e.g. 64f1c0de5a2b3c4d5e6f7081',
	description: 'The validationId returned by the Request operation',
});

/** @throws InputError if the parameter's value is not an ID. */
export function readValidationId(item: ItemContext): string {
	const source = 'Use the validationId returned by the Request operation.';
	return readItemText(item, enteredIn(item, fieldOf(validationIdField)), textKinds.id(source));
}

/**
 * Reads an identity request by its ID.
 * @param source See {@link existingRequest}.
 * @throws ServiceError if the service does not recognize the ID.
 */
export async function readExistingRequest(
	{ service }: ItemContext,
	id: string,
	source?: string,
): Promise<IDataObject> {
	return existingRequest(await readIdentityRequest(service, id), id, source);
}

/**
 * Returns the identity request that was looked up by its ID.
 * @param source Where the right ID comes from.
 * @throws ServiceError if the service does not recognize the ID.
 */
export function existingRequest(
	{ object, refusal }: FoundObject,
	id: string,
	source = 'Use the validationId returned by the Request operation',
): IDataObject {
	if (object) return object;
	throw new ServiceError({
		message: `Validation ID: your account has no identity request with the ID "${id}"${refusal && ` ${refusal}`}`,
		description: `${source}, and a credential for the same account.`,
		shownStatus: 404,
		serviceStatus: 404,
	});
}

export const personalDataField: INodeProperties = {
	displayName: 'Include Personal Data (OCR)',
	name: 'includePersonalData',
	type: 'boolean',
	default: false,
	description:
		'Whether to add what was read from the ID, such as the address. Anyone who can open the execution sees it.',
};
