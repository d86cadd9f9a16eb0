import type { SandboxTemplate } from './documents/types';
import type { Document, EventType, IdentityRequest, WebhookRegistration } from './schemas';
import type {
	DeliveryAttempt,
	IdentityOutcome,
	IdentityScores,
	MailView,
	SavedState,
} from './state/records';
import type { ClockState } from './util/clock';
import type {
	ClockChange,
	DeliverySettings,
	Fault,
	Quirks,
	SandboxSettings,
	SettingsChange,
} from './schemas/control';
export type { ClockState, EventType };
export type * from './schemas/control';
export {
	IDENTITY_CHECKS,
	type DeliveryAttempt,
	type IdentityCheck,
	type IdentityOutcome,
	type IdentityScores,
	type MailView,
} from './state/records';

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

/** Something that happened, in one line. */
export interface JournalEntry {
	/** Counts from 1 since the start of the sandbox. */
	number: number;
	/** epoch-ms */
	at: number;
	kind: 'call' | 'delivery' | 'mail' | 'clock' | 'state';
	text: string;
	/** Whether somebody should look at it. */
	isProblem: boolean;
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
	/**
	 * Made-up templates and documents to try lists and searches on, besides what there is. With a
	 * data folder they are made once: a later start adds only what is missing.
	 */
	seed?: { templates?: number; documents?: number };
	/**
	 * The name of a scenario to start with, see `ScenarioInfo`. With a data folder it is loaded once: a
	 * later start goes on with what became of it.
	 */
	scenario?: string;
	/**
	 * A saved state to start with, in place of a scenario: what `Sandbox.states.save` gave, or a file
	 * of it. The account is the saved one, unless `userId` or `apiKey` are named.
	 */
	state?: unknown;
	/** Minutes that a file's address lives. Default 60. */
	fileLinkMinutes?: number;
	/** Folder to keep the state in over a restart; in memory only when absent. */
	dataFolder?: string;
	/** Delays (ms) before the 2nd, 3rd… attempt of a delivery: `delivery.retries` in short. */
	deliveryBackoffMs?: number[];
	/** When notifications are tried again, and what goes wrong with them. */
	delivery?: Partial<DeliverySettings>;
	/** Whether `GET /webhooks` lists identity webhooks too; not documented. Default true. */
	listIdentityWebhooks?: boolean;
	/** Whether `DELETE /webhooks` removes identity webhooks too; not documented. Default true. */
	deleteIdentityWebhooks?: boolean;
	/** Deliver to addresses beyond loopback too. Default false: such deliveries fail, and say so. */
	allowRemote?: boolean;
}

/** A request for an identity verification, with what the sandbox knows beyond the interface. */
export interface IdentityRequestView extends IdentityRequest {
	validationId: string;
	/** What the client asked for; FACE is the documented value. */
	type: string;
	/** How the person chose the check to end; absent until then. */
	outcome?: IdentityOutcome;
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
	 * @param scores Points of single checks; the others get those that fit the outcome.
	 * @throws PageRefusal when it was finished before; Error when there is no such request.
	 */
	completeIdentity(
		validationId: string,
		outcome: IdentityOutcome,
		scores?: IdentityScores,
	): Promise<IdentityRequestView>;
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
	/** The whole state: to be saved, and to be replaced by another one while the sandbox runs. */
	states: {
		/** Everything with all secrets, as JSON takes it. */
		save(): SavedState;
		/**
		 * Puts a saved state in the place of the present one. The clock goes on at the time when it was
		 * saved. User ID and API key stay.
		 * @throws ServiceRefusal when it is none.
		 */
		load(state: unknown): Promise<void>;
		scenarios(): ScenarioInfo[];
		/**
		 * Puts a scenario in the place of the present state. Clock, webhooks, User ID and API key stay.
		 * @throws ServiceRefusal when there is none of this name.
		 */
		loadScenario(name: string): Promise<ScenarioInfo>;
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

/** A prepared state with a name. */
export interface ScenarioInfo {
	/** In addresses and commands: `hr-team`. */
	name: string;
	title: string;
	text: string;
}
