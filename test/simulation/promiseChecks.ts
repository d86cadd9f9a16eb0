import type { Notification, ServiceAnswer } from './service/contract';

/** What watches a run for broken promises (promises/promises.ts). */
export interface PromiseChecks {
	/** All that senders of notifications were answered. */
	readonly answers: string[];
	/** A notification of the service was answered. */
	answered(notification: Notification, answer: ServiceAnswer): void;
	/** Somebody who knows no secret calls an address. */
	forge(address: string): void;
	/** @throws Broken for a promise that is broken at this moment. */
	check(): void;
	/** @throws Broken for a promise that is broken at the end. */
	finish(): Promise<void>;
}
