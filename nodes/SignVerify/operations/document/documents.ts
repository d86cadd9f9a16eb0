import type { INodeProperties } from 'n8n-workflow';

import { createDocument } from '../../api/documents';
import { idOf, type Template, type TemplateVersion, variablesOf } from '../../api/templates';
import type { CreateDocumentBody, Envelope, TemplateV2 } from '../../api/types';
import { InputError } from '../../transport/errors';
import { Problems } from '../problems';
import {
	chosenTemplate,
	readTemplateVersion,
	templateLocator,
	templateVersionField,
} from '../template/fields';
import type { ItemContext } from '../types';
import { readSignPositions, signPositionsField } from './signPositions';
import { readSignatories, signatoryFields, type SignatoryInput } from './signatories';
import { readVariables, variablesField } from './variables';

/** The form for how much of an answer or event to give out. */
export const simplifyField: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

/** The form for a document made from a template, of each operation that makes one. */
export const documentFields: INodeProperties[] = [
	templateVersionField,
	templateLocator,
	variablesField,
	...signatoryFields,
	signPositionsField,
	{
		displayName: 'Country',
		name: 'country',
		type: 'string',
		default: 'United States',
		required: true,
		placeholder: 'e.g. Mexico',
		description: 'The country whose law the document is signed under, written out',
	},
	simplifyField,
];

/** A document that is checked and ready to be sent. */
export interface PreparedDocument {
	version: TemplateVersion;
	template: Template;
	body: CreateDocumentBody;
}

/**
 * Reads and checks what the document is made from; nothing is sent but a question for the template.
 * @throws InputError for a wrong value.
 */
export async function prepareDocument(item: ItemContext): Promise<PreparedDocument> {
	const problems = new Problems();
	const given = problems.collect(() => readTemplateVersion(item.parameter('templateVersion')));
	const people = problems.collect(() => readSignatories(item));
	const law = problems.collect(() => readCountry(item.parameter('country')));
	const positions =
		given === 'v1' ? problems.collect(() => readSignPositions(item, people)) : undefined;
	const chosen =
		given && (await problems.collectLater(async () => await chosenTemplate(item, given)));
	const filled = chosen && problems.collect(() => readVariables(item, chosen));
	const { version, signatories, country, template, inputs } = problems.settle({
		version: given,
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
		...(positions ? { staticSignPositions: positions } : {}),
	};
	warnAboutSlots(item, template, signatories);
	return { version, template, body };
}

/** Creates the document; the service mails its signatories. */
export async function sendDocument(
	item: ItemContext,
	{ version, template, body }: PreparedDocument,
): Promise<Envelope> {
	const variables = variablesOf(template).map(({ key, label }) => [key, label || key] as const);
	return await createDocument(item.service, version, body, { variables: new Map(variables) });
}

function readCountry(value: unknown): string {
	const country = typeof value === 'string' ? value.trim() : '';
	if (country) return country;
	throw new InputError('Country', 'it is empty', 'Enter the name of a country, such as Mexico.');
}

function warnAboutSlots(
	item: ItemContext,
	template: Template,
	signatories: SignatoryInput[],
): void {
	const slots = (template as Partial<TemplateV2>).signatories?.length;
	if (!slots || slots === signatories.length) return;
	const places = slots === 1 ? 'one place' : `${slots} places`;
	const people = signatories.length === 1 ? 'one signatory' : `${signatories.length} signatories`;
	item.hint(
		`The template "${template.name}" has ${places} to sign, but item ${item.itemIndex + 1} names ${people}.`,
	);
}
