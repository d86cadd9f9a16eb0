import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import { type TSchema, Type } from '@sinclair/typebox';
import { events, exactly, notificationOf } from '../schemas';
import { servicePage } from '../util/url';
import { json, responsesOf, failures } from './responses';
import { type Access, contract, type Endpoint, endpointNames, fixedHeadersOf } from './endpoints';

/** Returns a link to docs/dev/service.md or to one of its headings. */
function externalDocs(anchor?: string): { url: string; description: string } {
	return {
		description: 'docs/dev/service.md',
		url: anchor === undefined ? servicePage : `${servicePage}#${anchor}`,
	};
}

/**
 * The headers that an endpoint requires, expressed as OpenAPI security requirements
 * (docs/dev/service.md#authentication).
 */
const security: Record<Access, Record<string, string[]>> = {
	key: { userId: [], apiKey: [] },
	token: { userId: [], token: [] },
	bearer: { userId: [], token: [], bearer: [] },
};

const header = (name: string, description: string) => ({
	type: 'apiKey' as const,
	in: 'header' as const,
	name,
	description,
});

const securitySchemes = {
	userId: header('user-id', 'The account’s user ID. Required for every call.'),
	apiKey: header('api-key', 'The account’s API key. Required only to get a token.'),
	token: header('token', 'The token. Required for every call except the one that issues it.'),
	bearer: {
		type: 'http' as const,
		scheme: 'bearer',
		description: 'The same token again. Required only by the endpoints that list this header.',
	},
};

/** Describes the events as calls that the service makes to a webhook's URL. */
function webhooks(): Record<string, object> {
	return Object.fromEntries(
		events.map(({ type, summary }) => [
			type,
			{
				post: {
					operationId: type,
					summary,
					description:
						'Notifications don’t prove who sent them, and the Content-Type header can be missing. The same notification can arrive more than once, late, or out of order.',
					externalDocs: externalDocs(type.toLowerCase()),
					security: [],
					requestBody: { required: true, content: json(notificationOf(type)) },
					responses: {
						'2XX': {
							description:
								'Received. We don’t know which other responses make the service send the notification again.',
						},
					},
				},
			},
		]),
	);
}

/** Any part of the OpenAPI document. */
type Node = Record<string, unknown>;

/**
 * Moves every schema with a title to `components/schemas` and leaves a reference in its place. This way, a
 * schema that is used in several places, such as Document, appears only once.
 * @param part A part of the OpenAPI document. It is not modified.
 * @param schemas The object to which the schemas are added, keyed by title.
 * @returns A copy of the part, with references instead of the schemas.
 * @throws Error if two schemas have the same title.
 */
function withReferences(part: unknown, schemas: Node): unknown {
	if (Array.isArray(part)) return part.map((one) => withReferences(one, schemas));
	if (typeof part !== 'object' || part === null) return part;
	const node = Object.fromEntries(
		Object.entries(part).map(([key, value]) => [key, withReferences(value, schemas)]),
	);
	// If `title` is an object, it is not a title but the schema of a property named `title`.
	const { title, ...schema } = node;
	if (typeof title !== 'string') return node;
	const known = schemas[title];
	if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema)) {
		throw new Error(`Two different schemas are called ${title}`);
	}
	schemas[title] = schema;
	return { $ref: `#/components/schemas/${title}` };
}

/** The path of the service's base URL. */
const base = '/api';

/**
 * Describes a method's fixed headers as parameters so that a client generated from openapi.json sends them.
 * OpenAPI ignores parameters named Content-Type, so that header is left out.
 */
function fixedParametersOf(method: string): { headers?: TSchema } {
	const schemas = Object.entries(fixedHeadersOf(method))
		.filter(([name]) => name !== 'content-type')
		.map(([name, value]) => [name, Type.Literal(value, { default: value })]);
	return schemas.length > 0 ? { headers: exactly(Object.fromEntries(schemas)) } : {};
}

