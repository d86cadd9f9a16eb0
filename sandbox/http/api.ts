import {
	TypeBoxValidatorCompiler,
	type FastifyPluginAsyncTypebox,
} from '@fastify/type-provider-typebox';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { isEndpoint, OPERATIONS } from '../contract/operations';
import { ServiceRefusal, violation } from '../service/refusal';
import { checkAccess, checkBody } from './access';
import { bad } from './envelope';
import type { ServiceParts } from './parts';
import { RateLimit } from './rateLimit';
import { identityRoutes } from './routesIdentity';
import { templateRoutes } from './routesTemplates';
import { tokenRoutes } from './routesToken';
import { webhookRoutes } from './routesWebhooks';

/** Bytes of the largest body taken; staticSignPositions can be long. */
const MAX_BODY = 5_000_000;

/**
 * The service below its base address (docs/dev/service.md#endpoints). Each call is recorded first, then
 * faults and the rate limit hit it, then headers, body and parameters are checked, and only then the service acts.
 */
export function api(parts: ServiceParts): FastifyPluginAsyncTypebox {
	return async (app) => {
		const { faults, recorder } = parts;
		const limit = new RateLimit(parts.settings);
		app.setValidatorCompiler(TypeBoxValidatorCompiler);
		app.decorateRequest('bodyText', '');
		app.removeAllContentTypeParsers();
		app.addContentTypeParser(
			'*',
			{ parseAs: 'string', bodyLimit: MAX_BODY },
			(request, text, done) => {
				request.bodyText = text.toString();
				done(null, parsed(request.bodyText));
			},
		);

		app.addHook('onRequest', async (request) => {
			request.recorded = recorder.begin(request);
		});
		app.addHook('preValidation', async (request, reply) => {
			if (request.recorded) request.recorded.body = request.body;
			if (await faults.apply(request, reply)) {
				// A connection that is broken at once is answered by nobody.
				if (request.fault?.reset === 'before') recorder.end(request, 0);
				return reply;
			}
			limit.check(reply);
			if (request.is404) return;
			const { access, body } = request.routeOptions.config;
			checkAccess(request, access ?? 'token', parts);
			checkBody(request, body ?? 'none');
		});
		app.addHook('onSend', async (request, reply, payload) => {
			const broken = faults.applyAfter(request);
			recorder.end(request, broken ? 0 : reply.statusCode);
			return payload;
		});

		app.setErrorHandler(answerError);
		app.setNotFoundHandler((request, reply) => {
			const path = request.recorded?.path ?? '';
			return answerError(
				violation(404, `No such endpoint: ${request.method} ${path}`),
				request,
				reply,
			);
		});

		await app.register(tokenRoutes(parts));
		await app.register(webhookRoutes(parts));
		await app.register(identityRoutes(parts));
		await app.register(templateRoutes(parts));
	};
}

function parsed(text: string): unknown {
	if (text === '') return undefined;
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return text;
	}
}

function answerError(
	error: FastifyError | ServiceRefusal,
	request: FastifyRequest,
	reply: FastifyReply,
): FastifyReply {
	const refusal = asRefusal(error);
	if (refusal.breaksInterface && request.recorded) {
		request.recorded.violation = `${refusal.message} (docs/dev/service.md#${headingOf(request, refusal)})`;
	}
	return reply.code(refusal.httpStatus).send(bad(refusal.status, refusal.message));
}

/** The heading that says what the call should have been. */
function headingOf({ method, routeOptions }: FastifyRequest, { status }: ServiceRefusal): string {
	if (status === 401) return 'authentication';
	const name = `${method} ${(routeOptions.url ?? '').replace(/^\/api/, '')}`;
	return isEndpoint(name) ? OPERATIONS[name].anchor : 'endpoints';
}

function asRefusal(error: FastifyError | ServiceRefusal): ServiceRefusal {
	if (error instanceof ServiceRefusal) return error;
	// A parameter or a body that is not what its schema says; the text names the place, no value.
	if (error.validation) return violation(400, error.message);
	if (error.statusCode && error.statusCode < 500) {
		return violation(error.statusCode, error.message);
	}
	console.error('The sandbox failed:', error);
	return new ServiceRefusal(500, 'Internal error of the sandbox');
}
