import { Type, type Static, type TSchema } from '@sinclair/typebox';
import { SettingsSchema } from '../schemas/control';
import { LogEntrySchema } from '../schemas/document';
import { StaticSignPositionSchema } from '../schemas/requests';
import { EARLIEST, LATEST } from '../util/clock';

// The records of a sandbox, as it keeps and saves them. A saved state is checked against the schemas.

/** epoch-ms, within what the clock can show. */
const Time = Type.Number({ minimum: EARLIEST, maximum: LATEST });
const Id = Type.String({ pattern: '^[A-Za-z0-9-]{1,100}$' });
const Address = Type.String({ pattern: '^[Hh][Tt][Tt][Pp][Ss]?://' });
const optional = <T extends TSchema>(schema: T) => Type.Optional(schema);
const byId = <T extends TSchema>(schema: T) =>
	Type.Record(Id, schema, { additionalProperties: false });
const oneOf = <const T extends string[]>(...values: T) =>
	Type.Union(values.map((value) => Type.Literal(value as T[number])));

const AccountSchema = Type.Object({
	userId: Type.String(),
	apiKey: Type.String(),
	/** Signs the addresses of files. */
	fileKey: Type.String({ minLength: 1 }),
	/** Token -> epoch-ms at which it stops being taken. */
	tokens: Type.Record(Type.String(), Type.Number()),
	/** How many made-up templates and documents there are (see `seed/`). */
	seeded: optional(
		Type.Object({
			templates: Type.Integer({ minimum: 0, maximum: 999_999 }),
			documents: Type.Integer({ minimum: 0, maximum: 999_999 }),
		}),
	),
	/** The scenario or saved state that the data folder was started with, if any. */
	startedWith: optional(Type.String()),
	/** How far the sandbox's clock is from the machine's. */
	clock: optional(Type.Object({ offset: Type.Number(), frozenAt: optional(Type.Number()) })),
});
/** The one account of a sandbox, and its secrets. */
export type AccountRecord = Static<typeof AccountSchema>;

const MarkSchema = Type.Union([
	Type.Object({ kind: Type.Literal('typed'), text: Type.String() }),
	Type.Object({ kind: Type.Literal('drawn'), png: Type.String() }),
]);
/** A signature as it is kept: the drawing as base64. */
export type MarkRecord = Static<typeof MarkSchema>;

const SignatorySchema = Type.Object({
	/** `_id` in the interface. */
	id: Id,
	signatoryID: Id,
	name: Type.String(),
	email: Type.String(),
	/** The secret part of the signing link. */
	token: Type.String({ minLength: 1 }),
	/** The link no longer signs after this. */
	linkExpiresAt: Time,
	/** True once the mail with the link went out, or was given up (see `mailError`). */
	mailed: Type.Boolean(),
	mailError: optional(Type.String()),
	/** When the signing page was opened for the first time. */
	viewedAt: optional(Time),
	signedAt: optional(Time),
	mark: optional(MarkSchema),
	/** Answers to the template's questions, by key. */
	answers: Type.Record(Type.String(), Type.String()),
});
/** Somebody who signs a document. */
export type SignatoryRecord = Static<typeof SignatorySchema>;

const DocumentSchema = Type.Object({
	documentID: Id,
	templateID: Type.String(),
	title: Type.String(),
	inputs: Type.Record(Type.String(), Type.String()),
	country: Type.String(),
	positions: Type.Array(StaticSignPositionSchema),
	signatories: Type.Array(SignatorySchema),
	createdAt: Time,
	modifiedAt: Time,
	/** Absent until everybody signed. */
	completedAt: optional(Time),
	/** SHA-256 of the signed PDF, hex; '' until everybody signed. */
	documentHash: Type.String(),
	/** Bytes of the signed PDF; 0 until everybody signed. */
	signedBytes: Type.Number({ minimum: 0 }),
	log: Type.Array(LogEntrySchema),
});
/** A document: the facts that its resource, its PDF and its events are made from. */
export type DocumentRecord = Static<typeof DocumentSchema>;

/** The checks of an identity verification, in the order of the page. */
export const IDENTITY_CHECKS = ['idValidation', 'liveness', 'faceRecognition'] as const;
export type IdentityCheck = (typeof IDENTITY_CHECKS)[number];

const OutcomeSchema = oneOf('pass', 'fail', 'manualReview');
/** How the person at the identity page wants the (never real) check to end. */
export type IdentityOutcome = Static<typeof OutcomeSchema>;

const Points = optional(Type.Number({ minimum: 0, maximum: 100 }));
const ScoresSchema = Type.Object({
	idValidation: Points,
	liveness: Points,
	faceRecognition: Points,
});
/** Points from 0 to 100 by check; a check that is absent gets those that fit the outcome. */
export type IdentityScores = Static<typeof ScoresSchema>;

