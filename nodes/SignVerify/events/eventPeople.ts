import type { IDataObject } from 'n8n-workflow';

import {
	expiryOf,
	type Person,
	readSignatory,
	type Role,
	signatureEntries,
	withRole,
} from '../api/documents';
import type { Notification } from '../api/notification';
import { isoTime } from '../util/times';
import { isEmpty, isFalse, isTrue, textOf } from '../util/values';
import { fieldsOf, type PersonalChoice, textOrNull } from './personalData';

/**
 * Returns the fields about the people of an event's document.
 * @param roles Each person's role, if the caller knows the roles.
 */
export function peopleFacts(
	{ document, entries, signatory, signatoryEntry }: Notification,
	choices: PersonalChoice[],
	roles?: Role[],
): IDataObject {
	const signatureOf = signatureEntries(document?.source ?? {});
	const personOf = (entry: IDataObject) => {
		const { email = null, name = null, signed } = readSignatory(entry);
		const { isInvalidSignature, invalidSignatureReason, identitySessionId } = entry;
		const isKnown = isTrue(isInvalidSignature) || isFalse(isInvalidSignature);
		const person = {
			email,
			name,
			signed,
			...(roles ? { role: null } : {}),
			signedAt: isoTime(signatureOf(entry).addedOn) ?? null,
			invalid: isKnown ? isTrue(isInvalidSignature) : null,
			invalidReason: textOrNull(invalidSignatureReason),
			validationId: textOrNull(identitySessionId),
			...fieldsOf(choices, ({ ofSignatory }) => ofSignatory?.(entry, signatureOf(entry))),
		};
		return withRole(person, roles);
	};
	const { listed, leftOut } = listedPeople(entries, signatoryEntry);
	const signatories = listed.map(personOf);
	const emptyPerson = Object.fromEntries(Object.keys(personOf({})).map((name) => [name, null]));
	// Without an entry in the document's list, nothing says whether this person has signed.
	const isUnknown = isEmpty(signatory?.isSigned) ? { signed: null } : {};
	const unsigned = entries.filter(({ isSigned }) => !isTrue(isSigned));
	const [firstExpiry] = unsigned
		.flatMap((entry) => expiryOf(entry) ?? [])
		.sort((left, right) => left - right);
	return {
		signatory: signatory ? { ...personOf(signatory), ...isUnknown } : emptyPerson,
		signatories,
		signatoriesLeftOut: leftOut,
		signatoryEmails: emailsOf(signatories),
		notSignedCount: unsigned.length,
		notSignedEmails: emailsOf(signatories.filter(({ signed }) => !signed)),
		linksExpireAt: isoTime(firstExpiry) ?? null,
	};
}

/** How many of a document's people an output lists. Everything that decides something considers all of them. */
export const maxListedPeople = 1000;

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

/**
 * Joins people's email addresses into a single string for an email node. Leaves out any value that isn't
 * exactly one address, because an email node would send to every address in it.
 */
function emailsOf(people: Person[]): string {
	const emails = people.map(({ email }) => textOf(email).trim());
	return emails.filter((email) => /^[^\s,;<>@]+@[^\s,;<>@]+$/.test(email)).join(', ');
}
