import Fastify, { type FastifyInstance } from 'fastify';
import { registerOpenApi } from '../contract';
import { api } from './api';
import type { ServiceParts } from './parts';
import { controlRoutes } from './routesControl';

/**
 * The whole HTTP surface: the service below `/api`, its description, the tools' surface below
 * `/sandbox`, and the pages. It does not listen yet.
 * @param pages Adds what people see.
 */
export async function createServer(
	parts: ServiceParts,
	pages: (app: FastifyInstance) => Promise<void>,
): Promise<FastifyInstance> {
	const app = Fastify({
		logger: false,
		// Closing must not wait for a client that keeps its connection open.
		forceCloseConnections: true,
		exposeHeadRoutes: false,
	});
	guardAgainstSites(app);
	app.addHook('onSend', async (request, _reply, payload) => {
		// Whoever was told that something happened must find it after a crash and a restart.
		if (request.method !== 'GET') await parts.store.flush();
		return payload;
	});
	await registerOpenApi(app);
	await app.register(api(parts), { prefix: '/api' });
	await app.register(controlRoutes(parts), { prefix: '/sandbox' });
	await app.register(pages);
	return app;
}

/**
 * Keeps other web sites out. The sandbox listens on loopback, but the browser that shows its pages
 * also runs other people's: those could reach it under a name of their own that leads to loopback,
 * or send it forms. Programs send none of the headers that tell. Not every browser sends
 * Sec-Fetch-Site, and the page of a forwarded port has another Origin than the sandbox's own.
 */
function guardAgainstSites(app: FastifyInstance): void {
	app.addHook('onRequest', async (request, reply) => {
		const { host, origin, 'sec-fetch-site': site } = request.headers;
		const forwarded = request.headers['x-forwarded-host'];
		const isOwn = !origin || [host, forwarded].includes(origin.replace(/^https?:\/\//, ''));
		const foreign = site === 'cross-site' || site === 'same-site' || !isOwn;
		const reads = request.method === 'GET' || request.method === 'HEAD';
		if (!isLocal(host) || (foreign && !reads)) {
			await reply.code(403).send({ error: 'The sandbox answers only to this machine.' });
		}
	});
}

function isLocal(host: string | undefined): boolean {
	// HTTP/1.0 clients send none.
	if (!host) return true;
	const name = host.toLowerCase().replace(/:\d+$/, '');
	return name === 'localhost' || name.endsWith('.localhost') || name === '127.0.0.1';
}
