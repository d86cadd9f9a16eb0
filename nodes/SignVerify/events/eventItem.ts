import type {
	IDataObject,
	INodeExecutionData,
	INodeProperties,
	IWebhookFunctions,
} from 'n8n-workflow';

import { type Role, timesOf, unknownDocument } from '../api/documents';
import { isIdentityEvent } from '../api/events';
import type { DocumentFile, Notification } from '../api/notification';
import { allFiles, attachmentFieldsOf, checksumField, urlField } from '../files/fileChoice';
import type { Output } from '../form/outputChoice';
import { readList, type SavedForm } from '../form/savedForm';
import { readChoice } from '../form/valueReaders';
import { quoted } from '../util/redact';
import { textOf } from '../util/values';
import { downloadFiles, type EventFiles } from './eventFiles';
import { maxListedPeople, peopleFacts } from './eventPeople';
import { logOncePerMinute } from './logOncePerMinute';
import { choicesIn, fieldsOf, personalChoices, textOrNull } from './personalData';
import type { EventClaim } from './eventClaims';

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
	notification: Notification,
	{ include = [], knownDocument, binary = {}, checksums = {}, missing = [] }: Extras,
): IDataObject {
	const { document, entries } = notification;
	const source = document?.source ?? {};
	const { documentId, title, status, ...laterFields } = {
		...unknownDocument,
		...document?.summary,
		...(knownDocument ? { country: knownDocument.country } : {}),
		...timesOf(source),
	};
	const choices = choicesIn(include);
	return {
		documentId,
		title,
		status,
		...peopleFacts(notification, choices, knownDocument?.roles),
		...linksOf(notification.files, checksums),
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
