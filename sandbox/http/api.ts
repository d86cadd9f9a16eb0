import {
	TypeBoxValidatorCompiler,
	type FastifyPluginAsyncTypebox,
} from '@fastify/type-provider-typebox';
import type {
	FastifyError,
	FastifyInstance,
	FastifyReply,
	FastifyRequest,
	HTTPMethods,
} from 'fastify';
import { contract, type EndpointName, endpointNames, bad } from '../contract/endpoints';
import { NothingSchema } from '../schemas';
import { ServiceRefusal, violation } from '../service/refusal';
import { checkAccess, checkBody, RateLimit } from './access';
import type { ServiceParts } from './parts';

declare module 'fastify' {
	interface FastifyContextConfig {
		/** The route's endpoint. Not set for routes outside the service. */
		endpoint?: EndpointName;
	}
}

/** The maximum size of a body in bytes. The limit is high because staticSignPositions can be long. */
const maxBody = 5_000_000;

/**
 * Hosts the service at its base URL (docs/dev/service.md#endpoints). Each call is recorded first. Next,
 * faults and the rate limit are applied, and then the headers, the body and the parameters are checked. The
 * service handles only the calls that pass.
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
			{ parseAs: 'string', bodyLimit: maxBody },
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
				// Complete the record here, because onSend does not run if the connection is broken before
				// the service acts.
				if (request.fault?.reset === 'before') recorder.end(request, 0);
				return reply;
			}
			limit.check(reply);
			const { endpoint } = request.routeOptions.config;
			// An unknown path has no endpoint, so there is nothing to check.
			if (!endpoint) return;
			checkAccess(request, contract[endpoint].access, parts);
			checkBody(request, contract[endpoint].body !== undefined);
		});
		app.addHook('onSend', async (request, reply, payload) => {
			const isCut = faults.applyAfter(request);
			recorder.end(request, isCut ? 0 : reply.statusCode);
			return payload;
		});

		app.setErrorHandler(respondWithError);
		app.setNotFoundHandler((request, reply) => {
			const path = request.recorded?.path ?? '';
			return respondWithError(
				violation(404, `No such endpoint: ${request.method} ${path}`),
				request,
				reply,
			);
		});

		app.addHook('onRoute', ({ method, url, config }) => {
			if (config?.endpoint) return;
			throw new Error(
				`${String(method)} ${url} has a route, but no entry in sandbox/contract/endpoints/. Add the entry, which the route is generated from.`,
			);
		});
		for (const name of endpointNames) addRoute(app, name, parts);
	};
}

function addRoute(app: FastifyInstance, name: EndpointName, parts: ServiceParts): void {
	const [method, url = ''] = name.split(' ');
	const endpoint = contract[name];
	const { params, query = NothingSchema, body } = endpoint;
	app.route({
		method: method as HTTPMethods,
		url,
		config: { endpoint: name },
		schema: { querystring: query, ...(params ? { params } : {}), ...(body ? { body } : {}) },
		handler: async (request) => endpoint.act(parts, request),
	});
}

function parsed(text: string): unknown {
	if (text === '') return undefined;
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return text;
	}
}

function respondWithError(
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

/** Returns the heading in docs/dev/service.md that describes how to make the call. */
function headingOf({ routeOptions }: FastifyRequest, { status }: ServiceRefusal): string {
	if (status === 401) return 'authentication';
	const { endpoint } = routeOptions.config;
	return endpoint ? contract[endpoint].anchor : 'endpoints';
}

function asRefusal(error: FastifyError | ServiceRefusal): ServiceRefusal {
	if (error instanceof ServiceRefusal) return error;
	// A parameter or the body does not match its schema. The message names the invalid field but not its
	// value, which may be secret.
	if (error.validation) return violation(400, error.message);
	if (error.statusCode && error.statusCode < 500) {
		return violation(error.statusCode, error.message);
	}
	console.error('The sandbox failed:', error);
	return new ServiceRefusal(500, 'Internal sandbox error');
}
