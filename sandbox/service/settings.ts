import type { SandboxOptions, SandboxSettings, SettingsChange } from '../types';

/** The lifetime of a token in seconds, as observed in the field. */
export const tokenSeconds = 300;

/** The delays, in milliseconds, before each retry of a delivery. */
export const deliveryBackoffMs = [500, 2000, 5000, 15_000, 60_000];

/** A sandbox's settings: the values from its options, and the changes made while the sandbox is running. */
export class Settings {
	private readonly asStarted: SandboxSettings;
	private now: SandboxSettings;

	constructor(options: SandboxOptions) {
		this.asStarted = {
			rateLimit: options.rateLimit ?? null,
			tokenLifetimeSeconds: options.tokenLifetimeSeconds ?? tokenSeconds,
			invalidateOnRenew: options.invalidateOnRenew ?? false,
			expiryStyle: options.expiryStyle ?? '401',
			deliveryBackoffMs: options.deliveryBackoffMs ?? deliveryBackoffMs,
			leavesPlaceholders: options.leavesPlaceholders ?? false,
			createReturnsOnlySuccess: false,
			identityEventsHaveResults: false,
		};
		this.now = structuredClone(this.asStarted);
	}

	/** The stored object itself, so do not modify it. */
	get current(): SandboxSettings {
		return this.now;
	}

	/**
	 * Sets the given settings and resets all others to the values from the options so that one test cannot
	 * affect the next.
	 */
	set(change: SettingsChange): SandboxSettings {
		this.now = structuredClone({ ...this.asStarted, ...change });
		return structuredClone(this.now);
	}
}
