import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { PagesBackend } from '../service/pagesBackend';
import { IMAGE_KINDS, PageRefusal, type IdentitySession } from '../views';
import { emptyForm, readForm, type Form } from './forms';
import { ENOUGH_POINTS } from '../service/identityResults';
import { IMAGE_POLICY } from '../http/headers';
import { sendMessage, sendPage, sendUnknownLink } from './message';
import { MAX_IMAGE_BYTES, readIdentityForm, SAMPLES } from './uploads';
import {
	IDENTITY_CHECKS,
	type IdentityCheck,
	type IdentityOutcome,
	type IdentityScores,
} from '../types';

const OUTCOMES: IdentityOutcome[] = ['pass', 'fail', 'manualReview'];

const CHECK_NAMES: Record<IdentityCheck, string> = {
	idValidation: 'Official ID',
	liveness: 'Living person',
	faceRecognition: 'Face matches the ID',
};

/** Statuses in which a check still waits for its end. */
const OPEN = new Set(['CREATED', 'IN_PROGRESS']);

/**
 * Adds the identity page: the person hands in an ID and a selfie and chooses how the (never real)
 * check ends. A script needs no images: it posts the field `outcome` (`pass`, `fail` or
 * `manualReview`) as a form or as JSON, and if it wants `score.idValidation`, `score.liveness` and
 * `score.faceRecognition` (0 to 100). Answers: 303 ended, 404 unknown link, 410 finished before,
 * 422 something is missing.
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

	app.get<{ Params: { token: string; kind: string } }>(
		'/identity/:token/images/:kind',
		async ({ params }, reply) => {
			const kind = IMAGE_KINDS.find((one) => one === params.kind);
			const image = kind && backend.identityImage(params.token, kind);
			if (!image) return sendUnknownLink(reply, 'identity', 'identity');
			return reply
				.header('content-security-policy', IMAGE_POLICY)
				.header('content-disposition', 'inline; filename="image"')
				.type(image.mimeType)
				.send(image.content);
		},
	);

	app.post<{ Params: { token: string } }>('/identity/:token', async (request, reply) => {
		const { token } = request.params;
		const session = backend.identitySession(token);
		if (!session) return sendUnknownLink(reply, 'identity', 'identity');
		if (!OPEN.has(session.status)) return sendDone(reply);
		let form = emptyForm();
		try {
			form = await readAll(request, backend, session);
			const chosen = OUTCOMES.find((one) => one === form.outcome);
			if (!chosen) throw new PageRefusal('Choose how the check should end.');
			backend.completeIdentity(token, chosen, readScores(form));
			// A review leaves the check open: without a word the same form would seem to have done nothing.
			const note = chosen === 'manualReview' ? '?sent=review' : '';
			return reply.redirect(`/identity/${encodeURIComponent(token)}${note}`, 303);
		} catch (error) {
			if (!(error instanceof PageRefusal)) throw error;
			const now = backend.identitySession(token);
			if (!now || !OPEN.has(now.status)) return sendDone(reply);
			return sendForm(reply, now, { refusal: error.message, form }, 422);
		}
	});
}

/** @throws PageRefusal when a score is not a number from 0 to 100. */
function readScores(form: Form): IdentityScores {
	const scores: IdentityScores = {};
	for (const check of IDENTITY_CHECKS) {
		const text = form[`score.${check}`]?.trim() ?? '';
		if (!text) continue;
		const points = Number(text);
		if (!(points >= 0 && points <= 100)) {
			throw new PageRefusal(
				`${CHECK_NAMES[check]}: enter a score from 0 to 100, or leave it empty.`,
			);
		}
		scores[check] = points;
	}
	return scores;
}

/**
 * Reads a form of either kind, and keeps its images.
 * @throws PageRefusal when an image cannot be taken, or is missing where the page asks for it.
 */
async function readAll(
	request: FastifyRequest,
	backend: PagesBackend,
	{ token, images: before }: IdentitySession,
): Promise<Form> {
	if (!request.isMultipart()) return readForm(request.body);
	const { fields, images } = await readIdentityForm(request);
	backend.keepImages(token, images);
	if (!images.id && !before.id) throw new PageRefusal('Add a picture of the official ID.');
	if (!images.selfie && !before.selfie) throw new PageRefusal('Add a selfie.');
	return fields;
}

function sendForm(
	reply: FastifyReply,
	session: IdentitySession,
	{ reviewed = false, refusal = '', form = emptyForm() },
	status = 200,
): FastifyReply {
	const open = OPEN.has(session.status);
	const checks = Object.entries(CHECK_NAMES).map(([key, name]) => ({ key, name }));
	const common = { area: 'identity', session, open, reviewed, refusal, checks, form };
	const enough = ENOUGH_POINTS;
	const limit = MAX_IMAGE_BYTES / 1024 / 1024;
	return sendPage(reply, 'identity', { ...common, samples: SAMPLES, limit, enough }, status);
}

function sendDone(reply: FastifyReply): FastifyReply {
	return sendMessage(reply, 410, {
		area: 'identity',
		title: 'This check is finished',
		text: 'An identity check ends once. Request another one to try a different outcome.',
	});
}
