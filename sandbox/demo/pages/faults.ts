import type { FastifyInstance, FastifyReply } from 'fastify';
import type { FaultView } from '../../http/faults';
import { PageRefusal } from '../../service/refusal';
import type { PagesBackend } from './backend';
import { readForm, sendPage, noticeOf, type NoticeName } from './reply';
import { helpers } from './view';

/** Adds the page where users set common faults and remove active ones. */
export function registerFaults(app: FastifyInstance, backend: PagesBackend): void {
	const active = () => ({ faults: backend.faults().map(shown) });
	const sendFaults = (
		reply: FastifyReply,
		more: { notice?: string; refusal?: string },
		status = 200,
	) => {
		const common = { area: 'faults', ...active(), presets: backend.presets() };
		return sendPage(reply, 'faults', { ...common, notice: '', refusal: '', ...more }, status);
	};
	const done = (reply: FastifyReply, notice: NoticeName) =>
		reply.redirect(`/faults?done=${notice}`, 303);

	app.get<{ Querystring: { done?: unknown } }>('/faults', async ({ query }, reply) =>
		sendFaults(reply, { notice: noticeOf(query) }),
	);
	app.get('/fragments/faults', async (_request, reply) => sendPage(reply, 'faults-live', active()));
	app.post('/faults', async (request, reply) => {
		const { name = '' } = readForm(request.body);
		try {
			backend.setPreset(name);
		} catch (error) {
			if (!(error instanceof PageRefusal)) throw error;
			return sendFaults(reply, { refusal: `${error.message}.` }, 422);
		}
		return done(reply, name === 'token-expired' ? 'tokensEnded' : 'presetSet');
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

/**
 * Adds a description of an active fault: which calls it applies to, what it does to them, and how much longer
 * it lasts.
 */
function shown(view: FaultView) {
	const { active, fault } = view;
	const where = fault.endpoint === '*' ? 'every call' : fault.endpoint;
	const limits = limitsOf(fault);
	const until = limits.length > 0 ? '' : ' until you remove it';
	const what = active || `Applies to ${where}${until}: the sandbox ${effectOf(fault)}.`;
	const first = fault.skip && `Skips ${helpers.count(fault.skip, 'call')} first.`;
	const ends = active && 'Applies until you remove it.';
	const remainder = limits.length > 0 ? `Still applies ${limits.join(', ')}.` : ends;
	return { ...view, where, text: [what, first, remainder].filter(Boolean).join(' ') };
}

/** Describes what a fault does to a call. */
function effectOf({ delayMs, reset, response }: FaultView['fault']): string {
	const effects = [
		...(delayMs ? [`delays the call by ${delayMs} ms`] : []),
		...(reset ? [`drops the connection ${reset} acting on the call`] : []),
		...(response ? [`responds with HTTP ${response.status}`] : []),
	];
	return effects.join(' and ') || 'handles the call normally';
}

/** Describes how much longer a fault lasts. The list is empty if the fault lasts until a user removes it. */
function limitsOf({ times, forMs }: FaultView['fault']): string[] {
	return [
		...(times === undefined ? [] : [`to ${helpers.count(times, 'call')}`]),
		...(forMs === undefined ? [] : [`for ${helpers.duration(forMs)}`]),
	];
}
