import { DOCUMENT_EVENTS, type EventType, IDENTITY_EVENTS, NOTIFICATIONS } from '../schemas';
import { json } from './answers';
import { externalDocs } from './links';

const SUMMARIES: Record<EventType, string> = {
	sendDocument: 'A document was sent for signature',
	signDocument: 'One signatory has signed',
	completedDocument: 'All signatories have signed',
	pendingBiometric: 'An identity verification goes to manual review',
	failedBiometric: 'An identity verification failed',
	failedBiometricRequest: 'An image of an identity verification cannot be processed',
	VERIFICATION_REQUEST_FINISHED: 'An identity verification request was processed',
};

/** The seven events, as calls that the service makes to the URL of a webhook. */
export function webhooks(): Record<string, object> {
	return Object.fromEntries(
		[...DOCUMENT_EVENTS, ...IDENTITY_EVENTS].map((type) => [
			type,
			{
				post: {
					operationId: type,
					summary: SUMMARIES[type],
					description:
						'Nothing proves who the sender is, and the header Content-Type can be missing. The same notification can come more than once, late or in another order.',
					externalDocs: externalDocs(type.toLowerCase()),
					security: [],
					requestBody: { required: true, content: json(NOTIFICATIONS[type]) },
					responses: {
						'2XX': {
							description: 'Received. Which other answers make it come again is not known.',
						},
					},
				},
			},
		]),
	);
}
