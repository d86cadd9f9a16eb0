import type { FastifyInstance, FastifyReply } from 'fastify';
import type { ClockChange } from '../types';
import type { PagesBackend } from '../service/pagesBackend';
import { PageRefusal } from '../views';
import { readForm, type Form } from './forms';
import { sendPage } from './message';
import { noticeOf, type NoticeName } from './notices';

/** How far the buttons of the page put the clock forward. */
const STEPS = [
	{ advance: '5m', label: '5 minutes', meaning: 'tokens expire' },
	{ advance: '1h', label: '1 hour', meaning: 'links to files expire' },
	{ advance: '1d', label: '1 day', meaning: '' },
	{ advance: '30d', label: '30 days', meaning: 'signing links expire' },
];

/** Adds the page of the clock: what it shows, and forms that put it forward, stop it or set it. */
export function registerTime(app: FastifyInstance, backend: PagesBackend): void {
	const sendTime = (
		reply: FastifyReply,
		more: { notice?: string; refusal?: string; at?: string } = {},
		status = 200,
	) => {
		const { notice = '', refusal = '', at = '' } = more;
		const data = { area: 'time', clock: backend.clock(), steps: STEPS, notice, refusal, at };
		return sendPage(reply, 'time', data, status);
	};
	app.get<{ Querystring: { done?: unknown } }>('/time', async ({ query }, reply) =>
		sendTime(reply, { notice: noticeOf(query) }),
	);
	app.get('/fragments/time', async (_request, reply) =>
		sendPage(reply, 'time-live', { clock: backend.clock() }),
	);
	app.post('/time', async (request, reply) => {
		const form = readForm(request.body);
		try {
			const { done, change } = readChange(form);
			backend.setClock(change);
			return await reply.redirect(`/time?done=${done}`, 303);
		} catch (error) {
			if (!(error instanceof PageRefusal)) throw error;
			return sendTime(reply, { refusal: `${error.message}.`, at: form.at ?? '' }, 422);
		}
	});
}

/** Each form of the page sends one of these fields. */
function readChange(form: Form): { done: NoticeName; change?: ClockChange } {
	const { advance = '', frozen, at, reset } = form;
	if (reset !== undefined) return { done: 'clockReset' };
	if (frozen === 'true') return { done: 'clockStopped', change: { frozen: true } };
	if (frozen !== undefined) return { done: 'clockRuns', change: { frozen: false } };
	if (at === undefined) return { done: 'clockForward', change: { advance } };
	// A field for date and time gives no time zone: the page says that it is UTC.
	return { done: 'clockSet', change: { at: /T[\d:.]+$/.test(at) ? `${at}Z` : at } };
}
