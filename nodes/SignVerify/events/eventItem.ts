import type {
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
import type { DocumentFile, Notification } from '../api/notification';
import { allFiles, attachmentFieldsOf, checksumField, urlField } from '../files/fileChoice';
import type { Output } from '../form/outputChoice';
import { readList, type SavedForm } from '../form/savedForm';
import { readChoice } from '../form/valueReaders';
import { quoted } from '../util/redact';
import { isoTime } from '../util/times';
import { isEmpty, isFalse, isTrue, textOf } from '../util/values';
import { downloadFiles, type EventFiles } from './eventFiles';
import { type PersonalChoice, personalChoices, textOrNull } from './personalData';
import { logOncePerMinute } from './logOncePerMinute';
import type { EventClaim } from './repeats';

export const includeOption: INodeProperties = {
	displayName: 'Include',
	name: 'include',
	type: 'multiOptions',
	options: personalChoices.map(({ name, value, description }) => ({ name, value, description })),
	displayOptions: { hide: { output: ['raw'] } },
	default: [],
	description:
		'Personal data to add to the output. n8n stores it with the execution, where everyone with access can see it.',
};

/** @throws InputError for a choice that is not in the list, or an expression that returns nothing. */
export function readInclude(form: SavedForm): string[] {
	const { name, displayName } = includeOption;
	return readList(
		form,
		{ name: `options.${name}`, label: displayName },
		(choice) => readChoice(choice, displayName, personalChoices).value,
	);
}

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

/** @param claim See {@link downloadFiles}. */
export async function toItem(
	context: IWebhookFunctions,
	notification: Notification,
	{ output, files, include, knownDocument }: OutputChoice,
	claim?: EventClaim,
): Promise<INodeExecutionData> {
	const downloads = await downloadFiles(context, notification, files, claim);
	const { binary, missing } = downloads;
	const json =
		output === 'raw'
			? notification.body
			: simplifyNotification(notification, { include, knownDocument, ...downloads });
	const leftOut = output === 'raw' ? 0 : Number(json.signatoriesLeftOut ?? 0);
	if (leftOut > 0) {
		const line = `SignVerify lists only ${maxListedPeople} people of the document ${quoted(textOf(json.documentId))}, and leaves out ${leftOut}.`;
		logOncePerMinute(context, 'warn', line);
	}
	const missingFiles = missing.length > 0 ? { missingFiles: missing } : {};
	return { json: { ...json, ...missingFiles }, ...(files.length > 0 ? { binary } : {}) };
}

interface Extras extends Partial<EventFiles> {
	include?: string[] | undefined;
	knownDocument?: KnownDocument | undefined;
}

/**
 * All events about a document have the same fields, and so have all events about an identity, so a workflow built
 * with one event works with the next one too. The fields that the next node most likely needs come first. What else
 * the body contains is only in raw output.
 */
export function simplifyNotification(notification: Notification, extras: Extras = {}): IDataObject {
	const { event, id, happenedAt = null, verified } = notification;
	const facts = isIdentityEvent(event) ? verified : documentFacts(notification, extras);
	return { event, ...facts, happenedAt, eventId: id };
}

/**
 * Returns the fields about a document. Email addresses and binary field names are joined into strings that
 * can be passed directly to an email node. A document's other fields are only in raw output.
 */
function documentFacts(
	{ document, entries, signatory, signatoryEntry, files }: Notification,
	{ include = [], knownDocument, binary = {}, checksums = {}, missing = [] }: Extras,
): IDataObject {
	const source = document?.source ?? {};
	const { documentId, title, status, ...laterFields } = {
		...unknownDocument,
		...document?.summary,
		...(knownDocument ? { country: knownDocument.country } : {}),
		...timesOf(source),
	};
	const choices = choicesIn(include);
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
	const { listed, leftOut } = listedPeople(entries, signatoryEntry);
	const signatories = listed.map(personOf);
	const emptyPerson = Object.fromEntries(Object.keys(personOf({})).map((name) => [name, null]));
	// Without an entry in the document's list, nothing says whether this person has signed.
	const isUnknown = isEmpty(signatory?.isSigned) ? { signed: null } : {};
	const unsigned = signatories.filter(({ signed }) => !signed);
	const notSignedCount = entries.filter(({ isSigned }) => !isTrue(isSigned)).length;
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
		signatoriesLeftOut: leftOut,
		signatoryEmails: emailsOf(signatories),
		notSignedCount,
		notSignedEmails: emailsOf(unsigned),
		linksExpireAt: isoTime(firstExpiry) ?? null,
		...linksOf(files, checksums),
		attachmentFields: attachmentFieldsOf(binary),
		missingFiles: missing,
		sentBy: document?.sentBy || null,
		...laterFields,
		documentHash: textOrNull(source.documentHash),
		nomHash: textOrNull(source.nomHash),
		...fieldsOf(choices, ({ ofDocument }) => ofDocument?.(source, entries)),
	};
}

function linksOf(files: Notification['files'], checksums: EventFiles['checksums']): IDataObject {
	const ofFile = (file: DocumentFile): IDataObject => ({
		[urlField(file)]: files[file],
		...(checksums[file] ? { [checksumField(file)]: checksums[file] } : {}),
	});
	return allFiles.map(ofFile).reduce((all, fields) => ({ ...all, ...fields }));
}

/** How many of a document's people an output lists. Everything that decides something considers all of them. */
const maxListedPeople = 1000;

/**
 * Returns the people in these entries whom an output lists. An entry that names no one isn't listed, because an output
 * for each of many empty entries would be a hundred times their size.
 * @param about The person that the event is about, whose entry is always among them if there is one.
 * @returns `leftOut` is how many others there are.
 */
export function listedPeople(entries: IDataObject[], about: IDataObject | undefined) {
	const named = entries.filter(isNamed);
	const listed = named.slice(0, maxListedPeople);
	const leftOut = named.length - listed.length;
	if (about && named.includes(about) && !listed.includes(about)) listed.splice(-1, 1, about);
	return { named, listed, leftOut };
}

function isNamed({ signatoryID, _id, emailID, name }: IDataObject): boolean {
	return [signatoryID, _id, emailID, name].some((value) => textOf(value).trim() !== '');
}

export function choicesIn(include: string[]): PersonalChoice[] {
	return personalChoices.filter(({ value }) => include.includes(value));
}

export function fieldsOf(
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
