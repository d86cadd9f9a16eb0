import type {
	IBinaryKeyData,
	IDataObject,
	INodeExecutionData,
	INodeProperties,
	IWebhookFunctions,
} from 'n8n-workflow';

import {
	expiryOf,
	namesOf,
	outputOfDocument,
	type Person,
	type Role,
	signatoryEntries,
	signingTimes,
	withRole,
} from '../api/documents';
import { identityEvent } from '../api/events';
import { hasFiles, type Notification } from '../api/notification';
import { type Output, readChoice } from '../input/parameters';
import { readList, type SavedForm } from '../input/savedForm';
import { isEmpty, isObject, isoTime, isTrue, objectOf, textOf } from '../util/values';
import { downloadFiles, type FilesChoice, wantedFiles } from './files';

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

/** Reads it. @throws InputError for what the list does not have, and for an expression that gives nothing. */
export function readInclude(form: SavedForm): string[] {
	const { name, displayName } = includeOption;
	return readList(
		form,
		`options.${name}`,
		displayName,
		(choice) => readChoice(choice, displayName, personal).value,
	);
}

/**
 * Fields that are only in raw output, at any depth and however they are written: secrets of a signatory
 * (docs/dev/service.md#signatory), where they were and how they look, and what was read from an ID, with its scores
 * (docs/dev/service.md#identity-verification-results).
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

/** A name of a field as it is compared: services may write it in another case, or with other separators. */
const fieldName = (name: string) => name.replace(/[_-]/g, '').toLowerCase();

/** What the form says about the item for an event: simplified or raw, which files to attach, and what to include. */
export interface OutputChoice {
	output: Output;
	files: FilesChoice;
	include?: unknown[];
	own?: OwnDocument;
}

/**
 * What the node knows about a document without the event. A wait knows the country and the roles, because its own
 * execution sent the document. The trigger knows the roles from the template.
 */
export interface OwnDocument {
	country?: string;
	roles: Role[];
}

/** The item for an event, of the trigger and of a waiting node. */
export async function toItem(
	context: Pick<IWebhookFunctions, 'helpers'>,
	notification: Notification,
	{ output, files, include, own }: OutputChoice,
): Promise<INodeExecutionData> {
	const wanted = wantedFiles(files);
	const { binary, missing } = await downloadFiles(context, notification, wanted);
	const json =
		output === 'raw'
			? notification.body
			: simplifyNotification(notification, { include, own, binary, missing });
	const missingFiles = missing.length > 0 ? { missingFiles: missing } : {};
	return { json: { ...json, ...missingFiles }, ...(wanted.length > 0 ? { binary } : {}) };
}

/** What simplified output contains in addition to the notification. */
interface Extras {
	include?: unknown[] | undefined;
	own?: OwnDocument | undefined;
	/** The downloaded files, by the names of their fields. */
	binary?: IBinaryKeyData;
	/** The files that could not be downloaded, each with the reason. */
	missing?: IDataObject[];
}

/**
 * The fields of a notification that a workflow needs, those that the next node asks for first. Addresses and the
 * names of binary fields are texts that a mail node accepts as they are. All events of a type have the same
 * fields, so a workflow that was built with one event also works with the next.
 * @returns For the four events without a documented body, and for one that comes without its Document: the whole body
 * without the personal fields that nobody included, with `event` and `eventId`, and what an identity event says of its
 * request.
 */
