import {
	TypeBoxValidatorCompiler,
	type FastifyPluginAsyncTypebox,
	Type,
} from '@fastify/type-provider-typebox';
import type { FastifyError } from 'fastify';
import { ClockSchema, FaultSchema, FireSchema, SettingsSchema } from '../schemas/control';
import { changeClock, fireEvent } from '../service/controls';
import { ServiceRefusal } from '../service/refusal';
import { named } from '../util/plugin';
import { maskDelivery, maskRequest, maskUrl } from './mask';
import type { ServiceParts } from './parts';
import { faultPresets, setPreset } from './presets';

const keptRows = 1000;
const LimitSchema = Type.Object({ limit: Type.Optional(Type.Integer({ minimum: 1 })) });

/**
 * Serves the sandbox's own API for tools, under `/sandbox`. Responses are plain JSON without an envelope, and
 * secrets are masked. By default, a list contains the newest 1,000 rows; `?limit=` changes this number.
 * Errors have the form `{"error": "…"}`.
 */
export function controlRoutes(parts: ServiceParts): FastifyPluginAsyncTypebox {
	return async (app) => {
		app.setValidatorCompiler(TypeBoxValidatorCompiler);
		// A call without a body may have any content type, so all content types are accepted.
		app.removeAllContentTypeParsers();
		app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) => {
			try {
				done(null, text.length > 0 ? (JSON.parse(text.toString()) as unknown) : undefined);
			} catch {
				done(Object.assign(new Error('The body is not JSON'), { statusCode: 400 }));
			}
		});
		app.addContentTypeParser('*', { parseAs: 'string' }, (_request, _text, done) => done(null));
		app.setErrorHandler((error: FastifyError | ServiceRefusal, _request, reply) => {
			const status = error instanceof ServiceRefusal ? error.status : (error.statusCode ?? 500);
			return reply.code(status).send({ error: error.message });
		});
		app.setNotFoundHandler((_request, reply) => reply.code(404).send({ error: 'Not found' }));
		await app.register(named('lists', listRoutes(parts)));
		await app.register(named('actions', actionRoutes(parts)));
	};
}

/** Adds the routes that list what the sandbox contains and what has happened in it. */
function listRoutes(parts: ServiceParts): FastifyPluginAsyncTypebox {
	const { deliveries, documents, identity, mailbox, recorder, registrations, store } = parts;
	const list = { schema: { querystring: LimitSchema } };
	return async (app) => {
		app.get('/health', async () => ({
			ok: store.saveError === undefined,
			...(store.saveError === undefined ? {} : { saveError: store.saveError }),
			uptimeSeconds: Math.round(process.uptime()),
			documents: store.documents.size,
			pendingDeliveries: store.deliveries.all().filter(({ state }) => state === 'pending').length,
		}));

		app.get('/requests', list, async ({ query: { limit = keptRows } }) =>
			recorder.requests.slice(-limit).map(maskRequest),
		);
		app.get('/mails', list, async ({ query: { limit = keptRows } }) =>
			mailbox.all().slice(0, limit),
		);
		app.get('/documents', list, async ({ query: { limit = keptRows } }) =>
			store.documents
				.all()
				.slice(-limit)
				.map((one) => documents.resource(one)),
		);
		app.get('/identity-requests', list, async ({ query: { limit = keptRows } }) =>
			identity.all().slice(-limit),
		);
		app.get('/webhooks', list, async ({ query: { limit = keptRows } }) =>
			registrations
				.all()
				.slice(-limit)
				.map((one) => ({ ...one, webHookUrl: maskUrl(one.webHookUrl) })),
		);
		app.get('/deliveries', list, async ({ query: { limit = keptRows } }) =>
			deliveries.all().slice(-limit).map(maskDelivery),
		);
	};
}

/** Adds the routes that send events and control the faults, the settings and the clock. */
function actionRoutes(parts: ServiceParts): FastifyPluginAsyncTypebox {
	const { clock, deliveries, faults, settings } = parts;
	return async (app) => {
		app.post('/fire', { schema: { body: FireSchema } }, async ({ body }) => {
			const { type, documentID, validationId } = body;
			const sent = await fireEvent(parts, type, documentID ?? validationId ?? '');
			return sent.map(maskDelivery);
		});
		app.post(
			'/deliveries/:id/resend',
			{ schema: { params: Type.Object({ id: Type.String() }) } },
			async ({ params }) => maskDelivery(deliveries.resend(params.id)),
		);

		app.get('/faults', async () => faults.list());
		app.put(
			'/faults',
			{ schema: { body: Type.Union([FaultSchema, Type.Array(FaultSchema)]) } },
			async ({ body }) => {
				faults.clear();
				for (const fault of Array.isArray(body) ? body : [body]) faults.set(fault);
				return faults.list();
			},
		);
		app.delete('/faults', async () => {
			faults.clear();
			return faults.list();
		});

		app.get('/presets', async () => faultPresets());
		app.post(
			'/presets/:name',
			{ schema: { params: Type.Object({ name: Type.String() }) } },
			async ({ params }) => setPreset(parts, params.name),
		);

		app.get('/settings', async () => settings.current);
		app.put('/settings', { schema: { body: SettingsSchema } }, async ({ body }) =>
			settings.set(body),
		);
		app.delete('/settings', async () => settings.set({}));

		app.get('/clock', async () => clock.state());
		app.put('/clock', { schema: { body: ClockSchema } }, async ({ body }) =>
			changeClock(clock, body),
		);
		app.delete('/clock', async () => clock.reset());
	};
}
