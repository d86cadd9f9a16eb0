import type { INodePropertyOptions } from 'n8n-workflow';

/** The one event that is registered in another way (docs/dev/service.md#identity-event-type). */
export const identityEvent = 'VERIFICATION_REQUEST_FINISHED';

/**
 * All events, in words for the form (docs/dev/service.md#document-event-types). Without an `action`, n8n's list of
 * triggers would put "On" before the name.
 */
export const events = [
	{
		name: 'When a Document Is Sent',
		action: 'When a document is sent',
		value: 'sendDocument',
		description: 'The document was sent for signature',
	},
	{
		name: 'When an Identity Check Fails',
		action: 'When an identity check fails',
		value: 'failedBiometric',
		description: 'An identity check within a signature failed',
	},
	{
		name: 'When an Identity Check Goes to Manual Review',
		action: 'When an identity check goes to manual review',
		value: 'pendingBiometric',
		description: 'An identity check within a signature went to manual verification',
	},
	{
		name: 'When an Identity Image Is Unreadable',
		action: 'When an identity image is unreadable',
		value: 'failedBiometricRequest',
		description: 'An identity check within a signature got an image that cannot be processed',
	},
	{
		name: 'When an Identity Verification Is Finished',
		action: 'When an identity verification is finished',
		value: identityEvent,
		description:
			'A person has finished an identity verification that was requested without a document',
	},
	{
		name: 'When Everyone Has Signed',
		action: 'When everyone has signed',
		value: 'completedDocument',
		description:
			'Everybody has signed. Comes with links to the signed document and its certificates.',
	},
	{
		name: 'When One Person Signs',
		action: 'When one person signs',
		value: 'signDocument',
		description:
			'One of the signatories signed. With three signatories there are three such events.',
	},
] as const satisfies INodePropertyOptions[];

export type EventType = (typeof events)[number]['value'];

/** Whether a value is one of the event types. */
export function isEvent(value: unknown): value is EventType {
	return events.some((event) => event.value === value);
}
