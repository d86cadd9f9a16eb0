import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { createDocument, documentIdOf, signatoriesOf } from '../../api/documents';
import { idOf, nameOf, slotsOf, type Template, variablesOf } from '../../api/templates';
import type { CreateDocumentBody } from '../../api/types';
import { type Output, outputField, outputOf } from '../../webhooks/output';
import { InputError, readAll } from '../inputError';
import { isEmpty, isoTime, objectOf } from '../../util/values';
import { checkOnlyOption, optionsField } from '../form';
import { sendOnceOption } from '../sendItem';
import { chosenTemplate, templateLocator } from '../template/fields';
import type { ItemContext } from '../types';
import { countryField, readCountry } from './country';
import { otherCountField, peopleByRole } from './roles';
import { checkSignatories, givenSignatories, signatoryFields } from './signatories';
import { forSignatories, readSignPositions, signPositionsOption } from './signPositions';
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
	/** What the form calls the signatories, in the order of the body. */
	roles: string[];
}

/**
 * Reads and checks the document. The only call is the one that loads the template.
 * @throws InputError for a wrong value.
 */
export async function prepareDocument(item: ItemContext): Promise<PreparedDocument> {
	// All the rest depends on it.
	const template = await chosenTemplate(item);
	const { people, country, positions, inputs } = readAll({
		people: () => readPeople(item, template),
		country: () => readCountry(item),
		positions: () => readSignPositions(item, template),
		inputs: () => readVariables(item, template),
	});
	const { signatories, roles } = people;
	const staticSignPositions = forSignatories(positions, signatories);
	const body: CreateDocumentBody = {
		templateID: idOf(template),
		country,
		inputs,
		signatories,
		...(template.templateVersion === 'v1' ? { staticSignPositions } : {}),
	};
	return { template, body, roles };
}

/** Who signs, and what the form calls each of them. */
function readPeople(item: ItemContext, template: Template) {
	const isByRole = item.parameter('signatoriesFrom') === 'role';
	const given = isByRole ? peopleByRole(item, template) : givenSignatories(item);
	const signatories = checkSignatories(given);
	if (!isByRole) checkCount(template, signatories.length);
	return { signatories, roles: given.map(({ who }) => who) };
}

/**
 * Creates the document; the service mails its signatories. Raw output is the answer's `responseData`, or the
 * whole envelope without it.
 */
export async function sendDocument(item: ItemContext, prepared: PreparedDocument, output: Output) {
	const { template, body, roles } = prepared;
	const variables = variablesOf(template).map(({ key, label }) => [key, label || key] as const);
	const envelope = await createDocument(item.service, template.templateVersion, body, {
		variables: new Map(variables),
		signatories: roles,
	});
	// Its answer may have the document, or only `success`.
	const answered = objectOf(envelope.responseData);
	const raw = Object.keys(answered).length ? answered : (envelope as IDataObject);
	const documentId = documentIdOf(answered);
	return {
		json: outputOf(output, raw, () => simplifyDocument(answered, prepared)),
		// In the error of a run that fails later.
		created: documentId ? `document ${documentId}` : 'a document',
		documentId,
	};
}

/** @throws InputError naming the roles, if there are more or fewer people than places to sign. */
function checkCount(template: Template, count: number): void {
	const slots = slotsOf(template);
	if (slots.length === 0 || slots.length === count) return;
	const roles = slots.map(({ label }) => label).join(', ');
	const people = count === 1 ? 'one person is' : `${count} people are`;
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
