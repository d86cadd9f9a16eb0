import type { FastifyInstance, FastifyReply } from 'fastify';
import { PageRefusal, type IdentityOutcome, type PagesBackend } from './backend';
import { readForm } from './forms';
import { sendMessage, sendPage } from './message';

const OUTCOMES: IdentityOutcome[] = ['pass', 'fail', 'manualReview'];

/** Statuses in which a check still waits for its end. */
const OPEN = new Set(['CREATED', 'IN_PROGRESS']);

/** Adds the identity page, where the person chooses how the (never real) check ends. */
export function registerIdentity(app: FastifyInstance, backend: PagesBackend): void {
	app.get<{ Params: { token: string }; Querystring: { sent?: string } }>(
		'/identity/:token',
		async (request, reply) => {
			const session = backend.identitySession(request.params.token);
			if (!session) return sendNoLink(reply);
			return sendPage(reply, 'identity', {
				area: 'identity',
				session,
				open: OPEN.has(session.status),
				reviewed: request.query.sent === 'review',
				refusal: '',
			});
		},
	);

	app.post<{ Params: { token: string } }>('/identity/:token', async (request, reply) => {
		const { token } = request.params;
		const session = backend.identitySession(token);
		if (!session) return sendNoLink(reply);
		const { outcome } = readForm(request.body);
		const chosen = OUTCOMES.find((one) => one === outcome);
		const refuse = (status: number, refusal: string) =>
			sendPage(reply, 'identity', { area: 'identity', session, open: true, refusal }, status);
		if (!OPEN.has(session.status)) return sendDone(reply);
		if (!chosen) return refuse(422, 'Choose how the check should end.');
		try {
			await backend.completeIdentity(token, chosen);
		} catch (error) {
			if (!(error instanceof PageRefusal)) throw error;
			const now = backend.identitySession(token);
			return now && !OPEN.has(now.status) ? sendDone(reply) : refuse(422, error.message);
		}
		// A review leaves the check open: without a word the same form would seem to have done nothing.
		const note = chosen === 'manualReview' ? '?sent=review' : '';
		return reply.redirect(`/identity/${encodeURIComponent(token)}${note}`, 303);
	});
}

function sendDone(reply: FastifyReply): FastifyReply {
	return sendMessage(reply, 410, {
		area: 'identity',
		title: 'This check is finished',
		text: 'An identity check ends once. Request another one to try a different outcome.',
	});
}

function sendNoLink(reply: FastifyReply): FastifyReply {
	return sendMessage(reply, 404, {
		area: 'identity',
		title: 'This identity link is unknown',
		text: 'The address may be incomplete: open it from the mail again, or look it up in the console.',
	});
}
