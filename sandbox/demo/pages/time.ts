import type { FastifyInstance, FastifyReply } from 'fastify';
import { PageRefusal } from '../../service/refusal';
import type { PagesBackend } from './backend';
import { readForm, sendPage, noticeOf, type NoticeName } from './reply';

/** The steps by which the buttons on the page move the clock forward. */
const steps = [
	{ advance: '5m', label: '5 minutes', meaning: 'Tokens expire.' },
	{ advance: '1h', label: '1 hour', meaning: 'File links expire.' },
	{ advance: '1d', label: '1 day', meaning: '' },
	{ advance: '30d', label: '30 days', meaning: 'Signing links expire.' },
];

/** Adds the clock page, which shows the time, moves the clock forward and resets it. */
export function registerTime(app: FastifyInstance, backend: PagesBackend): void {
	const sendTime = (
		reply: FastifyReply,
		more: { notice?: string; refusal?: string },
		status = 200,
	) => {
		const data = { area: 'time', clock: backend.clock(), steps: steps };
		return sendPage(reply, 'time', { ...data, notice: '', refusal: '', ...more }, status);
	};
	app.get<{ Querystring: { done?: unknown } }>('/time', async ({ query }, reply) =>
		sendTime(reply, { notice: noticeOf(query) }),
	);
	app.get('/fragments/time', async (_request, reply) =>
		sendPage(reply, 'time-live', { clock: backend.clock() }),
	);
	app.post('/time', async (request, reply) => {
		const { advance = '', reset } = readForm(request.body);
		try {
			backend.setClock(reset === undefined ? { advance } : undefined);
		} catch (error) {
			if (!(error instanceof PageRefusal)) throw error;
			return sendTime(reply, { refusal: `${error.message}.` }, 422);
		}
		const notice: NoticeName = reset === undefined ? 'clockForward' : 'clockReset';
		return reply.redirect(`/time?done=${notice}`, 303);
	});
}
