import type { FastifyInstance, FastifyReply } from 'fastify';
import { PageRefusal } from '../../service/refusal';
import type { IdentityOutcome } from '../../types';
import type { PagesBackend, IdentitySession } from './backend';
import { readForm, sendMessage, sendPage, sendUnknownLink } from './reply';

const outcomes: IdentityOutcome[] = ['pass', 'fail', 'manualReview'];

/** The sample images that the page offers as the person's ID and selfie. The choice has no effect. */
const samples = [
	{
		field: 'id',
		title: 'Official ID',
		images: [
			{ name: 'id-1', label: 'Ana’s sample ID' },
			{ name: 'id-2', label: 'Kofi’s sample ID' },
		],
	},
	{
		field: 'selfie',
		title: 'Selfie',
		images: [
			{ name: 'selfie-1', label: 'Ana’s sample selfie' },
			{ name: 'selfie-2', label: 'Kofi’s sample selfie' },
		],
	},
];

/** A verification with one of these statuses can still be finished. */
const openStatuses = new Set(['CREATED', 'IN_PROGRESS']);

/**
 * Adds the page for the simulated identity verification, where the person chooses a sample ID, a sample selfie and
 * the outcome. A script does not have to choose images; it just posts the `outcome` field (`pass`, `fail` or
 * `manualReview`), as a form or as JSON. The status of the response is 303 if the outcome was accepted, 404
 * if the link is unknown, 410 if it has already been finished, and 422 if the outcome is missing or
 * invalid.
 */
export function registerIdentity(app: FastifyInstance, backend: PagesBackend): void {
	app.get<{ Params: { token: string }; Querystring: { sent?: string } }>(
		'/identity/:token',
		async (request, reply) => {
			const session = backend.identitySession(request.params.token);
			if (!session) return sendUnknownLink(reply, 'identity', 'identity');
			return sendForm(reply, session, { reviewed: request.query.sent === 'review' });
		},
	);

	app.post<{ Params: { token: string } }>('/identity/:token', async (request, reply) => {
		const { token } = request.params;
		const session = backend.identitySession(token);
		if (!session) return sendUnknownLink(reply, 'identity', 'identity');
		if (!openStatuses.has(session.status)) return sendDone(reply);
		const { outcome } = readForm(request.body);
		try {
			const chosen = outcomes.find((one) => one === outcome);
			if (!chosen) throw new PageRefusal('Choose a result.');
			backend.completeIdentity(token, chosen);
			// A manual review leaves the verification open. Without a note, the unchanged form would look as if
			// nothing had happened.
			const note = chosen === 'manualReview' ? '?sent=review' : '';
			return reply.redirect(`/identity/${encodeURIComponent(token)}${note}`, 303);
		} catch (error) {
			if (!(error instanceof PageRefusal)) throw error;
			const now = backend.identitySession(token);
			if (!now || !openStatuses.has(now.status)) return sendDone(reply);
			return sendForm(reply, now, { refusal: error.message }, 422);
		}
	});
}

function sendForm(
	reply: FastifyReply,
	session: IdentitySession,
	{ reviewed = false, refusal = '' },
	status = 200,
): FastifyReply {
	const open = openStatuses.has(session.status);
	const data = { area: 'identity', session, open, reviewed, refusal, samples: samples };
	return sendPage(reply, 'identity', data, status);
}

function sendDone(reply: FastifyReply): FastifyReply {
	return sendMessage(reply, 410, {
		area: 'identity',
		title: 'This verification is finished',
		text: 'A verification can be finished only once. To try a different result, request a new one.',
	});
}
