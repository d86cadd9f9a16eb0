import type { IWebhookFunctions } from 'n8n-workflow';

import { ProcessMemory } from '../util/processMemory';

const loggedLines = new ProcessMemory<true>({
	bound: 1000,
	lifeMs: 60_000,
});

/**
 * Writes a line to n8n's log, at most once per minute for each subject, so that an event that is refused over and
 * over doesn't flood the log.
 * @param subject Lines with the same subject (all lines about one URL, for instance) share this limit. The default is
 * the line itself.
 */
export function logOncePerMinute(
	context: Pick<IWebhookFunctions, 'logger'>,
	level: 'warn' | 'error',
	line: string,
	subject = line,
): void {
	if (loggedLines.has(subject)) return;
	loggedLines.set(subject, true);
	if (level === 'warn') context.logger.warn(line);
	else context.logger.error(line);
}

/** How many times each event was refused to make the service resend it. */
const refusals = new ProcessMemory<number>({
	bound: 1000,
});

/**
 * The maximum number of times to refuse an event in the hope that the service resends it. Keep this low: some
 * services never resend an event, so every refusal risks losing it.
 */
const maxRefusals = 2;

/**
 * Counts a request to refuse an event.
 * @returns Whether the event may be refused again. If not, the caller must make a final decision about the
 * event, without waiting for another delivery.
 */
export function refuseAgain(key: string): boolean {
	const count = (refusals.get(key) ?? 0) + 1;
	refusals.set(key, count);
	return count <= maxRefusals;
}
