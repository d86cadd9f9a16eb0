import type { Document, EventType, IdentityRequest, WebhookRegistration } from './schemas';
import type {
	ClockChange,
	Fault,
	Quirks,
	SandboxSettings,
	SettingsChange,
} from './schemas/control';
import type { DeliveryAttempt, IdentityOutcome, MailView, SandboxTemplate } from './state/records';
import type { ClockState } from './util/clock';
export type { ClockState, EventType };
export type * from './schemas/control';
export type { DeliveryAttempt, IdentityOutcome, MailView };

/** A call that reached the service, as it came in. Kept in memory only. */
export interface RecordedRequest {
	/** epoch-ms */
	at: number;
	method: string;
	/** Path below the base address, decoded, without the query: `/templates/v2`. */
	path: string;
	query: Record<string, string | string[]>;
	/** Lower-case names. Holds secrets: for assertions in tests, never for display. */
	headers: Record<string, string>;
	/** Parsed JSON, the raw text when it is not JSON, undefined when there was no body. */
	body: unknown;
	/** HTTP status that was answered; 0 while under way, and where a fault broke the connection. */
	status: number;
	/** What about the call breaks the interface, if anything does. */
	violation?: string;
}

/** One attempt series to hand a notification to a registered address. */
export interface Delivery {
	id: string;
	webHookID: string;
	type: string;
	url: string;
	/** epoch-ms at which the notification came up, from when on it is tried. */
	at: number;
	body: unknown;
	attempts: DeliveryAttempt[];
	state: 'pending' | 'delivered' | 'failed';
}

/** A common fault with a name. */
export interface FaultPreset {
	/** In addresses and commands: `too-many-requests`. */
	name: string;
	title: string;
	text: string;
}

/** What a sandbox can be started with; all of it has a default. */
export interface SandboxOptions {
	/** HTTP port on loopback; 0 or absent takes a free one. */
	port?: number;
	/** SMTP port on loopback; 0 or absent takes a free one. */
	smtpPort?: number;
	/**
	 * The account's user id and key. When absent: those of the data folder, else `sandbox-user` and
	 * a random key.
	 */
	userId?: string;
	apiKey?: string;
	/** Seconds that a token lives. Default 300 (5 minutes, as observed in the field). */
	tokenLifetimeSeconds?: number;
	/** A limit of calls a second. Default null: none. */
	rateLimit?: SandboxSettings['rateLimit'];
	/** Whether a new token ends the life of all earlier ones. Default false. */
	invalidateOnRenew?: boolean;
	/** What an expired token gives. Default `401`. */
	expiryStyle?: SandboxSettings['expiryStyle'];
	/** Shapes seen in the field; all off by default. */
	quirks?: Partial<Quirks>;
	/** How many made-up documents each start adds. No mail goes out for them. */
	seed?: { documents: number };
	/** Folder to keep the state in over a restart; in memory only when absent. */
	dataFolder?: string;
	/** Delays (ms) before the 2nd, 3rd… attempt of a delivery. Default 0.5, 2, 5, 15 and 60 seconds. */
	deliveryBackoffMs?: SandboxSettings['deliveryBackoffMs'];
	/** Whether `DELETE /webhooks` removes identity webhooks too; not documented. Default true. */
	deleteIdentityWebhooks?: boolean;
}

/** A request for an identity verification, with what the sandbox knows beyond the interface. */
export interface IdentityRequestView extends IdentityRequest {
	validationId: string;
	/** What the client asked for; FACE is the documented value. */
	type: string;
	/** How the person chose the check to end; absent until then. */
	outcome?: IdentityOutcome;
}

/** An entry of the list that was not taken. */
export interface RefusedTemplate {
	/** Its name or its ID; its place in the list if it has neither. */
	title: string;
	/** A whole sentence. */
	reason: string;
}

/** What became of a list of templates. */
export interface TemplateImport {
	/** Those that a workflow can use from now on, in the order of the list. */
	taken: SandboxTemplate[];
	/** The IDs among them that an earlier import had brought, too. */
	replaced: string[];
	refused: RefusedTemplate[];
}

/** A running sandbox. */
export interface Sandbox {
	/** Root of the pages, `http://127.0.0.1:PORT`. */
	url: string;
	/** The service's base address, {base_url} in the interface. */
	baseUrl: string;
	smtp: { host: string; port: number };
	account: { userId: string; apiKey: string };
	/** Every call to the service, live, in the order of arrival; the newest 20,000 are kept. */
	requests: RecordedRequest[];
	/** Oldest first, with all fields of the interface, as of now. */
	documents(): Document[];
	/** Oldest first; documents' and identity's. */
	webhooks(): WebhookRegistration[];
	/** Oldest first. Those under way are all there; of those done, the newest 2,000. */
	deliveries(): Delivery[];
	/** Newest first. */
	mails(): MailView[];
	templates(): SandboxTemplate[];
	/**
	 * Takes over templates of a real account, to rehearse a workflow with its own fields and roles.
	 * @param json The raw output of Template: Get Many, as n8n copies or downloads it.
	 * @throws TemplateImportRefusal when it is no such list.
	 */
	importTemplates(json: string): TemplateImport;
	/** Oldest first. */
	identityRequests(): IdentityRequestView[];
	/**
	 * Signs as one signatory, as the page would; required questions are answered with "Yes".
	 * @param mark Default: the signatory's name, typed.
	 * @throws PageRefusal as the page shows it; Error when there is no such document or signatory.
	 */
	sign(documentID: string, email: string, mark?: SignatureInput['signature']): Promise<Document>;
	/**
	 * Ends an identity check, as the page would.
	 * @throws PageRefusal when it was finished before; Error when there is no such request.
	 */
	completeIdentity(validationId: string, outcome: IdentityOutcome): Promise<IdentityRequestView>;
	/**
	 * Sends an event on demand, to whoever registered for it; the document's or request's state
	 * stays as it is.
	 * @returns What it put under way: one a registration, none when nobody registered.
	 * @throws Error when there is no such document or request.
	 */
	fire(type: EventType, documentIDOrValidationId: string): Promise<Delivery[]>;
	/** Resolves when no delivery (its back-off included) and no mail is under way. */
	idle(): Promise<void>;
	faults: {
		/** @returns What takes this fault away again. */
		set(fault: Fault): () => void;
		clear(): void;
	};
	settings: {
		/** As they are now. */
		get(): SandboxSettings;
		/** Changes those named; all others become what the options say. */
		set(change: SettingsChange): SandboxSettings;
		/** All as the options say. */
		reset(): SandboxSettings;
	};
	/**
	 * The one clock that all of the sandbox reads. Putting it forward lets links and tokens expire and
	 * repeated deliveries become due.
	 */
	clock: {
		get(): ClockState;
		/** @throws ServiceRefusal when a text is no time or no length of time. */
		set(change: ClockChange): ClockState;
		/** The machine's time again, running. */
		reset(): ClockState;
	};
	/** How many tokens were given out since the start. */
	tokenExchanges(): number;
	/** Empties `requests`. */
	forgetRequests(): void;
	/** Stops at once and leaves nothing running; with a data folder, everything is saved. */
	close(): Promise<void>;
}

/** What the signing page sends. */
export interface SignatureInput {
	/** A typed name, or a drawing as a PNG data URL. */
	signature: { kind: 'typed'; text: string } | { kind: 'drawn'; dataUrl: string };
	answers: Record<string, string>;
	/** The address the request came from, for the log. */
	sourceIP: string;
}
