import { type IDataObject, type INodeProperties, updateDisplayOptions } from 'n8n-workflow';

import {
	createDocument,
	documentIdOf,
	type Role,
	signatoriesOf,
	summaryOf,
	timesOf,
	withRole,
} from '../../api/documents';
import { nounOf } from '../../api/events';
import {
	idOf,
	maxShownNameLength,
	nameOf,
	findableNameOf,
	signaturePlacesOf,
} from '../../api/templates';
import type { CreateDocumentBody, Signatory, Template } from '../../api/types';
import { type Output, readOutput } from '../../form/outputChoice';
import { includeInputOption } from '../../item/includedInput';
import type { ItemContext, ItemOutput } from '../../item/item';
import { sendsDespiteWarnings, withoutWarnings } from '../../item/sendDespiteWarnings';
import { lastRolesOption } from '../../templateForm/roles';
import {
	checkTemplateOfForms,
	chosenTemplate,
	chosenTemplateId,
	readTemplateChoice,
	templateLocator,
	warnIfInactive,
} from '../../templateForm/templateChoice';
import { readAll } from '../../errors/inputError';
import { settleSync, settle, valueOf } from '../../util/async';
import { comparedEmail } from '../../util/comparedEmail';
import { isEmpty, objectOf } from '../../util/values';
import { type ComparedContent, comparedContentOf, type ContentKey } from '../comparedContent';
import { sendOnceOption } from '../sendOnceKey';
import { sendingOptions, testAddresses, testRunFields } from '../testRuns';
import type { Description, Prepared, SendingWords } from '../operationTypes';
import { countryField, readCountry } from './country';
import { writeDatesOption } from './dateWriter';
import { describeSignatories, readSignatories } from './signatories';
import { signatoryFields } from './signatoryFields';
import { readSignPositions, signPositionsOption } from './signPositions';
import { emptyFieldsOption, fieldNames, shownFieldNames, variableFields } from './variableFields';
import { readVariables } from './variables';

/* The form, the checks and the call shared by all operations that create a document from a template. */

export const documentWords: SendingWords = {
	noun: nounOf.document,
	effect: 'emails real people',
	toTry: 'To get the email yourself',
	whenPublished: 'sends to the real people',
	toMe: 'Your own address. If several people sign, the node numbers it, as in you+1@example.com. A test may cost money.',
	afterTest: (testRecipient) =>
		`everything went to ${testRecipient} instead of the real people. When the published workflow runs, everything goes to them.`,
};

export async function documentKeyOwner(item: ItemContext): Promise<string[]> {
	return ['document', await chosenTemplateId(item)];
}

export const documentFields: INodeProperties[] = [
	{
		...templateLocator,
		description: 'The template of the document to send. Its roles and fields appear below.',
	},
	// Below the template's fields, the choice would be out of sight.
	...testRunFields(documentWords),
	// Without a template, nobody can fill in the rest, and n8n shows "No fields found" in red for a mapper without fields.
	...updateDisplayOptions({ hide: { templateId: [''] } }, [
		countryField,
		...signatoryFields,
		...variableFields,
	]),
];

/**
 * The most important options come first.
 * @param output The caller provides this option, because its descriptions depend on the operation: a wait outputs an
 * event instead of a response.
 */
export function documentOptions(output: INodeProperties): INodeProperties {
	return sendingOptions([
		sendOnceOption('contract'),
		writeDatesOption,
		includeInputOption,
		lastRolesOption,
		emptyFieldsOption,
		signPositionsOption,
		output,
	]);
}

/** Items with the same template share one template object. */
interface CheckedDocument {
	template: Template;
	body: CreateDocumentBody;
	/**
	 * Each signatory's role. The roles aren't sent, because the service infers them from the order of the
	 * signatories.
	 */
	signedRoles: Role[];
	/**
	 * Whether the output is simplified or raw. Raw output is the response's `responseData`, or the entire
	 * response if it contains no document.
	 */
	output: Output;
}

/**
 * Calls the service only to load the template.
 * @param testRecipient The email address that gets the document instead of the signatories.
 */
export async function prepareDocument(
	item: ItemContext,
	testRecipient?: string,
): Promise<DocumentToSend> {
	// Load the template first, because reading almost every other field depends on it.
	const template = await chosenTemplate(item);
	const people = settleSync(() => readSignatories(item, template));
	const fields = settleSync(() => readVariables(item, template, people.ok));
	checkTemplateOfForms([people, fields]);
	const { signatories, country, positions, inputs, output } = readAll({
		country: () => readCountry(item),
		signatories: () => valueOf(people),
		inputs: () => valueOf(fields),
		// If the signatories are invalid, pass undefined so that the positions aren't checked against them.
		positions: () => readSignPositions(item, template, people.ok ? people.value : undefined),
		output: () => readOutput(item, 'options.output'),
		choice: () => readTemplateChoice(item),
		status: () => warnIfInactive(item, template),
		// Otherwise, the option would be read only if there is a warning.
		strictness: () => sendsDespiteWarnings(item),
	});
	const isVersion1 = template.templateVersion === 'v1';
	const body: CreateDocumentBody = {
		templateID: idOf(template),
		country,
		inputs,
		signatories,
		...(isVersion1 ? { staticSignPositions: positions } : {}),
	};
	const signaturePlaces = signaturePlacesOf(template);
	const signedRoles = signatories.flatMap(({ email }, index) => {
		const role = signaturePlaces[index]?.label;
		return role === undefined ? [] : [{ email, role }];
	});
	const checked: CheckedDocument = { template, body, signedRoles, output };
	return new DocumentToSend(
		item,
		testRecipient === undefined ? checked : redirected(checked, testRecipient),
		body,
	);
}

