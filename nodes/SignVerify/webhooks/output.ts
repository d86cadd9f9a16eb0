import type {
	IDataObject,
	INodeExecutionData,
	INodeProperties,
	INodePropertyOptions,
	IWebhookFunctions,
} from 'n8n-workflow';

import { expiryOf, isOfPerson, readSignatory, signatoryEntries, signedAt } from '../api/documents';
import { identityEvent } from '../api/events';
import type { Notification } from '../api/notification';
import { readChoice } from '../operations/parameters';
import { firstText, isEmpty, isObject, isoTime, isTrue, objectOf } from '../util/values';
import { downloadFiles } from './files';

const outputs = [
	{ name: 'Simplified', value: 'simplified', description: 'The most useful fields' },
	{ name: 'Raw', value: 'raw', description: 'All fields, signing links of documents included' },
	{ name: 'Both', value: 'both', description: 'The useful fields, and all of them in "raw"' },
] as const satisfies INodePropertyOptions[];

/** How much of an answer or event to output. */
export type Output = (typeof outputs)[number]['value'];

/** The form for how much to output. Lists and look-ups have it only as tools of an AI agent. */
export const outputField: INodeProperties = {
	displayName: 'Output',
	name: 'output',
	type: 'options',
	noDataExpression: true,
	options: outputs,
	default: 'simplified',
	description: 'How much of the answer or event to output',
};

/** How much to output; simplified if the form does not have it. @throws InputError for no such choice. */
export function readOutput(given: unknown): Output {
	return readChoice(given ?? 'simplified', outputField.displayName, outputs).value;
}

/** What to output of an answer or event, as the form says. */
export function outputOf(
	chosen: Output,
	raw: IDataObject,
	simplify: (raw: IDataObject) => IDataObject,
): IDataObject {
	if (chosen === 'raw') return raw;
	return { ...simplify(raw), ...(chosen === 'both' ? { raw } : {}) };
}

/** Some of the fields of an object, in its own order. */
export function pick(json: IDataObject, names: string[]): IDataObject {
	return Object.fromEntries(Object.entries(json).filter(([name]) => names.includes(name)));
}

/** Personal data that an event has only if somebody asks for it, as the service gives it. */
const personal = [
	{
		name: 'Answers',
		value: 'answers',
		description: 'What signatories filled in, invalid signatures, and the hash of the document',
		ofDocument: ['formAnswer', 'documentHash'],
		ofSignatory: ['fieldArray', 'isInvalidSignature', 'invalidSignatureReason'],
	},
	{
		name: 'History',
		value: 'history',
		description: 'Who did what, when, and from which IP address',
		ofDocument: ['logsStatus'],
		ofSignatory: [],
	},
	{
		name: 'Signing Links',
		value: 'signingLinks',
		description: 'A link is a key: everyone who has it can sign in place of the signatory',
		ofDocument: [],
		ofSignatory: ['signing'],
	},
];

/** The form for it. */
export const includeOption: INodeProperties = {
	displayName: 'Include',
	name: 'include',
	type: 'multiOptions',
	options: personal.map(({ name, value, description }) => ({ name, value, description })),
	displayOptions: { hide: { '/output': ['raw'] } },
	default: [],
	description:
		'Personal data to add to document events. It is then kept with the execution, for all who may see it.',
};

/**
 * Fields that are only in raw output: secrets of a signatory (docs/dev/service.md#signatory), what was read
 * from an ID, and its scores (design rule 6).
 */
const privateFields = ['password', 'verificationCode', 'signing', 'ocr', 'score'];

/** How to output an event: also whether with the document's files, and the choices of "Include". */
export interface OutputChoice {
	output: Output;
	files: boolean;
	include?: unknown[];
}

