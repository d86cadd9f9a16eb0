import { Type, type Static } from '@sinclair/typebox';
import { EpochMs, exactly } from './common';
import { CreatedBySchema, DocumentSchema, SendWebhookDataSchema } from './document';
import { SignatorySchema } from './signatory';

/** A Signatory with the shapes that were seen in the field beside the interface's. */
export const QuirkySignatorySchema = exactly({
	...SignatorySchema.properties,
	signing: exactly({ url: Type.String(), expiry: Type.Union([EpochMs, Type.Null()]) }),
	isSigned: Type.Union([Type.Integer(), Type.String()]),
});

/** A Document with such signatories, the last of which can be the creator (interface: Document). */
export const QuirkyDocumentSchema = exactly({
	...DocumentSchema.properties,
	signatory: Type.Array(Type.Union([QuirkySignatorySchema, CreatedBySchema])),
	webhookData: Type.Optional(
		Type.Union([exactly({ signatory: QuirkySignatorySchema }), SendWebhookDataSchema]),
	),
});

/** A Signatory with the shapes that were seen in the field. */
export type QuirkySignatory = Static<typeof QuirkySignatorySchema>;
/** A Document with the shapes that were seen in the field. */
export type QuirkyDocument = Static<typeof QuirkyDocumentSchema>;
