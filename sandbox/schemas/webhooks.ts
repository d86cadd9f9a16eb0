import { Type, type Static } from '@sinclair/typebox';
import { EpochMs, exactly } from './common';

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

/** An element of `GET /webhooks`. */
export const WebhookRegistrationSchema = Type.Union([DocumentWebhookSchema, IdentityWebhookSchema]);

/** A registered callback address, as the service answers it. */
export type WebhookRegistration = Static<typeof WebhookRegistrationSchema>;
