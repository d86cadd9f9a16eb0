/**
 * The endpoints of the service (docs/dev/service.md#endpoints), as `METHOD /path` below the base URL, with
 * `:name` in a path.
 */
export const ENDPOINTS = [
	'POST /access/token',
	'POST /webhooks',
	'GET /webhooks',
	'DELETE /webhooks',
	'POST /webhooks/verify',
	'POST /identity/validation/request',
	'GET /identity/validation/request/:validationId',
	'GET /identity/session/results/:sessionId',
	'GET /templates',
	'GET /templates/v2',
	'POST /templates/createDocumentByTemplate',
	'POST /templates/createDocumentByTemplateV2',
] as const;

/** Says whether a text is one of them. */
export function isEndpoint(name: string): name is (typeof ENDPOINTS)[number] {
	return (ENDPOINTS as readonly string[]).includes(name);
}
