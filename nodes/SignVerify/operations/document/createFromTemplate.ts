import type { IDataObject, INodeProperties } from 'n8n-workflow';

import {
	createDocument,
	documentIdOf,
	type Role,
	signatoriesOf,
	summaryOf,
	withRole,
} from '../../api/documents';
import { idOf, nameOf, slotsOf, variablesOf } from '../../api/templates';
import type { CreateDocumentBody, Signatory, Template } from '../../api/types';
import { includeInputOption, optionsField, outputField } from '../../input/form';
import type { Output } from '../../input/parameters';
import { readAll } from '../../input/inputError';
import type { ItemContext, ItemOutput } from '../../input/item';
import { readOutput } from '../../input/savedForm';
import { isEmpty, isoTime, objectOf } from '../../util/values';
import { sendOnceOption } from '../sendOnceKey';
import { checkActive, chosenTemplate, templateLocator } from '../template/fields';
import { checkOnlyOption, sendsNotice, testAddresses, testRecipientOption } from '../testRuns';
import type { SendingOperation } from '../types';
import { countryField, readCountry } from './country';
import { readSignatories } from './signatories';
import { signatoryFields } from './signatoryFields';
import { readSignPositions, signPositionsOption } from './signPositions';
import { readVariables, variablesField } from './variables';

/** The form for a document made from a template, of each operation that makes one. */
export const documentFields: INodeProperties[] = [
	templateLocator,
	...signatoryFields,
	variablesField,
	countryField,
];

/** The options of these operations, the most important ones first. */
export const documentOptions: INodeProperties[] = [
	sendsNotice('sends real emails'),
	optionsField([
		checkOnlyOption,
		testRecipientOption,
		sendOnceOption,
		includeInputOption,
		signPositionsOption,
		outputField,
	]),
];

/**
 * document / createFromTemplate: creates a document, and the service mails a signing link to each
 * signatory (docs/dev/service.md#create-a-document-version-1, #create-a-document-version-2).
 */
export const createFromTemplate: SendingOperation<PreparedDocument> = {
	resource: 'document',
	value: 'createFromTemplate',
	name: 'Send for Signature',
	action: 'Send document for signature',
	description: 'Emails each signatory a link to sign a document that is made from a template',
	fields: [...documentFields, ...documentOptions],

	prepare: prepareDocument,
	preview: previewOf,
	redirect: redirectDocument,
	send: sendDocument,
};

/** A document that is checked. Items with the same template share it. */
export interface PreparedDocument {
	template: Template;
	body: CreateDocumentBody;
	/** Who signs in which role: the service gets the people in the order of the template's roles. */
	signedRoles: Role[];
	/** Raw output is the answer's `responseData`, or the whole envelope without it. */
	output: Output;
}

/**
 * Reads and checks a document. The only call is the one that loads the template.
 * @throws InputError for a wrong value.
 */
export async function prepareDocument(item: ItemContext): Promise<PreparedDocument> {
	// All the rest depends on it.
	const template = await chosenTemplate(item);
	let people: Signatory[] | undefined;
	const { signatories, country, positions, inputs, output } = readAll({
		active: () => checkActive(item, template),
		signatories: () => (people = readSignatories(item, template)),
		inputs: () => readVariables(item, template),
		country: () => readCountry(item),
		// If the people are wrong, it is not known whether a position is for one of them.
		positions: () => readSignPositions(item, template, people),
		output: () => readOutput(item, 'options.output'),
	});
	const isOlder = template.templateVersion === 'v1';
	const body: CreateDocumentBody = {
		templateID: idOf(template),
		country,
		inputs,
		signatories,
		...(isOlder ? { staticSignPositions: positions } : {}),
	};
	const slots = slotsOf(template);
	const signedRoles = signatories.flatMap(({ email }, index) => {
		const role = slots[index]?.label;
		return role === undefined ? [] : [{ email, role }];
	});
	return { template, body, signedRoles, output };
}

/** The document for the test recipient: with other addresses of the same people, in the same order and roles. */
export function redirectDocument(
	document: PreparedDocument,
	testRecipient: string,
): PreparedDocument {
	const { signatories, staticSignPositions } = document.body;
	const addressFor = testAddresses(
		testRecipient,
		signatories.map(({ email }) => email),
	);
	const redirected = <Someone extends { email: string }>(person: Someone): Someone => ({
		...person,
		email: addressFor(person.email),
	});
	const body = {
		...document.body,
		signatories: signatories.map(redirected),
		...(staticSignPositions
			? {
					staticSignPositions: staticSignPositions.map((position) => ({
						...position,
						user: redirected(position.user),
					})),
				}
			: {}),
	};
	return { ...document, body, signedRoles: document.signedRoles.map(redirected) };
}

/**
 * What a person checks before it is sent, in the words of the form and of the output of sending. The title is that
 * of a document whose answer has none: the template's name.
 */
export function previewOf({ template, body, signedRoles }: PreparedDocument): IDataObject {
	const { templateID, country, inputs, signatories, staticSignPositions } = body;
	const variables = variablesOf(template);
	const isShared = (name: string) =>
		variables.filter(({ key, label }) => [key, label].includes(name)).length > 1;
	const named = variables
		.filter(({ key }) => Object.hasOwn(inputs, key))
		.map(({ key, label }) => [!label || isShared(label) ? key : label, inputs[key]]);
	return {
		title: nameOf(template),
		templateId: templateID,
		country,
		signatories: signatories.map((signatory) =>
			withRole({ ...signatory, signed: false }, signedRoles),
		),
		fields: Object.fromEntries(named) as IDataObject,
		...(staticSignPositions ? { signPositions: staticSignPositions } : {}),
	};
}

/**
 * Creates a document, and the service mails its signatories.
 * @returns Its ID is empty if the answer did not have it.
 * @throws ServiceError; its `mayHaveCreated` says whether the document may exist.
 */
export async function sendDocument(
	{ service, warnings: ofItem }: ItemContext,
	document: PreparedDocument,
): Promise<ItemOutput & { documentId: string }> {
	const { template, body, output } = document;
	const warnings = [...ofItem];
	const envelope = await createDocument(service, template.templateVersion, body);
	// Its answer may have the document, or only `success`.
	const answered = objectOf(envelope.responseData);
	const raw = Object.keys(answered).length ? answered : (envelope as IDataObject);
	const documentId = documentIdOf(answered);
	return {
		json: output === 'raw' ? raw : { ...simplifyDocument(answered, document), warnings },
		// In the error of a run that fails later.
		created: documentId ? `document ${documentId}` : 'a document',
		documentId,
	};
}

function simplifyDocument(
	answered: IDataObject,
	{ template, body, signedRoles }: PreparedDocument,
): IDataObject {
	const { title, status, addedOn, signatory } = answered;
	// Template and country are as they were sent. A title that the answer lacks is the template's name.
	const sent = {
		...answered,
		title: isEmpty(title) ? nameOf(template) : title,
		status: isEmpty(status) ? undefined : status,
		templateID: body.templateID,
		country: body.country,
	};
	const listed = signatoriesOf(signatory);
	const people = listed.length
		? listed
		: body.signatories.map((signatory) => ({ ...signatory, signed: false }));
	return {
		...summaryOf(sent, documentIdOf(answered) || undefined),
		signatories: people.map((signatory) => withRole(signatory, signedRoles)),
		...(isEmpty(addedOn) ? {} : { createdAt: isoTime(addedOn) }),
	};
}
