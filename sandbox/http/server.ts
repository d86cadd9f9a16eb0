import Fastify, { type FastifyInstance } from 'fastify';
import { registerOpenApi } from '../contract';
import { registerPages } from '../pages';
import type { PagesBackend } from '../service/pagesBackend';
import { api } from './api';
import { followForwardedPort } from './forwarded';
import { guardAgainstSites } from './guard';
import type { ServiceParts } from './parts';
import { controlRoutes } from './routesControl';
import { fileRoutes } from './routesFiles';

/**
 * The whole HTTP surface: the service below `/api`, its description, the tools' surface below
 * `/sandbox`, the files, and the pages. It does not listen yet.
 */
export async function createServer(
	parts: ServiceParts,
	pages: PagesBackend,
): Promise<FastifyInstance> {
	const app = Fastify({
		logger: false,
		// Closing must not wait for a client that keeps its connection open.
		forceCloseConnections: true,
		exposeHeadRoutes: false,
	});
	guardAgainstSites(app);
	followForwardedPort(app, parts.links);
	app.addHook('onSend', async (request, _reply, payload) => {
		// Whoever was told that something happened must find it after a crash and a restart.
		if (request.method !== 'GET') await parts.store.flush();
		return payload;
	});
	await registerOpenApi(app);
	await app.register(api(parts), { prefix: '/api' });
	await app.register(controlRoutes(parts), { prefix: '/sandbox' });
	await app.register(fileRoutes(parts));
	await app.register(async (scope) => registerPages(scope, pages));
	return app;
}
