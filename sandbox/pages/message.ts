import type { FastifyReply } from 'fastify';
import { renderView, type Area } from './view';

/**
 * Answers with a page that says one thing: not found, expired, failed.
 *
 * @param status HTTP status of the answer.
 */
export function sendMessage(
	reply: FastifyReply,
	status: number,
	message: { title: string; text: string; area?: Area },
): FastifyReply {
	return sendPage(reply, 'message', { area: 'none', ...message, status }, status);
}

/** Answers that a link from a mail leads nowhere. */
export function sendUnknownLink(
	reply: FastifyReply,
	area: Area,
	kind: 'signing' | 'identity',
): FastifyReply {
	return sendMessage(reply, 404, {
		area,
		title: `This ${kind} link is unknown`,
		text: 'The address may be incomplete: open it from the mail again, or look it up in the console.',
	});
}

/** Answers with a rendered view. */
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
