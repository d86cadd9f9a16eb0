import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ServiceParts } from '../../http/parts';
import { isFileKind } from '../../service/links';
import { fileName } from '../papers/files';
import { setStrictHeaders } from './headers';
import { contentDisposition, sendMessage } from './reply';

/**
 * Serves the files at the pre-signed URLs (`documentURL`, `certificateURL`, `pscCertificateURL`). No
 * authentication headers are needed, because the URL itself grants access until it expires.
 */
export function fileRoutes({ documents, files, links }: ServiceParts) {
	return async (app: FastifyInstance): Promise<void> => {
		app.get<{
			Params: { documentID: string; file: string };
			Querystring: Record<string, unknown>;
		}>('/files/:documentID/:file', async (request, reply) => {
			const { params, query } = request;
			const { documentID, file } = params;
			const kind = file.replace(/\.pdf$/, '');
			const { expires, signature } = query;
			reply.header('X-Content-Type-Options', 'nosniff').header('Cache-Control', 'no-store');
			if (!isFileKind(kind) || typeof expires !== 'string' || typeof signature !== 'string') {
				return refuse(request, reply, 'Access denied');
			}
			const checked = links.check(documentID, kind, expires, signature);
			const record = documents.record(documentID);
			if (checked !== 'good' || !record) {
				const why: Refusal = checked === 'expired' ? 'Request has expired' : 'Access denied';
				return refuse(request, reply, why);
			}
			const pdf = await files.file(record, kind);
			return reply
				.header('Content-Disposition', contentDisposition('inline', fileName(record.title, kind)))
				.type('application/pdf')
				.send(pdf);
		});
	};
}

/**
 * Refuses a request the way a storage service would, with XML. A browser instead gets a page that explains
 * what to do next.
 */
function refuse(request: FastifyRequest, reply: FastifyReply, why: Refusal): FastifyReply {
	if (!request.headers.accept?.includes('text/html')) {
		return reply.code(403).type('application/xml').send(denied(why));
	}
	setStrictHeaders(reply);
	return sendMessage(reply, 403, {
		title: why === 'Access denied' ? 'This file link isn’t valid' : 'This file link has expired',
		text: 'File links only work for a limited time. In the console, you’ll find a new one for each completed document.',
	});
}

type Refusal = 'Access denied' | 'Request has expired';

function denied(message: Refusal): string {
	return (
		'<?xml version="1.0" encoding="UTF-8"?>\n' +
		`<Error><Code>AccessDenied</Code><Message>${message}</Message></Error>`
	);
}
