import type { FastifyInstance, FastifyReply } from 'fastify';
import { PageRefusal } from '../../service/refusal';
import type { PagesBackend } from './backend';
import { readForm, sendPage, noticeOf, type NoticeName } from './reply';

/** Adds the page where a person sets common faults and removes the active ones. */
export function registerFaults(app: FastifyInstance, backend: PagesBackend): void {
	const sendFaults = (
		reply: FastifyReply,
		more: { notice?: string; refusal?: string },
		status = 200,
	) => {
		const common = { area: 'faults', faults: backend.faults(), presets: backend.presets() };
		return sendPage(reply, 'faults', { ...common, notice: '', refusal: '', ...more }, status);
	};
	const done = (reply: FastifyReply, notice: NoticeName) =>
		reply.redirect(`/faults?done=${notice}`, 303);

	app.get<{ Querystring: { done?: unknown } }>('/faults', async ({ query }, reply) =>
		sendFaults(reply, { notice: noticeOf(query) }),
	);
	app.get('/fragments/faults', async (_request, reply) =>
		sendPage(reply, 'faults-live', { faults: backend.faults() }),
	);
	app.post('/faults', async (request, reply) => {
		try {
			backend.setPreset(readForm(request.body).name ?? '');
		} catch (error) {
			if (!(error instanceof PageRefusal)) throw error;
			return sendFaults(reply, { refusal: `${error.message}.` }, 422);
		}
		return done(reply, 'presetSet');
	});
	app.post<{ Params: { id: string } }>('/faults/:id/remove', async ({ params }, reply) => {
		backend.removeFault(params.id);
		return done(reply, 'faultRemoved');
	});
	app.post('/faults/clear', async (_request, reply) => {
		backend.removeFault();
		return done(reply, 'faultsCleared');
	});
}
