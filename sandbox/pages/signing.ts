import type { FastifyInstance, FastifyReply } from 'fastify';
import { PngRefusal, pngFromDataUrl } from '../documents/png';
import type { PagesBackend } from '../service/pagesBackend';
import { PageRefusal, type SigningSession } from '../views';
import { emptyForm, readForm, type Form } from './forms';
import { sendMessage, sendPage, sendUnknownLink } from './message';

/** Prefix of the form fields that answer the template's questions: `answer.<key>`. */
const ANSWER_PREFIX = 'answer.';

/** Longest typed signature and longest answer, in characters. */
const MAX_TYPED = 100;
const MAX_ANSWER = 500;

/** What is wrong with a submitted form: field name to message; `signature` for the signature. */
type Problems = Record<string, string>;

/**
 * Adds the signing page. A script signs by posting the form's fields to it: `kind` (`typed` or
 * `drawn`), `text` or `dataUrl` (PNG), and `answer.<key>` for each question. Answers: 303 signed,
 * 404 unknown link, 410 expired or already signed, 422 something is missing.
 */
export function registerSigning(app: FastifyInstance, backend: PagesBackend): void {
	app.get<{ Params: { token: string } }>('/sign/:token', async (request, reply) => {
		const session = backend.signingSession(request.params.token);
		if (!session) return sendUnknownLink(reply, 'sign', 'signing');
		if (session.signatory.signedAt !== undefined) {
			return sendPage(reply, 'signed', { area: 'sign', session });
		}
		if (session.expired) return sendExpired(reply);
		return sendForm(reply, session, emptyForm(), {}, 200);
	});

	app.post<{ Params: { token: string } }>('/sign/:token', async (request, reply) => {
		const { token } = request.params;
		const session = backend.signingSession(token);
		if (!session) return sendUnknownLink(reply, 'sign', 'signing');
		if (session.signatory.signedAt !== undefined) return sendAlreadySigned(reply);
		if (session.expired) return sendExpired(reply);
		const form = readForm(request.body);
		const problems = check(session, form);
		if (Object.keys(problems).length > 0) return sendForm(reply, session, form, problems, 422);
		try {
			await backend.sign(token, {
				signature:
					form.kind === 'drawn'
						? { kind: 'drawn', dataUrl: form.dataUrl ?? '' }
						: { kind: 'typed', text: (form.text ?? '').trim() },
				answers: readAnswers(session, form),
				sourceIP: request.ip,
			});
		} catch (error) {
			if (!(error instanceof PageRefusal)) throw error;
			const now = backend.signingSession(token);
			if (now?.signatory.signedAt !== undefined) return sendAlreadySigned(reply);
			if (now?.expired) return sendExpired(reply);
			return sendForm(reply, session, form, { form: error.message }, 422);
		}
		return reply.redirect(`/sign/${encodeURIComponent(token)}`, 303);
	});
}

function readAnswers({ template }: SigningSession, form: Form): Record<string, string> {
	const answers = emptyForm();
	for (const { key } of template.questions) {
		const answer = (form[ANSWER_PREFIX + key] ?? '').trim();
		if (answer) answers[key] = answer;
	}
	return { ...answers };
}

function check(session: SigningSession, form: Form): Problems {
	const problems: Problems = {};
	for (const { key, label, isRequired } of session.template.questions) {
		const answer = (form[ANSWER_PREFIX + key] ?? '').trim();
		if (isRequired && !answer) problems[ANSWER_PREFIX + key] = `Answer this first: ${label}.`;
		if (answer.length > MAX_ANSWER) {
			problems[ANSWER_PREFIX + key] = `Use at most ${MAX_ANSWER} characters.`;
		}
	}
	const signature = checkSignature(form);
	if (signature) problems.signature = signature;
	return problems;
}

/** @returns What is wrong with the signature; undefined when nothing is. */
function checkSignature(form: Form): string | undefined {
	if (form.kind === 'typed') {
		const length = (form.text ?? '').trim().length;
		if (length === 0) return 'Type your name to sign.';
		return length > MAX_TYPED ? `Use at most ${MAX_TYPED} characters.` : undefined;
	}
	if (form.kind !== 'drawn') return 'Choose whether to type or draw your signature.';
	if (!form.dataUrl) return 'Draw your signature in the box.';
	try {
		pngFromDataUrl(form.dataUrl);
		return undefined;
	} catch (error) {
		if (error instanceof PngRefusal) return `${error.message} Clear it and draw again.`;
		throw error;
	}
}

function sendForm(
	reply: FastifyReply,
	session: SigningSession,
	form: Form,
	problems: Problems,
	status: number,
): FastifyReply {
	const data = { area: 'sign', session, form, problems, prefix: ANSWER_PREFIX };
	return sendPage(reply, 'sign', { ...data, maxTyped: MAX_TYPED, maxAnswer: MAX_ANSWER }, status);
}

function sendAlreadySigned(reply: FastifyReply): FastifyReply {
	return sendMessage(reply, 410, {
		area: 'sign',
		title: 'You have already signed',
		text: 'A signing link works once. Your first signature stands and nothing was changed.',
	});
}

function sendExpired(reply: FastifyReply): FastifyReply {
	return sendMessage(reply, 410, {
		area: 'sign',
		title: 'This signing link has expired',
		text: 'It can no longer be used to sign. Ask the sender to send the document again.',
	});
}
