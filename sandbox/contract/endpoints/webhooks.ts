import { Type } from '@sinclair/typebox';
import {
	documentEvents,
	DocumentWebhookSchema,
	envelopeOf,
	exactly,
	IdentityWebhookSchema,
	NothingSchema,
	QuirkyWebhookRegistrationSchema,
	RegisterVerifyBodySchema,
} from '../../schemas';
import { asRegistration } from '../../service/registrations';
import { good, endpoint } from './endpoint';

export const webhookEndpoints = {
	'POST /webhooks': endpoint({
		operationId: 'createDocumentWebhook',
		tag: 'Registrations',
		summary: 'Register a webhook for a document event',
		description: 'Send both values in the query string, without a body.',
		anchor: 'register-a-document-webhook',
		access: 'token',
		query: exactly({
			url: Type.String({ description: 'The URL that receives the notifications' }),
			// The enum is only for openapi.json. TypeBox does not enforce it, which leaves it to the service
			// to refuse unknown event types.
			type: Type.String({ enum: [...documentEvents] }),
		}),
		responses: [envelopeOf(DocumentWebhookSchema)],
		act({ registrations }, { query }) {
			const record = registrations.addForDocuments(query.type, query.url);
			return good(asRegistration(record), 'WebHook Added Successfully');
		},
	}),
	'GET /webhooks': endpoint({
		operationId: 'listWebhooks',
		tag: 'Registrations',
		summary: 'List the webhooks',
		description:
			'The list can be filtered by event type, but we don’t know the parameter’s name. We also don’t know whether the list contains identity webhooks.',
		anchor: 'list-webhooks',
		access: 'token',
		// The name of the filter parameter is not known, so all query parameters are accepted and ignored.
		query: Type.Record(Type.String(), Type.Unknown()),
		responses: [envelopeOf(Type.Array(QuirkyWebhookRegistrationSchema))],
		act: ({ registrations }) => good(registrations.listed(), 'Get Successfully'),
	}),
	'DELETE /webhooks': endpoint({
		operationId: 'deleteWebhook',
		tag: 'Registrations',
		summary: 'Delete a webhook',
		description:
			'The call requires the `Content-Type: application/json` header, even though it has no body. We don’t know whether this call also deletes identity webhooks.',
		anchor: 'delete-a-webhook',
		access: 'token',
		query: exactly({
			webHookID: Type.String({
				minLength: 1,
				description: 'Returned when you register or list webhooks',
			}),
		}),
		responses: [envelopeOf(NothingSchema)],
		looksUp: true,
		act({ registrations }, { query }) {
			registrations.remove(query.webHookID);
			return good({}, 'Deleted Successfully');
		},
	}),
	'POST /webhooks/verify': endpoint({
		operationId: 'createIdentityWebhook',
		tag: 'Registrations',
		summary: 'Register a webhook for the identity event',
		description:
			'The service sends a notification when an identity verification request has been processed.',
		anchor: 'register-an-identity-webhook',
		access: 'token',
		body: RegisterVerifyBodySchema,
		responses: [envelopeOf(IdentityWebhookSchema)],
		act({ registrations }, { body }) {
			const record = registrations.addForIdentity(body.type, body.url, body.name);
			return good(asRegistration(record), 'OK');
		},
	}),
};
