import type {
	IBinaryKeyData,
	IDataObject,
	INodeExecutionData,
	INodeProperties,
	IWebhookFunctions,
} from 'n8n-workflow';

import {
	expiryOf,
	type Person,
	readSignatory,
	type Role,
	signatureEntries,
	timesOf,
	unknownDocument,
	withRole,
} from '../api/documents';
import { isIdentityEvent } from '../api/events';
import { type DocumentFile, emailNames, type Notification } from '../api/notification';
import { type Output, readChoice } from '../input/parameters';
import { readList, type SavedForm } from '../input/savedForm';
import { isEmpty, isFalse, isObject, isoTime, isTrue, textOf } from '../util/values';
import { downloadFiles } from './files';
import { type PersonalChoice, personalChoices, textOrNull } from './personalData';

export const rawEvent =
	'Exactly what your provider sent, including signing links, passwords, and personal data';

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
	...['password', 'verificationCode', 'phone', 'sourceIP'],
	...['photo', 'signature', 'signatureArray', 'attachment', 'attachmentUrl', 'documentImage'],
	...['biometric', 'score', 'idValidation', 'liveness', 'faceRecognition', 'ocr'],
	...['address', 'addressFields', 'exteriorNumber', 'interiorNumber', 'gender', 'nationality'],
	...['birthDate', 'birthPlace', 'curp', 'claveDeElector', 'numeroEmisionCredencial', 'cic'],
	...['documentNumber', 'documentNumberCheckDigit', 'dateOfBirthCheckDigit'],
	...['expirationDateCheckDigit'],
];

/** Normalizes a field name for comparison, because services differ in case and separators. */
const comparedName = (name: string) => name.replace(/[_-]/g, '').toLowerCase();

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
	country: string;
	roles: Role[];
}

/**
 * Creates the item that the trigger or a waiting node outputs for an event.
 * @param earlierFiles See {@link downloadFiles}.
 */
