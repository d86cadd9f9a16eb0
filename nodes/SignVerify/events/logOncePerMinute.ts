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
