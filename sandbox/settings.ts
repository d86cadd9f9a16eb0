import type { EventType } from './schemas';

/** Shapes seen in the field beside those that the interface shows; each is off unless asked for. */
export interface Quirks {
	/** `signatory` ends with an entry shaped like `createdBy`. */
	trailingCreatedBy: boolean;
	/** Creating a document answers `success` and `message`, nothing else. */
	createAnswersOnlySuccess: boolean;
	/** `signing.expiry` is null: the link is said to live for ever. */
	signingExpiryNull: boolean;
	/** A signatory's `isSigned` is a text (`"1"`) in place of a number. */
	isSignedAsString: boolean;
}

/** How the service behaves where the interface says nothing; can be changed while it runs. */
export interface SandboxSettings {
	/**
	 * At most this many calls in any second, 429 beyond. `retryAfter` (seconds) goes into the header
	 * of that name, which is left out when it is absent. null: no limit.
	 */
	rateLimit: { perSecond: number; retryAfter?: number } | null;
	/** Seconds that a token lives; counts for tokens given out from then on. */
	tokenLifetimeSeconds: number;
	/** Whether a new token ends the life of all earlier ones. */
	invalidateOnRenew: boolean;
	/**
	 * What an expired token gives: HTTP 401, HTTP 403, or HTTP 200 with `success: false` and
	 * `responseCode` 401.
	 */
	expiryStyle: '401' | '403' | '200';
	quirks: Quirks;
	delivery: DeliverySettings;
}

/** Settings to change; of `quirks` and `delivery` too, only those named. */
export type SettingsChange = Partial<Omit<SandboxSettings, 'quirks' | 'delivery'>> & {
	quirks?: Partial<Quirks>;
	delivery?: Partial<DeliverySettings>;
};

/** The schedules of attempts that have a name (see `RETRY_SCHEDULES`). */
export type RetrySchedule = 'none' | 'default' | 'hours';

/** How notifications are handed over. */
export interface DeliverySettings {
	/** When a notification is tried again: a schedule, or the delays (ms) before the 2nd, 3rd… attempt. */
	retries: RetrySchedule | number[];
	/** A repeated notification has another `addedOn`: the time of its own attempt. */
	newAddedOn: boolean;
	/** The answer to creating a document comes only after its first notifications were handed over. */
	beforeAnswer: boolean;
	/** Decides where chance decides: the same seed gives the same course of events. */
	seed: number;
	trouble: DeliveryTrouble[];
}

/** Something that goes wrong with notifications on purpose. */
export interface DeliveryTrouble {
	/** Which notifications; `*` for all. */
	event: EventType | '*';
	/**
	 * `twice`: comes once more after it was received. `late`: comes after `delayMs`. `outOfOrder`: comes
	 * after the next one about the same document, or after `delayMs` if there is none. `never`: is lost.
	 */
	kind: 'twice' | 'late' | 'outOfOrder' | 'never';
	/** How likely it is, 0 to 1. Default 1. */
	chance?: number;
	/** How many notifications it hits; unlimited when absent. */
	times?: number;
	/** Milliseconds of the sandbox's clock. Default 10,000. */
	delayMs?: number;
}
