import { refuse, type Refusal } from './answers';
import type { ServiceDeps } from './contract';
import type { ServiceVariants } from './variants';

/** Counts the calls of a second. */
export class RateLimiter {
	/** epoch-ms of the calls let through in the last second, oldest first. */
	private passed: number[] = [];

	private isLifted = false;

	constructor(
		private readonly surroundings: ServiceDeps,
		private readonly variants: ServiceVariants,
	) {}

	/** Whether one more call may go through now. */
	letsThrough(): boolean {
		const { rateLimit } = this.variants;
		if (!rateLimit || this.isLifted) return true;
		const now = this.surroundings.now();
		this.passed = this.passed.filter((at) => at > now - 1000);
		if (this.passed.length >= rateLimit.calls) return false;
		this.passed.push(now);
		return true;
	}

	/** Lets everything through from now on. */
	lift(): void {
		this.isLifted = true;
	}

	/** What a call gets that did not go through. */
	refusal(): Refusal {
		const value = this.retryAfter();
		const headers: Record<string, string> = value === undefined ? {} : { 'retry-after': value };
		return refuse(429, 'Too many requests', { isIn200: false, headers });
	}

	private retryAfter(): string | undefined {
		switch (this.variants.rateLimit?.retryAfter) {
			case 'seconds':
				return '1';
			case 'zero':
				return '0';
			case 'date':
				// The format has whole seconds only: the date must not be over by its rounding.
				return new Date(this.surroundings.now() + 2000).toUTCString();
			default:
				return undefined;
		}
	}
}
