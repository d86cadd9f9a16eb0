import { Type, type Static } from '@sinclair/typebox';
import { exactly, Size, EpochMs } from './common';

/** The body of `POST /webhooks/verify`. */
export const RegisterVerifyBodySchema = exactly(
	{
		name: Type.String({ minLength: 1 }),
		type: Type.String({ examples: ['VERIFICATION_REQUEST_FINISHED'] }),
		url: Type.String({ description: 'The URL that receives the notifications' }),
	},
	'IdentityWebhookBody',
);

/** The body of `POST /identity/validation/request`. Values of `type` other than FACE are not known. */
export const IdentityBodySchema = exactly(
	{
		email: Type.String(),
		type: Type.String({
			minLength: 1,
			description: 'FACE is the only value seen so far',
			examples: ['FACE'],
		}),
		backgroundCheck: Type.Boolean(),
	},
	'IdentityRequestBody',
);

/** An element of `signatories` in both create calls. */
export const NewSignatorySchema = exactly(
	{ email: Type.String(), name: Type.String() },
	'NewSignatory',
);

/**
 * An element of `staticSignPositions`, in PDF points from the top left of the page
 * (docs/dev/service.md#where-the-signatures-go).
 */
export const StaticSignPositionSchema = exactly(
	{
		user: exactly({ email: Type.String() }),
		coordinates: exactly({ x: Type.Number(), y: Type.Number() }),
		page: Type.Integer({ minimum: 1 }),
		pageY: Type.Number(),
		pageYv2: Type.Number(),
		color: Type.String({ pattern: '^#(?:[0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$' }),
		imageSize: Size,
		parentImageSize: Size,
		viewport: Size,
	},
	'StaticSignPosition',
);

export type StaticSignPosition = Static<typeof StaticSignPositionSchema>;

const createProperties = {
	templateID: Type.String({ minLength: 1 }),
	country: Type.String({ minLength: 1 }),
	inputs: Type.Record(Type.String(), Type.String(), {
		description: 'A value for each of the template’s keys',
	}),
	signatories: Type.Array(NewSignatorySchema, { minItems: 1 }),
};

/** The body of `POST /templates/createDocumentByTemplate`. */
export const CreateV1BodySchema = exactly(
	{
		...createProperties,
		staticSignPositions: Type.Optional(Type.Array(StaticSignPositionSchema)),
	},
	'CreateDocumentV1',
);

/** The body of `POST /templates/createDocumentByTemplateV2`. */
export const CreateV2BodySchema = exactly(createProperties, 'CreateDocumentV2');

/** The body of a create call in either version. Only version 1 accepts signature positions. */
export type CreateBody = Static<typeof CreateV1BodySchema>;

/** A document webhook (docs/dev/service.md#webhook-registration). */
export const DocumentWebhookSchema = exactly({
	webHookID: Type.String(),
	type: Type.String(),
	addedOn: EpochMs,
	webHookUrl: Type.String(),
	options: Type.Array(Type.Unknown()),
});

/** An identity webhook (docs/dev/service.md#webhook-registration). */
export const IdentityWebhookSchema = exactly({
	name: Type.String(),
	type: Type.String(),
	webHookID: Type.String(),
	webHookUrl: Type.String(),
	options: Type.Array(Type.Unknown()),
});

/** An element of the list that `GET /webhooks` returns. */
export const WebhookRegistrationSchema = Type.Union([DocumentWebhookSchema, IdentityWebhookSchema]);

export type WebhookRegistration = Static<typeof WebhookRegistrationSchema>;
