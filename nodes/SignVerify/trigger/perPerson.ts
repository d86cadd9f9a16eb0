import type { GenericValue, IDataObject, INodeExecutionData, INodeProperties } from 'n8n-workflow';

import {
	identifiersOf,
	namesOf,
	readPerson,
	readSignatory,
	samePersonAs,
	sentTimes,
	signatureEntries,
} from '../api/documents';
import { eventRow } from '../api/events';
import type { Notification } from '../api/notification';
import type { OutputChoice } from '../events/eventItem';
import { listedPeople } from '../events/eventPeople';
import { choicesIn, fieldsOf } from '../events/personalData';
import { allFiles, checksumField } from '../files/fileChoice';
import { isAddress } from '../text/addresses';
import { comparedEmail } from '../util/comparedEmail';
import { cutText } from '../util/text';
import { isoTime, readTime } from '../util/times';
import { textOf } from '../util/values';

export const perPersonOption: INodeProperties = {
	displayName: 'One Item per Person',
	name: 'oneItemPerPerson',
	type: 'boolean',
	displayOptions: { hide: { output: ['raw'] } },
	default: true,
	description:
		"Whether to output an item for each signatory, ready for a row in a table. What the event doesn't contain is left out.",
	builderHint: {
		propertyHint:
			'For a register of documents: follow with a Data Table node that upserts by rowId and maps automatically.',
	},
};

/** Everyone's item repeats the document's texts, so a long text must not count a thousand times. */
const maxRepeatedTextLength = 1000;

/** The names in `people` are a part of a line in a list. */
const maxPeopleLength = 200;

/**
 * Splits the item for an event about a document into one for each person. These items become rows of a table, and
 * events arrive twice, late, or in another order. What the event doesn't know is therefore left out, because it would
 * overwrite what an earlier event knew, and `signed` is never false, because the event may be older than the person's
 * signature. A late event can only change what each event contains: the title, the people's names and addresses, and,
 * if there is no history, `sentAt`.
 * @param item The item that {@link toItem} made for the event.
 */
export function itemsPerPerson(
	notification: Notification,
	item: INodeExecutionData,
	{ files, include = [] }: OutputChoice,
): INodeExecutionData[] {
	const fileNames = [
		...allFiles.map(checksumField),
		...(files.length > 0 ? ['attachmentFields', 'missingFiles'] : []),
	];
	const fileFields: IDataObject = {};
	for (const name of fileNames) if (name in item.json) fileFields[name] = item.json[name];
	return factsOfPeople(notification, include).map((facts) => ({
		json: { ...facts, ...fileFields },
		...(item.binary ? { binary: { ...item.binary } } : {}),
	}));
}

function factsOfPeople(notification: Notification, include: string[]): IDataObject[] {
	const { event, id, document, signatory, signatoryEntry, entries } = notification;
	const { documentId, title } = document?.summary ?? {};
	const source = document?.source ?? {};
	const row = eventRow(event);
	const isCompleted = row?.means === 'completed' && document?.state === 'completed';
	const happenedAt = timeOf(notification.happenedAt);
	const sentTo = sentTimes(source, entries);
	const signatureOf = signatureEntries(source);
	const choices = choicesIn(include);
	// Without an ID, nothing shows which events are about the same document, so each event has rows of its own.
	const documentPart = sharedText(documentId).trim() || id;
	const factsOf = (entry: IDataObject): IDataObject => {
		const { email, name, signed } = readSignatory(entry);
		const address = comparedEmail(email);
		const personPart = identifiersOf(entry)[0] ?? textOf(name).trim();
		const signature = signatureOf(entry);
		const action = entry === (signatoryEntry ?? signatory) ? row?.signatory : undefined;
		const signedAt = timeOf(signature.addedOn) ?? (action === 'signed' ? happenedAt : undefined);
		const { ip, signingLink } = fieldsOf(choices, ({ ofSignatory }) =>
			ofSignatory?.(entry, signature),
		);
		const facts = {
			event,
			rowId: personPart ? `${documentPart}/${personPart}` : documentPart,
			documentId: sharedText(documentId),
			email: isAddress(address) ? address : undefined,
			name,
			title: sharedText(title),
			people: names,
			sentAt: timeOf(sentTo(entry)) ?? (action === 'received' ? happenedAt : undefined),
			signed: signed || signedAt !== undefined || undefined,
			signedAt,
			completedAt: isCompleted ? happenedAt : undefined,
			ip,
			// Before everyone has signed, this could be the checksum of the unsigned document.
			documentHash: isCompleted ? sharedText(source.documentHash) : undefined,
			signingLink,
		};
		const isKnown = ([, value]: [string, unknown]) => textOf(value).trim() !== '';
		return Object.fromEntries<GenericValue>(Object.entries(facts).filter(isKnown));
	};
	const isListed =
		!signatory || signatoryEntry !== undefined || entries.some(samePersonAs(signatory));
	const people = [...entries, ...(isListed ? [] : [signatory])];
	const { named, listed } = listedPeople(people, signatoryEntry ?? signatory);
	const names = namesOf(named.map(readPerson), maxPeopleLength);
	return (listed.length > 0 ? listed : [{}]).map(factsOf);
}

const sharedText = (value: unknown) => cutText(textOf(value), maxRepeatedTextLength);

/** Returns a time in ISO 8601 format; undefined for any other text, which a table's column for a time refuses. */
function timeOf(value: unknown): string | undefined {
	const time = isoTime(value);
	return readTime(time) === undefined ? undefined : time;
}
