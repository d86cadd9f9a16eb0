import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Links } from '../../service/links';
import { named } from '../../util/plugin';
import { maxPngBytes } from '../../util/png';
import { registerAssets } from './assets';
import { pagesBackend } from './backend';
import { registerConsole } from './console';
import type { PagesDeps } from './consoleView';
import { registerEvents } from './events';
import { registerFaults } from './faults';
import { fileRoutes } from './files';
import { setStrictHeaders } from './headers';
import { registerIdentity } from './identity';
import { registerMailbox } from './mailbox';
import { sendMessage } from './reply';
import { registerSigning } from './signing';
import { templateImportRoutes } from './templateImport';
import { registerTime } from './time';

/**
 * The maximum size of a form in bytes. This leaves room for the largest drawing, which grows by a third when
 * it is encoded as a data URL.
 */
const formLimit = 2 * maxPngBytes;

/**
 * Adds everything that users see in the browser: the console, the pages for events, faults, time, the
 * mailbox, signing and identity, and document files.
 *
 * The pages are registered in a separate scope so that their headers and form parsing do not affect the
 * service's endpoints. If a request matches no route at all, this scope responds with an error page and
 * status 404. Endpoints that need a different response set a not-found handler in a scope that has a prefix.
 *
 * @param app The server. It must not have a not-found handler at its root.
 */
export async function registerPages(app: FastifyInstance, deps: PagesDeps): Promise<void> {
	const backend = pagesBackend(deps);
	followForwardedPort(app, deps.links);
	await app.register(named('files', fileRoutes(deps)));
	const scoped = async (scope: FastifyInstance) => {
		scope.addHook('onRequest', async (_request, reply) => setStrictHeaders(reply));
		scope.addContentTypeParser(
			'application/x-www-form-urlencoded',
			{ parseAs: 'string', bodyLimit: formLimit },
			(_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
		);
		await registerAssets(scope);
		registerConsole(scope, backend);
		registerEvents(scope, backend);
		registerFaults(scope, backend);
		registerTime(scope, backend);
		registerMailbox(scope, backend);
		registerSigning(scope, backend);
		registerIdentity(scope, backend);
		scope.setNotFoundHandler(async (_request, reply) => sendNotFound(reply));
		scope.setErrorHandler(async (error: Error & { statusCode?: number }, request, reply) => {
			const status = error.statusCode ?? 500;
			if (status === 404) return sendNotFound(reply);
			if (status >= 500) request.log.error(error);
			return sendMessage(reply, status, {
				title: status >= 500 ? 'Something went wrong' : 'The sandbox couldn’t read this',
				text:
					status === 413
						? 'The file or form is too large. Try again with a smaller one.'
						: 'Go back and try again. If that doesn’t help, check the terminal where the sandbox is running.',
			});
		});
		// Register these routes after the error handler, because a scope inherits only the handlers that have
		// already been set.
		await scope.register(named('template import', templateImportRoutes(backend)));
	};
	await app.register(named('scope of the pages', scoped));
}

function sendNotFound(reply: FastifyReply): FastifyReply {
	return sendMessage(reply, 404, {
		title: 'Page not found',
		text: 'The address may be incomplete. If the sandbox doesn’t have a data folder, its documents and emails are lost when it stops.',
	});
}

/**
 * Makes the pages work through a forwarded port, for example in a development container on another machine.
 * In that case, the browser uses a different host name for the sandbox, so absolute links to the sandbox are
 * shortened to paths.
 */
function followForwardedPort(app: FastifyInstance, links: Links): void {
	app.addHook('onSend', async (request, reply, payload) => {
		const isForwarded = request.headers['x-forwarded-host'] !== undefined;
		const isPage = String(reply.getHeader('content-type')).startsWith('text/html');
		return isForwarded && isPage && typeof payload === 'string'
			? payload.replaceAll(`href="${links.root}/`, 'href="/')
			: payload;
	});
}
