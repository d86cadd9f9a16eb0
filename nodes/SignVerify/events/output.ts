import type {
	IBinaryKeyData,
	IDataObject,
	INodeExecutionData,
	INodeProperties,
	IWebhookFunctions,
} from 'n8n-workflow';

import {
	expiryOf,
	isSamePerson,
	outputOfDocument,
	type Person,
	type Role,
	signatoryEntries,
	signingTimes,
	unknownSummary,
	withRole,
} from '../api/documents';
import { eventRow, isIdentityEvent } from '../api/events';
import { type DocumentFile, hasFiles, type Notification } from '../api/notification';
import { type Output, readChoice } from '../input/parameters';
import { readList, type SavedForm } from '../input/savedForm';
import { isEmpty, isObject, isoTime, isTrue, objectOf, textOf } from '../util/values';
import { downloadFiles } from './files';

/**
 * Personal data that the output contains only if the user selects it under "Include". `ofDocument` and
 * `ofSignatory` list the service's field names.
 */
const personalChoices = [
	{
		name: 'Answers',
		value: 'answers',
		description: "What signatories filled in, plus any invalid signatures and the document's hash",
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
		description: "Each signatory's link. Anyone who has the link can sign as that person.",
		ofDocument: [],
		ofSignatory: ['signing'],
	},
];

/** The form's description of an event's raw output. */
export const rawEvent =
	'Exactly what your provider sent, including signing links, passwords, and personal data';

/** The option that adds personal data to the output. */
export const includeOption: INodeProperties = {
	displayName: 'Include',
	name: 'include',
	type: 'multiOptions',
	options: personalChoices.map(({ name, value, description }) => ({ name, value, description })),
	displayOptions: { hide: { '/output': ['raw'] } },
	default: [],
	description:
		'Personal data to add to the output. n8n stores it with the execution, where everyone with access can see it.',
};

/**
 * Reads which personal data to include.
 * @throws InputError for a choice that is not in the list, or an expression that returns nothing.
 */
export function readInclude(form: SavedForm): string[] {
	const { name, displayName } = includeOption;
	return readList(
		form,
		{ name: `options.${name}`, label: displayName },
		(choice) => readChoice(choice, displayName, personalChoices).value,
	);
}

/**
 * Fields that appear only in raw output: a signatory's secrets (docs/dev/service.md#signatory), a person's
 * location and appearance, and the data and scores from an ID check
 * (docs/dev/service.md#identity-verification-results). They are matched at any depth, ignoring case and
 * separators.
 */
const privateFields = [
	...['password', 'verificationCode', 'phone', 'sourceIP', 'formSignatory'],
	...['photo', 'signature', 'signatureArray', 'attachment', 'attachmentUrl', 'documentImage'],
	...['biometric', 'score', 'idValidation', 'liveness', 'faceRecognition', 'ocr'],
	...['address', 'addressFields', 'exteriorNumber', 'interiorNumber', 'gender', 'nationality'],
	...['birthDate', 'birthPlace', 'curp', 'claveDeElector', 'numeroEmisionCredencial', 'cic'],
	...['documentNumber', 'documentNumberCheckDigit', 'dateOfBirthCheckDigit'],
	...['expirationDateCheckDigit'],
];

/** Normalizes a field name for comparison, because services differ in case and separators. */
const comparedName = (name: string) => name.replace(/[_-]/g, '').toLowerCase();

/** The user's choices for an event's output: simplified or raw, the files, and the personal data. */
export interface OutputChoice {
	output: Output;
	files: DocumentFile[];
	include?: string[];
	knownDocument?: KnownDocument;
}

/**
 * Facts about a document that a wait knows before the event arrives, because its own execution sent the
 * document.
 */
export interface KnownDocument {
	country?: string;
	roles: Role[];
}

/** Creates the item that the trigger or a waiting node outputs for an event. */
export async function toItem(
	context: Pick<IWebhookFunctions, 'helpers'>,
	notification: Notification,
	{ output, files, include, knownDocument }: OutputChoice,
): Promise<INodeExecutionData> {
	const { binary, missing } = await downloadFiles(context, notification, files);
	const json =
		output === 'raw'
			? notification.body
			: simplifyNotification(notification, { include, knownDocument, binary, missing });
	const missingFiles = missing.length > 0 ? { missingFiles: missing } : {};
	return { json: { ...json, ...missingFiles }, ...(files.length > 0 ? { binary } : {}) };
}

/** The inputs for simplified output, apart from the notification itself. */
interface Extras {
	include?: string[] | undefined;
	knownDocument?: KnownDocument | undefined;
	/** The downloaded files, keyed by binary field name. */
	binary?: IBinaryKeyData;
	/** The files that couldn't be downloaded, and why. */
	missing?: IDataObject[];
}

/**
 * Returns the fields that a workflow needs from a notification. The fields that the next node most likely
 * needs are listed first. Email addresses and binary field names are joined into strings that can be passed
 * directly to an email node. All events of the same type produce the same fields, so a workflow built with
 * one event works with the next one too.
 * @returns The output fields. If the body's format isn't documented, or the body contains no Document, all of
 * the body's fields are kept except personal ones that the user hasn't included. The node adds `event`,
 * `eventId` and, for an identity event, the request's ID and the verdict.
 */
