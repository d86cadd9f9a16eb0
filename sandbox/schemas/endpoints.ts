/** The endpoints of the interface, as `METHOD /path` below the base address; `:name` in a path. */
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
