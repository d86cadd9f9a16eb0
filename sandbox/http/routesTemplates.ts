import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { CreateV1BodySchema, CreateV2BodySchema, NoQuerySchema } from '../schemas';
import { withQuirks } from '../service/quirks';
import type { DocumentRecord } from '../state/records';
import { good } from './envelope';
import type { ServiceParts } from './parts';

/**
 * Templates and the documents made from them (docs/dev/service.md#endpoints). The answer to creating is
 * not shown there; here it is the whole Document, unless a quirk says otherwise.
 */
export function templateRoutes(parts: ServiceParts): FastifyPluginAsyncTypebox {
	const { account, documents, settings, templates } = parts;
	const created = (record: DocumentRecord) => {
		const { quirks } = settings.current;
		if (quirks.createAnswersOnlySuccess) return { success: true, message: 'OK' };
		return good(withQuirks(documents.resource(record), quirks), 'OK');
	};
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
			async ({ body }) => created(documents.create('v1', body)),
		);

		app.post(
			'/templates/createDocumentByTemplateV2',
			{
				config: { access: 'template', body: 'json' },
				schema: { querystring: NoQuerySchema, body: CreateV2BodySchema },
			},
			async ({ body }) => created(documents.create('v2', body)),
		);
	};
}
