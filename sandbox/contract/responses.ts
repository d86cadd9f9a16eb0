import { Type, type TSchema } from '@sinclair/typebox';
import { AnyEnvelopeSchema, FailureSchema } from '../schemas';
import type { Endpoint } from './endpoints';

/** Describes a request or response body as JSON with the given schema. */
export function json(schema: TSchema): { 'application/json': { schema: TSchema } } {
	return { 'application/json': { schema } };
}

const refusal = (description: string) => ({ description, content: json(AnyEnvelopeSchema) });

/**
 * The error responses. The API's documentation does not cover errors, so these are the ones seen in the field
 * (docs/dev/service.md#errors).
 */
export const failures = {
	Refused: refusal('Something in the call is missing or wrong. `message` contains the reason.'),
	NotAllowed: refusal(
		'The user ID, the key, or the token is missing or wrong, or the token has expired.',
	),
	Forbidden: refusal('The token has expired, or the account doesn’t have access to this document.'),
	NotFound: refusal('The service couldn’t find anything with this ID.'),
	TooManyRequests: {
		...refusal('Too many requests. The `Retry-After` header can be missing.'),
		headers: {
			'Retry-After': {
				description: 'Seconds to wait before the next call',
				schema: { type: 'integer', minimum: 0 },
			},
		},
	},
	Failed: {
		description: 'The service or a proxy has failed. The body can be an HTML page.',
		content: { ...json(AnyEnvelopeSchema), 'text/html': { schema: Type.String() } },
	},
};

const failure = (name: keyof typeof failures) => ({ $ref: `#/components/responses/${name}` });

/** Returns all of an endpoint's possible responses, keyed by HTTP status. */
export function responsesOf({ responses, looksUp }: Endpoint): Record<string, object> {
	return {
		200: {
			description:
				'Success. A failed call can also return HTTP 200. In that case, `success` is false, and `responseCode` contains the status.',
			content: json(Type.Union([...responses, FailureSchema])),
		},
		400: failure('Refused'),
		401: failure('NotAllowed'),
		403: failure('Forbidden'),
		...(looksUp ? { 404: failure('NotFound') } : {}),
		429: failure('TooManyRequests'),
		default: failure('Failed'),
	};
}
