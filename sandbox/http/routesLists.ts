import { Type, type FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { maskDelivery, maskRequest, maskUrl } from '../util/mask';
import type { ServiceParts } from './parts';

const KEPT_ROWS = 1000;
const LimitSchema = Type.Object({ limit: Type.Optional(Type.Integer({ minimum: 1 })) });
const LogSchema = Type.Object({
	after: Type.Optional(Type.Integer({ minimum: 0 })),
	limit: Type.Optional(Type.Integer({ minimum: 1 })),
});

/** What the sandbox holds and what happened in it, for tools. */
export function listRoutes(parts: ServiceParts): FastifyPluginAsyncTypebox {
	const { account, deliveries, documents, identity, journal, links, mailbox, recorder } = parts;
	const { registrations, store } = parts;
	const list = { schema: { querystring: LimitSchema } };
	return async (app) => {
		app.get('/', async () => ({
			name: 'Signing sandbox',
			pages: `${links.root}/`,
			baseUrl: links.base,
			openapi: `${links.root}/openapi.json`,
			userId: account.userId,
		}));
		app.get('/health', async () => ({
			ok: store.saveError === undefined,
			...(store.saveError === undefined ? {} : { saveError: store.saveError }),
			uptimeSeconds: Math.round(process.uptime()),
			documents: store.documents.size,
			pendingDeliveries: store.deliveries.all().filter(({ state }) => state === 'pending').length,
		}));
		app.get('/account', async () => ({ userId: account.userId }));

		app.get('/requests', list, async ({ query: { limit = KEPT_ROWS } }) =>
			recorder.requests.slice(-limit).map(maskRequest),
		);
		app.get('/mails', list, async ({ query: { limit = KEPT_ROWS } }) =>
			mailbox.all().slice(0, limit),
		);
		app.get('/documents', list, async ({ query: { limit = KEPT_ROWS } }) =>
			store.documents
				.all()
				.slice(-limit)
				.map((one) => documents.resource(one)),
		);
		app.get('/identity-requests', list, async ({ query: { limit = KEPT_ROWS } }) =>
			identity.all().slice(-limit),
		);
		app.get('/webhooks', list, async ({ query: { limit = KEPT_ROWS } }) =>
			registrations
				.all()
				.slice(-limit)
				.map((one) => ({ ...one, webHookUrl: maskUrl(one.webHookUrl) })),
		);
		app.get('/deliveries', list, async ({ query: { limit = KEPT_ROWS } }) =>
			deliveries.all().slice(-limit).map(maskDelivery),
		);
		app.get(
			'/log',
			{ schema: { querystring: LogSchema } },
			async ({ query: { after, limit = KEPT_ROWS } }) => journal.read(after, limit),
		);
	};
}
