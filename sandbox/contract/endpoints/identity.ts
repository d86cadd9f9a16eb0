import { Type } from '@sinclair/typebox';
import {
	envelopeOf,
	exactly,
	IdentityBodySchema,
	IdentityResultsSchema,
	NothingSchema,
	QuirkyIdentityRequestSchema,
} from '../../schemas';
import { good, endpoint } from './endpoint';

export const identityEndpoints = {
	'POST /identity/validation/request': endpoint({
		operationId: 'createIdentityRequest',
		tag: 'Identity',
		summary: 'Request an identity verification',
		description:
			'The response contains a link that the person opens to provide an official ID and a selfie.',
		anchor: 'create-an-identity-verification-request',
		access: 'token',
		body: IdentityBodySchema,
		responses: [envelopeOf(exactly({ url: Type.String(), validationId: Type.String() }))],
		act({ identity, links }, { body }) {
			const { token, validationId } = identity.create(body);
			const url = links.identity(token);
			return good({ url, validationId }, 'Identity validation requested successfully');
		},
	}),
	'GET /identity/validation/request/:validationId': endpoint({
		operationId: 'getIdentityRequest',
		tag: 'Identity',
		summary: 'Get an identity verification request',
		description:
			'The `customerId` in the response lets the same person sign later with only a selfie (face login).',
		anchor: 'get-an-identity-verification-request',
		access: 'token',
		params: exactly({
			validationId: Type.String({ description: 'Returned when you request the verification' }),
		}),
		responses: [envelopeOf(QuirkyIdentityRequestSchema)],
		looksUp: true,
		act({ identity }, { params }) {
			const request = identity.resource(identity.existing(params.validationId));
			return good(request, 'Identity validation requests get successfully');
		},
	}),
	'GET /identity/session/results/:sessionId': endpoint({
		operationId: 'getIdentityResults',
		tag: 'Identity',
		summary: 'Get the results of an identity verification',
		description:
			'The results are personal data. Until the person has finished, the service returns an error or an empty object.',
		anchor: 'get-identity-verification-results',
		access: 'token',
		params: exactly({
			sessionId: Type.String({ description: 'From the identity verification request' }),
		}),
		responses: [envelopeOf(IdentityResultsSchema), envelopeOf(NothingSchema)],
		looksUp: true,
		// The spelling mistake is part of the API.
		act: ({ identity }, { params }) =>
			good(identity.results(params.sessionId), 'Obtained reuslts successfully'),
	}),
};
