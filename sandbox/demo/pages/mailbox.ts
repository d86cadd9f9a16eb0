import type { FastifyInstance, FastifyReply } from 'fastify';
import type { PagesBackend } from './backend';
import { mailPolicy } from './headers';
import { contentDisposition, queryOf, sendMessage, sendPage } from './reply';

/**
 * Attachments of these types are sent with their own type. All others are sent as application/octet-stream.
 */
const knownTypes = new Set(['application/pdf', 'image/png', 'image/jpeg', 'text/plain']);

/**
 * This HTML is prepended to an email's HTML so that links open in a new tab and the text is styled like the
 * page around it.
 */
const mailHead = `<!doctype html><meta charset="utf-8"><base target="_blank">
<style>body{margin:0;font:16px/1.5 system-ui,sans-serif;color:#1d2733;overflow-wrap:anywhere}</style>
`;

interface MailboxQuery {
	page?: unknown;
}

/**
 * Adds the mailbox: the list of emails, a page for each email, the email's HTML for the frame on that page,
 * and the attachments.
 */
export function registerMailbox(app: FastifyInstance, backend: PagesBackend): void {
	const list = (query: MailboxQuery) => {
		const shown = backend.mails(Number(query.page ?? 1));
		const { page, pages } = shown;
		return {
			list: shown,
			links: {
				fragment: `/fragments${addressOf(page)}`,
				newer: page > 1 ? addressOf(page - 1) : '',
				older: page < pages ? addressOf(page + 1) : '',
			},
		};
	};
	app.get<{ Querystring: MailboxQuery }>('/mailbox', async ({ query }, reply) =>
		sendPage(reply, 'mailbox', { area: 'mailbox', ...list(query) }),
	);
	app.get<{ Querystring: MailboxQuery }>('/fragments/mailbox', async ({ query }, reply) =>
		sendPage(reply, 'mailbox-live', list(query)),
	);
	app.get<{ Params: { id: string } }>('/mailbox/:id', async (request, reply) => {
		const mail = backend.mail(request.params.id);
		if (!mail) return sendNoMail(reply);
		return sendPage(reply, 'mail', { area: 'mailbox', mail });
	});
	app.get<{ Params: { id: string } }>('/mailbox/:id/message', async (request, reply) => {
		const mail = backend.mail(request.params.id);
		if (!mail) return sendNoMail(reply);
		return reply
			.header('content-security-policy', mailPolicy)
			.type('text/html; charset=utf-8')
			.send(mailHead + mail.html);
	});
	app.get<{ Params: { id: string; index: string } }>(
		'/mailbox/:id/attachments/:index',
		async (request, reply) => {
			const { id, index } = request.params;
			const file = /^\d{1,6}$/.test(index) ? backend.attachment(id, Number(index)) : undefined;
			if (!file) return sendNoMail(reply);
			return reply
				.header('content-disposition', contentDisposition('attachment', file.fileName))
				.type(knownTypes.has(file.mimeType) ? file.mimeType : 'application/octet-stream')
				.send(file.content);
		},
	);
}

function addressOf(page: number): string {
	return `/mailbox${queryOf(page)}`;
}

function sendNoMail(reply: FastifyReply): FastifyReply {
	return sendMessage(reply, 404, {
		area: 'mailbox',
		title: 'Email not found',
		text: 'The email may belong to another sandbox, or may have been deleted when this sandbox restarted.',
	});
}
