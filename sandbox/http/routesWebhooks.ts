import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import {
	DeleteWebhookQuerySchema,
	ListWebhooksQuerySchema,
	NoQuerySchema,
	RegisterQuerySchema,
	RegisterVerifyBodySchema,
} from '../schemas';
import { asRegistration } from '../service/registrations';
import { good } from './envelope';
import type { ServiceParts } from './parts';

/** Registering, listing and deleting callback addresses (docs/dev/service.md#endpoints). */
export function webhookRoutes({ registrations }: ServiceParts): FastifyPluginAsyncTypebox {
	return async (app) => {
		app.post('/webhooks', { schema: { querystring: RegisterQuerySchema } }, async ({ query }) => {
			const record = registrations.addForDocuments(query.type, query.url);
			return good(asRegistration(record), 'WebHook Added Successfully');
		});

		app.get('/webhooks', { schema: { querystring: ListWebhooksQuerySchema } }, async () =>
			good(registrations.listed(), 'Get Successfully'),
		);

		app.delete(
			'/webhooks',
			{ config: { body: 'typeOnly' }, schema: { querystring: DeleteWebhookQuerySchema } },
			async ({ query }) => {
				registrations.remove(query.webHookID);
				return good({}, 'Deleted Successfully');
			},
		);

		app.post(
			'/webhooks/verify',
			{
				config: { body: 'json' },
				schema: { querystring: NoQuerySchema, body: RegisterVerifyBodySchema },
			},
			async ({ body }) => {
				const record = registrations.addForIdentity(body.type, body.url, body.name);
				return good(asRegistration(record), 'OK');
			},
		);
	};
}
