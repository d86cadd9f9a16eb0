import type { IWebhookFunctions } from 'n8n-workflow';

import { ProcessMemory } from '../util/processMemory';

/** The subjects of the lines logged within the last minute. */
const loggedLines = new ProcessMemory<true>({
	name: 'log lines',
	bound: 1000,
	life: 60_000,
});

/**
 * Writes a line to n8n's log at most once a minute so that an event that is rejected over and over can't flood the
 * log.
 * @param subject Lines with the same subject, such as all lines about a URL, are treated as one line. By
 * default, the subject is the line itself.
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

/** How many times each event was rejected so that the service would send it again. */
const refusals = new ProcessMemory<number>({
	name: 'rejected events',
	bound: 1000,
	life: 'until pushed out',
});

/**
 * How many times to reject an event in the hope that the service will send it again. Keep this low: each rejection
 * risks losing the event, because some services never send an event again.
 */
const maxRefusals = 2;

/**
 * Counts another rejection of an event.
 * @returns Whether to reject the event once more. If false, the caller must decide now instead of waiting for
 * another delivery.
 */
export function refuseAgain(key: string): boolean {
	const count = (refusals.get(key) ?? 0) + 1;
	refusals.set(key, count);
	return count <= maxRefusals;
}
