import type { INodePropertyOptions } from 'n8n-workflow';

import type { DocumentEventType } from '../interface';

/** The document events, in words for the form (interface: Document event types). */
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

/** Whether a value is one of the document event types. */
export function isDocumentEvent(value: unknown): value is DocumentEventType {
	return documentEvents.some((each) => each.value === value);
}
