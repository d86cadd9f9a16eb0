import type { FastifyReply } from 'fastify';
import { ServiceRefusal } from '../service/refusal';
import type { Settings } from '../service/settings';
import { realNow } from '../util/clock';

/** Lets through so many calls in any second as the settings say; the others get a 429. */
export class RateLimit {
	/**
	 * epoch-ms of the calls let through in the last second, oldest first; of the machine's clock, since
	 * nobody could ever call again while the sandbox's clock stands.
	 */
	private passed: number[] = [];

	constructor(private readonly settings: Settings) {}

	/** @throws ServiceRefusal (429) when the second is full. */
	check(reply: FastifyReply): void {
		const { rateLimit } = this.settings.current;
		if (!rateLimit) return;
		const now = realNow();
		this.passed = this.passed.filter((at) => at > now - 1000);
		if (this.passed.length < rateLimit.perSecond) {
			this.passed.push(now);
			return;
		}
		if (rateLimit.retryAfter !== undefined) {
			reply.header('Retry-After', String(rateLimit.retryAfter));
		}
		throw new ServiceRefusal(429, 'Too many requests');
	}
}
