import { onOneLine } from '../util/text';
import { parseUrl } from '../util/urls';
import type { Finding } from './finding';
import { valueProblems } from './textProblems';

/** The maximum length of an email address, in characters (RFC 5321). */
export const maxAddressLength = 254;

/**
 * An address: exactly one @, before it the characters that mail servers accept (letters in any script, digits
 * and these symbols), and after it the characters of a domain.
 */
const addressPattern =
	/^[\p{L}\p{M}\p{N}\p{Extended_Pictographic}!#$%&'*+/=?^_`{|}~.-]+@([\p{L}\p{M}\p{N}.-]+)$/u;

/** Matches most domains. The others, such as those in another script, have to be parsed, which takes longer. */
const usualDomain = /^(?!.*xn--)(?:[a-z\d-]+\.)+[a-z]+$/i;

export function isAddress(text: string): boolean {
	const [, domain] = (text.length <= maxAddressLength && addressPattern.exec(text)) || [];
	if (domain === undefined) return false;
	return usualDomain.test(domain) || parseUrl(`http://${domain}`) !== undefined;
}

/**
 * Warns about dots where few mail servers accept them, about a domain without an ending such as .com, and about an
 * address that looks like another because of a letter from another alphabet. Before the @, Japanese providers allow any
 * dots.
 */
export function mistakeInAddress(address: string): Finding | undefined {
	const [name = '', domain = ''] = address.split('@');
	const mixesAlphabets = (word: string) =>
		/\p{Script=Latin}/u.test(word) && /\p{Script=Cyrillic}|\p{Script=Greek}/u.test(word);
	// Before the @, a word in another alphabet can follow a dot or a hyphen. In a domain, only a dot separates words.
	const words = [...name.split(/[^\p{L}\p{M}\p{N}]+/u), ...domain.split('.')];
	if (words.some(mixesAlphabets)) {
		return { severity: 'looksWrong', ...valueProblems.mixedAlphabets(address) };
	}
	if (!domain.includes('.'))
		return { severity: 'looksWrong', ...valueProblems.noDotAfterAt(address) };
	const isInDomain = /^\.|\.\.|\.$/.test(domain);
	if (!isInDomain && !/^\.|\.\.|\.$/.test(name)) return undefined;
	const isAllowed = !isInDomain && /\.jp$/i.test(domain);
	return { severity: isAllowed ? 'warning' : 'looksWrong', ...valueProblems.unusualDot(address) };
}

/** An address with the person's name, in the format that mail programs use: `Ana Gil <ana@example.com>`. */
const addressWithName = /^([^<>]{0,500})<\s*([^<>\s]{1,300})\s*>$/;

/**
 * @returns The name is '' if there is none. Text in any other format is returned unchanged as the address.
 */
export function splitNamedAddress(text: string): { address: string; name: string } {
	const [, before = '', address] = addressWithName.exec(text) ?? [];
	if (address === undefined) return { address: text, name: '' };
	return { address, name: nameBefore(before, address) };
}

/** Whether a string contains an address in angle brackets: `<ana@example.com>`. */
export function hasNamedAddress(text: string): boolean {
	return /<[^<>\s@]{1,200}@[^<>\s]{1,300}>/.test(text);
}

/** Reads the name before an address, without the quotation marks around it and the backslashes inside it. */
function nameBefore(before: string, address: string): string {
	const [, , quotedName] = /^(["'])(.*)\1$/s.exec(before.trim()) ?? [];
	const name = onOneLine((quotedName ?? before).replace(/\\(.)/g, '$1'));
	// Skip names that only repeat the address, and names that mail programs have encoded (`=?utf-8?q?…?=`),
	// because those would be unreadable in a contract.
	const isName = !/=\?[^?]+\?[bq]\?/i.test(name) && name.toLowerCase() !== address.toLowerCase();
	return isName && !name.includes('@') ? name : '';
}