export function simplifyNotification(
	{ event, id, body, document, isDocumented, ...notification }: Notification,
	{ include = [], knownDocument, binary = {}, missing = [] }: Extras = {},
): IDataObject {
	if (!document || !isDocumented) {
		const shown = withoutPersonal(body, personalFields(include)) as IDataObject;
		const { validationIds, passed } = notification;
		const [validationId = null] = validationIds.length === 1 ? validationIds : [];
		const verdict = isIdentityEvent(event) ? { passed, validationId } : {};
		const addedFields: IDataObject = { event, ...verdict, eventId: id };
		// If one of our fields overwrites a different value in the body, also output the original fields,
		// under `received`.
		const isHidden = Object.keys(addedFields).some(
			(name) => name in shown && shown[name] !== addedFields[name],
		);
		const received = isHidden ? { received: shown } : {};
		// A field's first occurrence determines its position, and its last occurrence determines its value.
		return { ...addedFields, ...document?.summary, ...shown, ...received, ...addedFields };
	}
	const signatoryAction = eventRow(event)?.body?.signatory;
	const { source, summary } = document;
	const { signatory, files, sentAt } = notification;
	const unknownPerson = { email: null, name: null, ...(knownDocument ? { role: null } : {}) };
	const signer = signatoryAction === 'signed' ? objectOf(source.webhookData).signatory : undefined;
	// The list of signatories can be outdated, so set `isSigned` for the person who just signed.
	const entries = signatoryEntries(source.signatory).map((entry) =>
		isObject(signer) && isSamePerson(entry, signer) ? { ...entry, isSigned: 1 } : entry,
	);
	const signedAt = signingTimes(source);
	const { signatories: people, ...knownSummary } = outputOfDocument(
		{ ...source, signatory: entries },
		{ documentId: summary.documentId, ...knownDocument },
	);
	const signatories = entries.map((entry, index) => ({
		...unknownPerson,
		...people[index],
		signedAt: signedAt(entry),
		...includedFields(entry, 'ofSignatory', include),
	}));
	const unsigned = signatories.filter(({ signed }) => !signed);
	const expiries = entries.flatMap((entry) =>
		isTrue(entry.isSigned) ? [] : (expiryOf(entry) ?? []),
	);
	const [firstExpiry] = expiries.sort((left, right) => left - right);
	const { documentId, title, status, ...laterFields } = { ...unknownSummary, ...knownSummary };
	return {
		event,
		documentId,
		title,
		status,
		...(signatoryAction
			? { signatory: withRole({ ...unknownPerson, ...signatory }, knownDocument?.roles) }
			: {}),
		signatories,
		signatoryEmails: emailsOf(signatories),
		notSignedCount: unsigned.length,
		notSignedEmails: emailsOf(unsigned),
		linksExpireAt: isoTime(firstExpiry) ?? null,
		...(hasFiles(event)
			? {
					documentUrl: files.document,
					certificateUrl: files.certificate,
					pscCertificateUrl: files.pscCertificate,
					attachmentFields: Object.keys(binary).join(','),
					missingFiles: missing,
				}
			: {}),
		sentBy: document.sentBy || null,
		...laterFields,
		happenedAt: sentAt ?? null,
		eventId: id,
		...includedFields(source, 'ofDocument', include),
	};
}

/**
 * Returns the fields that the choices in "Include" add to a document or a signatory in the output. Empty
 * fields are left out.
 */
function includedFields(
	source: IDataObject,
	kind: 'ofDocument' | 'ofSignatory',
	include: string[],
) {
	const hasValue = (name: string) => ![source[name]].flat().every(isEmpty);
	const names = personalChoices.flatMap((choice) =>
		include.includes(choice.value) ? choice[kind] : [],
	);
	return Object.fromEntries(names.filter(hasValue).map((name) => [name, source[name]]));
}

/**
 * Joins people's email addresses into a single string for an email node. Leaves out any value that isn't
 * exactly one address, because an email node would send to every address in it.
 */
function emailsOf(people: Person[]): string {
	const emails = people.map(({ email }) => textOf(email).trim());
	return emails.filter((email) => /^[^\s,;<>@]+@[^\s,;<>@]+$/.test(email)).join(', ');
}

/** The names of all fields that a choice in "Include" adds. */
const choosableFields = new Set(
	personalChoices
		.flatMap(({ ofDocument, ofSignatory }) => [...ofDocument, ...ofSignatory])
		.map(comparedName),
);

/** Returns the names of all personal fields except those that the user has included. */
function personalFields(include: string[]): Set<string> {
	const otherChoices = personalChoices.filter(({ value }) => !include.includes(value));
	const otherFields = otherChoices.flatMap(({ ofDocument, ofSignatory }) => [
		...ofDocument,
		...ofSignatory,
	]);
	return new Set([...privateFields, ...otherFields].map(comparedName));
}

/**
 * Removes the named fields from a value, at any depth. A field that the user has included is kept unchanged.
 */
function withoutPersonal(value: unknown, names: Set<string>): unknown {
	if (Array.isArray(value)) return value.map((inner) => withoutPersonal(inner, names));
	if (!isObject(value)) return value;
	const shown = Object.entries(value).filter(([name]) => !names.has(comparedName(name)));
	return Object.fromEntries(
		shown.map(([name, inner]) => {
			const isIncluded = choosableFields.has(comparedName(name));
			return [name, isIncluded ? inner : withoutPersonal(inner, names)];
		}),
	);
}
