import type { IDataObject } from 'n8n-workflow';

import { expiryOf } from '../api/documents';
import { cutText } from '../util/text';
import { isoTime } from '../util/times';
import { firstText, groupBy, isEmpty, isObject, listOf, objectOf, textOf } from '../util/values';

/** A kind of personal data that the output contains only if the user selects it under "Include". */
export interface PersonalChoice {
	name: string;
	value: string;
	description: string;
	ofDocument?: (source: IDataObject, entries: IDataObject[]) => IDataObject;
	/** @param signature The log's entry for the signatory's signature, or an empty object. */
	ofSignatory?: (entry: IDataObject, signature: IDataObject) => IDataObject;
}

/** The choices under "Include". The output has each choice's fields even if the service sent no such data. */
export const personalChoices: PersonalChoice[] = [
	{
		name: 'History',
		value: 'history',
		description: 'Who did what, when, and from which IP address',
		ofDocument: ({ logsStatus }, entries) => historyOf(logsStatus, entries),
		ofSignatory: (_, { sourceIP }) => ({ ip: ipOf(sourceIP) }),
	},
	{
		name: 'Signing Links',
		value: 'signingLinks',
		description:
			"Each signatory's link, and when it expires. Anyone who has the link can sign as that person.",
		ofSignatory: (entry) => ({
			signingLink: textOrNull(objectOf(entry.signing).url),
			expiresAt: isoTime(expiryOf(entry)) ?? null,
		}),
	},
];

/** How many entries of a document's history an output lists. */
const maxHistoryEntries = 1000;

/** The texts of one person can be shown with each of {@link maxHistoryEntries} entries, so they're cut to this length. */
const maxEntryTextLength = 1000;

const shared = (text: string | null) => text && cutText(text, maxEntryTextLength);

/**
 * Returns the beginning of a document's log, in the service's order (docs/dev/service.md#logentry), without entries that
 * contain nothing, and how many entries were left out.
 */
function historyOf(log: unknown, entries: IDataObject[]): IDataObject {
	const signerOf = signersIn(entries);
	const history = listOf(log)
		.filter(isObject)
		.map((entry) => ({
			what: textOrNull(entry.operationType),
			...(signerOf(entry) ?? whoDid(entry)),
			at: isoTime(entry.addedOn) ?? null,
			ip: ipOf(entry.sourceIP),
		}))
		.filter((entry) => !Object.values(entry).every(isEmpty));
	const shown = history.slice(0, maxHistoryEntries);
	return { history: shown, historyLeftOut: history.length - shown.length };
}

type LoggedPerson = { who: string | null; email: string | null };

function whoDid({ operationBy }: IDataObject): LoggedPerson {
	const { name, emailID } = objectOf(operationBy);
	return { who: textOrNull(name), email: textOrNull(emailID) };
}

/**
 * Returns a function that finds who signed if a log entry names the person only by an ID. In other entries, such as
 * SENT_FOR_SIGNATURE, the ID belongs to the person whom something was done for.
 */
function signersIn(entries: IDataObject[]): (entry: IDataObject) => LoggedPerson | undefined {
	const [bySignatoryId, byOwnId] = ['signatoryID', '_id'].map((name) =>
		groupBy(entries, (entry) => textOf(entry[name]) || undefined),
	);
	return (entry) => {
		const { who, email } = whoDid(entry);
		if (entry.operationType !== 'SIGNED' || who?.trim() || email?.trim()) return undefined;
		const id = textOf(objectOf(entry.operationData).signatoryID);
		const [person, other] = bySignatoryId?.get(id) ?? byOwnId?.get(id) ?? [];
		// An ID that several people share names none of them.
		if (!person || other) return undefined;
		return { who: shared(textOrNull(person.name)), email: shared(textOrNull(person.emailID)) };
	};
}

/** Reads an IP address without the port that can follow it: `192.0.2.1:443`, or `[2001:db8::1]:443`. */
function ipOf(sourceIP: unknown): string | null {
	const address = textOf(sourceIP);
	const [, inBrackets, ip4] = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d+)?$/.exec(address.trim()) ?? [];
	return textOrNull(inBrackets ?? ip4 ?? address);
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

export function textOrNull(value: unknown): string | null {
	return firstText(value) ?? null;
}
