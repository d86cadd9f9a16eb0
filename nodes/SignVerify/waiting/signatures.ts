import type { IDataObject } from 'n8n-workflow';

import { isSignatory, isSigned } from '../reading/signatory';
import { isObject } from '../transport/envelope';
import { textOf } from '../transport/text';

/** What an event says about who has signed a document. */
export interface Signatures {
	/** Who has signed, but was not known to have. */
	news: IDataObject[];
	/** E-mails (lower case) of all who have signed. */
	signed: string[];
	/** Whether everybody has. */
	all: boolean;
}

/**
 * Reads the signatures from the document that an event carries whole. So an event that was missed
 * is made up for by the next one.
 * @param known E-mails (lower case) of those known to have signed; where that is absent, only the
 * one whom the event names is news.
 */
export function signaturesOf(body: IDataObject, known: string[] | undefined): Signatures {
	const document = isObject(body.Document) ? body.Document : {};
	const data = isObject(document.webhookData) ? document.webhookData : {};
	const named = isObject(data.signatory) ? data.signatory : undefined;
	const list = Array.isArray(document.signatory) ? (document.signatory as unknown[]) : [];
	const people = list.filter(isSignatory);
	// Whether the one who just signed counts as signed in the list is not said.
	const hasSigned = (each: IDataObject) =>
		isSigned(each) || (named !== undefined && emailOf(each) === emailOf(named));
	const before = new Set(known);
	const signers = people.filter(hasSigned);
	const news = known
		? withNamed(signers, named).filter((each) => !before.has(emailOf(each)))
		: withNamed([], named);
	return {
		news: news.map(({ emailID, name }) => ({
			email: emailID,
			...(name === undefined ? {} : { name }),
		})),
		signed: [...new Set([...before, ...withNamed(signers, named).map(emailOf)])],
		all: people.length > 0 && signers.length === people.length,
	};
}

function withNamed(people: IDataObject[], named: IDataObject | undefined): IDataObject[] {
	if (!named || people.some((each) => emailOf(each) === emailOf(named))) return people;
	return [...people, named];
}

function emailOf({ emailID }: IDataObject): string {
	return textOf(emailID).toLowerCase();
}
