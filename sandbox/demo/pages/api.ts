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
 * Adds `/docs`, a page to read the contract and to try calls on. All of it comes from this machine.
 * @param app The server, after it has openapi.json.
 */
export async function registerApiPage(app: FastifyInstance): Promise<void> {
	await app.register(async (scope) => {
		scope.addHook('onRequest', async (_request, reply) => setStrictHeaders(reply));
		await scope.register(swaggerUi, {
			routePrefix: '/docs',
			// Without the bar that asks for the URL of another document.
			uiConfig: {
				layout: 'BaseLayout',
				docExpansion: 'list',
				tryItOutEnabled: false,
				requestInterceptor: withContentType,
			},
			// A title, the way back, and colours that can be read.
			theme: {
				title: 'API · Signing sandbox',
				js: [asset('api.js')],
				css: [asset('api.css')],
			},
		});
	});
}

/**
 * Adds the header that deleting needs, and that OpenAPI cannot describe where there is no body.
 * Runs in the browser, so it knows nothing from outside of it.
 */
function withContentType<T>(call: T): T {
	const { method, headers } = call as { method: string; headers: Record<string, string> };
	if (method === 'DELETE') headers['Content-Type'] = 'application/json';
	return call;
}
