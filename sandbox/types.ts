import type { Document, EventType, IdentityRequest, WebhookRegistration } from './schemas';
import type { ClockChange, Fault, SandboxSettings, SettingsChange } from './schemas/control';
import type { DeliveryAttempt, IdentityOutcome, MailView, SandboxTemplate } from './state/records';
import type { ClockState } from './util/clock';
export type { ClockState, EventType };
export type * from './schemas/control';
export type { DeliveryAttempt, IdentityOutcome, MailView };

/** A recorded call to the service. Records are kept only in memory. */
export interface RecordedRequest {
	/** epoch-ms */
	at: number;
	method: string;
	/** The path relative to the base URL, decoded and without the query: `/templates/v2`. */
	path: string;
	query: Record<string, string | string[]>;
	/**
	 * The names are in lowercase. The values include secrets, so use them only in assertions and never for
	 * display.
	 */
	headers: Record<string, string>;
	/** The parsed JSON, the raw text if the body is not JSON, or undefined if there is no body. */
	body: unknown;
	/**
	 * The HTTP status of the response; 0 while the call is in progress, or if a fault broke the connection.
	 */
	status: number;
	/** How the call breaks the API's rules; absent if it does not. */
	violation?: string;
}

/** A notification for one registered URL, with all attempts to deliver it. */
export interface Delivery {
	id: string;
	webHookID: string;
	type: string;
	url: string;
	/** When the notification was created, in epoch-ms. */
	at: number;
	body: unknown;
	attempts: DeliveryAttempt[];
	state: 'pending' | 'delivered' | 'failed';
}

/** A common fault that can be set by its name. */
export interface FaultPreset {
	/** The name in URLs and commands: `too-many-requests`. */
	name: string;
	title: string;
	text: string;
}

/** A sandbox's options. Every option has a default. */
export interface SandboxOptions {
	/** The HTTP port on loopback. The default is 0, which uses any free port. */
	port?: number;
	/** The SMTP port on loopback. The default is 0, which uses any free port. */
	smtpPort?: number;
	/**
	 * The account's user ID and key. The defaults are the ones saved in the data folder. If there are none,
	 * the defaults are `sandbox-user` and a random key.
	 */
	userId?: string | undefined;
	apiKey?: string | undefined;
	/** The lifetime of a token in seconds. The default is 300 (5 minutes, as observed in the field). */
	tokenLifetimeSeconds?: number;
	/** The maximum number of calls per second. The default is null, which means no limit. */
	rateLimit?: SandboxSettings['rateLimit'];
	/** Whether a new token invalidates all earlier tokens. The default is false. */
	invalidateOnRenew?: boolean;
	/** The response to an expired token. The default is `401`. */
	expiryStyle?: SandboxSettings['expiryStyle'];
	/** Whether a document shows the placeholder for a key that wasn't sent. The default is false. */
	leavesPlaceholders?: boolean;
	/** The number of made-up documents to add each time the sandbox starts. No emails are sent for them. */
	seed?: { documents: number };
	/** The folder that stores the state across restarts. If omitted, the state is kept only in memory. */
	dataFolder?: string | undefined;
	/**
	 * The delays, in milliseconds, before each retry of a delivery. The default is 0.5, 2, 5, 15 and
	 * 60 seconds.
	 */
	deliveryBackoffMs?: SandboxSettings['deliveryBackoffMs'];
	/**
	 * Whether `DELETE /webhooks` also removes identity webhooks, which is not documented. The default is
	 * true.
	 */
	deleteIdentityWebhooks?: boolean;
}

/** An identity verification request, with data that the API does not show. */
export interface IdentityRequestView extends IdentityRequest {
	validationId: string;
	/** The type that the client asked for. Only FACE is documented. */
	type: string;
	/** The outcome that the person chose; absent until then. */
	outcome?: IdentityOutcome;
}

/** A template that was in the list but could not be imported. */
export interface RefusedTemplate {
	/** The template's name or ID, or its position in the list if it has neither. */
	title: string;
	/** The reason, as a complete sentence. */
	reason: string;
}

