import { remember } from './values';

/** By what is said: when (ms of `performance.now()`) it was logged last. */
export const lastLogged = new Map<string, number>();
const maxRemembered = 1000;

/**
 * What comes again and again, such as an event that is refused, must not fill n8n's log.
 * @param subject What is said, or about what: it is worth a line once a minute.
 * @returns true if it has not been logged for a minute. It counts as logged then.
 */
export function isWorthALine(subject: string): boolean {
	const now = performance.now();
	if (now - (lastLogged.get(subject) ?? -Infinity) < 60_000) return false;
	remember(lastLogged, subject, now, maxRemembered);
	return true;
}
