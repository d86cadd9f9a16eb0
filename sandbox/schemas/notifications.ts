import { Type } from '@sinclair/typebox';
import { EpochMs, exactly, observed } from './common';
import { SendWebhookDataSchema } from './document';
import { documentEvents, type DocumentEventType, type EventType } from './events';
import { QuirkyDocumentSchema, QuirkySignWebhookDataSchema } from './quirks';

/** The body of a notification about a document. The Document can have any of the shapes seen in the field. */
export const QuirkyDocumentNotificationSchema = exactly(
	{
		type: observed(...documentEvents),
		Document: QuirkyDocumentSchema,
		addedOn: EpochMs,
	},
	'DocumentNotification',
);

/** Describes the notification body for an event type that adds fields to the Document. */
function about(type: DocumentEventType, Document: Parameters<typeof Type.Object>[0]) {
	return Type.Intersect([
		QuirkyDocumentNotificationSchema,
		Type.Object({
			type: Type.Literal(type, { examples: [type] }),
			Document: Type.Object(Document),
		}),
	]);
}

/** The body of an undocumented event, which can be any JSON object. */
const notKnown = Type.Object(
	{ type: Type.Optional(Type.String({ description: 'The event type, if it’s included' })) },
	{
		title: 'UnknownNotification',
		description:
			'We’ve never seen this event’s body. It can be any JSON object, with or without `type`.',
	},
);

const link = Type.String({ description: 'Temporary link to the file' });

/** The notification bodies that are known (docs/dev/service.md#events). */
const known: Partial<Record<EventType, ReturnType<typeof about>>> = {
	sendDocument: about('sendDocument', { webhookData: SendWebhookDataSchema }),
	signDocument: about('signDocument', { webhookData: QuirkySignWebhookDataSchema }),
	completedDocument: about('completedDocument', {
		status: Type.Literal('COMPLETED'),
		documentHash: Type.String({ minLength: 1 }),
		documentURL: link,
		certificateURL: link,
		pscCertificateURL: link,
	}),
};

/** Returns the schema of an event's notification body (docs/dev/service.md#events). */
export function notificationOf(type: EventType): ReturnType<typeof about> | typeof notKnown {
	return known[type] ?? notKnown;
}
