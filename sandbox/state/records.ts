import type { LogEntry } from '../schemas/document';
import type { StaticSignPosition } from '../schemas/requests';

// The records of a sandbox, as it keeps them. All times are epoch-ms.

/** The one account of a sandbox, and its secrets. */
export interface AccountRecord {
	userId: string;
	apiKey: string;
	/** Signs the addresses of files. */
	fileKey: string;
	/** Token -> the time at which it stops being taken. */
	tokens: Record<string, number>;
	/** How far the sandbox's clock is from the machine's. */
	clock?: { offset: number; frozenAt?: number };
}

/** A variable of a template: an element of `inputs` (v1), `form` or `formSignatory` (v2). */
export interface TemplateField {
	key: string;
	type: string;
	isRequired: boolean;
	label: string;
}

/** A piece of a template's text, with variables as `{{key}}`; `field` is one variable with its label. */
export type Block =
	| { kind: 'paragraph'; text: string }
	| { kind: 'clause'; title: string; text: string }
	| { kind: 'field'; key: string; label: string };

/** A template as the sandbox keeps it: what the interface lists, and the text behind it. */
export interface SandboxTemplate {
	generation: 'v1' | 'v2';
	templateID: string;
	/** `_id` in the interface, if an import brought one; else it is derived from the templateID. */
	id?: string;
	name: string;
	description: string;
	/** v2 only. */
	key: string;
	/** v2 only; `ACTIVE` is the one observed value. */
	status: string;
	/** v1 `inputs`, v2 `form`. */
	fields: TemplateField[];
	/** v2 `formSignatory`: questions put to each signatory before signing. */
	questions: TemplateField[];
	/** v2 `signatories`: the signature slots, in signing order. */
	slots: Array<{ key: string; label: string }>;
	body: Block[];
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
	/** The link no longer signs after this. */
	linkExpiresAt: number;
	/** True once the mail with the link went out, or was given up (see `mailError`). */
	mailed: boolean;
	mailError?: string;
	/** When the signing page was opened for the first time. */
	viewedAt?: number;
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
	createdAt: number;
	modifiedAt: number;
	/** Absent until everybody signed. */
	completedAt?: number;
	/** SHA-256 of the signed PDF, hex; '' until everybody signed. */
	documentHash: string;
	/** Bytes of the signed PDF; 0 until everybody signed. */
	signedBytes: number;
	log: LogEntry[];
}

/** How the person at the identity page wants the (never real) check to end. */
export type IdentityOutcome = 'pass' | 'fail' | 'manualReview';

/** A request for an identity verification. */
export interface IdentityRecord {
	validationId: string;
	/** The secret part of the person's link. */
	token: string;
	email: string;
	type: string;
	backgroundCheck: boolean;
	status: 'CREATED' | 'IN_PROGRESS' | 'COMPLETED';
	createdAt: number;
	outcome?: IdentityOutcome;
	customerId: string | null;
}

/** A registered callback address. */
export interface RegistrationRecord {
	webHookID: string;
	kind: 'document' | 'identity';
	type: string;
	webHookUrl: string;
	addedOn: number;
	/** Identity registrations only; '' for documents'. */
	name: string;
}

/** One try of a delivery: an HTTP status, or what went wrong. */
export interface DeliveryAttempt {
	at: number;
	status?: number;
	error?: string;
	durationMs: number;
}

/** A notification on its way, or done. */
export interface DeliveryRecord {
	id: string;
	webHookID: string;
	/** The document or identity request that it is about. */
	subjectId: string;
	type: string;
	url: string;
	at: number;
	/** The body as it is sent. Text, because thousands of them are kept. */
	json: string;
	attempts: DeliveryAttempt[];
	state: 'pending' | 'delivered' | 'failed';
	/** Sent again by hand: goes out even when the registration is gone. */
	manual?: boolean;
}

/** A mail in the mailbox. */
export interface MailRecord {
	id: string;
	from: string;
	to: string[];
	subject: string;
	receivedAt: number;
	text: string;
	/** As received, never trusted: the page shows it in a sandboxed frame without scripts. */
	html: string;
	attachments: Array<{ fileName: string; mimeType: string; size: number }>;
	/** The attachments' contents as base64. */
	contents: string[];
}
/** A mail as the mailbox shows it. */
export type MailView = Omit<MailRecord, 'contents'>;
