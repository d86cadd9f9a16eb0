import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { setStrictHeaders } from '../http/headers';
import { openapiOptions } from './document';
import { theme } from './theme';

/**
 * Describes the service as an OpenAPI document, made from the routes that are added afterwards:
 * `/openapi.json`, and `/docs` as a page to read and to try calls on. All of it comes from this
 * machine.
 * @param app The server, before it has the service's routes.
 */
export async function registerOpenApi(app: FastifyInstance): Promise<void> {
	await app.register(swagger, openapiOptions);
	await app.register(async (scope) => {
		scope.addHook('onRequest', async (_request, reply) => setStrictHeaders(reply));
		scope.get('/openapi.json', async () => app.swagger());
		await scope.register(swaggerUi, {
			routePrefix: '/docs',
			// Without the bar that asks for the URL of another document.
			uiConfig: {
				layout: 'BaseLayout',
				docExpansion: 'list',
				tryItOutEnabled: false,
				requestInterceptor: withContentType,
			},
			theme,
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
