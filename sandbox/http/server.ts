import Fastify, { type FastifyInstance } from 'fastify';
import { registerOpenApi } from '../contract';
import { named } from '../util/plugin';
import { api } from './api';
import type { ServiceParts } from './parts';
import { controlRoutes } from './routesControl';

/**
 * Creates the HTTP server without starting it. The server provides the service under `/api`, openapi.json,
 * the API for tools under `/sandbox`, and the pages.
 * @param pages A function that adds the pages.
 */
export async function createServer(
	parts: ServiceParts,
	pages: (app: FastifyInstance) => Promise<void>,
): Promise<FastifyInstance> {
	const app = Fastify({
		logger: false,
		// Closing the server must not wait for a client that keeps its connection open.
		forceCloseConnections: true,
		exposeHeadRoutes: false,
	});
	guardAgainstSites(app);
	app.addHook('onSend', async (request, _reply, payload) => {
		// A call's effects are saved before the response is sent, so once a client has the response, the
		// effects survive even a crash.
		if (request.method !== 'GET') await parts.store.flush();
		return payload;
	});
	await registerOpenApi(app);
	await app.register(named('api', api(parts)), { prefix: '/api' });
	await app.register(named('control', controlRoutes(parts)), { prefix: '/sandbox' });
	await app.register(named('pages', pages));
	return app;
}

/**
 * Blocks requests from other websites. The sandbox listens on loopback, but the browser that shows its pages
 * also runs other sites' scripts. Another site could make its own host name resolve to loopback, or submit a
 * form to the sandbox. Programs other than browsers send neither Origin nor Sec-Fetch-Site, so their requests
 * are accepted. Several headers are checked, because not every browser sends Sec-Fetch-Site, and because a
 * page that is opened through a forwarded port has an Origin that differs from the sandbox's.
 */
function guardAgainstSites(app: FastifyInstance): void {
	app.addHook('onRequest', async (request, reply) => {
		const { host, origin, 'sec-fetch-site': site } = request.headers;
		const forwarded = request.headers['x-forwarded-host'];
		const isOwn = !origin || [host, forwarded].includes(origin.replace(/^https?:\/\//, ''));
		const foreign = site === 'cross-site' || site === 'same-site' || !isOwn;
		const reads = request.method === 'GET' || request.method === 'HEAD';
		if (!isLocal(host) || (foreign && !reads)) {
			await reply.code(403).send({ error: 'The sandbox only accepts requests from this machine.' });
		}
	});
}

function isLocal(host: string | undefined): boolean {
	// HTTP/1.0 clients do not send a Host header.
	if (!host) return true;
	const name = host.toLowerCase().replace(/:\d+$/, '');
	return name === 'localhost' || name.endsWith('.localhost') || name === '127.0.0.1';
}
