import type { LogEntry } from '../schemas/document';
import type { StaticSignPosition } from '../schemas/requests';

// A sandbox's records in their stored format. All times are epoch-ms.

/** A sandbox's only account, with its secrets. */
export interface AccountRecord {
	userId: string;
	apiKey: string;
	/** The secret used to sign file URLs. */
	fileKey: string;
	/** The expiry time of each token, keyed by token. */
	tokens: Record<string, number>;
	/**
	 * How many milliseconds the sandbox's clock is ahead of the machine's clock, and, if the sandbox's clock
	 * is stopped, the time that it shows.
	 */
	clock?: { offset: number; frozenAt?: number };
}

/** A variable of a template: an element of `inputs` (v1), `form` or `formSignatory` (v2). */
export interface TemplateField {
	key: string;
	type: string;
	isRequired: boolean;
	label: string;
}

/**
 * A part of a template's text. Variables in the text are written as `{{key}}`. A `field` shows one variable
 * with its label.
 */
export type Block =
	| { kind: 'paragraph'; text: string }
	| { kind: 'clause'; title: string; text: string }
	| { kind: 'field'; key: string; label: string };

/** A template: the data that the API lists, and the document's text. */
export interface SandboxTemplate {
	version: 'v1' | 'v2';
	templateID: string;
	/**
	 * `_id` in the API, if the imported template has one. Otherwise, the `_id` is derived from the
	 * templateID.
	 */
	id?: string;
	name: string;
	description: string;
	/** v2 only. */
	key: string;
	/** v2 only. `ACTIVE` is the only value that was seen in the field. */
	status: string;
	/** v1 `inputs`, v2 `form`. */
	fields: TemplateField[];
	/** v2 `formSignatory`: the questions that each signatory answers before signing. */
	questions: TemplateField[];
	/** v2 `signatories`: the places to sign, in signing order. */
	signaturePlaces: Array<{ key: string; label: string }>;
	body: Block[];
}

/** A stored signature. A drawing is stored as base64. */
export type MarkRecord = { kind: 'typed'; text: string } | { kind: 'drawn'; png: string };

export interface SignatoryRecord {
	/** `_id` in the API. */
	id: string;
	signatoryID: string;
	name: string;
	email: string;
	/** The secret part of the signing link. */
	token: string;
	/** After this time, the link cannot be used to sign. */
	linkExpiresAt: number;
	/** Whether the email with the link was sent or failed permanently (see `mailError`). */
	mailed: boolean;
	mailError?: string;
	/** When the signing page was first opened. */
	viewedAt?: number;
	signedAt?: number;
	mark?: MarkRecord;
	/** Answers to the template's questions, by key. */
	answers: Record<string, string>;
}

/** The data that a document's resource, files and events are created from. */
export interface DocumentRecord {
	documentID: string;
	/** The template as it was when the document was created. A later import doesn't change the document. */
	template: SandboxTemplate;
	title: string;
	inputs: Record<string, string>;
	country: string;
	positions: StaticSignPosition[];
	signatories: SignatoryRecord[];
	createdAt: number;
	modifiedAt: number;
	/** Absent until everyone has signed. */
	completedAt?: number;
	/** The SHA-256 hash of the signed PDF in hex; '' until the signed PDF has been printed. */
	documentHash: string;
	/** The size of the signed PDF in bytes; 0 until the signed PDF has been printed. */
	signedBytes: number;
	log: LogEntry[];
}

/** The outcome that the person chooses on the page for the simulated identity verification. */
export type IdentityOutcome = 'pass' | 'fail' | 'manualReview';

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

export interface RegistrationRecord {
	webHookID: string;
	kind: 'document' | 'identity';
	type: string;
	webHookUrl: string;
	addedOn: number;
	/** The name of an identity webhook; '' for a document webhook. */
	name: string;
}

/** One delivery attempt. It contains either the HTTP status of the response or an error. */
export interface DeliveryAttempt {
	at: number;
	status?: number;
	error?: string;
	durationMs: number;
}

/** A notification for one registered webhook, pending or finished. */
export interface DeliveryRecord {
	id: string;
	webHookID: string;
	/** The ID of the document or identity request that the notification is about. */
	subjectId: string;
	type: string;
	url: string;
	at: number;
	/** The exact body to send. It is stored as a string, because thousands of deliveries are kept. */
	json: string;
	attempts: DeliveryAttempt[];
	state: 'pending' | 'delivered' | 'failed';
	/**
	 * Whether the notification was resent manually. If so, it is delivered even if the webhook was deleted.
	 */
	manual?: boolean;
}

export interface MailRecord {
	id: string;
	from: string;
	to: string[];
	subject: string;
	receivedAt: number;
	text: string;
	/** The HTML as received. It is not trusted, so the page shows it in a sandboxed frame without scripts. */
	html: string;
	attachments: Array<{ fileName: string; mimeType: string; size: number }>;
	/** The contents of the attachments as base64. */
	contents: string[];
}
/** An email as the mailbox shows it. */
export type MailView = Omit<MailRecord, 'contents'>;
