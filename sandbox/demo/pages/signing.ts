import type { FastifyInstance, FastifyReply } from 'fastify';
import { PageRefusal } from '../../service/refusal';
import { maxAnswer, maxTyped, SignatureRefusal } from '../../service/signChecks';
import type { SignatureInput } from '../../types';
import type { PagesBackend, SigningSession } from './backend';
import { emptyForm, readForm, type Form, sendMessage, sendPage, sendUnknownLink } from './reply';

/** The prefix of the form fields for answers to the template's questions: `answer.<key>`. */
const answerPrefix = 'answer.';

/**
 * The error messages about a submitted form, keyed by field name. The key for the signature is `signature`.
 */
type Problems = Record<string, string>;

/**
 * Adds the signing page. A script can sign by posting the form's fields to it: `kind` (`typed` or `drawn`),
 * `text` or `dataUrl` (PNG), and `answer.<key>` for each question. The status of the response is 303 after
 * signing, 404 if the link is unknown, 410 if the link has expired or the person has already signed, and 422
 * if something is missing or invalid.
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
		const form = readForm(request.body);
		try {
			await backend.sign(token, inputOf(session, form, request.ip));
		} catch (error) {
			if (!(error instanceof PageRefusal)) throw error;
			const now = backend.signingSession(token);
			if (now?.signatory.signedAt !== undefined) return sendAlreadySigned(reply);
			if (now?.expired) return sendExpired(reply);
			const problems = error instanceof SignatureRefusal ? error.problems : { form: error.message };
			return sendForm(reply, session, form, problems, 422);
		}
		return reply.redirect(`/sign/${encodeURIComponent(token)}`, 303);
	});
}

/**
 * Reads the signature and the answers from a form. `kind` can be omitted if the signature is typed, which is
 * convenient for scripts.
 */
function inputOf({ template }: SigningSession, form: Form, sourceIP: string): SignatureInput {
	const { kind, text = '', dataUrl = '' } = form;
	const answers = template.questions.map(({ key }) => [key, form[answerPrefix + key] ?? '']);
	return {
		signature: kind === 'drawn' ? { kind: 'drawn', dataUrl } : { kind: 'typed', text },
		answers: Object.fromEntries(answers) as Record<string, string>,
		sourceIP,
	};
}

function sendForm(
	reply: FastifyReply,
	session: SigningSession,
	form: Form,
	problems: Problems,
	status: number,
): FastifyReply {
	const data = { area: 'sign', session, form, problems, prefix: answerPrefix };
	return sendPage(reply, 'sign', { ...data, maxTyped: maxTyped, maxAnswer: maxAnswer }, status);
}

function sendAlreadySigned(reply: FastifyReply): FastifyReply {
	return sendMessage(reply, 410, {
		area: 'sign',
		title: 'You’ve already signed',
		text: 'A signing link works only once. Your original signature still stands, and nothing has changed.',
	});
}

function sendExpired(reply: FastifyReply): FastifyReply {
	return sendMessage(reply, 410, {
		area: 'sign',
		title: 'This signing link has expired',
		text: 'You can no longer sign with this link. If you’ve skipped ahead in time, reset the sandbox’s clock under Time, and open the link again. Otherwise, send the document again from n8n.',
	});
}
