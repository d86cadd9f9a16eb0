import type { INodePropertyOptions } from 'n8n-workflow';

import type { DocumentEventType, EventType, IdentityEventType } from '../api/types';

/** The document events, in words for the form (docs/service.md#document-event-types). */
export const documentEvents: Array<INodePropertyOptions & { value: DocumentEventType }> = [
	{
		name: 'Document Completed',
		value: 'completedDocument',
		description:
			'Everybody has signed. Comes with the addresses of the signed document and its certificates.',
	},
	{
		name: 'Document Sent',
		value: 'sendDocument',
		description: 'The document was sent for signature',
	},
	{
		name: 'Document Signed by One',
		value: 'signDocument',
		description:
			'One of the signatories signed. With three signatories there are three such events.',
	},
	{
		name: 'Identity Check Failed',
		value: 'failedBiometric',
		description: 'An identity check within a signature failed',
	},
	{
		name: 'Identity Check in Manual Review',
		value: 'pendingBiometric',
		description: 'An identity check within a signature went to manual verification',
	},
	{
		name: 'Identity Image Unreadable',
		value: 'failedBiometricRequest',
		description: 'An identity check within a signature got an image that cannot be processed',
	},
];

/** The one event that is registered in another way (docs/service.md#identity-event-type). */
export const identityEvent: IdentityEventType = 'VERIFICATION_REQUEST_FINISHED';

/** All events that a trigger can listen for. */
export const events: Array<INodePropertyOptions & { value: EventType }> = [
	...documentEvents,
	{
		name: 'Identity Verification Finished',
		value: identityEvent,
		description: 'A person is done with an identity verification that was asked for by e-mail',
	},
];

/** Events whose bodies are known (docs/service.md#notification-body); the other four are not. */
const shown: string[] = ['sendDocument', 'signDocument', 'completedDocument'];

/** Whether a value is one of the event types. */
export function isEvent(value: unknown): value is EventType {
	return events.some((each) => each.value === value);
}

/** Whether the body of an event is known. */
export function hasShownBody(event: string): boolean {
	return shown.includes(event);
}
