import { randomBytes } from 'node:crypto';
import type { AccountRecord } from '../state/records';
import type { Store } from '../state/store';
import type { Clock } from '../util/clock';
import { newSecret, sameSecret } from '../util/ids';
import type { Settings } from './settings';

/** The company named as the sender in emails and documents. */
export const accountName = 'Example Company';

/** A sandbox's only account, with the tokens that were issued for it. */
export class Account {
	private readonly record: AccountRecord;
	/** The number of tokens issued since the sandbox started. */
	exchanges = 0;

	/**
	 * @param given The credentials from the sandbox's options, which override the ones in the data folder.
	 * @param settings The settings that determine how long a token is valid, and whether a new token
	 * invalidates earlier ones.
	 */
	constructor(
		private readonly store: Store,
		given: { userId?: string | undefined; apiKey?: string | undefined },
		private readonly settings: Settings,
		private readonly clock: Clock,
	) {
		this.record = store.accountRecord();
		this.record.userId = given.userId || this.record.userId || 'sandbox-user';
		this.record.apiKey = given.apiKey || this.record.apiKey || randomBytes(16).toString('hex');
		store.accountChanged();
	}

	get userId(): string {
		return this.record.userId;
	}

	get apiKey(): string {
		return this.record.apiKey;
	}

	/** The secret used to sign file URLs. */
	get fileKey(): string {
		return this.record.fileKey;
	}

	isUser(userId: string): boolean {
		return sameSecret(userId, this.record.userId);
	}

	/**
	 * Exchanges the user ID and the API key for a token. Earlier tokens stay valid until they expire, unless
	 * `invalidateOnRenew` is on.
	 * @returns undefined if the user ID or the key is wrong.
	 */
	exchange(userId: string, apiKey: string): string | undefined {
		// Both values are always compared so that the response time does not reveal which one was wrong.
		const known = [this.isUser(userId), sameSecret(apiKey, this.record.apiKey)];
		if (known.includes(false)) return undefined;
		const token = newSecret();
		this.forgetExpired();
		const { invalidateOnRenew, tokenLifetimeSeconds } = this.settings.current;
		if (invalidateOnRenew) this.expireAll();
		this.record.tokens[token] = this.clock.now() + tokenLifetimeSeconds * 1000;
		this.exchanges += 1;
		this.store.accountChanged();
		return token;
	}

	/**
	 * Returns the state of a token. An expired token is remembered for at least a day. After that, its state
	 * can become `unknown`.
	 */
	tokenState(token: string): 'valid' | 'expired' | 'unknown' {
		if (!Object.hasOwn(this.record.tokens, token)) return 'unknown';
		return (this.record.tokens[token] ?? 0) > this.clock.now() ? 'valid' : 'expired';
	}

	/** Invalidates all tokens immediately. */
	endTokens(): void {
		this.expireAll();
		this.store.accountChanged();
	}

	private expireAll(): void {
		const { tokens } = this.record;
		const now = this.clock.now();
		for (const [token, expiresAt] of Object.entries(tokens)) {
			tokens[token] = Math.min(expiresAt, now);
		}
	}

	private forgetExpired(): void {
		const limit = this.clock.now() - 24 * 60 * 60 * 1000;
		for (const [token, expiresAt] of Object.entries(this.record.tokens)) {
			if (expiresAt < limit) delete this.record.tokens[token];
		}
	}
}
