import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { CreateV1BodySchema, CreateV2BodySchema, NoQuerySchema } from '../schemas';
import { good } from './envelope';
import type { ServiceParts } from './parts';

/**
 * Templates and the documents made from them (interface: Endpoints). The answer to creating is not
 * shown there; here it is the whole Document.
 */
export function templateRoutes(parts: ServiceParts): FastifyPluginAsyncTypebox {
	const { account, documents, templates } = parts;
	return async (app) => {
		app.get(
			'/templates',
			{ config: { access: 'template' }, schema: { querystring: NoQuerySchema } },
			async () => good({ templates: templates.listV1(account.userId) }),
		);

		app.get(
			'/templates/v2',
			{ config: { access: 'template' }, schema: { querystring: NoQuerySchema } },
			async () => good({ templates: templates.listV2() }),
		);

		app.post(
			'/templates/createDocumentByTemplate',
			{
				config: { access: 'template', body: 'json' },
				schema: { querystring: NoQuerySchema, body: CreateV1BodySchema },
			},
			async ({ body }) => good(documents.resource(documents.create('v1', body)), 'OK'),
		);

		app.post(
			'/templates/createDocumentByTemplateV2',
			{
				config: { access: 'template', body: 'json' },
				schema: { querystring: NoQuerySchema, body: CreateV2BodySchema },
			},
			async ({ body }) => good(documents.resource(documents.create('v2', body)), 'OK'),
		);
	};
}
