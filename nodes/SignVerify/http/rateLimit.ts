import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { delay, Slots } from '../util/async';
import { remember, textOf } from '../util/values';
import { type Limits, limitsOf, normalizeBaseUrl } from './credential';

/** First pause (ms) after a 429 without Retry-After. */
export const firstPause = 250;
/** Consecutive refusals after which the pause doubles: most services count the calls of one second. */
export const refusalsToDouble = 4;
export const maxPause = 30_000;

/** The longest Retry-After that is obeyed (ms). */
export const maxRetryAfter = 60_000;

/** How long (ms) the others wait for the answer to the first call after a pause. */
const maxProbe = 5000;

/** A call that may be sent. */
export interface Turn {
	/** How many pauses there had been. */
	readonly pauses: number;
	/** Aborted when the call has ended. */
	readonly ended: AbortController;
}

/**
 * Limits the rate at which a process calls an account. If the credential has a number of requests
 * per second, the calls are evenly spaced. If the service says "too many", the calls of all items pause
 * together, because items that wait separately only reach the limit again. After the pause, one call goes
 * first, and its answer decides about the others.
 *
 * All moments are those of `performance.now()`, because the clock of a machine can be set back.
 */
export class RateLimiter {
	/** Calls have their turn in the order in which they came. Only the first one looks at the clock. */
	private readonly queue = new Slots();

	private nextSlot = 0;

	private pausedUntil = 0;

	private pauses = 0;

	/** Pauses without another answer in between. */
	private consecutive = 0;

	/** Whether the last answer was that there were too many requests. */
	get isLimited(): boolean {
		return this.consecutive > 0;
	}

	/** How long (ms) calls are still paused. */
	get pauseLeft(): number {
		return Math.max(0, this.pausedUntil - performance.now());
	}

	/**
	 * Waits until this call may be sent. Afterwards, {@link end} must be told how it ended.
	 * @param perSecond Calls per second; 0 means no spacing.
	 * @param latest A call that cannot have its turn until this moment has none.
	 * @returns undefined if it must not be sent: it is too late, or the execution was cancelled.
	 */
	async acquire(
		perSecond: number,
		latest: number,
		cancel?: AbortSignal,
	): Promise<Turn | undefined> {
		const late = AbortSignal.timeout(Math.max(0, Math.ceil(latest - performance.now())));
		const signal = cancel ? AbortSignal.any([cancel, late]) : late;
		if (!(await this.queue.acquire(1, signal))) return undefined;
		let at: number;
		do {
			const now = performance.now();
			at = Math.max(now, this.pausedUntil, this.nextSlot);
			// Whole milliseconds, as timers have. One may still end a fraction early.
			const wait = Math.ceil(at - now);
			const canGo = at <= Math.max(now, latest) && (await delay(wait, signal));
			if (!canGo) {
				this.queue.release();
				return undefined;
			}
		} while (this.pauseLeft >= 1);
		if (perSecond > 0) this.nextSlot = at + 1000 / perSecond;
		const turn = { pauses: this.pauses, ended: new AbortController() };
		const release = () => this.queue.release();
		void delay(this.isLimited ? maxProbe : 0, turn.ended.signal).then(release);
		return turn;
	}

	/**
	 * Notes how a call ended. After a 429, all calls pause.
	 * @param status Of its answer; undefined if there was none, which says nothing about the limit.
	 * @param retryAfter In ms. It is ignored if it is shorter than the first pause, because calls without
	 * a pause have reached the limit.
	 */
	end(turn: Turn, status: number | undefined, retryAfter = 0): void {
		// Calls that were sent before the last pause belong to the same limit.
		const isNew = turn.pauses === this.pauses;
		if (status === 429) this.pause(isNew, retryAfter);
		else if (status !== undefined && isNew) this.consecutive = 0;
		turn.ended.abort();
	}

	private pause(isNew: boolean, retryAfter: number): void {
		const now = performance.now();
		if (isNew) {
			this.pauses++;
			this.consecutive++;
		}
		if (retryAfter >= firstPause) {
			this.pausedUntil = Math.max(this.pausedUntil, now + Math.min(retryAfter, maxRetryAfter));
		} else if (isNew) {
			const doublings = Math.max(this.consecutive - refusalsToDouble, 0);
			const full = Math.min(firstPause * 2 ** doublings, maxPause);
			this.pausedUntil = now + full * (0.5 + Math.random() / 2);
		}
	}
}

/** How an account is called, by all executions of this process together. */
export interface Account extends Limits {
	/** Base URL and user ID. It is the same however the Base URL is written. */
	id: string;
	baseUrl: string;
	rateLimiter: RateLimiter;
	/** For the calls of items: so many run at once. */
	slots: Slots;
}

type Shared = Pick<Account, 'rateLimiter' | 'slots'>;

/** Accounts whose calls are bounded together, used last. */
const maxAccounts = 200;
export const accounts = new Map<string, Shared>();

/**
 * What a call needs to know of its account. Credentials with the same base URL and user ID share it,
 * and the limits of the one that was used last hold.
 * @throws ServiceError for a Base URL or a limit that cannot be used.
 */
export function accountOf(credential: ICredentialDataDecryptedObject): Account {
	const baseUrl = normalizeBaseUrl(credential.baseUrl);
	const limits = limitsOf(credential);
	// Who corrects its case, its slashes or http to https has no other account (Send Once Keys).
	const address = baseUrl
		.replace(/^https?:/, '')
		.replace(/\/+/g, '/')
		.toLowerCase();
	const id = JSON.stringify([address, textOf(credential.userId).trim()]);
	const shared = accounts.get(id) ?? { rateLimiter: new RateLimiter(), slots: new Slots() };
	remember(accounts, id, shared, maxAccounts);
	return { id, baseUrl, ...limits, ...shared };
}
