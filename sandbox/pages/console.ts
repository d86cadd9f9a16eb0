import type { FastifyInstance } from 'fastify';
import type { PagesBackend } from './backend';
import { sendPage } from './message';

/** Adds the console (`/`) and the part of it that refreshes itself. */
export function registerConsole(app: FastifyInstance, backend: PagesBackend): void {
	app.get('/', async (_request, reply) =>
		sendPage(reply, 'console', { area: 'console', console: backend.console() }),
	);
	app.get('/fragments/console', async (_request, reply) =>
		sendPage(reply, 'console-live', { console: backend.console() }),
	);
}
