import type { FastifyInstance, FastifyReply } from 'fastify';
import type { FaultView } from '../../http/faults';
import { PageRefusal } from '../../service/refusal';
import type { PagesBackend } from './backend';
import { readForm, sendPage, noticeOf, type NoticeName } from './reply';
import { helpers } from './view';

/** Adds the page where a person sets common faults and removes the active ones. */
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

/** Adds the texts of an active fault: which calls it applies to, and what it does to them, for how long. */
function shown(view: FaultView) {
	const { active, fault } = view;
	const where = fault.endpoint === '*' ? 'every call' : fault.endpoint;
	const what = active || `Applies to ${where}: the sandbox ${effectOf(fault)}.`;
	return { ...view, where, text: `${what} ${remainderOf(fault)}` };
}

/** Describes what a fault does to a call. */
function effectOf({ delayMs, reset, answer }: FaultView['fault']): string {
	const effects = [
		...(delayMs ? [`delays the call by ${delayMs} ms`] : []),
		...(reset ? [`drops the connection ${reset} acting on the call`] : []),
		...(answer ? [`responds with HTTP ${answer.status}`] : []),
	];
	return effects.join(' and ') || 'handles the call normally';
}

/** Describes how much longer a fault applies. */
function remainderOf({ times, forMs, skip }: FaultView['fault']): string {
	const left = [
		...(times === undefined ? [] : [`to ${helpers.count(times, 'call')}`]),
		...(forMs === undefined ? [] : [`for ${helpers.duration(forMs)}`]),
	];
	const first = skip ? `Skips ${helpers.count(skip, 'call')} first. ` : '';
	return (
		first + (left.length > 0 ? `Still applies ${left.join(', ')}.` : 'Applies until you remove it.')
	);
}