type Transform = NonNullable<FastifyDynamicSwaggerOptions['transform']>;
type TransformObject = NonNullable<FastifyDynamicSwaggerOptions['transformObject']>;
type Paths = Record<string, Record<string, object>>;

/** The groups of endpoints, in the order in which openapi.json lists them. */
const tags: Record<Endpoint['tag'], string> = {
	Token: 'Every other call needs a token.',
	Templates: 'Templates come in two versions, each with its own list.',
	Documents: 'A document is created from a template and sent to its signatories in one call.',
	Identity: 'The service verifies a person’s identity, independently of any document.',
	Registrations: 'A webhook registers one URL for one event type. The events are listed below.',
};

/**
 * Extends a route's schema with the details that only openapi.json needs. Routes outside the service, such as
 * the pages, are left out.
 */
const transform: Transform = ({ schema, url, route }) => {
	const { endpoint } = route.config ?? {};
	if (!endpoint) return { schema: { hide: true }, url };
	const { operationId, tag, summary, description, anchor, access } = contract[endpoint];
	const [method = ''] = endpoint.split(' ');
	const { querystring, ...rest } = schema as { querystring?: { properties?: object } };
	return {
		url,
		schema: {
			...rest,
			// If an endpoint accepts any query parameters, there are no specific ones to describe.
			...(querystring?.properties ? { querystring } : {}),
			...fixedParametersOf(method),
			operationId,
			summary,
			description,
			tags: [tag],
			externalDocs: externalDocs(anchor),
			security: [security[access]],
		},
	};
};

/** Returns the paths in the order of `endpointNames`, with the responses added to each endpoint. */
function withResponses(given: Paths): Paths {
	const paths: Paths = {};
	for (const name of endpointNames) {
		const [verb = '', path = ''] = name.split(' ');
		const method = verb.toLowerCase();
		const url = path.replace(/:(\w+)/g, '{$1}');
		const operation = given[url]?.[method];
		(paths[url] ??= {})[method] = { ...operation, responses: responsesOf(contract[name]) };
	}
	return paths;
}

/** Adds the responses and the events, and moves the schemas to `components` (see `withReferences`). */
const transformObject: TransformObject = (given) => {
	if (!('openapiObject' in given)) throw new Error('This is not an OpenAPI document');
	const { openapi, info, servers, tags, paths } = given.openapiObject;
	const parts = { paths: withResponses(paths as Paths), webhooks: webhooks(), responses: failures };
	// TypeBox adds symbol properties to its schemas. Converting the schemas to JSON and back removes them.
	const unmarked = JSON.parse(JSON.stringify(parts)) as object;
	const schemas: Record<string, unknown> = {};
	const { responses, ...rest } = withReferences(unmarked, schemas) as Record<string, object>;
	const sorted = Object.fromEntries(
		Object.entries(schemas).sort(([one], [other]) => (one < other ? -1 : 1)),
	);
	return {
		openapi,
		info,
		externalDocs: externalDocs(),
		servers,
		tags,
		...rest,
		components: { securitySchemes: securitySchemes, responses, schemas: sorted },
	} as ReturnType<TransformObject>;
};

/** The options for the plugin that generates openapi.json from the service's routes. */
export const openapiOptions: FastifyDynamicSwaggerOptions = {
	openapi: {
		openapi: '3.1.0',
		info: {
			title: 'Document signing and identity verification service',
			// The service itself is not versioned.
			version: 'unversioned',
			description:
				'The API that the nodes call and the sandbox implements. The schemas don’t allow additional fields, because the sandbox sends exactly these. A real service can send more, and the nodes pass them through. The page docs/dev/service.md describes what we know about the API, what we don’t know, and what we’ve seen in use.',
		},
		servers: [
			{
				url: base,
				description: 'This sandbox. For a real service, use the credential’s Base URL.',
			},
		],
		tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
		components: { securitySchemes: securitySchemes },
	},
	convertConstToEnum: false,
	transform,
	transformObject,
};
