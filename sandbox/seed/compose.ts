import type { SandboxTemplate } from '../documents/types';
import { signingMail } from '../mail/signingMail';
import { logEntry } from '../service/documentResource';
import type { SettingsChange } from '../schemas/control';
import type { DocumentRecord, MailRecord, SignatoryRecord, StateContent } from '../state/records';
import { newId, newSecret } from '../util/ids';
import { FIRST_NAMES, LAST_NAMES, pick, plain } from './words';

/** What a scenario consists of; what is absent is as in an empty account. */
export interface ScenarioState extends Partial<StateContent> {
	/** How many made-up templates there are besides those of every sandbox. */
	templates: number;
	settings?: SettingsChange;
}

/** Makes the links that the mails of a scenario carry. */
export interface SigningLinks {
	signing(token: string): string;
}

/** Milliseconds. */
export const MINUTE = 60_000;
export const DAY = 24 * 60 * MINUTE;

const LINK_LIFE = 30 * DAY;
const SIGNED_BYTES = 30_000;

/** A made-up person; equal numbers give the same one. */
export interface Person {
	name: string;
	email: string;
}

/** What became of a signatory's link. All times in epoch-ms. */
export interface Signing {
	viewedAt?: number;
	signedAt?: number;
	mailError?: string;
	/** Answers to the template's questions. */
	answers?: Record<string, string>;
	/** Default: 30 days after the document was made. */
	linkExpiresAt?: number;
}

/** A made-up document in short. */
export interface Draft {
	template: SandboxTemplate;
	/** A value for each key of the template. */
	inputs: Record<string, string>;
	country: string;
	/** epoch-ms */
	createdAt: number;
	signatories: Array<Person & Signing>;
	/** Who made it: a name for the log. */
	createdBy: string;
}

/** The person of a number. */
export function madeUpPerson(index: number): Person {
	const first = pick(FIRST_NAMES, index);
	const last = pick(LAST_NAMES, index);
	return {
		name: `${first} ${last}`,
		email: `${plain(first)}.${plain(last)}.${index + 1}@example.com`,
	};
}

/** The record of a made-up document. It is complete when all its signatories signed. */
export function composeDocument(draft: Draft): DocumentRecord {
	const { template, inputs, country, createdAt, createdBy } = draft;
	const documentID = newId();
	const signatories = draft.signatories.map((one) => composeSignatory(one, createdAt));
	const signed = signatories.filter(({ signedAt }) => signedAt !== undefined);
	const modifiedAt = Math.max(createdAt, ...signed.map(({ signedAt = 0 }) => signedAt));
	const isComplete = signed.length === signatories.length;
	return {
		documentID,
		templateID: template.templateID,
		title: `${template.name} – ${signatories[0]?.name ?? ''}`,
		inputs,
		country,
		positions: [],
		signatories,
		createdAt,
		modifiedAt,
		...(isComplete ? { completedAt: modifiedAt } : {}),
		// Found when the file is asked for the first time: nothing is printed here.
		documentHash: '',
		signedBytes: isComplete ? SIGNED_BYTES : 0,
		log: [
			logEntry(documentID, 'CREATED', { name: createdBy, email: '' }, createdAt),
			...signatories.map(({ signatoryID }) => {
				const by = { name: createdBy, email: '', signatoryID };
				return logEntry(documentID, 'SENT_FOR_SIGNATURE', by, createdAt);
			}),
			...signed.map((one) => logEntry(documentID, 'SIGNED', one, one.signedAt ?? createdAt)),
		],
	};
}

function composeSignatory(
	{ name, email, answers = {}, signedAt, ...signing }: Person & Signing,
	createdAt: number,
): SignatoryRecord {
	return {
		id: newId(),
		signatoryID: newId(),
		name,
		email,
		token: newSecret(),
		linkExpiresAt: createdAt + LINK_LIFE,
		mailed: true,
		...signing,
		answers,
		...(signedAt === undefined ? {} : { signedAt, mark: { kind: 'typed' as const, text: name } }),
	};
}

/** The mails that a document's signatories got. Those that did not go out are not there. */
export function composeMails(
	{ title, createdAt, signatories }: DocumentRecord,
	links: SigningLinks,
): MailRecord[] {
	return signatories
		.filter(({ mailError }) => mailError === undefined)
		.map(({ name, email, token, linkExpiresAt: expiresAt }) => ({
			id: newId(),
			from: 'Signing sandbox <no-reply@sandbox.example>',
			to: [email],
			receivedAt: createdAt,
			...signingMail({ title, name, url: links.signing(token), expiresAt }),
			attachments: [],
			contents: [],
		}));
}

/** Records by their id, in their order. */
export function byId<T>(records: T[], idOf: (record: T) => string): Record<string, T> {
	return Object.fromEntries(records.map((record) => [idOf(record), record]));
}
