import type { INode } from 'n8n-workflow';

import type { ServiceError } from './errors';

/**
 * How often one call is tried at most, the first try included: after a rate limit (429), after a failure
 * that a further try may change, and after all others, of which one is a creation that may have worked
 * (design rule 1).
 */
export const maxTries = { rateLimited: 60, failed: 4, final: 1 };

/** First pause (ms) before a retry, doubled each time. */
export const firstDelay = 300;
const maxDelay = 15_000;

/** What a policy is for. */
interface PolicyOptions {
	/** Whether the call reads or deletes: it can be made again, even if it may have worked. */
	isIdempotent: boolean;
	/** Milliseconds after which the call is not retried. */
	maxRetryTime: number;
	/**
	 * The node that calls. Its setting "Retry On Fail" gives further tries and a longer pause to all calls
	 * that certainly created nothing.
	 */
	node?: INode | undefined;
}

/**
 * Decides whether a failed call is retried (design rule 1), with limits for the number of tries and for
 * the time.
 */
export class RetryPolicy {
	/** Failed tries: against a rate limit, and against anything else. */
	private readonly tries = { rateLimited: 0, other: 0 };

	private readonly start = performance.now();

	/** After this moment (`performance.now()`), the call is not retried. */
	readonly latest: number;

	private readonly retryOnFail: { tries: number; pause: number };

	constructor(private readonly options: PolicyOptions) {
		this.latest = this.start + options.maxRetryTime;
		const { retryOnFail = false, maxTries: tries, waitBetweenTries } = options.node ?? {};
		// As n8n reads the setting: 2 to 5 tries, up to 5 seconds between.
		this.retryOnFail = retryOnFail
			? {
					tries: Math.min(5, Math.max(2, tries || 3)),
					pause: Math.min(5000, Math.max(0, waitBetweenTries || 1000)),
				}
			: { tries: 0, pause: 0 };
	}

	/**
	 * Decides what follows a failed try.
	 * @param pauseTime Says how long to wait (ms), after the try was counted.
	 * @returns How long to wait before the next try.
	 * @throws The failure, with how often the call was tried, if it is not retried.
	 */
	next(failure: ServiceError, pauseTime: () => number): number {
		const tries = ++this.tries[failure.rateLimited ? 'rateLimited' : 'other'];
		const pause = pauseTime();
		const hasTime = performance.now() + pause <= this.latest;
		if (tries < this.triesFor(failure) && hasTime) return pause;
		throw failure.withDetail(this.summary());
	}

	/** How long (ms) to wait before the next try. Random, because all items would otherwise retry at once. */
	backoff(): number {
		const full = Math.min(firstDelay * 2 ** (this.tries.other - 1), maxDelay);
		return Math.max(full * (0.5 + Math.random() / 2), this.retryOnFail.pause);
	}

	/** How often a call that failed in this way may be tried. */
	private triesFor({ retryable, rateLimited, mayHaveCreated, answered = 0 }: ServiceError): number {
		if (rateLimited) return maxTries.rateLimited;
		// A further try does not find what is not there.
		if (mayHaveCreated || [404, 405, 410].includes(answered)) return maxTries.final;
		const mayChange =
			retryable === 'always' || (retryable === 'whenIdempotent' && this.options.isIdempotent);
		return Math.max(mayChange ? maxTries.failed : maxTries.final, this.retryOnFail.tries);
	}

	/** For the error: how often it was tried, if more than once. */
	private summary(): string {
		const seconds = Math.round((performance.now() - this.start) / 1000);
		const tries = this.tries.rateLimited + this.tries.other;
		return tries > 1 ? ` It was tried ${tries} times in ${seconds} s.` : '';
	}
}

/**
 * Reads a Retry-After header: seconds, or a date.
 * @returns Milliseconds from now; undefined if it is missing, not readable, or over.
 */
export function readRetryAfter(value: unknown): number | undefined {
	const text: unknown = Array.isArray(value) ? value[0] : value;
	if (typeof text !== 'string' && typeof text !== 'number') return undefined;
	const seconds = Number(text);
	const isNumber = text !== '' && Number.isFinite(seconds);
	const wait = isNumber ? seconds * 1000 : Date.parse(String(text)) - Date.now();
	return wait > 0 ? wait : undefined;
}
