import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { setStrictHeaders } from './headers';

const asset = (filename: string) => ({
	filename,
	content: readFileSync(join(__dirname, 'assets', filename), 'utf8'),
});

/**
 * Adds `/docs`, a page that shows the contract and lets users try out calls. The page does not load any files
 * from other servers.
 * @param app The server, after openapi.json has been added.
 */
export async function registerApiPage(app: FastifyInstance): Promise<void> {
	await app.register(async (scope) => {
		scope.addHook('onRequest', async (_request, reply) => setStrictHeaders(reply));
		await scope.register(swaggerUi, {
			routePrefix: '/docs',
			// Unlike the default layout, BaseLayout has no bar for loading a different OpenAPI document.
			uiConfig: {
				layout: 'BaseLayout',
				docExpansion: 'list',
				tryItOutEnabled: false,
				requestInterceptor: withContentType,
			},
			// The theme adds a title, a link back to the console, and readable colors.
			theme: {
				title: 'API · Signing sandbox',
				js: [asset('api.js')],
				css: [asset('api.css')],
			},
		});
	});
}

/**
 * Adds the Content-Type header that DELETE calls need, because OpenAPI cannot describe this header for a call
 * without a body. This function runs in the browser, so it must not refer to anything outside its own body.
 */
function withContentType<T>(call: T): T {
	const { method, headers } = call as { method: string; headers: Record<string, string> };
	if (method === 'DELETE') headers['Content-Type'] = 'application/json';
	return call;
}
