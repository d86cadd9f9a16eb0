/** A union of observed string values that accepts any other, too. */
export type Open<Observed extends string> = Observed | (string & Record<never, never>);

/** Integer milliseconds since the Unix epoch. */
export type EpochMs = number;

/** Document event types (docs/service.md#document-event-types). */
export type DocumentEventType =
	| 'sendDocument'
	| 'completedDocument'
	| 'signDocument'
	| 'pendingBiometric'
	| 'failedBiometric'
	| 'failedBiometricRequest';

/** Identity event type (docs/service.md#identity-event-type). */
export type IdentityEventType = 'VERIFICATION_REQUEST_FINISHED';

/** Any of the seven. */
export type EventType = DocumentEventType | IdentityEventType;
