import type { StaticSignPosition } from '../schemas/requests';
import type { LogEntry } from '../schemas';
import type { SettingsChange } from '../settings';
import type { ClockRecord } from '../util/clock';

/** One try of a delivery: an HTTP status, or what went wrong. */
export interface DeliveryAttempt {
	/** epoch-ms */
	at: number;
	status?: number;
	error?: string;
	durationMs: number;
}

/** A mail as the mailbox shows it. */
export interface MailView {
	id: string;
	from: string;
	to: string[];
	subject: string;
	/** epoch-ms */
	receivedAt: number;
	text: string;
	/** As received, never trusted: the page shows it in a sandboxed frame without scripts. */
	html: string;
	attachments: Array<{ fileName: string; mimeType: string; size: number }>;
}

/** How the person at the identity page wants the (never real) check to end. */
export type IdentityOutcome = 'pass' | 'fail' | 'manualReview';

/** The checks of an identity verification, in the order of the page. */
export const IDENTITY_CHECKS = ['idValidation', 'liveness', 'faceRecognition'] as const;
export type IdentityCheck = (typeof IDENTITY_CHECKS)[number];

/** Points from 0 to 100 by check; a check that is absent gets those that fit the outcome. */
export type IdentityScores = Partial<Record<IdentityCheck, number>>;

/** An image as it was checked: its kind comes from its bytes, never from what was said about it. */
export interface UploadedImage {
	mimeType: 'image/png' | 'image/jpeg';
	/** As the person's machine calls it; for showing only. */
	fileName: string;
	content: Buffer;
}

/** The one account of a sandbox, and its secrets. */
export interface AccountRecord {
	userId: string;
	apiKey: string;
	/** Signs the addresses of files. */
	fileKey: string;
	/** Token -> epoch-ms at which it stops being taken. */
	tokens: Record<string, number>;
	/** How many made-up templates and documents there are (see `seed/`). */
	seeded?: { templates: number; documents: number };
	/** The scenario or saved state that the data folder was started with, if any. */
	startedWith?: string;
	/** How far the sandbox's clock is from the machine's. */
	clock?: ClockRecord;
}

/** A registered callback address. */
export interface RegistrationRecord {
	webHookID: string;
	kind: 'document' | 'identity';
	type: string;
	webHookUrl: string;
	/** epoch-ms */
	addedOn: number;
	/** Identity registrations only; '' for documents'. */
	name: string;
}

/** A signature as it is kept: the drawing as base64. */
export type MarkRecord = { kind: 'typed'; text: string } | { kind: 'drawn'; png: string };

/** Somebody who signs a document. */
export interface SignatoryRecord {
	/** `_id` in the interface. */
	id: string;
	signatoryID: string;
	name: string;
	email: string;
	/** The secret part of the signing link. */
	token: string;
	/** epoch-ms; the link no longer signs after this. */
	linkExpiresAt: number;
	/** True once the mail with the link went out, or was given up (see `mailError`). */
	mailed: boolean;
	mailError?: string;
	/** epoch-ms at which the signing page was opened for the first time. */
	viewedAt?: number;
	/** epoch-ms */
	signedAt?: number;
	mark?: MarkRecord;
	/** Answers to the template's questions, by key. */
	answers: Record<string, string>;
}

/** A document: the facts that its resource, its PDF and its events are made from. */
export interface DocumentRecord {
	documentID: string;
	templateID: string;
	title: string;
	inputs: Record<string, string>;
	country: string;
	positions: StaticSignPosition[];
	signatories: SignatoryRecord[];
	/** epoch-ms */
	createdAt: number;
	/** epoch-ms */
	modifiedAt: number;
	/** epoch-ms; absent until everybody signed. */
	completedAt?: number;
	/** SHA-256 of the signed PDF, hex; '' until everybody signed. */
	documentHash: string;
	/** Bytes of the signed PDF; 0 until everybody signed. */
	signedBytes: number;
	log: LogEntry[];
}

/** A request for an identity verification. */
export interface IdentityRecord {
	validationId: string;
	/** The secret part of the person's link. */
	token: string;
	email: string;
	type: string;
	backgroundCheck: boolean;
	status: 'CREATED' | 'IN_PROGRESS' | 'COMPLETED';
	/** epoch-ms */
	createdAt: number;
	outcome?: IdentityOutcome;
	/** Points of single checks, where the person set them. */
	scores?: IdentityScores;
	customerId: string | null;
}

/** A notification on its way, or done. */
export interface DeliveryRecord {
	id: string;
	webHookID: string;
	/** The document or identity request that it is about. */
	subjectId: string;
	type: string;
	url: string;
	/** epoch-ms */
	at: number;
	/** The body as it is sent. Text, because thousands of them are kept. */
	json: string;
	attempts: DeliveryAttempt[];
	state: 'pending' | 'delivered' | 'failed';
	/** epoch-ms before which it is not tried: it is late on purpose. */
	notBefore?: number;
	/** Its wait ends behind the next one about the same subject to the same address. */
	untilOvertaken?: boolean;
	/** Comes once more after it was received. */
	twice?: boolean;
	/** Repeats one that was received. */
	isRepeat?: boolean;
	/** Sent again by hand: goes out even when the registration is gone. */
	manual?: boolean;
}

/** An image handed in for an identity check, its content as base64. */
export interface ImageRecord extends Omit<UploadedImage, 'content'> {
	content: string;
}

/** A mail in the mailbox, its attachments' contents as base64. */
export interface MailRecord extends MailView {
	contents: string[];
}

/** All records by collection and id, oldest first: what the folders of a data folder hold. */
export interface StateContent {
	documents: Record<string, DocumentRecord>;
	'identity-requests': Record<string, IdentityRecord>;
	'identity-images': Record<string, ImageRecord>;
	webhooks: Record<string, RegistrationRecord>;
	deliveries: Record<string, DeliveryRecord>;
	mails: Record<string, MailRecord>;
}

/** The version of the format of saved states. */
export const SAVED_STATE_VERSION = 1;

/** A whole sandbox as a file holds it: the records of a data folder, by folder and id. */
export interface SavedState extends StateContent {
	signingSandbox: typeof SAVED_STATE_VERSION;
	/** ISO 8601, by the sandbox's clock: a sandbox that is started from it goes on at this time. */
	savedAt: string;
	account: AccountRecord;
	settings: SettingsChange;
}
