import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { createDocument } from '../../api/documents';
import { idOf, slotsOf, type Template, type TemplateVersion } from '../../api/templates';
import type { CreateDocumentBody, Envelope } from '../../api/types';
import { InputError } from '../../transport/errors';
import {
	chosenTemplate,
	readTemplateVersion,
	templateLocator,
	templateVersionField,
} from '../template/fields';
import { readSwitch } from '../parameters';
import type { ItemContext } from '../types';
import { countryFields, readCountry } from './country';
import { createdDocument } from './created';
import { peopleByRole } from './roles';
import { readSignPositions, signPositionsFields } from './signPositions';
import {
	areByRole,
	checkSignatories,
	readSignatories,
	signatoryFields,
	type SignatoryInput,
} from './signatories';
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
	...signatoryFields,
	...signPositionsFields,
	variablesField,
	...countryFields,
	simplifyField,
];

/** An option of operations that send a document made from a version 2 template. */
export const otherCountOption: INodeProperties = {
	displayName: 'Allow Other Number of Signatories',
	name: 'allowOtherCount',
	type: 'boolean',
	default: false,
	displayOptions: { show: { '/templateVersion': ['v2'] } },
	description:
		'Whether to send the document also when there are more or fewer signatories than the template has places to sign',
};

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
	const version = readTemplateVersion(item.parameter('templateVersion'));
	const named = areByRole(item) ? undefined : readSignatories(item);
	const country = readCountry(item);
	const positions = version === 'v1' ? readSignPositions(item, named ?? []) : undefined;
	const template = await chosenTemplate(item, version);
	const mayDiffer = readSwitch(
		item.parameter('options.allowOtherCount'),
		otherCountOption.displayName,
	);
	const signatories = named ?? checkSignatories(peopleByRole(item, template, mayDiffer));
	const body: CreateDocumentBody = {
		templateID: idOf(template),
		country,
		inputs: readVariables(item, template),
		signatories,
		...(positions ? { staticSignPositions: positions } : {}),
	};
	if (!mayDiffer) checkCount(item, template, signatories);
	return { version, template, body };
}

/** Creates the document; the service mails its signatories. */
export async function sendDocument(
	item: ItemContext,
	{ version, body }: PreparedDocument,
): Promise<Envelope> {
	return await createDocument(item.service, version, body);
}

/**
 * Compares the number of people with the places to sign. Nodes of the form's first version only warn.
 * @throws InputError naming the roles.
 */
function checkCount(item: ItemContext, template: Template, signatories: SignatoryInput[]): void {
	const slots = slotsOf(template);
	if (slots.length === 0 || slots.length === signatories.length) return;
	const roles = slots.map(({ label }) => label).join(', ');
	const people = signatories.length === 1 ? 'one person is' : `${signatories.length} people are`;
	const problem = `the template "${template.name}" is signed by ${roles}, but ${people} named`;
	if (item.execute.getNode().typeVersion > 1) {
		throw new InputError(
			'Signatories',
			problem,
			`Name one person for each place, or switch on "${otherCountOption.displayName}" in the options.`,
		);
	}
	item.hint(`Item ${item.itemIndex + 1}: ${problem}.`);
}

/**
 * The output as far as it is known before the document is sent, with what would be filled in.
 */
export function documentPreview({ body, template }: PreparedDocument): IDataObject {
	const { inputs, staticSignPositions } = body;
	return {
		...createdDocument({}, body, template, true),
		fields: inputs,
		...(staticSignPositions ? { signPositions: staticSignPositions } : {}),
	};
}
