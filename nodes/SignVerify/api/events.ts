import type { DocumentEventType, EventType, IdentityEventType } from './types';

/** The document events (docs/service.md#document-event-types). */
const documentEventTypes: DocumentEventType[] = [
	'completedDocument',
	'sendDocument',
	'signDocument',
	'failedBiometric',
	'pendingBiometric',
	'failedBiometricRequest',
];

/** The one event that is registered in another way (docs/service.md#identity-event-type). */
export const identityEvent: IdentityEventType = 'VERIFICATION_REQUEST_FINISHED';

const eventTypes: unknown[] = [...documentEventTypes, identityEvent];

/** Whether a value is one of the event types. */
export function isEvent(value: unknown): value is EventType {
	return eventTypes.includes(value);
}
