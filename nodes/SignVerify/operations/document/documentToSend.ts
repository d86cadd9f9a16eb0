import type { IDataObject, INodeProperties } from 'n8n-workflow';

import {
	createDocument,
	documentIdOf,
	outputOfDocument,
	type Role,
	withRole,
} from '../../api/documents';
import { idOf, nameOf, slotsOf, variablesOf } from '../../api/templates';
import type { CreateDocumentBody, Signatory, Template } from '../../api/types';
import { includeInputOption, optionsField, outputField } from '../../input/form';
import { readAll } from '../../input/inputError';
import type { ItemContext, ItemOutput } from '../../input/item';
import type { Output } from '../../input/parameters';
import { readOutput } from '../../input/savedForm';
import { isEmpty, isoTime, objectOf } from '../../util/values';
import { sendOnceOption } from '../sendOnceKey';
import { checkActive, chosenTemplate, templateLocator } from '../template/fields';
import { checkOnlyOption, sendsNotice, testAddresses, testRecipientOption } from '../testRuns';
import type { Prepared } from '../types';
import { countryField, readCountry } from './country';
import { readSignatories } from './signatories';
import { signatoryFields } from './signatoryFields';
import { readSignPositions, signPositionsOption } from './signPositions';
import { readVariables, variablesField } from './variables';

/* What the operations share that make a document from a template: the form, the checks, and the call. */

/** The form for a document made from a template. */
export const documentFields: INodeProperties[] = [
	templateLocator,
	...signatoryFields,
	variablesField,
	countryField,
];

/** The options for a document made from a template, the most important ones first. */
export const documentOptions: INodeProperties[] = [
	sendsNotice('emails real people'),
	optionsField([
		checkOnlyOption,
		testRecipientOption,
		sendOnceOption,
		includeInputOption,
		signPositionsOption,
		outputField,
	]),
];

/** What was read from the form for a document. Items with the same template share the template. */
interface CheckedDocument {
	template: Template;
	body: CreateDocumentBody;
	/** Who signs in which role: the service gets the people in the order of the template's roles. */
	signedRoles: Role[];
	/** Raw output is the response's `responseData`, or the whole envelope without it. */
	output: Output;
}

/**
 * Reads and checks a document. The only call is the one that loads the template.
 * @param testRecipient Who gets it instead of the people.
 * @throws InputError for a wrong value.
 */
export async function prepareDocument(
	item: ItemContext,
	testRecipient?: string,
): Promise<DocumentToSend> {
	// First, because every other field is read by the template.
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
	const signaturePlaces = slotsOf(template);
	const signedRoles = signatories.flatMap(({ email }, index) => {
		const role = signaturePlaces[index]?.label;
		return role === undefined ? [] : [{ email, role }];
	});
	const checked: CheckedDocument = { template, body, signedRoles, output };
	const isTest = testRecipient !== undefined;
	return new DocumentToSend(item, isTest ? redirected(checked, testRecipient) : checked);
}

/** A document that is checked, and can be sent. */
export class DocumentToSend implements Prepared {
	/** Private at run time, too, because it is not a part of what was read. */
	readonly #item: ItemContext;

	constructor(
		item: ItemContext,
		readonly checked: CheckedDocument,
	) {
		this.#item = item;
	}

	/**
	 * What a person checks before it is sent, in the words of the form and of the output of sending. The title is that
	 * of a document whose response has none: the template's name.
	 */
	preview(): IDataObject {
		const { template, body, signedRoles } = this.checked;
		const { templateID, country, inputs, signatories, staticSignPositions } = body;
		const variables = variablesOf(template);
		const isShared = (name: string) =>
			variables.filter(({ key, label }) => [key, label].includes(name)).length > 1;
		const namedInputs = variables
			.filter(({ key }) => Object.hasOwn(inputs, key))
			.map(({ key, label }) => [!label || isShared(label) ? key : label, inputs[key]]);
		return {
			title: nameOf(template),
			templateId: templateID,
			country,
			signatories: signatories.map((signatory) =>
				withRole({ ...signatory, signed: false }, signedRoles),
			),
			fields: Object.fromEntries(namedInputs) as IDataObject,
			...(staticSignPositions ? { signPositions: staticSignPositions } : {}),
		};
	}

	/**
	 * Creates the document, and the service mails its signatories.
	 * @returns Its ID is empty if the response did not have it.
	 * @throws ServiceError; its `mayHaveCreated` says whether the document may exist.
	 */
	async send(): Promise<ItemOutput & { documentId: string }> {
		const { service, warnings } = this.#item;
		const { template, body, output } = this.checked;
		// As they were before it was sent.
		const warningsOfItem = [...warnings];
		const envelope = await createDocument(service, template.templateVersion, body);
		// The response may have the document, or only `success`.
		const created = objectOf(envelope.responseData);
		const raw = Object.keys(created).length ? created : (envelope as IDataObject);
		const documentId = documentIdOf(created);
		const json =
			output === 'raw' ? raw : { ...simplified(created, this.checked), warnings: warningsOfItem };
		// `created` is for the error of a run that fails later.
		return { json, created: documentId ? `document ${documentId}` : 'a document', documentId };
	}
}

/** The document for the test recipient: with other addresses of the same people, in the same order and roles. */
function redirected(document: CheckedDocument, testRecipient: string): CheckedDocument {
	const { signatories, staticSignPositions } = document.body;
	const addressFor = testAddresses(
		testRecipient,
		signatories.map(({ email }) => email),
	);
	const withTestAddress = <Someone extends { email: string }>(person: Someone): Someone => ({
		...person,
		email: addressFor(person.email),
	});
	const testPositions = staticSignPositions?.map((position) => ({
		...position,
		user: withTestAddress(position.user),
	}));
	const body = {
		...document.body,
		signatories: signatories.map(withTestAddress),
		...(testPositions ? { staticSignPositions: testPositions } : {}),
	};
	return { ...document, body, signedRoles: document.signedRoles.map(withTestAddress) };
}

/**
 * The simplified output of a document that was just created. Template and country are as they were sent, and so is
 * everything that the response lacks.
 */
function simplified(
	created: IDataObject,
	{ template, body, signedRoles }: CheckedDocument,
): IDataObject {
	const { title, status, addedOn } = created;
	const source = {
		...created,
		title: isEmpty(title) ? nameOf(template) : title,
		status: isEmpty(status) ? undefined : status,
		templateID: body.templateID,
	};
	const documentId = documentIdOf(created) || undefined;
	const { signatories, ...summary } = outputOfDocument(source, {
		documentId,
		country: body.country,
		roles: signedRoles,
	});
	const unsigned = body.signatories.map((person) =>
		withRole({ ...person, signed: false }, signedRoles),
	);
	return {
		...summary,
		signatories: signatories.length > 0 ? signatories : unsigned,
		...(isEmpty(addedOn) ? {} : { createdAt: isoTime(addedOn) }),
	};
}
