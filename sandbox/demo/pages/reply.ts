import type { FastifyReply } from 'fastify';
import { renderView, type Area } from './view';

/** A submitted form, with one string per field. */
export type Form = Record<string, string>;

/** Creates an empty form that does not inherit any properties. */
export function emptyForm(): Form {
	return Object.create(null) as Form;
}

/**
 * Reads a submitted form, which can be form data or a flat JSON object.
 *
 * @param body The parsed body. If a field was sent several times, the last value is used. Values that are not
 * strings are ignored.
 */
export function readForm(body: unknown): Form {
	const form = emptyForm();
	if (typeof body !== 'object' || body === null) return form;
	for (const [name, sent] of Object.entries(body)) {
		const value: unknown = Array.isArray(sent) ? sent.at(-1) : sent;
		if (typeof value === 'string') form[name] = value;
	}
	return form;
}

/** Returns the query string for one page of a list, or '' for the first page. */
export function queryOf(page: number): string {
	return page > 1 ? `?page=${page}` : '';
}

/** The notices that a page shows after a form has been handled. The URL contains only the notice's name. */
const notices = {
	resent: 'The event is being sent again.',
	sent: 'The event is being sent. Its delivery appears in the list below.',
	nobody:
		'No webhook is registered for this event, so nothing was sent. In n8n, publish the workflow with the trigger, or have the trigger listen for a test event.',
	presetSet: 'Fault set. It affects upcoming calls.',
	tokensEnded:
		'The current token no longer works. n8n gets a new one with its next call, so there’s no fault to remove.',
	faultRemoved: 'Fault removed.',
	faultsCleared: 'All faults cleared.',
	clockForward: 'The sandbox’s clock has skipped ahead.',
	clockReset: 'The sandbox’s clock matches this machine’s clock again.',
} as const;

export type NoticeName = keyof typeof notices;

/** Returns the text of the notice that is named in a URL, or '' if there is no such notice. */
export function noticeOf(query: { done?: unknown }): string {
	const { done } = query;
	return typeof done === 'string' && Object.hasOwn(notices, done)
		? notices[done as NoticeName]
		: '';
}

/**
 * Redirects the browser to the page that a form came from, which then shows a notice.
 *
 * @param form The form. Its `back` field contains the page's path. Only the console, the lists and the events
 * page are allowed. For any other path, the browser is redirected to `/`.
 */
export function sendBack(reply: FastifyReply, form: Form, notice: NoticeName): FastifyReply {
	const back = form.back ?? '';
	const path = /^\/(?:events|lists\/[a-zA-Z]+)?(?:\?[^\\]*)?$/.test(back) ? back : '/';
	const url = new URL(path, 'http://sandbox.invalid');
	url.searchParams.set('done', notice);
	return reply.redirect(url.pathname + url.search, 303);
}

/**
 * Responds with a page that shows a single message, such as "Page not found".
 *
 * @param status The HTTP status of the response.
 */
export function sendMessage(
	reply: FastifyReply,
	status: number,
	message: { title: string; text: string; area?: Area },
): FastifyReply {
	return sendPage(reply, 'message', { area: 'none', ...message, status }, status);
}

export function sendUnknownLink(
	reply: FastifyReply,
	area: Area,
	kind: 'signing' | 'identity',
): FastifyReply {
	const isIdentity = kind === 'identity';
	const lost = isIdentity ? 'request' : 'document';
	return sendMessage(reply, 404, {
		area,
		title: `This ${isIdentity ? 'identity verification' : kind} link doesn’t exist`,
		text:
			`The address may be incomplete, or the ${lost} may have been lost when the sandbox restarted. Open the ` +
			`link from the email again, or find it in the console. If it isn’t there, send the ${lost} again from n8n.`,
	});
}

export function sendPage(
	reply: FastifyReply,
	view: string,
	data: object,
	status = 200,
): FastifyReply {
	return reply
		.status(status)
		.type('text/html; charset=utf-8')
		.send(renderView(view, { ...data, view }));
}

/**
 * Returns the Content-Disposition header, which contains a file's name and tells a browser whether to show or
 * save the file. Unsafe characters in the name are replaced. Old clients read `filename`, and all others read
 * `filename*`.
 */
export function contentDisposition(how: 'inline' | 'attachment', fileName: string): string {
	const name =
		Buffer.from(fileName)
			.toString()
			.replace(/[\u0000-\u001f\u007f/\\]/g, '_') || 'attachment';
	const ascii = name.replace(/[^\w.() -]/g, '_');
	const encoded = encodeURIComponent(name).replace(
		/['()*]/g,
		(character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
	);
	return `${how}; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
