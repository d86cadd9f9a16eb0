import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { createdDocumentId, createDocument, documentsIn, signatoriesOf } from '../../api/documents';
import {
	idOf,
	slotsOf,
	type Template,
	type TemplateVersion,
	variablesOf,
} from '../../api/templates';
import type { CreateDocumentBody, Envelope } from '../../api/types';
import { InputError } from '../../transport/errors';
import { Problems } from '../../transport/problems';
import { isObject, isoTime } from '../../util/values';
import { hasTodaysForm } from '../form';
import { readSwitch } from '../parameters';
import {
	chosenTemplate,
	readTemplateVersion,
	templateLocator,
	templateVersionField,
} from '../template/fields';
import type { ItemContext } from '../types';
import { countryFields, readCountry } from './country';
import {
	areByRole,
	checkSignatories,
	peopleByRole,
	readSignatories,
	signatoryFields,
	type SignatoryInput,
} from './signatories';
import { readSignPositions, signPositionsFields } from './signPositions';
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
interface PreparedDocument {
	version: TemplateVersion;
	template: Template;
	body: CreateDocumentBody;
	/** What the form calls the signatories, in the order of the body; absent where it counts them. */
	roles?: string[];
}

/**
 * Reads and checks what the document is made from; nothing is sent but a question for the template.
 * @throws InputError for a wrong value.
 */
export async function prepareDocument(item: ItemContext): Promise<PreparedDocument> {
	const problems = new Problems();
	const given = problems.collect(() => readTemplateVersion(item.parameter('templateVersion')));
	const isByRole = areByRole(item);
	const named = isByRole ? undefined : problems.collect(() => readSignatories(item));
	const law = problems.collect(() => readCountry(item));
	const mayDiffer = problems.collect(() => readOtherCount(item));
	const positions =
		given === 'v1' ? problems.collect(() => readSignPositions(item, named)) : undefined;
	const chosen =
		given && (await problems.collectLater(async () => await chosenTemplate(item, given)));
	const inRoles =
		chosen && isByRole && problems.collect(() => peopleByRole(item, chosen, mayDiffer === true));
	const people = inRoles ? problems.collect(() => checkSignatories(inRoles)) : named;
	if (chosen && people && mayDiffer === false)
		problems.collect(() => checkCount(item, chosen, people));
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
	const roles = inRoles ? { roles: inRoles.map(({ who }) => who) } : {};
	return { version, template, body, ...roles };
}

/** Creates the document; the service mails its signatories. */
export async function sendDocument(
	item: ItemContext,
	{ version, template, body, roles }: PreparedDocument,
): Promise<Envelope> {
	const variables = variablesOf(template).map(({ key, label }) => [key, label || key] as const);
	return await createDocument(item.service, version, body, {
		variables: new Map(variables),
		...(roles ? { signatories: roles } : {}),
	});
}

function readOtherCount(item: ItemContext): boolean {
	const { name, displayName } = otherCountOption;
	return readSwitch(item.parameter(`options.${name}`), displayName);
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
	if (hasTodaysForm(item)) {
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

/**
 * The output of a creation, which may answer with the document, or with nothing but `success`.
 * @param simplify false gives the answer's `responseData` as it came, or the whole envelope where
 * it has none.
 */
export function createdDocument(
	envelope: Envelope,
	body: CreateDocumentBody,
	template: Template,
	simplify: boolean,
): IDataObject {
	const answered = isObject(envelope.responseData) ? envelope.responseData : {};
	if (!simplify) return Object.keys(answered).length ? answered : (envelope as IDataObject);
	const documents = documentsIn(envelope);
	const valueOf = (name: string) =>
		documents.map((each) => each[name]).find((value) => !isMissing(value));
	const documentId = createdDocumentId(envelope);
	const status = valueOf('status');
	const addedOn = valueOf('addedOn');
	const listed = signatoriesOf(valueOf('signatory'));
	return {
		...(documentId === '' ? {} : { documentId }),
		title: valueOf('title') ?? template.name,
		...(status === undefined ? {} : { status }),
		templateId: body.templateID,
		country: body.country,
		signatories: listed.length
			? listed
			: body.signatories.map((each) => ({ ...each, signed: false })),
		...(addedOn === undefined ? {} : { addedOn: isoTime(addedOn) }),
	};
}

function isMissing(value: unknown): boolean {
	return value === undefined || value === null || value === '';
}

/** Names a created document in the report of a run that failed later. */
export function nameOfCreated(output: IDataObject): string {
	const id = createdDocumentId(output);
	return id ? `document ${id}` : 'a document';
}
