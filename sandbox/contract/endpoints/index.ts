import { documentEndpoints } from './documents';
import type { Endpoint } from './endpoint';
import { identityEndpoints } from './identity';
import { templateEndpoints } from './templates';
import { tokenEndpoints } from './token';
import { webhookEndpoints } from './webhooks';

export {
	bad,
	fixedHeadersOf,
	type Access,
	type Endpoint,
	type EndpointParts,
	type Envelope,
} from './endpoint';

/*
 * The service's endpoints (docs/dev/service.md#endpoints) are defined only here. The sandbox's routes,
 * openapi.json, the simulation and the tests all use this table.
 */
const endpoints = {
	...tokenEndpoints,
	...templateEndpoints,
	...documentEndpoints,
	...identityEndpoints,
	...webhookEndpoints,
};

/**
 * An endpoint's name is `METHOD /path`. The path is relative to the base URL and has a `:name` for each
 * parameter.
 */
export type EndpointName = keyof typeof endpoints;

export const contract: Record<EndpointName, Endpoint> = endpoints;

/** The names of all endpoints, in the same order as in openapi.json. */
export const endpointNames = Object.keys(endpoints) as EndpointName[];
