import type { GenericValue, IDataObject } from 'n8n-workflow';

import { expiryOf, readPerson } from '../api/documents';
import {
	cutText,
	firstText,
	groupBy,
	isEmpty,
	isObject,
	isoTime,
	listOf,
	objectOf,
	textOf,
} from '../util/values';

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
		name: 'Answers',
		value: 'answers',
		description: 'What the signatories filled in',
		ofDocument: (source, entries) => listed('answers', answersOf(source, entries)),
	},
	{
		name: 'History',
		value: 'history',
		description: 'Who did what, when, and from which IP address',
		ofDocument: ({ logsStatus }, entries) => listed('history', historyOf(logsStatus, entries)),
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

/** For answers, and for the history. */
const maxListed = 1000;

/** Texts of one entry can be shown with each of {@link maxListed} others, so they're cut to this length. */
const maxSharedLength = 1000;

/** Returns the beginning of a list, and in a second field how many entries were left out. */
function listed(name: string, entries: IDataObject[]): IDataObject {
	const shown = entries.slice(0, maxListed);
	return { [name]: shown, [`${name}LeftOut`]: entries.length - shown.length };
}

/** A signatory's answer; `question` is null if the service doesn't say what was asked. */
type FilledAnswer = { question: string | null; answer: unknown };

/**
 * Returns what the signatories filled in. The service doesn't document where it reports the answers to a
 * template's questions, nor how (docs/dev/service.md#answers), so a value in an unknown format is passed on as
 * it is, and nothing is assigned to a question or a person without the service saying so. An answer that contains
 * nothing is left out unless its question is known.
 */
function answersOf(
	{ formAnswer, formSignatory }: IDataObject,
	entries: IDataObject[],
): IDataObject[] {
	const questions = listOf(formSignatory).filter(isObject);
	const labels = new Map(questions.map((question) => [question.key, shared(questionOf(question))]));
	const ofForm = answersIn(formAnswer).map(({ question, answer }) => ({
		question: labels.get(question) ?? question,
		answer,
	}));
	const ofDocument = [...ofForm, ...questions.filter(hasAnswer).map(readAnswer)];
	const unknownPerson = { who: null, email: null };
	const ofSignatories = entries.flatMap((entry) => {
		// The value of a place to sign is the signature, not an answer.
		const filled = listOf(entry.fieldArray)
			.filter(isObject)
			.filter((field) => hasAnswer(field) && textOf(field.type).toUpperCase() !== 'SIGNATURE');
		if (filled.length === 0) return [];
		const { name = null, email = null } = readPerson(entry);
		const person = { who: shared(name), email: shared(email) };
		return filled.map((field) => ({ ...readAnswer(field), ...person }));
	});
	return [...ofDocument.map((one) => ({ ...one, ...unknownPerson })), ...ofSignatories]
		.filter(({ question, answer }) => question !== null || !isHollow(answer))
		.map((one) => ({ ...one, answer: one.answer as GenericValue }));
}

const shared = (text: string | null) => text && cutText(text, maxSharedLength);

/** Whether a value is empty, or a list or an object that contains nothing else. */
function isHollow(value: unknown): boolean {
	return (
		isEmpty(value) || (typeof value === 'object' && Object.values(value as object).every(isHollow))
	);
}

/** Reads answers from an object with the questions' keys, a list, or a single value. */
function answersIn(value: unknown): FilledAnswer[] {
	if (isEmpty(value)) return [];
	if (isObject(value)) {
		return Object.entries(value).map(([question, answer]) => ({ question, answer }));
	}
	const list = Array.isArray(value) ? value : [value];
	return list.map((one: unknown) =>
		isObject(one) && hasAnswer(one) ? readAnswer(one) : { question: null, answer: one },
	);
}

const answerOf = ({ answer, value }: IDataObject) => (isEmpty(answer) ? value : answer);

const hasAnswer = (source: IDataObject) => !isEmpty(answerOf(source));

const questionOf = ({ label, question, key }: IDataObject) =>
	firstText(label, question, key) ?? null;

const readAnswer = (source: IDataObject): FilledAnswer => ({
	question: questionOf(source),
	answer: answerOf(source),
});

/**
 * Returns a document's log, in the service's order (docs/dev/service.md#logentry), without entries that contain
 * nothing.
 */
function historyOf(log: unknown, entries: IDataObject[]): IDataObject[] {
	const signerOf = signersIn(entries);
	return listOf(log)
		.filter(isObject)
		.map((entry) => ({
			what: textOrNull(entry.operationType),
			...(signerOf(entry) ?? whoDid(entry)),
			at: isoTime(entry.addedOn) ?? null,
			ip: ipOf(entry.sourceIP),
		}))
		.filter((entry) => !isHollow(entry));
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

export function textOrNull(value: unknown): string | null {
	return firstText(value) ?? null;
}
