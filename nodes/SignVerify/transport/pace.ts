import { LearnedRate } from './learnedRate';
import { pause } from './pause';

/** First wait (ms) after a 429 that does not say how long; doubled while nothing gets through. */
const firstHold = 250;
const longestHold = 30_000;
/** What a service may ask for with Retry-After at the most (ms). */
const longestAsked = 60_000;

/**
 * The pace at which an execution calls the service: evenly spaced where the user set a number of
 * requests per second, and halted for all items together when the service says "too many", since
 * ten items that wait each for itself only run into the limit again. After that it keeps just below
 * what the service had let through.
 */
export class Pace {
	private readonly spacing: number;

	private readonly rate = new LearnedRate();

	private nextSlot = 0;

	private heldUntil = 0;

	/** Waits in a row after which nothing got through. */
	private strain = 0;

	/** @param perSecond Requests per second; absent or 0 means no spacing. */
	constructor(perSecond = 0) {
		this.spacing = perSecond > 0 ? 1000 / perSecond : 0;
	}

	/**
	 * Waits for this call's turn.
	 * @returns false when the execution was cancelled meanwhile.
	 */
	async turn(signal?: AbortSignal): Promise<boolean> {
		for (;;) {
			const now = Date.now();
			const at = Math.max(now, this.heldUntil, this.nextSlot);
			const spacing = Math.max(this.spacing, this.rate.spacing(now));
			if (spacing) this.nextSlot = at + spacing;
			if (!(await pause(at - now, signal))) return false;
			if (Date.now() >= this.heldUntil) return true;
		}
	}

	/**
	 * Halts all calls after an answer of 429.
	 * @param asked What Retry-After asks for, in ms.
	 * @returns How long (ms) from now.
	 */
	hold(asked?: number): number {
		const now = Date.now();
		if (now >= this.heldUntil) this.rate.refused(now);
		if (asked !== undefined) {
			this.heldUntil = Math.max(this.heldUntil, now + Math.min(asked, longestAsked));
		} else if (now >= this.heldUntil) {
			// Answers that come in during a hold belong to the same storm.
			const full = Math.min(firstHold * 2 ** this.strain++, longestHold);
			this.heldUntil = now + full * (0.5 + Math.random() / 2);
		}
		return this.heldUntil - now;
	}

	/** A call got through. */
	passed(): void {
		this.strain = 0;
		this.rate.passed(Date.now());
	}
}

/**
 * Reads a Retry-After header: seconds, or a date.
 * @returns Milliseconds from now, undefined where there is none or it cannot be read.
 */
export function readRetryAfter(value: unknown): number | undefined {
	const text: unknown = Array.isArray(value) ? value[0] : value;
	if (typeof text !== 'string' && typeof text !== 'number') return undefined;
	const seconds = Number(text);
	if (text !== '' && Number.isFinite(seconds)) return seconds >= 0 ? seconds * 1000 : undefined;
	const date = Date.parse(String(text));
	return Number.isNaN(date) ? undefined : Math.max(date - Date.now(), 0);
}
