import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { createDocument, documentIdOf, signatoriesOf } from '../../api/documents';
import { idOf, nameOf, slotsOf, type Template, variablesOf } from '../../api/templates';
import type { CreateDocumentBody, Envelope } from '../../api/types';
import { type Output, outputField, outputOf } from '../../webhooks/output';
import { InputError, Problems } from '../inputError';
import { isEmpty, isoTime, objectOf } from '../../util/values';
import { checkOnlyOption } from '../checkOnly';
import { optionsField } from '../form';
import { sendOnceOption } from '../sendItem';
import { chosenTemplate, templateLocator } from '../template/fields';
import type { ItemContext } from '../types';
import { countryField, readCountry } from './country';
import { areByRole, otherCountField, peopleByRole } from './roles';
import {
	checkSignatories,
	readSignatories,
	signatoryFields,
	type SignatoryInput,
} from './signatories';
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
export const documentOptions = optionsField([
	checkOnlyOption,
	sendOnceOption,
	signPositionsOption,
	outputField,
]);

/** A document that is checked and ready to be sent. */
export interface PreparedDocument {
	template: Template;
	body: CreateDocumentBody;
	/** The roles of the signatories, in the order of the body; absent if the form counts them. */
	roles?: string[];
}

/**
 * Reads and checks the document. The only call is the one that loads the template.
 * @throws InputError for a wrong value.
 */
export async function prepareDocument(item: ItemContext): Promise<PreparedDocument> {
	const problems = new Problems();
	const isByRole = areByRole(item);
	const named = isByRole ? undefined : problems.collect(() => readSignatories(item));
	const law = problems.collect(() => readCountry(item));
	const chosen = await problems.collectLater(async () => await chosenTemplate(item));
	const inRoles = chosen && isByRole && problems.collect(() => peopleByRole(item, chosen));
	const people = inRoles ? problems.collect(() => checkSignatories(inRoles)) : named;
	if (chosen && named) problems.collect(() => checkCount(chosen, named));
	const positions = chosen && problems.collect(() => readSignPositions(item, chosen, people));
	const filled = chosen && problems.collect(() => readVariables(item, chosen));
	const { signatories, country, template, inputs } = problems.values({
		signatories: people,
		country: law,
		template: chosen,
		inputs: filled,
	});
	const body: CreateDocumentBody = {
		templateID: idOf(template),
		country,
		inputs,
		signatories,
		...(template.templateVersion === 'v1' ? { staticSignPositions: positions ?? [] } : {}),
	};
	const roles = inRoles ? { roles: inRoles.map(({ who }) => who) } : {};
	return { template, body, ...roles };
}

/** Creates the document; the service mails its signatories. */
export async function sendDocument(item: ItemContext, prepared: PreparedDocument, output: Output) {
	const { template, body, roles } = prepared;
	const variables = variablesOf(template).map(({ key, label }) => [key, label || key] as const);
	const envelope = await createDocument(item.service, template.templateVersion, body, {
		variables: new Map(variables),
		...(roles ? { signatories: roles } : {}),
	});
	const json = createdDocument(envelope, prepared, output);
	return { json, created: nameOfCreated(json), documentId: documentIdOf(envelope.responseData) };
}

/** @throws InputError naming the roles, if there are more or fewer people than places to sign. */
function checkCount(template: Template, signatories: SignatoryInput[]): void {
	const slots = slotsOf(template);
	if (slots.length === 0 || slots.length === signatories.length) return;
	const roles = slots.map(({ label }) => label).join(', ');
	const people = signatories.length === 1 ? 'one person is' : `${signatories.length} people are`;
	throw new InputError(
		'Signatories',
		`the template "${nameOf(template)}" is signed by ${roles}, but ${people} named`,
		`Name one person for each place. If fewer can sign, choose By Role and switch on "${otherCountField.displayName}".`,
		'the-template-is-signed-by',
	);
}

/**
 * The output as far as it is known before the document is sent, with the values for the template. Only the
 * service knows the title.
 */
export function documentPreview(prepared: PreparedDocument): IDataObject {
	const { inputs, staticSignPositions } = prepared.body;
	const { title, ...known } = simplifyDocument({}, prepared);
	return {
		template: title,
		...known,
		fields: inputs,
		...(staticSignPositions ? { signPositions: staticSignPositions } : {}),
	};
}

/**
 * The output of a creation. Its answer may have the document, or only `success`. Raw is the answer's
 * `responseData`, or the whole envelope without it.
 */
export function createdDocument(
	envelope: Envelope,
	prepared: PreparedDocument,
	output: Output,
): IDataObject {
	const answered = objectOf(envelope.responseData);
	const raw = Object.keys(answered).length ? answered : (envelope as IDataObject);
	return outputOf(output, raw, () => simplifyDocument(answered, prepared));
}

function simplifyDocument(
	answered: IDataObject,
	{ body, template }: PreparedDocument,
): IDataObject {
	const { title, status, addedOn, signatory } = answered;
	const documentId = documentIdOf(answered);
	const listed = signatoriesOf(signatory);
	return {
		...(documentId === '' ? {} : { documentId }),
		title: isEmpty(title) ? nameOf(template) : title,
		...(isEmpty(status) ? {} : { status }),
		templateId: body.templateID,
		country: body.country,
		signatories: listed.length
			? listed
			: body.signatories.map((each) => ({ ...each, signed: false })),
		...(isEmpty(addedOn) ? {} : { addedOn: isoTime(addedOn) }),
	};
}

/** A created document in the error of a run that fails later. */
export function nameOfCreated(output: IDataObject): string {
	const id = documentIdOf(output);
	return id ? `document ${id}` : 'a document';
}
