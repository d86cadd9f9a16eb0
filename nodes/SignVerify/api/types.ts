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

/** Response envelope. */
export interface Envelope<Data = unknown> {
	/** Absent in some answers to a creation (docs/service.md#seen-documents). */
	responseData?: Data;
	/** Absent in template lists; a list of `{ msg }` in some errors (docs/service.md#errors). */
	message?: string | Array<{ msg?: string }>;
	success?: boolean;
	responseCode?: number;
}

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
