import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import { answersOf, FAILURES } from './answers';
import { withReferences } from './components';
import { CONTRACT, type Endpoint, ENDPOINTS } from './endpoints';
import { externalDocs } from './links';
import { SECURITY, SECURITY_SCHEMES } from './security';
import { webhooks } from './webhooks';

/** Path of the service below the sandbox's address. */
const BASE = '/api';

type Transform = NonNullable<FastifyDynamicSwaggerOptions['transform']>;
type TransformObject = NonNullable<FastifyDynamicSwaggerOptions['transformObject']>;
type Paths = Record<string, Record<string, object>>;

/** The groups of endpoints, in the order of the page. */
const TAGS: Record<Endpoint['tag'], string> = {
	Token: 'Every other call needs a token.',
	Templates: 'There are two generations of templates, each with a list of its own.',
	Documents: 'A document is created from a template and sent to its signatories in one call.',
	Identity: 'Verifies a person without a document.',
	Registrations: 'A webhook registers one URL for one event type. The events are below.',
};

/** Adds to a route what it does not check itself. Pages and the sandbox's own calls are left out. */
const transform: Transform = ({ schema, url, route }) => {
	const { endpoint } = route.config ?? {};
	if (!endpoint) return { schema: { hide: true }, url };
	const { operationId, tag, summary, description, anchor, access } = CONTRACT[endpoint];
	const { querystring, ...rest } = schema as { querystring?: { properties?: object } };
	return {
		url,
		schema: {
			...rest,
			// An open query: no parameter of it is known.
			...(querystring?.properties ? { querystring } : {}),
			operationId,
			summary,
			description,
			tags: [tag],
			externalDocs: externalDocs(anchor),
			security: [SECURITY[access]],
		},
	};
};

/** The endpoints in the order of their list, each with its answers. */
function withAnswers(given: Paths): Paths {
	const paths: Paths = {};
	for (const name of ENDPOINTS) {
		const [verb = '', path = ''] = name.split(' ');
		const method = verb.toLowerCase();
		const url = path.replace(/:(\w+)/g, '{$1}');
		const operation = given[url]?.[method];
		(paths[url] ??= {})[method] = { ...operation, responses: answersOf(CONTRACT[name]) };
	}
	return paths;
}

/** Puts in the answers, the events and the references. */
const transformObject: TransformObject = (given) => {
	if (!('openapiObject' in given)) throw new Error('This is not an OpenAPI document');
	const { openapi, info, servers, tags, paths } = given.openapiObject;
	const parts = { paths: withAnswers(paths as Paths), webhooks: webhooks(), responses: FAILURES };
	// TypeBox marks its schemas with symbols, which JSON does not have.
	const plain = JSON.parse(JSON.stringify(parts)) as object;
	const schemas: Record<string, unknown> = {};
	const { responses, ...rest } = withReferences(plain, schemas) as Record<string, object>;
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
		components: { securitySchemes: SECURITY_SCHEMES, responses, schemas: sorted },
	} as ReturnType<TransformObject>;
};

/** How openapi.json is made from the routes of the service. */
export const openapiOptions: FastifyDynamicSwaggerOptions = {
	openapi: {
		openapi: '3.1.0',
		info: {
			title: 'Document signing and identity verification service',
			// The service has none.
			version: 'unversioned',
			description:
				'The contract that the nodes and the sandbox keep to. Objects are closed here because the sandbox sends exactly these fields. A service can send more, and the nodes pass that through. What is known, what is not, and what was seen in the field: docs/dev/service.md.',
		},
		servers: [
			{
				url: BASE,
				description: 'This sandbox. At a real service it is the base URL of the credential.',
			},
		],
		tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
		components: { securitySchemes: SECURITY_SCHEMES },
	},
	convertConstToEnum: false,
	transform,
	transformObject,
};