export interface TemplateImport {
	/** The imported templates, in the same order as in the list. */
	taken: SandboxTemplate[];
	/** The imported templates that replaced an earlier import. */
	replaced: SandboxTemplate[];
	refused: RefusedTemplate[];
}

export interface Sandbox {
	/** The URL of the pages: `http://127.0.0.1:PORT`. */
	url: string;
	/** The service's base URL, which is {base_url} in docs/dev/service.md. */
	baseUrl: string;
	smtp: { host: string; port: number };
	account: { userId: string; apiKey: string };
	/**
	 * The newest 20,000 calls to the service, in the order in which they arrived. The list is updated live.
	 */
	requests: RecordedRequest[];
	/** Returns the documents in their current state, oldest first, with every field that the API returns. */
	documents(): Document[];
	/** Returns the webhooks for documents and identity requests, oldest first. */
	webhooks(): WebhookRegistration[];
	/** Returns the deliveries, oldest first: all pending ones, and the newest 2,000 finished ones. */
	deliveries(): Delivery[];
	/** Returns the emails in the mailbox, newest first. */
	mails(): MailView[];
	templates(): SandboxTemplate[];
	/**
	 * Imports templates from a real account so that a workflow can be rehearsed with the fields and roles
	 * that it will use.
	 * @param json The raw output of the Get many templates action, as copied or downloaded from n8n.
	 * @throws TemplateImportRefusal if the text is not a list of templates.
	 */
	importTemplates(json: string): TemplateImport;
	/** Returns the identity requests, oldest first. */
	identityRequests(): IdentityRequestView[];
	/**
	 * Signs a document as one of its signatories, as if on the signing page. Answers required questions with
	 * "Yes".
	 * @param mark The signature. The default is the signatory's typed name.
	 * @throws PageRefusal with the page's message, or another Error if the document or the signatory does not
	 * exist.
	 */
	sign(documentID: string, email: string, mark?: SignatureInput['signature']): Promise<Document>;
	/**
	 * Finishes an identity verification, as if on the identity page.
	 * @throws PageRefusal if the verification has already been finished, or another Error if the request does
	 * not exist.
	 */
	completeIdentity(validationId: string, outcome: IdentityOutcome): Promise<IdentityRequestView>;
	/**
	 * Sends an event to the registered webhooks without changing the document or the request.
	 * @returns The deliveries that were started, one for each registered webhook.
	 * @throws Error if the document or the request does not exist.
	 */
	fire(type: EventType, documentIDOrValidationId: string): Promise<Delivery[]>;
	/**
	 * Resolves when no deliveries or emails are pending. A delivery remains pending while it waits for its
	 * next attempt.
	 */
	idle(): Promise<void>;
	faults: {
		/** @returns A function that removes this fault. */
		set(fault: Fault): () => void;
		clear(): void;
	};
	settings: {
		get(): SandboxSettings;
		/** Changes the given settings and resets all others to their values in the options. */
		set(change: SettingsChange): SandboxSettings;
		/** Resets all settings to their values in the options. */
		reset(): SandboxSettings;
	};
	/**
	 * The sandbox's only clock. Moving it forward makes links and tokens expire and makes delayed deliveries
	 * due.
	 */
	clock: {
		get(): ClockState;
		/** @throws ServiceRefusal if a value is not a time or a duration. */
		set(change: ClockChange): ClockState;
		/** Resets the clock to the machine's time and lets it run. */
		reset(): ClockState;
	};
	/** Returns the number of tokens issued since the sandbox started. */
	tokenExchanges(): number;
	/** Empties `requests`. */
	forgetRequests(): void;
	/**
	 * Stops the sandbox without waiting for pending deliveries or emails. If there is a data folder, the
	 * state is saved before the promise resolves.
	 */
	close(): Promise<void>;
}

/** What a signatory submits on the signing page. */
export interface SignatureInput {
	/** A typed name, or a drawing as a PNG data URL. */
	signature: { kind: 'typed'; text: string } | { kind: 'drawn'; dataUrl: string };
	answers: Record<string, string>;
	/** The signatory's IP address, which is recorded in the document's log. */
	sourceIP: string;
}
