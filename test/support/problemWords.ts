import { webhookProblems } from '../../nodes/SignVerify/http/operationProblems';
import {
	networkProblems,
	type Problem,
	refusedProblems,
} from '../../nodes/SignVerify/http/problems';

/**
 * The words for a call without a usable response.
 * @param detail The error's code or the HTTP status, if the message contains it.
 */
export function networkWords(row: keyof typeof networkProblems, at: string, detail = ''): Problem {
	const scheme = at.startsWith('https:') ? 'HTTPS' : 'HTTP';
	return networkProblems[row].words({ at, scheme, detail });
}

/** The words for a call that was refused. @param words The service's own words. */
export function refusedWords(
	row: keyof typeof refusedProblems,
	status: number,
	words = '',
): Problem {
	return refusedProblems[row].words({ status, words });
}

/** The message about an event that couldn't be registered. @param reason Why, if the message is compared whole. */
export function notRegisteredMessage(event: string, reason = ''): string {
	const noRemedy = { remedy: '', existingUrl: undefined, remainingIds: '', consequence: undefined };
	return webhookProblems.notRegistered({ event, reason, ...noRemedy }).message;
}
