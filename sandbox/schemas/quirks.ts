import { Type } from '@sinclair/typebox';
import { EpochMs, exactly, observed } from './common';
import { CreatedBySchema, DocumentSchema, SendWebhookDataSchema } from './document';
import { eventTypes } from './events';
import { IdentityRequestSchema } from './identity';
import { SignatorySchema } from './signatory';

/*
 * The entire contract: the documented shapes, and other shapes that were seen in the field
 * (docs/dev/service.md#seen-in-the-field). The nodes accept all of these shapes, openapi.json describes them,
 * and the compiler compares the nodes' types with them (test/types/interface.ts).
 */

/** A Signatory in its documented shape or a shape seen in the field. */
export const QuirkySignatorySchema = exactly(
	{
		...SignatorySchema.properties,
		signing: exactly({
			url: Type.String(),
			expiry: Type.Union([EpochMs, Type.Null()], { description: 'Null if the link never expires' }),
		}),
		isSigned: Type.Union([Type.Integer(), Type.String()], {
			description: '1 once signed. Can be a number or a string',
		}),
	},
	'Signatory',
);

/** `webhookData` of a signDocument notification, which contains the signatory who has just signed. */
export const QuirkySignWebhookDataSchema = exactly(
	{ signatory: QuirkySignatorySchema },
	'SignWebhookData',
);

/**
 * A Document whose signatories can have any of the shapes seen in the field. The last entry can be the
 * creator instead of a signatory.
 */
export const QuirkyDocumentSchema = exactly(
	{
		...DocumentSchema.properties,
		signatory: Type.Array(Type.Union([QuirkySignatorySchema, CreatedBySchema]), {
			description: 'The last entry can be an object like createdBy',
		}),
		webhookData: Type.Optional(
			Type.Union([QuirkySignWebhookDataSchema, SendWebhookDataSchema], {
				description: 'Only in notifications about a single signatory',
			}),
		),
	},
	'Document',
);

/** A document webhook or identity webhook, as it appears in the list of webhooks. */
export const QuirkyWebhookRegistrationSchema = exactly(
	{
		webHookID: Type.String({ description: 'The ID that you need to delete the webhook' }),
		type: observed(...eventTypes),
		addedOn: Type.Optional(EpochMs),
		webHookUrl: Type.String({ description: 'The URL that receives the notifications' }),
		name: Type.Optional(Type.String({ description: 'Identity webhooks only' })),
		options: Type.Optional(
			Type.Array(Type.Unknown(), { description: 'Empty in every example seen so far' }),
		),
	},
	'WebhookRegistration',
);

const maybe = Type.Optional(Type.Union([Type.String(), Type.Null()]));

/**
 * An identity verification request. `sessionId` and `customerId` can be missing until the person has finished
 * the verification.
 */
export const QuirkyIdentityRequestSchema = exactly(
	{ ...IdentityRequestSchema.properties, sessionId: maybe, customerId: maybe },
	'IdentityRequest',
);