/** The item for an event, of the trigger and of a waiting node. */
export async function toItem(
	context: Pick<IWebhookFunctions, 'helpers'>,
	notification: Notification,
	{ output, files, include }: OutputChoice,
): Promise<INodeExecutionData> {
	const { binary, missing = [] } = files ? await downloadFiles(context, notification) : {};
	const fileNames = Object.keys(binary ?? {}).join(',');
	const simplify = () => simplifyNotification(notification, include, fileNames);
	const json = outputOf(output, notification.body, simplify);
	const missingFiles = missing.length > 0 ? { missingFiles: missing } : {};
	return { json: { ...json, ...missingFiles }, ...(binary ? { binary } : {}) };
}

/**
 * The fields of a notification that a workflow needs. Addresses and names of files are texts that a mail
 * node accepts as they are.
 * @returns For the four events without a documented body: the whole body without its private fields,
 * with `event` and `eventId`, and what an identity event says of its request.
 */
export function simplifyNotification(
	{ event, id, body, document, isDocumented, ...notification }: Notification,
	include: unknown[] = [],
	fileNames = '',
): IDataObject {
	if (!document || !isDocumented) {
		const shown = withoutPrivate(body) as IDataObject;
		const { validationIds, passed } = notification;
		const [validationId = null] = validationIds.length === 1 ? validationIds : [];
		const verdict = event === identityEvent ? { validationId, passed } : {};
		const own: IDataObject = { event, eventId: id, ...verdict };
		// If the body has another value by one of these names, it is in the output as a whole, too.
		const isHidden = Object.keys(own).some((name) => name in shown && shown[name] !== own[name]);
		return { ...document?.summary, ...shown, ...(isHidden ? { received: shown } : {}), ...own };
	}
	const { source, summary } = document;
	const { signatory, files, addedOn } = notification;
	const signer = objectOf(event === 'signDocument' && objectOf(source.webhookData).signatory);
	const signerId = firstText(signer.signatoryID, signer._id) ?? '';
	// Who has just signed has signed, also if the list is from before.
	const entries = signatoryEntries(source.signatory).map((each) =>
		isOfPerson(each, signerId, signer.emailID) ? { ...each, isSigned: 1 } : each,
	);
	const signatories = entries.map((each) => ({
		...readSignatory(each),
		...(include.includes('history') ? { signedAt: signedAt(source, each) } : {}),
		...includedFields(each, 'ofSignatory', include),
	}));
	const unsigned = signatories.filter(({ signed }) => !signed);
	const ends = entries.flatMap((each) => (isTrue(each.isSigned) ? [] : (expiryOf(each) ?? [])));
	const [firstEnd] = ends.sort((left, right) => left - right);
	return {
		event,
		eventId: id,
		...summary,
		...(signatory ? { signatory } : {}),
		signatories,
		signatoryEmails: emailsOf(signatories),
		pendingSignatories: unsigned.length,
		missing: emailsOf(unsigned),
		linksExpire: isoTime(firstEnd) ?? null,
		documentUrl: files.document,
		certificateUrl: files.certificate,
		pscCertificateUrl: files.pscCertificate,
		fileNames,
		addedOn,
		...includedFields(source, 'ofDocument', include),
	};
}

/** What the choices add to a document or a signatory, as far as it has a value. */
function includedFields(from: IDataObject, of: 'ofDocument' | 'ofSignatory', include: unknown[]) {
	const hasValue = (name: string) => ![from[name]].flat().every(isEmpty);
	const names = personal.flatMap((each) => (include.includes(each.value) ? each[of] : []));
	return pick(from, names.filter(hasValue));
}

/** What is not one address is left out: a mail node would send to each of several. */
function emailsOf(people: Array<{ email?: string }>): string {
	const emails = people.map(({ email = '' }) => email.trim());
	return emails.filter((each) => /^[^\s,;<>]+@[^\s,;<>]+$/.test(each)).join(', ');
}

function withoutPrivate(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(withoutPrivate);
	if (!isObject(value)) return value;
	const shown = Object.entries(value).filter(([name]) => !privateFields.includes(name));
	return Object.fromEntries(shown.map(([name, inner]) => [name, withoutPrivate(inner)]));
}
