import type { TSchema } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';

import { ENDPOINTS } from '../../../sandbox/contract/operations';
import type { Access, BodyKind } from '../../../sandbox/http/access';
import { good, type Envelope } from '../../../sandbox/http/envelope';
import * as schemas from '../../../sandbox/schemas';
import type { CreateBody } from '../../../sandbox/schemas';
import { ServiceRefusal } from '../../../sandbox/service/refusal';
import type { ServiceRequest } from './contract';
import type { Service } from './service';

/** `METHOD /path`, with `:name` in a path. */
export type EndpointName = (typeof ENDPOINTS)[number];

/** An endpoint: who may call it, what it takes, and what of the sandbox it calls. */
export interface Endpoint {
	access: Access;
	body: BodyKind;
	/** Whether a query or a body has its form. */
	fits(value: unknown): boolean;
	/** @param id The last part of the path. @throws ServiceRefusal where the sandbox refuses. */
	act(service: Service, given: never, id: string, request: ServiceRequest): Envelope;
}

function endpoint<Given>(
	access: Access,
	body: BodyKind,
	schema: TSchema,
	act: (service: Service, given: Given, id: string, request: ServiceRequest) => Envelope,
): Endpoint {
	const check = TypeCompiler.Compile(schema);
	return { access, body, fits: (value) => check.Check(value), act };
}

const { NoQuerySchema } = schemas;

const endpoints: Record<EndpointName, Endpoint> = {
	'POST /access/token': endpoint(
		'key',
		'none',
		NoQuerySchema,
		({ account, happened }, _, __, { headers }) => {
			const token = account.exchange(headers['user-id'] ?? '', headers['api-key'] ?? '');
			if (token === undefined) throw new ServiceRefusal(401, 'Invalid user-id or api-key');
			happened.tokens.push(token);
			return good({ accessToken: token }, 'Token generated Successfully');
		},
	),
	'POST /webhooks': endpoint(
		'token',
		'none',
		schemas.RegisterQuerySchema,
		(service, { type, url }: { type: string; url: string }) =>
			service.register(type, url, (kept) => service.registrations.addForDocuments(type, kept)),
	),
	'POST /webhooks/verify': endpoint(
		'token',
		'json',
		schemas.RegisterVerifyBodySchema,
		(service, { type, url, name }: { type: string; url: string; name: string }) =>
			service.register(type, url, (kept) => service.registrations.addForIdentity(type, kept, name)),
	),
	'GET /webhooks': endpoint('token', 'none', schemas.ListWebhooksQuerySchema, (service) =>
		good(service.listed(), 'Get Successfully'),
	),
	'DELETE /webhooks': endpoint(
		'token',
		'none',
		schemas.DeleteWebhookQuerySchema,
		(service, { webHookID }: { webHookID: string }) => {
			const { webhooks, variants } = service;
			const isThere = webhooks.some((each) => each.webHookID === webHookID);
			if (!isThere && variants.deletesUnknown === 400)
				throw new ServiceRefusal(400, 'Deleted already');
			if (isThere || variants.deletesUnknown === 404) service.remove(webHookID);
			return good({}, 'Deleted Successfully');
		},
	),
	'POST /identity/validation/request': endpoint(
		'token',
		'json',
		schemas.IdentityBodySchema,
		(service, given: { email: string; type: string; backgroundCheck: boolean }) => {
			const { validationId, token } = service.identity.create(given);
			service.noteCreated('identity', validationId, given.email);
			return good({ url: service.links.identity(token), validationId }, 'Requested');
		},
	),
	'GET /identity/validation/request/:validationId': endpoint(
		'token',
		'none',
		NoQuerySchema,
		({ identity }, _, id) => good(identity.resource(identity.existing(id)), 'Get successfully'),
	),
	'GET /identity/session/results/:sessionId': endpoint(
		'token',
		'none',
		NoQuerySchema,
		(service, _, id) => good(service.results(id), 'Obtained reuslts successfully'),
	),
	'GET /templates': endpoint('template', 'none', NoQuerySchema, ({ templates, account }) =>
		good({ templates: templates.listV1(account.userId) }),
	),
	'GET /templates/v2': endpoint('template', 'none', NoQuerySchema, ({ templates }) =>
		good({ templates: templates.listV2() }),
	),
	'POST /templates/createDocumentByTemplate': endpoint(
		'template',
		'json',
		schemas.CreateV1BodySchema,
		(service, body: CreateBody) => create(service, 'v1', body),
	),
	'POST /templates/createDocumentByTemplateV2': endpoint(
		'template',
		'json',
		schemas.CreateV2BodySchema,
		(service, body: CreateBody) => create(service, 'v2', body),
	),
};

function create(service: Service, version: 'v1' | 'v2', body: CreateBody): Envelope {
	const record = service.documents.create(version, body);
	const email = record.signatories[0]?.email ?? '';
	service.noteCreated('document', record.documentID, email);
	service.tellStray(record);
	return good(service.documents.resource(record), 'OK');
}

/** The endpoint of a call, with its name and the ID in its path; undefined where there is none. */
export function endpointOf(
	method: string,
	path: string,
): { name: EndpointName; endpoint: Endpoint; id: string } | undefined {
	const name = ENDPOINTS.find((each) => pattern(each).test(`${method} ${path}`));
	const id = path.slice(path.lastIndexOf('/') + 1);
	return name && { name, endpoint: endpoints[name], id };
}

const patterns = new Map<EndpointName, RegExp>();

function pattern(name: EndpointName): RegExp {
	const known = patterns.get(name) ?? new RegExp(`^${name.replace(/:\w+/, '[^/]+')}$`);
	patterns.set(name, known);
	return known;
}
