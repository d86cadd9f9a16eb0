import type { FastifyInstance } from 'fastify';
import type { Links } from '../service/links';

/**
 * Lets the pages work through a forwarded port, as in a development container on another machine.
 * The browser knows the sandbox by another name there, so the pages' links to the sandbox itself
 * start at the root and lead to that name.
 */
export function followForwardedPort(app: FastifyInstance, links: Links): void {
	app.addHook('onSend', async (request, reply, payload) => {
		const isForwarded = request.headers['x-forwarded-host'] !== undefined;
		const isPage = String(reply.getHeader('content-type')).startsWith('text/html');
		return isForwarded && isPage && typeof payload === 'string'
			? payload.replaceAll(`href="${links.root}/`, 'href="/')
			: payload;
	});
}
