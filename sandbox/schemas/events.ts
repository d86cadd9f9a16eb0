import { Type, type Static } from '@sinclair/typebox';
import { EpochMs, exactly } from './common';
import { DocumentSchema } from './document';

/** Types that `POST /webhooks` registers (docs/dev/service.md#document-event-types). */
export const DOCUMENT_EVENTS = [
	'sendDocument',
	'completedDocument',
	'signDocument',
	'pendingBiometric',
	'failedBiometric',
	'failedBiometricRequest',
] as const;

/** Types that `POST /webhooks/verify` registers (docs/dev/service.md#identity-event-type). */
export const IDENTITY_EVENTS = ['VERIFICATION_REQUEST_FINISHED'] as const;

/** A type of notification about a document. */
export type DocumentEventType = (typeof DOCUMENT_EVENTS)[number];
/** A type of notification about an identity request. */
export type IdentityEventType = (typeof IDENTITY_EVENTS)[number];
/** A type of any event. */
export type EventType = DocumentEventType | IdentityEventType;

/** The names of the events in the form of the n8n node. */
export const EVENT_NAMES: Record<EventType, string> = {
	completedDocument: 'When Everyone Has Signed',
	sendDocument: 'When a Document Is Sent',
	signDocument: 'When One Person Signs',
	failedBiometric: 'When an Identity Check Fails',
	pendingBiometric: 'When an Identity Check Goes to Manual Review',
	failedBiometricRequest: 'When an Identity Image Is Unreadable',
	VERIFICATION_REQUEST_FINISHED: 'When an Identity Verification Is Finished',
};

/** Whether a text is the type of a document event. */
export function isDocumentEvent(type: string): type is DocumentEventType {
	return (DOCUMENT_EVENTS as readonly string[]).includes(type);
}

/** Whether a text is the type of an identity event. */
export function isIdentityEvent(type: string): type is IdentityEventType {
	return (IDENTITY_EVENTS as readonly string[]).includes(type);
}

/**
 * The body of a notification about a document (docs/dev/service.md#notification-body). The bodies of the
 * three biometric events are not known, so the sandbox uses the same shape for them.
 */
export const DocumentNotificationSchema = exactly({
	type: Type.Union(DOCUMENT_EVENTS.map((type) => Type.Literal(type))),
	Document: DocumentSchema,
	addedOn: EpochMs,
});

/**
 * The body of VERIFICATION_REQUEST_FINISHED. The real one is not known
 * (docs/dev/service.md#verification_request_finished), so this shape is the sandbox's own.
 */
export const IdentityNotificationSchema = exactly({
	type: Type.Literal('VERIFICATION_REQUEST_FINISHED'),
	addedOn: EpochMs,
	validationId: Type.String(),
	sessionId: Type.String(),
	customerId: Type.Union([Type.String(), Type.Null()]),
	emailId: Type.String(),
	status: Type.String(),
});

/** A notification about a document. */
export type DocumentNotification = Static<typeof DocumentNotificationSchema>;
/** A notification about an identity request. */
export type IdentityNotification = Static<typeof IdentityNotificationSchema>;