export async function toItem(
	context: IWebhookFunctions,
	notification: Notification,
	{ output, files, include, knownDocument }: OutputChoice,
	earlierFiles?: readonly string[],
): Promise<INodeExecutionData> {
	const { binary, missing } = await downloadFiles(context, notification, files, earlierFiles);
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
 * needs are listed first. All events about a document have the same fields, and so have all events about an
 * identity, so a workflow built with one event works with the next one too. What else the body contains is
 * under `received`.
 */
export function simplifyNotification(notification: Notification, extras: Extras = {}): IDataObject {
	const { event, id, happenedAt = null, verified } = notification;
	const facts = isIdentityEvent(event) ? verified : documentFields(notification, extras);
	const received = receivedIn(notification, extras.include);
	return { event, ...facts, happenedAt, eventId: id, received };
}

/**
 * Returns the fields about a document. Email addresses and binary field names are joined into strings that
 * can be passed directly to an email node. A document's other fields are only in raw output.
 */
function documentFields(
	{ document, entries, signatory, files }: Notification,
	{ include = [], knownDocument, binary = {}, missing = [] }: Extras,
): IDataObject {
	const source = document?.source ?? {};
	const { documentId, title, status, ...laterFields } = {
		...unknownDocument,
		...document?.summary,
		...(knownDocument ? { country: knownDocument.country } : {}),
		...timesOf(source),
	};
	const choices = personalChoices.filter(({ value }) => include.includes(value));
	const signatureOf = signatureEntries(source);
	const personOf = (entry: IDataObject) => {
		const { email = null, name = null, signed } = readSignatory(entry);
		const { isInvalidSignature, invalidSignatureReason, identitySessionId } = entry;
		const isKnown = isTrue(isInvalidSignature) || isFalse(isInvalidSignature);
		const person = {
			email,
			name,
			signed,
			...(knownDocument ? { role: null } : {}),
			signedAt: isoTime(signatureOf(entry).addedOn) ?? null,
			invalid: isKnown ? isTrue(isInvalidSignature) : null,
			invalidReason: textOrNull(invalidSignatureReason),
			validationId: textOrNull(identitySessionId),
			...fieldsOf(choices, ({ ofSignatory }) => ofSignatory?.(entry, signatureOf(entry))),
		};
		return withRole(person, knownDocument?.roles);
	};
	const signatories = entries.map(personOf);
	const emptyPerson = Object.fromEntries(Object.keys(personOf({})).map((name) => [name, null]));
	// Without an entry in the document's list, nothing says whether this person has signed.
	const isUnknown = isEmpty(signatory?.isSigned) ? { signed: null } : {};
	const unsigned = signatories.filter(({ signed }) => !signed);
	const expiries = entries.flatMap((entry) =>
		isTrue(entry.isSigned) ? [] : (expiryOf(entry) ?? []),
	);
	const [firstExpiry] = expiries.sort((left, right) => left - right);
	return {
		documentId,
		title,
		status,
		signatory: signatory ? { ...personOf(signatory), ...isUnknown } : emptyPerson,
		signatories,
		signatoryEmails: emailsOf(signatories),
		notSignedCount: unsigned.length,
		notSignedEmails: emailsOf(unsigned),
		linksExpireAt: isoTime(firstExpiry) ?? null,
		documentUrl: files.document,
		certificateUrl: files.certificate,
		pscCertificateUrl: files.pscCertificate,
		attachmentFields: Object.keys(binary).join(','),
		missingFiles: missing,
		sentBy: document?.sentBy || null,
		...laterFields,
		documentHash: textOrNull(source.documentHash),
		...fieldsOf(choices, ({ ofDocument }) => ofDocument?.(source, entries)),
	};
}

/** Returns the fields that the choices in "Include" add. */
function fieldsOf(
	choices: PersonalChoice[],
	fields: (choice: PersonalChoice) => IDataObject | undefined,
): IDataObject {
	return Object.fromEntries(choices.flatMap((choice) => Object.entries(fields(choice) ?? {})));
}

/**
 * Joins people's email addresses into a single string for an email node. Leaves out any value that isn't
 * exactly one address, because an email node would send to every address in it.
 */
function emailsOf(people: Person[]): string {
	const emails = people.map(({ email }) => textOf(email).trim());
	return emails.filter((email) => /^[^\s,;<>@]+@[^\s,;<>@]+$/.test(email)).join(', ');
}

/**
 * Returns what the body contains apart from what other fields of the output show, without personal data that
 * the user hasn't included; null if nothing is left.
 */
function receivedIn(
	{ event, body, document, happenedAt, verified }: Notification,
	include: string[] = [],
): IDataObject | null {
	const { validationId, email, ...others } = verified;
	const ids = { validationId, sessionId: validationId };
	const emails = Object.fromEntries(emailNames.map((name) => [name, email]));
	/** The values that other fields of the output show, by the service's name. */
	const shown: IDataObject = {
		type: event,
		addedOn: happenedAt === undefined ? null : body.addedOn,
		...(isIdentityEvent(event)
			? { ...others, ...ids, ...emails }
			: { Document: document?.source ?? null }),
	};
	const rest = Object.entries(body).filter(
		([name, value]) => !Object.hasOwn(shown, name) || !(isEmpty(value) || value === shown[name]),
	);
	const received = withoutPersonal(Object.fromEntries(rest), personalFields(include));
	return isObject(received) && Object.keys(received).length > 0 ? received : null;
}

/** The names of all fields that a choice in "Include" adds. */
const choosableFields = new Set(
	personalChoices.flatMap(({ received }) => received).map(comparedName),
);

/** Returns the names of all personal fields except those that the user has included. */
function personalFields(include: string[]): Set<string> {
	const otherChoices = personalChoices.filter(({ value }) => !include.includes(value));
	const otherFields = otherChoices.flatMap(({ received }) => received);
	return new Set([...privateFields, ...otherFields].map(comparedName));
}

/**
 * Removes the named fields from a value, at any depth. A field that the user has included is kept unchanged.
 * @returns undefined if the value contained nothing but such fields.
 */
function withoutPersonal(value: unknown, names: Set<string>): unknown {
	if (Array.isArray(value)) {
		const shown = value
			.map((inner) => withoutPersonal(inner, names))
			.filter((inner) => inner !== undefined);
		return shown.length > 0 || value.length === 0 ? shown : undefined;
	}
	if (!isObject(value)) return value;
	const entries = Object.entries(value);
	const shown = entries
		.filter(([name]) => !names.has(comparedName(name)))
		.map(([name, inner]) => {
			const isIncluded = choosableFields.has(comparedName(name));
			return [name, isIncluded ? inner : withoutPersonal(inner, names)] as const;
		})
		.filter(([, inner]) => inner !== undefined);
	return shown.length > 0 || entries.length === 0 ? Object.fromEntries(shown) : undefined;
}
