import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { openapiOptions } from './document';

/**
 * Serves the service's OpenAPI document at `/openapi.json`. The document is generated from the routes that
 * are added after this call.
 * @param app The server, before the service's routes are added.
 */
export async function registerOpenApi(app: FastifyInstance): Promise<void> {
	await app.register(swagger, openapiOptions);
	app.get('/openapi.json', async () => app.swagger());
}
