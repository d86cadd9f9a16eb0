import { randomBytes } from 'node:crypto';
import type { AccountRecord } from '../state/records';
import type { Store } from '../state/store';
import type { Clock } from '../util/clock';
import { newSecret, sameSecret } from '../util/ids';
import type { Settings } from './settings';

/** Who has the account: mails and documents name this company as their sender. */
export const ACCOUNT_NAME = 'Example Company Ltd';

/** The one account of the sandbox, and the tokens given out for it. */
export class Account {
	private readonly record: AccountRecord;
	/** How many tokens were given out since the start. */
	exchanges = 0;

	/**
	 * @param given What the options name; it wins over what the data folder holds.
	 * @param settings How long a token is taken, and whether a new one ends the earlier ones.
	 */
	constructor(
		private readonly store: Store,
		given: { userId?: string; apiKey?: string },
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

	/** Secret that signs the addresses of files. */
	get fileKey(): string {
		return this.record.fileKey;
	}

	/** Says whether this is the account's user id. */
	isUser(userId: string): boolean {
		return sameSecret(userId, this.record.userId);
	}

	/**
	 * Gives out a token for the key; earlier ones stay valid until their time is over, unless the
	 * settings say that a new one ends them.
	 * @returns undefined when user id and key are not the account's.
	 */
	exchange(userId: string, apiKey: string): string | undefined {
		// Both are compared in any case: the time taken must not tell which one was wrong.
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

	/** What a token is worth now. Expired ones are remembered as such for a day. */
	tokenState(token: string): 'valid' | 'expired' | 'unknown' {
		if (!Object.hasOwn(this.record.tokens, token)) return 'unknown';
		return (this.record.tokens[token] ?? 0) > this.clock.now() ? 'valid' : 'expired';
	}

	/** Ends all tokens now. */
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
