import { Type, type TSchema } from '@sinclair/typebox';
import type { Access } from '../http/access';
import {
	DocumentWebhookSchema,
	envelopeOf,
	exactly,
	IdentityResultsSchema,
	IdentityWebhookSchema,
	QuirkyDocumentSchema,
	QuirkyIdentityRequestSchema,
	QuirkyWebhookRegistrationSchema,
	TemplateListV1Schema,
	TemplateListV2Schema,
} from '../schemas';

/** What openapi.json says about an endpoint beside what its route checks. */
export interface Operation {
	operationId: string;
	tag: 'Token' | 'Registrations' | 'Identity' | 'Templates' | 'Documents';
	summary: string;
	description: string;
	/** Its heading in docs/dev/service.md. */
	anchor: string;
	/** Any of these is a good answer. */
	answers: TSchema[];
	/** Whether it can answer that something does not exist. */
	looksUp?: boolean;
}

/** The groups of endpoints, in the order of the page. */
export const TAGS: Record<Operation['tag'], string> = {
	Token: 'Every other call needs a token.',
	Templates: 'There are two generations of templates, each with a list of its own.',
	Documents: 'A document is created from a template and sent to its signatories in one call.',
	Identity: 'Verifies a person without a document.',
	Registrations: 'A webhook registers one URL for one event type. The events are below.',
};

const nothing = Type.Object({}, { additionalProperties: false });
const sends =
	'Each signatory gets an e-mail with a signing link, so the same call twice sends it twice. ' +
	'The answer is not documented: both of the forms below were seen.';
const onlySuccess = exactly({
	success: Type.Literal(true),
	message: Type.String(),
});

const operations = {
	'POST /access/token': {
		operationId: 'createToken',
		tag: 'Token',
		summary: 'Exchange user ID and API key for a token',
		description:
			'Both go into headers; there is no body. The answer is not documented. This form was seen, and tokens that lived for 5 minutes.',
		anchor: 'token',
		answers: [envelopeOf(exactly({ accessToken: Type.String() }))],
	},
	'GET /templates': {
		operationId: 'listTemplatesV1',
		tag: 'Templates',
		summary: 'List the templates of version 1',
		description: 'This answer has no `message`.',
		anchor: 'list-templates-version-1',
		answers: [envelopeOf(TemplateListV1Schema)],
	},
	'GET /templates/v2': {
		operationId: 'listTemplatesV2',
		tag: 'Templates',
		summary: 'List the templates of version 2',
		description: 'This answer has no `message`.',
		anchor: 'list-templates-version-2',
		answers: [envelopeOf(TemplateListV2Schema)],
	},
	'POST /templates/createDocumentByTemplate': {
		operationId: 'createDocumentV1',
		tag: 'Documents',
		summary: 'Create a document from a template of version 1 and send it for signature',
		description: sends,
		anchor: 'create-a-document-version-1',
		answers: [envelopeOf(QuirkyDocumentSchema), onlySuccess],
	},
	'POST /templates/createDocumentByTemplateV2': {
		operationId: 'createDocumentV2',
		tag: 'Documents',
		summary: 'Create a document from a template of version 2 and send it for signature',
		description: sends,
		anchor: 'create-a-document-version-2',
		answers: [envelopeOf(QuirkyDocumentSchema), onlySuccess],
	},
	'POST /identity/validation/request': {
		operationId: 'createIdentityRequest',
		tag: 'Identity',
		summary: 'Request an identity verification',
		description:
			'The answer has a link. The person opens it and registers an official ID and a selfie.',
		anchor: 'create-an-identity-verification-request',
		answers: [envelopeOf(exactly({ url: Type.String(), validationId: Type.String() }))],
	},
	'GET /identity/validation/request/:validationId': {
		operationId: 'getIdentityRequest',
		tag: 'Identity',
		summary: 'Get an identity verification request',
		description:
			'Its `customerId` lets the same person sign with a selfie only later (face login).',
		anchor: 'get-an-identity-verification-request',
		answers: [envelopeOf(QuirkyIdentityRequestSchema)],
		looksUp: true,
	},
	'GET /identity/session/results/:sessionId': {
		operationId: 'getIdentityResults',
		tag: 'Identity',
		summary: 'Get the results of an identity verification',
		description:
			'The results are personal data. Before the person is done, a service answers with an error or with an empty object.',
		anchor: 'get-identity-verification-results',
		answers: [envelopeOf(IdentityResultsSchema), envelopeOf(nothing)],
		looksUp: true,
	},
	'POST /webhooks': {
		operationId: 'createDocumentWebhook',
		tag: 'Registrations',
		summary: 'Register a webhook for a document event',
		description: 'Both values go into the query; there is no body.',
		anchor: 'register-a-document-webhook',
		answers: [envelopeOf(DocumentWebhookSchema)],
	},
	'GET /webhooks': {
		operationId: 'listWebhooks',
		tag: 'Registrations',
		summary: 'List the webhooks',
		description:
			'A filter by event type exists, but its parameter is not known. Whether identity webhooks are in the list is not known either.',
		anchor: 'list-webhooks',
		answers: [envelopeOf(Type.Array(QuirkyWebhookRegistrationSchema))],
	},
	'DELETE /webhooks': {
		operationId: 'deleteWebhook',
		tag: 'Registrations',
		summary: 'Delete a webhook',
		description:
			'The call needs the header `Content-Type: application/json`, although there is no body. Whether this deletes identity webhooks is not known.',
		anchor: 'delete-a-webhook',
		answers: [envelopeOf(nothing)],
		looksUp: true,
	},
	'POST /webhooks/verify': {
		operationId: 'createIdentityWebhook',
		tag: 'Registrations',
		summary: 'Register a webhook for the identity event',
		description: 'A notification comes when an identity verification request has been processed.',
		anchor: 'register-an-identity-webhook',
		answers: [envelopeOf(IdentityWebhookSchema)],
	},
} satisfies Record<string, Operation>;

/** An endpoint of the service. */
export type Endpoint = keyof typeof operations;

/** What openapi.json says about each endpoint. */
export const OPERATIONS: Record<Endpoint, Operation> = operations;

/**
 * The endpoints of the service (docs/dev/service.md#endpoints), as `METHOD /path` below the base URL, with
 * `:name` in a path.
 */
export const ENDPOINTS = Object.keys(operations) as Endpoint[];

/** Says whether a text is one of them. */
export function isEndpoint(name: string): name is Endpoint {
	return name in operations;
}

/** The headers that an endpoint asks for, as security requirements (docs/dev/service.md#authentication). */
export const SECURITY: Record<Access, Record<string, string[]>> = {
	key: { userId: [], apiKey: [] },
	token: { userId: [], token: [] },
	template: { userId: [], token: [], bearer: [] },
};

const header = (name: string, description: string) => ({
	type: 'apiKey' as const,
	in: 'header' as const,
	name,
	description,
});

/** The headers themselves. */
export const SECURITY_SCHEMES = {
	userId: header('user-id', 'The user ID of the account. Every call needs it.'),
	apiKey: header('api-key', 'The key of the account. Only the call for a token needs it.'),
	token: header('token', 'The token. Every call except the one for a token needs it.'),
	bearer: {
		type: 'http' as const,
		scheme: 'bearer',
		description: 'The same token once more. Only the template endpoints need it.',
	},
};
