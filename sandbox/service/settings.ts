import type { Quirks, SandboxOptions, SandboxSettings, SettingsChange } from '../types';

const NO_QUIRKS: Quirks = {
	trailingCreatedBy: false,
	createAnswersOnlySuccess: false,
	signingExpiryNull: false,
	isSignedAsString: false,
};

/** Seconds that a token lives, as observed in the field. */
const TOKEN_SECONDS = 300;

/** Before the 2nd, 3rd… attempt of a delivery. */
const DELIVERY_BACKOFF_MS = [500, 2000, 5000, 15_000, 60_000];

/** The settings of a sandbox: what its options say, and what was changed since. */
export class Settings {
	private readonly asStarted: SandboxSettings;
	private now: SandboxSettings;

	constructor(options: SandboxOptions) {
		this.asStarted = {
			rateLimit: options.rateLimit ?? null,
			tokenLifetimeSeconds: options.tokenLifetimeSeconds ?? TOKEN_SECONDS,
			invalidateOnRenew: options.invalidateOnRenew ?? false,
			expiryStyle: options.expiryStyle ?? '401',
			deliveryBackoffMs: options.deliveryBackoffMs ?? DELIVERY_BACKOFF_MS,
			quirks: { ...NO_QUIRKS, ...options.quirks },
		};
		this.now = structuredClone(this.asStarted);
	}

	/** As they are now; not to be changed in place. */
	get current(): SandboxSettings {
		return this.now;
	}

	/** Changes those named; all others become what the options say, so that two tests never mix. */
	set({ quirks, ...rest }: SettingsChange): SandboxSettings {
		const base = structuredClone(this.asStarted);
		this.now = {
			...base,
			...structuredClone(rest),
			quirks: { ...base.quirks, ...quirks },
		};
		return structuredClone(this.now);
	}
}
