import type { IDataObject } from 'n8n-workflow';

import type { CreateDocumentBody, TemplateV2 } from '../../interface';
import { InputFailure } from '../../transport/failure';
import { optionsField } from '../options';
import { sendOnceOption } from '../sendOnce';
import { includeInactiveOption, templateLocator, templateVersionField } from '../template/fields';
import { chosenTemplate, idOf, readTemplateVersion, type Template } from '../template/templates';
import type { ItemContext, Operation } from '../types';
import { createdDocument, nameOfCreated } from './created';
import { readSignatories, signatoryFields, type SignatoryInput } from './signatories';
import { readSignPositions, signPositionsField } from './signPositions';
import { readVariables, variablesField } from './variables';

/**
 * document / createFromTemplate: creates a document and has the service mail a signing link to each
 * signatory (interface: Create a document from a template, version 1 and version 2).
 */
export const createFromTemplate: Operation = {
	resource: 'document',
	value: 'createFromTemplate',
	name: 'Create From Template',
	action: 'Create a document from a template',
	description:
		'Fill in a template and send the document to its signatories. The service mails each of them a signing link.',
	fields: [
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
		{
			displayName: 'Simplify',
			name: 'simplify',
			type: 'boolean',
			default: true,
			description: 'Whether to return a simplified version of the response instead of the raw data',
		},
		optionsField([includeInactiveOption, sendOnceOption]),
	],

	sendsOnce: true,

	async run(item) {
		const version = readTemplateVersion(item.parameter('templateVersion'));
		const signatories = readSignatories(item);
		const country = readCountry(item.parameter('country'));
		const positions = version === 'v1' ? readSignPositions(item, signatories) : undefined;
		const template = await chosenTemplate(item, version);
		const body: CreateDocumentBody = {
			templateID: idOf(template),
			country,
			inputs: readVariables(item, template),
			signatories,
			...(positions ? { staticSignPositions: positions } : {}),
		};
		warnAboutSlots(item, template, signatories);

		const envelope = await item.service.call({
			method: 'POST',
			path:
				version === 'v2'
					? '/templates/createDocumentByTemplateV2'
					: '/templates/createDocumentByTemplate',
			body: body as unknown as IDataObject,
			creates: 'the document',
		});
		const simplify = item.parameter('simplify') !== false;
		return [{ json: createdDocument(envelope, body, template, simplify) }];
	},

	created: nameOfCreated,
};

function readCountry(value: unknown): string {
	const country = typeof value === 'string' ? value.trim() : '';
	if (country) return country;
	throw new InputFailure('Country', 'it is empty', 'Enter the name of a country, such as Mexico.');
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
		`The template "${template.name}" has ${places} to sign, but item ${item.itemIndex} names ${people}.`,
	);
}
