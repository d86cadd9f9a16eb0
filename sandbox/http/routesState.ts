import { Type, type FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { ServiceParts } from './parts';

/** Bytes of the largest state taken. */
export const MAX_STATE_BYTES = 512 * 1024 * 1024;

/** Saves the whole state, and puts a saved one or a scenario in its place. */
export function stateRoutes({ states }: ServiceParts): FastifyPluginAsyncTypebox {
	return async (app) => {
		// As a file that a person can read, and that a browser keeps.
		app.get('/state', async (_request, reply) =>
			reply
				.header('Content-Disposition', 'attachment; filename="sandbox.json"')
				.type('application/json; charset=utf-8')
				.send(`${JSON.stringify(states.save(), null, 2)}\n`),
		);
		app.put('/state', { bodyLimit: MAX_STATE_BYTES }, async ({ body }) => {
			await states.load(body);
			return { loaded: true };
		});
		app.get('/scenarios', async () => states.scenarios());
		app.post(
			'/scenarios/:name',
			{ schema: { params: Type.Object({ name: Type.String() }) } },
			async ({ params }) => states.loadScenario(params.name),
		);
	};
}
