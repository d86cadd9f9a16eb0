import { Type, type Static } from '@sinclair/typebox';
import { EpochMs, exactly, observed } from './common';
import { CreatedBySchema, DocumentSchema, SendWebhookDataSchema } from './document';
import { EVENT_TYPES } from './events';
import { IdentityRequestSchema } from './identity';
import { SignatorySchema } from './signatory';

/*
 * The contract in its full width: what is documented and what was seen in the field beside it
 * (docs/dev/service.md#seen-in-the-field). The nodes accept all of it, openapi.json describes it, and
 * the compiler holds the types of the nodes to it (test/types/interface.ts).
 */

/** A Signatory with the shapes that were seen in the field. */
export const QuirkySignatorySchema = exactly(
	{
		...SignatorySchema.properties,
		signing: exactly({
			url: Type.String(),
			expiry: Type.Union([EpochMs, Type.Null()], { description: 'Null: the link never expires' }),
		}),
		isSigned: Type.Union([Type.Integer(), Type.String()], {
			description: '1 once signed; arrives as a number or as a text',
		}),
	},
	'Signatory',
);

/** `webhookData` of a signDocument notification: who has just signed. */
export const QuirkySignWebhookDataSchema = exactly(
	{ signatory: QuirkySignatorySchema },
	'SignWebhookData',
);

/** A Document with such signatories, the last of which can be the creator. */
export const QuirkyDocumentSchema = exactly(
	{
		...DocumentSchema.properties,
		signatory: Type.Array(Type.Union([QuirkySignatorySchema, CreatedBySchema]), {
			description: 'The last entry can be one like createdBy',
		}),
		webhookData: Type.Optional(
			Type.Union([QuirkySignWebhookDataSchema, SendWebhookDataSchema], {
				description: 'In signDocument and sendDocument notifications only',
			}),
		),
	},
	'Document',
);

/** A registration of either kind, as the list shows it. */
export const QuirkyWebhookRegistrationSchema = exactly(
	{
		webHookID: Type.String({ description: 'What deletes it' }),
		type: observed(...EVENT_TYPES),
		addedOn: Type.Optional(EpochMs),
		webHookUrl: Type.String({ description: 'Where notifications go' }),
		name: Type.Optional(Type.String({ description: 'Identity webhooks only' })),
		options: Type.Optional(
			Type.Array(Type.Unknown(), { description: 'Empty in everything that was shown' }),
		),
	},
	'WebhookRegistration',
);

const maybe = Type.Optional(Type.Union([Type.String(), Type.Null()]));

/** An identity verification request whose two references can be missing until the person is done. */
export const QuirkyIdentityRequestSchema = exactly(
	{ ...IdentityRequestSchema.properties, sessionId: maybe, customerId: maybe },
	'IdentityRequest',
);

/** A Signatory with the shapes that were seen in the field. */
export type QuirkySignatory = Static<typeof QuirkySignatorySchema>;
/** A Document with the shapes that were seen in the field. */
export type QuirkyDocument = Static<typeof QuirkyDocumentSchema>;
