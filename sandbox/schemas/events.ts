import { Type, type Static } from '@sinclair/typebox';
import { envelopeOf, EpochMs, exactly } from './common';
import { DocumentSchema } from './document';
import { IdentityResultsSchema } from './identity';

interface EventRow {
	type: string;
	/**
	 * Document events are registered with `POST /webhooks`, and identity events with `POST /webhooks/verify`.
	 */
	about: 'document' | 'identity';
	/** The event's name as displayed in the n8n node. */
	name: string;
	/** The event's summary in openapi.json. */
	summary: string;
	/** What a user can do to trigger the event, other than sending it manually. */
	cause?: string;
}

/** Every event in the API (docs/dev/service.md#events). */
const eventRows = [
	{
		type: 'sendDocument',
		about: 'document',
		name: 'When a Document Is Sent',
		summary: 'A document was sent for signature',
		cause: 'Send a document from a workflow',
	},
	{
		type: 'completedDocument',
		about: 'document',
		name: 'When Everyone Has Signed',
		summary: 'All signatories have signed',
		cause: 'Have everyone sign a document',
	},
	{
		type: 'signDocument',
		about: 'document',
		name: 'When One Person Signs',
		summary: 'One signatory has signed',
		cause: 'Sign a document',
	},
	{
		type: 'pendingBiometric',
		about: 'document',
		name: "When a Signatory's Identity Check Goes to Manual Review",
		summary: 'An identity verification goes to manual review',
	},
	{
		type: 'failedBiometric',
		about: 'document',
		name: "When a Signatory's Identity Check Fails",
		summary: 'An identity verification failed',
	},
	{
		type: 'failedBiometricRequest',
		about: 'document',
		name: "When a Signatory's Identity Image Is Unreadable",
		summary: 'An image for an identity verification couldn’t be processed',
	},
	{
		type: 'VERIFICATION_REQUEST_FINISHED',
		about: 'identity',
		name: 'When an Identity Verification Is Finished',
		summary: 'An identity verification request was processed',
		cause: 'Finish an identity verification',
	},
] as const satisfies EventRow[];

type Row = (typeof eventRows)[number];
export type DocumentEventType = Extract<Row, { about: 'document' }>['type'];
export type IdentityEventType = Extract<Row, { about: 'identity' }>['type'];
export type EventType = Row['type'];

/** The same events, typed as an array that is easy to loop over. */
export const events: ReadonlyArray<EventRow & { type: EventType }> = eventRows;

export const eventTypes: readonly EventType[] = events.map(({ type }) => type);

/**
 * The event types that can be registered with `POST /webhooks` (docs/dev/service.md#document-event-types).
 */
export const documentEvents: readonly DocumentEventType[] = eventTypes.filter(isDocumentEvent);

/**
 * The event types that can be registered with `POST /webhooks/verify`
 * (docs/dev/service.md#identity-event-types).
 */
export const identityEvents: readonly IdentityEventType[] = eventTypes.filter(isIdentityEvent);

export function eventNamed(type: string): EventRow | undefined {
	return events.find((row) => row.type === type);
}

export function isDocumentEvent(type: string): type is DocumentEventType {
	return eventNamed(type)?.about === 'document';
}

export function isIdentityEvent(type: string): type is IdentityEventType {
	return eventNamed(type)?.about === 'identity';
}

/**
 * The body of a notification about a document (docs/dev/service.md#notification-body). For some events, the
 * real body is not known, so the sandbox uses the same shape for all document events.
 */
export const DocumentNotificationSchema = exactly({
	type: Type.Union(documentEvents.map((type) => Type.Literal(type))),
	Document: DocumentSchema,
	addedOn: EpochMs,
});

/**
 * The body of a notification about an identity request. The real body is not known
 * (docs/dev/service.md#verification_request_finished), so the sandbox makes one up.
 */
export const IdentityNotificationSchema = exactly({
	type: Type.Union(identityEvents.map((type) => Type.Literal(type))),
	addedOn: EpochMs,
	validationId: Type.String(),
	sessionId: Type.String(),
	customerId: Type.Union([Type.String(), Type.Null()]),
	emailId: Type.String(),
	status: Type.String(),
});

/**
 * The API's description states that a notification contains the same information as the response to the call
 * for the results, so a service may send that response instead.
 */
export const IdentityResultsNotificationSchema = envelopeOf(IdentityResultsSchema);

export type DocumentNotification = Static<typeof DocumentNotificationSchema>;
export type IdentityNotification = Static<typeof IdentityNotificationSchema>;
export type IdentityResultsNotification = Static<typeof IdentityResultsNotificationSchema>;
