import { Type } from '@sinclair/typebox';
import {
	type CreateBody,
	CreateV1BodySchema,
	CreateV2BodySchema,
	envelopeOf,
	exactly,
	QuirkyDocumentSchema,
} from '../../schemas';
import { good, endpoint, type EndpointResponse, type EndpointParts } from './endpoint';

const sends =
	'Each signatory gets an email with a signing link, so making the same call twice sends it twice. ' +
	'The response isn’t documented, but we’ve seen both of the forms below.';

const responses = [
	envelopeOf(QuirkyDocumentSchema),
	exactly({ success: Type.Literal(true), message: Type.String() }),
];

export const documentEndpoints = {
	'POST /templates/createDocumentByTemplate': endpoint({
		operationId: 'createDocumentV1',
		tag: 'Documents',
		summary: 'Create a document from a version 1 template and send it for signature',
		description: sends,
		anchor: 'create-a-document-version-1',
		access: 'bearer',
		body: CreateV1BodySchema,
		responses,
		act: (parts, { body }) => create(parts, 'v1', body),
	}),
	'POST /templates/createDocumentByTemplateV2': endpoint({
		operationId: 'createDocumentV2',
		tag: 'Documents',
		summary: 'Create a document from a version 2 template and send it for signature',
		description: sends,
		anchor: 'create-a-document-version-2',
		access: 'bearer',
		body: CreateV2BodySchema,
		responses,
		act: (parts, { body }) => create(parts, 'v2', body),
	}),
};

/**
 * Creates a document. The response contains the entire document, unless `createReturnsOnlySuccess` is on.
 */
function create(
	{ documents, settings }: EndpointParts,
	version: 'v1' | 'v2',
	body: CreateBody,
): EndpointResponse {
	const record = documents.create(version, body);
	if (settings.current.createReturnsOnlySuccess) return { success: true, message: 'OK' };
	return good(documents.resource(record), 'OK');
}
