import type { INodeProperties } from 'n8n-workflow';

import { registrationProblems } from '../../nodes/SignVerify/registrations/registrationProblems';
import {
	networkProblems,
	type CallProblem,
	refusedProblems,
} from '../../nodes/SignVerify/http/callProblems';
import { InputError, joinErrors } from '../../nodes/SignVerify/errors/inputError';
import type { ItemContext } from '../../nodes/SignVerify/item/item';
import { checkNames } from '../../nodes/SignVerify/templateForm/templateChoice';
import { settleSync } from '../../nodes/SignVerify/util/async';

/**
 * The words for a call without a usable response.
 * @param detail The error's code or the HTTP status, if the message contains it.
 */
export function networkWords(
	row: keyof typeof networkProblems,
	at: string,
	detail = '',
): CallProblem {
	const scheme = at.startsWith('https:') ? 'HTTPS' : 'HTTP';
	return networkProblems[row].words({ at, scheme, detail });
}

/** The words for a call that was refused. @param words The service's own words. */
export function refusedWords(
	row: keyof typeof refusedProblems,
	status: number,
	words = '',
): CallProblem {
	return refusedProblems[row].words({ status, words });
}

/** What the error of a failed call contains for a problem. */
export function errorWith({ problem, remedy, ...others }: CallProblem) {
	return { message: problem, description: remedy, ...others };
}

/** The message about an event that couldn't be registered. @param reason Why, if the message is compared whole. */
export function notRegisteredMessage(event: string, reason = ''): string {
	const noRemedy = { remedy: '', existingUrl: undefined, remainingIds: '', foreignIds: '' };
	return registrationProblems.notRegistered({ event, reason, ...noRemedy }).problem;
}

/**
 * What to do about such an event.
 * @param facts `remainingIds` are those of webhooks that couldn't be removed again, and `foreignIds` those of webhooks
 * that may have existed before.
 */
export function notRegisteredRemedy(facts: {
	remedy?: string;
	existingUrl?: string;
	remainingIds?: string;
	foreignIds?: string;
}): string {
	const { remedy = '', existingUrl, remainingIds = '', foreignIds = '' } = facts;
	const rest = { event: '', reason: '' };
	return registrationProblems
		.notRegistered({ remedy, existingUrl, remainingIds, foreignIds, ...rest })
		.remedy.trim();
}

/** Matches texts with these words, in which `…` stands for any text. @param isWhole Whether the text has no other words. */
export function wordsWith(words: string, isWhole = false): RegExp {
	const parts = words.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
	return new RegExp(isWhole ? `^${parts.join('.*')}$` : parts.join('.*'));
}

/** The message about several wrong values. @param values Each value's field and problem, in the order of the form. */
export function severalWrong(...values: Array<[field: string, problem: string]>): string {
	const parts = values.map(([field, problem]) => new InputError(field, { problem, remedy: '' }));
	return joinErrors(parts).message;
}

/** What the error about names that the template doesn't have begins with instead of a field. */
export const otherTemplate = (() => {
	const item = { rawParameter: () => undefined } as unknown as ItemContext;
	const field = { name: 'fields', type: 'json' } as INodeProperties;
	const checking = settleSync(() =>
		checkNames(item, new Map([['unknown', 'x']]), { field, knownNames: [] }),
	);
	if (checking.ok) throw new Error('checkNames() accepts an unknown name.');
	return (checking.error as InputError).field;
})();
