import type { Access } from './tokens';

/** An endpoint, by a name that stays the same whatever its path holds. */
export type EndpointName =
	| 'token'
	| 'register'
	| 'registerIdentity'
	| 'list'
	| 'delete'
	| 'requestIdentity'
	| 'getIdentity'
	| 'getResults'
	| 'templatesV1'
	| 'templatesV2'
	| 'createV1'
	| 'createV2'
	| 'unknown';

/** An endpoint: who may call it, and with what. */
export interface Endpoint {
	name: EndpointName;
	access: Access;
	body: 'json' | 'none';
}

function endpoint(name: EndpointName, access: Access, body: Endpoint['body']): Endpoint {
	return { name, access, body };
}

const withoutId = new Map<string, Endpoint>([
	['POST /access/token', endpoint('token', 'key', 'none')],
	['POST /webhooks', endpoint('register', 'token', 'none')],
	['POST /webhooks/verify', endpoint('registerIdentity', 'token', 'json')],
	['GET /webhooks', endpoint('list', 'token', 'none')],
	['DELETE /webhooks', endpoint('delete', 'token', 'none')],
	['POST /identity/validation/request', endpoint('requestIdentity', 'token', 'json')],
	['GET /templates', endpoint('templatesV1', 'template', 'none')],
	['GET /templates/v2', endpoint('templatesV2', 'template', 'none')],
	['POST /templates/createDocumentByTemplate', endpoint('createV1', 'template', 'json')],
	['POST /templates/createDocumentByTemplateV2', endpoint('createV2', 'template', 'json')],
]);

const withId: Array<[string, Endpoint]> = [
	['GET /identity/validation/request/', endpoint('getIdentity', 'token', 'none')],
	['GET /identity/session/results/', endpoint('getResults', 'token', 'none')],
];

const unknown = endpoint('unknown', 'token', 'none');

/** The endpoint of a call, and the ID in its path (docs/dev/service.md#endpoints). */
export function endpointOf(method: string, path: string): { endpoint: Endpoint; id: string } {
	const call = `${method} ${path}`;
	const whole = withoutId.get(call);
	if (whole) return { endpoint: whole, id: '' };
	const found = withId.find(([start]) => call.startsWith(start) && call.length > start.length);
	return found
		? { endpoint: found[1], id: call.slice(found[0].length) }
		: { endpoint: unknown, id: '' };
}
