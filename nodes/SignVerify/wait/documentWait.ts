import { isInvalid, namesOf, readPerson } from '../api/documents';
import {
	type DocumentFile,
	isAboutDocument,
	type Notification,
	type NotifiedDocument,
} from '../api/notification';
import { outcomeFields, type WaitOutcome } from '../item/outcome';
import { type KnownDocument, toItem } from '../events/eventItem';
import { notCompleted, statusForLog } from '../events/eventRequest';
import { isFileList } from '../files/fileChoice';
import { type Output, outputs } from '../form/outputChoice';
import { isObject, isTrue, objectOf } from '../util/values';
import { somethingElse, type WaitKind } from './waitKinds';

export interface DocumentTarget {
	about: 'document';
	documentId: string;
	output: Output;
	files: DocumentFile[];
	knownDocument: KnownDocument;
}

/** The outcome with which each state of a document ends a wait. */
const waitOutcomes: Record<Exclude<NotifiedDocument['state'], 'open'>, WaitOutcome> = {
	completed: 'completed',
	disputed: 'ended',
	canceled: 'ended',
};

export const documentWait: WaitKind<DocumentTarget> = {
	isTarget({ documentId, output, files, knownDocument }) {
		const isId = typeof documentId === 'string' && documentId !== '';
		const isOutput = outputs.some(({ value }) => value === output);
		return isId && isOutput && isFileList(files) && isKnownDocument(knownDocument);
	},

	async decide(target, { context, notification, testRecipient }) {
		const { document } = notification;
		if (!document || !isAboutDocument(document, target.documentId)) return somethingElse;
		const { state } = document;
		if (state === 'open') {
			const hint = await statusForLog(context, document);
			return { endsWait: false, response: notCompleted, hint };
		}
		const wait = waitOutcomes[state];
		const withoutSignature = state === 'completed' ? withoutSignatureIn(notification) : undefined;
		const fields = outcomeFields({ about: target.about, wait, withoutSignature, testRecipient });
		const createItem = async () => {
			const item = await toItem(context, notification, target);
			return { ...item, json: { ...item.json, ...fields } };
		};
		return await Promise.resolve({ endsWait: true, createItem });
	},
};

/** A note quotes no more than 80 characters. */
const maxNotedNamesLength = 60;

/** Names the people whose valid signature an event doesn't report; undefined if there are none. */
function withoutSignatureIn({ entries }: Notification): string | undefined {
	const people = entries.filter((entry) => !isTrue(entry.isSigned) || isInvalid(entry));
	if (people.length === 0) return undefined;
	return namesOf(people.map(readPerson), maxNotedNamesLength) || 'someone';
}

function isKnownDocument(value: unknown): value is KnownDocument {
	const { country, roles } = objectOf(value);
	const areRoles =
		Array.isArray(roles) &&
		roles.every(
			(entry) =>
				isObject(entry) && typeof entry.email === 'string' && typeof entry.role === 'string',
		);
	return areRoles && typeof country === 'string';
}
