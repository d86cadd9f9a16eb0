import type { INodePropertyOptions } from 'n8n-workflow';

/** The one event that is registered in another way (docs/dev/service.md#identity-event-type). */
export const identityEvent = 'VERIFICATION_REQUEST_FINISHED';

/** All events, in words for the form (docs/dev/service.md#document-event-types). */
export const events = [
	{
		name: 'Document Completed',
		value: 'completedDocument',
		description:
			'Everybody has signed. Comes with links to the signed document and its certificates.',
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
	{
		name: 'Identity Verification Finished',
		value: identityEvent,
		description:
			'A person has finished an identity verification that was requested without a document',
	},
] as const satisfies INodePropertyOptions[];

export type EventType = (typeof events)[number]['value'];

/** Whether a value is one of the event types. */
export function isEvent(value: unknown): value is EventType {
	return events.some((event) => event.value === value);
}
