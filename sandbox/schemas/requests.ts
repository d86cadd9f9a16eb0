import { Type, type Static } from '@sinclair/typebox';
import { exactly, Size } from './common';

/** A query without parameters: whatever is sent there breaks the interface. */
export const NoQuerySchema = exactly({});

/** Query of `POST /webhooks`. */
export const RegisterQuerySchema = exactly({ url: Type.String(), type: Type.String() });

/**
 * Query of `GET /webhooks`. Open: the interface mentions a filter whose name it does not show,
 * so anything may come, and nothing of it is acted on.
 */
export const ListWebhooksQuerySchema = Type.Record(Type.String(), Type.Unknown());

/** Query of `DELETE /webhooks`. */
export const DeleteWebhookQuerySchema = exactly({ webHookID: Type.String({ minLength: 1 }) });

/** Body of `POST /webhooks/verify`. */
export const RegisterVerifyBodySchema = exactly({
	name: Type.String({ minLength: 1 }),
	type: Type.String(),
	url: Type.String(),
});

/** Body of `POST /identity/validation/request`. Values of `type` other than FACE are not shown. */
export const IdentityBodySchema = exactly({
	email: Type.String(),
	type: Type.String({ minLength: 1 }),
	backgroundCheck: Type.Boolean(),
});

/** Path of `GET /identity/validation/request/{validationId}`. */
export const ValidationParamsSchema = exactly({ validationId: Type.String() });
/** Path of `GET /identity/session/results/{sessionId}`. */
export const SessionParamsSchema = exactly({ sessionId: Type.String() });

/** An element of `signatories` in both create calls. */
export const NewSignatorySchema = exactly({ email: Type.String(), name: Type.String() });

/** An element of `staticSignPositions` (interface: Create a document, version 1). */
export const StaticSignPositionSchema = exactly({
	user: exactly({ email: Type.String() }),
	coordinates: exactly({ x: Type.Number(), y: Type.Number() }),
	page: Type.Integer({ minimum: 1 }),
	pageY: Type.Number(),
	pageYv2: Type.Number(),
	color: Type.String({ pattern: '^#(?:[0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$' }),
	imageSize: Size,
	parentImageSize: Size,
	viewport: Size,
});

const createProperties = {
	templateID: Type.String({ minLength: 1 }),
	country: Type.String({ minLength: 1 }),
	inputs: Type.Record(Type.String(), Type.String()),
	signatories: Type.Array(NewSignatorySchema, { minItems: 1 }),
};

/** Body of `POST /templates/createDocumentByTemplate`. */
export const CreateV1BodySchema = exactly({
	...createProperties,
	staticSignPositions: Type.Optional(Type.Array(StaticSignPositionSchema)),
});

/** Body of `POST /templates/createDocumentByTemplateV2`. */
export const CreateV2BodySchema = exactly(createProperties);

/** What both create calls have in common, and the positions that only version 1 takes. */
export type CreateBody = Static<typeof CreateV1BodySchema>;