export function simplifyNotification(
	{ event, id, body, document, isDocumented, ...notification }: Notification,
	{ include = [], own, binary = {}, missing = [] }: Extras = {},
): IDataObject {
	if (!document || !isDocumented) {
		const shown = withoutPersonal(body, personalFields(include)) as IDataObject;
		const { validationIds, passed } = notification;
		const [validationId = null] = validationIds.length === 1 ? validationIds : [];
		const verdict = event === identityEvent ? { passed, validationId } : {};
		const ours: IDataObject = { event, ...verdict, eventId: id };
		// If the body has another value by one of these names, it is in the output as a whole, too.
		const isHidden = Object.keys(ours).some((name) => name in shown && shown[name] !== ours[name]);
		const received = isHidden ? { received: shown } : {};
		return { ...ours, ...document?.summary, ...shown, ...received, ...ours };
	}
	const { source, summary } = document;
	const { signatory, files, sentAt } = notification;
	const unknownPerson = { email: null, name: null, role: null };
	const [signer = ''] = namesOf(
		objectOf(event === 'signDocument' && objectOf(source.webhookData).signatory),
	);
	// Who has just signed has signed, also if the list is from before.
	const entries = signatoryEntries(source.signatory).map((entry) =>
		namesOf(entry).includes(signer) ? { ...entry, isSigned: 1 } : entry,
	);
	const signedAt = signingTimes(source);
	const known = outputOfDocument(
		{ ...source, signatory: entries },
		{ documentId: summary.documentId, ...own },
	);
	const signatories = entries.map((entry, index) => ({
		...unknownPerson,
		...known.signatories[index],
		signedAt: signedAt(entry),
		...includedFields(entry, 'ofSignatory', include),
	}));
	const unsigned = signatories.filter(({ signed }) => !signed);
	const ends = entries.flatMap((entry) => (isTrue(entry.isSigned) ? [] : (expiryOf(entry) ?? [])));
	const [firstEnd] = ends.sort((left, right) => left - right);
	const {
		documentId = null,
		title = null,
		status = null,
		templateId = null,
		country = null,
	} = known;
	return {
		event,
		documentId,
		title,
		status,
		...(event === 'completedDocument'
			? {}
			: { signatory: withRole({ ...unknownPerson, ...signatory }, own?.roles) }),
		signatories,
		signatoryEmails: emailsOf(signatories),
		notSignedCount: unsigned.length,
		notSignedEmails: emailsOf(unsigned),
		linksExpireAt: isoTime(firstEnd) ?? null,
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
		templateId,
		country,
		happenedAt: sentAt ?? null,
		eventId: id,
		...includedFields(source, 'ofDocument', include),
	};
}

/** What the choices add to a document or a signatory, as far as it has a value. */
function includedFields(from: IDataObject, of: 'ofDocument' | 'ofSignatory', include: unknown[]) {
	const hasValue = (name: string) => ![from[name]].flat().every(isEmpty);
	const names = personal.flatMap((choice) => (include.includes(choice.value) ? choice[of] : []));
	return Object.fromEntries(names.filter(hasValue).map((name) => [name, from[name]]));
}

/** What is not one address is left out: a mail node would send to each of several. */
function emailsOf(people: Person[]): string {
	const emails = people.map(({ email }) => textOf(email).trim());
	return emails.filter((email) => /^[^\s,;<>@]+@[^\s,;<>@]+$/.test(email)).join(', ');
}

/** The names of all fields that a choice of "Include" adds. */
const choosableFields = new Set(
	personal.flatMap(({ ofDocument, ofSignatory }) => [...ofDocument, ...ofSignatory]).map(fieldName),
);

/** The names of all personal fields that nobody has included. */
function personalFields(include: unknown[]): Set<string> {
	const left = personal.filter(({ value }) => !include.includes(value));
	const choices = left.flatMap(({ ofDocument, ofSignatory }) => [...ofDocument, ...ofSignatory]);
	return new Set([...privateFields, ...choices].map(fieldName));
}

/** A value without the fields of these names. What was included is whole: its own fields were asked for with it. */
function withoutPersonal(value: unknown, names: Set<string>): unknown {
	if (Array.isArray(value)) return value.map((inner) => withoutPersonal(inner, names));
	if (!isObject(value)) return value;
	const shown = Object.entries(value).filter(([name]) => !names.has(fieldName(name)));
	return Object.fromEntries(
		shown.map(([name, inner]) => {
			const isIncluded = choosableFields.has(fieldName(name));
			return [name, isIncluded ? inner : withoutPersonal(inner, names)];
		}),
	);
}
