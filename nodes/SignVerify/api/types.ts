import type { EpochMs, EventType, Open } from './values';

/**
 * The contract's requests and resources, field by field, with what was seen in the field
 * (docs/service.md#resources). Unions of observed values stay open: nobody has shown the full sets.
 * The compiler holds these types to the schemas of the sandbox (test/types/interface.ts).
 */
export type * from './documentTypes';
export type * from './identityTypes';
export type * from './templateTypes';
export type * from './values';
export type { Envelope } from '../transport/envelope';

/** Webhook registration. */
export interface WebhookRegistration {
	webHookID: string;
	type: Open<EventType>;
	/** Present for document webhooks. */
	addedOn?: EpochMs;
	webHookUrl: string;
	/** Present for identity webhooks. */
	name?: string;
	/** Empty in all shown responses; the shape of an element is not shown. */
	options?: unknown[];
}

/** Body of `POST /webhooks/verify`. */
export interface IdentityWebhookBody {
	name: string;
	type: string;
	url: string;
}

/** Query of `POST /webhooks`. */
export interface DocumentWebhookQuery {
	url: string;
	type: string;
}