function addressesOf(signatories: Signatory[]): string[] {
	return signatories.map(({ email }) => email);
}

export function contentOfDocument(template: Template, body: CreateDocumentBody): ComparedContent {
	const { inputs, ...others } = withAddresses(body, comparedEmail);
	return comparedContentOf(
		{
			...others,
			templateID: `${nameOf(template)} (${others.templateID})`,
			signatories: others.signatories.map(textOfPerson).join(', '),
		},
		inputs,
	);
}

/** The names that the body's keys have in the form. */
const bodyNamesInForm: Partial<Record<string, string>> = {
	templateID: 'Template',
	signatories: 'Signatories',
	country: 'Country',
	staticSignPositions: 'Signature Positions',
} satisfies Record<Exclude<keyof CreateDocumentBody, 'inputs'>, string>;

function textOfPerson({ name, email, ...others }: Signatory): string {
	const more = Object.keys(others).length > 0 ? ` ${JSON.stringify(others)}` : '';
	return `${name} (${email})${more}`;
}

/** Replaces every address in a body that something is sent to. */
export function withAddresses(
	body: CreateDocumentBody,
	addressFor: (email: string) => string,
): CreateDocumentBody {
	const withAddress = <Someone extends { email: string }>(person: Someone): Someone => ({
		...person,
		email: addressFor(person.email),
	});
	const positions = body.staticSignPositions?.map((position) => ({
		...position,
		user: withAddress(position.user),
	}));
	return {
		...body,
		signatories: body.signatories.map(withAddress),
		...(positions ? { staticSignPositions: positions } : {}),
	};
}

export async function describeDocument(item: ItemContext): Promise<Description> {
	const template = await settle(chosenTemplate(withoutWarnings(item)));
	const { signatories, addresses } = describeSignatories(item, template);
	const output = {
		...(template.ok ? { title: nameOf(template.value) } : {}),
		...(signatories.length > 0 ? { signatories } : {}),
	};
	return { output, addresses };
}

export class DocumentToSend implements Prepared {
	/**
	 * Private even at run time so that a test can compare all other fields, which contain the values from the
	 * form.
	 */
	readonly #item: ItemContext;

	/** @param body What is sent to the real people, even if the test recipient gets the document. */
	constructor(
		item: ItemContext,
		readonly checked: CheckedDocument,
		private readonly body = checked.body,
	) {
		this.#item = item;
	}

	get content(): ComparedContent {
		return contentOfDocument(this.checked.template, this.body);
	}

	nameInForm({ space, key }: ContentKey): string | undefined {
		return space === 'fields' ? fieldNames(this.checked.template).get(key) : bodyNamesInForm[key];
	}

	get people(): string[] {
		return addressesOf(this.checked.body.signatories);
	}

	/**
	 * Returns the document for the user to check before sending. The fields have the same names as in the
	 * form and in the output. The service has not set a title yet, so the title is the template's name.
	 */
	preview(): IDataObject {
		const { template, body, signedRoles } = this.checked;
		const { templateID, inputs, signatories, staticSignPositions, ...others } = body;
		const namedInputs = [...shownFieldNames(template)]
			.filter(([key]) => Object.hasOwn(inputs, key))
			.map(([key, name]) => [name.length > maxShownNameLength ? key : name, inputs[key]]);
		return {
			title: findableNameOf(template),
			templateId: templateID,
			...others,
			signatories: signatories.map((signatory) =>
				withRole({ ...signatory, signed: false }, signedRoles),
			),
			fields: Object.fromEntries(namedInputs) as IDataObject,
			...(staticSignPositions ? { signPositions: staticSignPositions } : {}),
		};
	}

	/**
	 * The service emails the signatories.
	 * @returns `documentId` is empty if the response contains no ID.
	 */
	async send(): Promise<ItemOutput & { documentId: string }> {
		const { service, warnings } = this.#item;
		const { template, body, output } = this.checked;
		// Copy the warnings so that the output doesn't include any that are added while sending.
		const warningsOfItem = [...warnings];
		const envelope = await createDocument(service, template.templateVersion, body);
		// The response contains either the document or nothing but `success`.
		const document = objectOf(envelope.responseData);
		const raw = Object.keys(document).length > 0 ? document : (envelope as IDataObject);
		const documentId = documentIdOf(document);
		const json =
			output === 'raw' ? raw : { ...simplified(document, this.checked), warnings: warningsOfItem };
		// If the run fails later, its error mentions the document in `created`, so the user doesn't send it
		// again.
		return { json, created: documentId ? `document ${documentId}` : 'a document', documentId };
	}
}

/** The names, the order, and the roles don't change. */
function redirected(document: CheckedDocument, testRecipient: string): CheckedDocument {
	const addressFor = testAddresses(testRecipient, addressesOf(document.body.signatories));
	return {
		...document,
		body: withAddresses(document.body, addressFor),
		signedRoles: document.signedRoles.map((role) => ({ ...role, email: addressFor(role.email) })),
	};
}

/**
 * The template and the country are always the values that were sent. If the response lacks a title, the output
 * contains the template's name; if it lacks signatories, the output contains those that were sent.
 */
function simplified(
	document: IDataObject,
	{ template, body, signedRoles }: CheckedDocument,
): IDataObject {
	const { title, status } = document;
	const source = {
		...document,
		title: isEmpty(title) ? nameOf(template) : title,
		status: isEmpty(status) ? undefined : status,
		templateID: body.templateID,
		country: body.country,
	};
	const listed = signatoriesOf(document.signatory);
	const sent = body.signatories.map((person) => ({ ...person, signed: false }));
	return {
		...summaryOf(source, documentIdOf(document) || undefined),
		signatories: (listed.length > 0 ? listed : sent).map((one) => withRole(one, signedRoles)),
		...timesOf(document),
	};
}