const IdentitySchema = Type.Object({
	validationId: Id,
	/** The secret part of the person's link. */
	token: Type.String({ minLength: 1 }),
	email: Type.String(),
	type: Type.String(),
	backgroundCheck: Type.Boolean(),
	status: oneOf('CREATED', 'IN_PROGRESS', 'COMPLETED'),
	createdAt: Time,
	outcome: optional(OutcomeSchema),
	/** Points of single checks, where the person set them. */
	scores: optional(ScoresSchema),
	customerId: Type.Union([Type.String(), Type.Null()]),
});
/** A request for an identity verification. */
export type IdentityRecord = Static<typeof IdentitySchema>;

const WebhookSchema = Type.Object({
	webHookID: Id,
	kind: oneOf('document', 'identity'),
	type: Type.String(),
	webHookUrl: Address,
	addedOn: Time,
	/** Identity registrations only; '' for documents'. */
	name: Type.String(),
});
/** A registered callback address. */
export type RegistrationRecord = Static<typeof WebhookSchema>;

const AttemptSchema = Type.Object({
	at: Time,
	status: optional(Type.Integer()),
	error: optional(Type.String()),
	durationMs: Type.Number(),
});
/** One try of a delivery: an HTTP status, or what went wrong. */
export type DeliveryAttempt = Static<typeof AttemptSchema>;

const DeliverySchema = Type.Object({
	id: Id,
	webHookID: Type.String(),
	/** The document or identity request that it is about. */
	subjectId: Type.String(),
	type: Type.String(),
	url: Address,
	at: Time,
	/** The body as it is sent. Text, because thousands of them are kept. */
	json: Type.String(),
	attempts: Type.Array(AttemptSchema),
	state: oneOf('pending', 'delivered', 'failed'),
	/** Time before which it is not tried: it is late on purpose. */
	notBefore: optional(Time),
	/** Its wait ends behind the next one about the same subject to the same address. */
	untilOvertaken: optional(Type.Boolean()),
	/** Comes once more after it was received. */
	twice: optional(Type.Boolean()),
	/** Repeats one that was received. */
	isRepeat: optional(Type.Boolean()),
	/** Sent again by hand: goes out even when the registration is gone. */
	manual: optional(Type.Boolean()),
});
/** A notification on its way, or done. */
export type DeliveryRecord = Static<typeof DeliverySchema>;

const ImageSchema = Type.Object({
	/** Comes from its bytes, never from what was said about it. */
	mimeType: oneOf('image/png', 'image/jpeg'),
	/** As the person's machine calls it; for showing only. */
	fileName: Type.String(),
	/** As base64. */
	content: Type.String(),
});
/** An image handed in for an identity check. */
export type ImageRecord = Static<typeof ImageSchema>;

/** An image as it was checked. */
export interface UploadedImage extends Omit<ImageRecord, 'content'> {
	content: Buffer;
}

const MailSchema = Type.Object({
	id: Id,
	from: Type.String(),
	to: Type.Array(Type.String()),
	subject: Type.String(),
	receivedAt: Time,
	text: Type.String(),
	/** As received, never trusted: the page shows it in a sandboxed frame without scripts. */
	html: Type.String(),
	attachments: Type.Array(
		Type.Object({ fileName: Type.String(), mimeType: Type.String(), size: Type.Number() }),
	),
	/** The attachments' contents as base64. */
	contents: Type.Array(Type.String()),
});
/** A mail in the mailbox. */
export type MailRecord = Static<typeof MailSchema>;
/** A mail as the mailbox shows it. */
export type MailView = Omit<MailRecord, 'contents'>;

/** The version of the format of saved states. */
export const SAVED_STATE_VERSION = 1;

export const SavedStateSchema = Type.Object({
	signingSandbox: Type.Literal(SAVED_STATE_VERSION),
	/** ISO 8601, by the sandbox's clock: a sandbox that is started from it goes on at this time. */
	savedAt: Type.String(),
	account: AccountSchema,
	settings: SettingsSchema,
	documents: byId(DocumentSchema),
	'identity-requests': byId(IdentitySchema),
	'identity-images': byId(ImageSchema),
	webhooks: byId(WebhookSchema),
	deliveries: byId(DeliverySchema),
	mails: byId(MailSchema),
});
/** A whole sandbox as a file holds it. */
export type SavedState = Static<typeof SavedStateSchema>;

/** All records by collection and id, oldest first. */
export type StateContent = Omit<SavedState, 'signingSandbox' | 'savedAt' | 'account' | 'settings'>;
