import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import {
	IdentityBodySchema,
	NoQuerySchema,
	SessionParamsSchema,
	ValidationParamsSchema,
} from '../schemas';
import { good } from './envelope';
import type { ServiceParts } from './parts';

/** Identity verification without a document (docs/dev/service.md#endpoints). */
export function identityRoutes({ identity, links }: ServiceParts): FastifyPluginAsyncTypebox {
	return async (app) => {
		app.post(
			'/identity/validation/request',
			{
				config: { body: 'json' },
				schema: { querystring: NoQuerySchema, body: IdentityBodySchema },
			},
			async ({ body }) => {
				const { token, validationId } = identity.create(body);
				return good(
					{ url: links.identity(token), validationId },
					'Identity validation requested successfully',
				);
			},
		);

		app.get(
			'/identity/validation/request/:validationId',
			{ schema: { querystring: NoQuerySchema, params: ValidationParamsSchema } },
			async ({ params }) =>
				good(
					identity.resource(identity.existing(params.validationId)),
					'Identity validation requests get successfully',
				),
		);

		app.get(
			'/identity/session/results/:sessionId',
			{ schema: { querystring: NoQuerySchema, params: SessionParamsSchema } },
			async ({ params }) =>
				// Spelt as the interface spells it.
				good(identity.results(params.sessionId), 'Obtained reuslts successfully'),
		);
	};
}
