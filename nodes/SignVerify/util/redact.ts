import { decodeUrlPart, parseUrl, textOf, withoutEnd } from './values';

/** Removes secrets from a string. */
export type Redact = (text: string) => string;

/**
 * Secrets shorter than this are not removed, because they could be guessed from the gaps left in the text.
 */
const minSecretLength = 4;

/** The minimum length of a URL part that is removed even where it appears without the rest of the URL. */
const minUrlPartLength = 12;

/** Longer strings are truncated, because searching a long string for a long secret takes seconds. */
const maxRedactedLength = 10_000;

/**
 * Creates a function that removes secrets from untrusted text. The service may quote a token, a key or a
 * webhook URL in its message, either in plain text or encoded for a URL, for JSON, or as base64.
 * @param secrets Values that must not be shown. Values under 4 characters are ignored. If a value is a URL,
 * its login and the long parts after its host are also removed, wherever they appear.
 * @returns The function. It drops everything after the first 10,000 characters.
 */
export function redactor(secrets: Iterable<unknown>): Redact {
	const texts = Array.from(secrets, (secret) => textOf(secret).trim());
	const wholeSecrets = texts.filter(({ length }) => length >= minSecretLength);
	const parts = wholeSecrets.flatMap((secret) => [
		...longPartsOfUrl(secret),
		...loginOfUrl(secret),
	]);
	const forms = new Set([...wholeSecrets, ...parts].flatMap(encodings));
	// A secret can be part of another secret, so replace the longest first.
	const longestFirst = [...forms]
		.filter((form) => form !== '')
		.sort((left, right) => right.length - left.length);
	const longestLength = longestFirst[0]?.length ?? 0;
	return (text) => {
		const searched = text.slice(0, maxRedactedLength);
		const redacted = longestFirst.reduce((rest, form) => rest.replaceAll(form, '…'), searched);
		if (searched === text) return redacted;
		// Truncating may have cut a secret in two, and the search can't find the part that is left at the
		// end.
		return redacted.slice(0, Math.max(redacted.length - longestLength, 0));
	};
}

function encodings(secret: string): string[] {
	const bytes = Buffer.from(secret);
	// encodeURIComponent() throws if the string contains half a character (a lone surrogate).
	const inUrl = encodeURIComponent(wellFormed(secret));
	const inJson = JSON.stringify(secret).slice(1, -1);
	// Leave out the padding. If the secret was encoded together with text that follows it, it isn't followed
	// by padding.
	const base64 = withoutEnd(bytes.toString('base64'), '=');
	return [secret, inUrl, inJson, base64, bytes.toString('base64url')];
}

/**
 * Returns the long parts of a URL after its host. Leaves out the host and the short parts, because a message
 * may need to show them.
 */
function longPartsOfUrl(secret: string): string[] {
	const [address = secret] = /^https?:\/\/[^/?#]*/i.exec(secret) ?? [];
	const parts = secret.slice(address.length).split(/[/?&#=]/);
	return [...parts, ...parts.map(decodeUrlPart)].filter(({ length }) => length >= minUrlPartLength);
}

/** Returns a URL's login and its password, each both as written in the URL and decoded. */
function loginOfUrl(secret: string): string[] {
	const { username = '', password = '' } = parseUrl(secret) ?? {};
	const written = /^https?:\/*([^/?#]*)@/i.exec(secret)?.[1] ?? '';
	const passwords = [password, written.slice(written.indexOf(':') + 1)];
	const parts = [password && `${username}:${password}`, written, ...(password ? passwords : [])];
	return [...parts, ...parts.map(decodeUrlPart)].filter(({ length }) => length >= minSecretLength);
}

/**
 * These patterns match each character both plain and encoded, because a URL inside another URL is encoded at
 * least once.
 */
const slash = '(?:[/\\\\]|%(?:25)*(?:2f|5c))';
const colon = '(?::|%(?:25)*3a)';
const at = '(?:@|%(?:25)*40)';
const endOfHost = `(?:${slash}|[?#]|%(?:25)*(?:3f|23)|$)`;
const beforeHost = `(?:${slash}{2}|https?${colon}${slash}?)(?!${slash})`;
const logins = [
	`(${beforeHost})(?:(?!${endOfHost})\\S)*(${at})`,
	// Anything after the colon that isn't a port must be a password, which may contain any character.
	`(${beforeHost})(?:(?!${endOfHost}|${colon})\\S)*${colon}(?!\\d*(?:${endOfHost}|\\s))\\S*(${at})`,
].map((pattern) => new RegExp(pattern, 'gi'));

/** Longer strings are truncated, because these patterns can take seconds on a long string. */
const maxSearchedLength = 10_000;

/** A URL at the end of a string. */
const lastUrl = new RegExp(`${beforeHost}\\S*$`, 'i');

/**
 * Removes the logins from all URLs in a string, even from encoded URLs: `https://…@example.com`. Drops
 * everything after the first 10,000 characters.
 */
export function withoutLogins(text: string): string {
	const searched = text.slice(0, maxSearchedLength);
	// If the end of a URL was cut off, the "@" that ends its login may be missing, so remove the entire URL.
	const whole = searched === text ? text : searched.replace(lastUrl, '');
	return logins.reduce((rest, login) => rest.replace(login, '$1…$2'), whole);
}

/**
 * Makes a string safe to show wherever n8n shows messages. n8n renders HTML there, so "<" and ">" become "‹"
 * and "›". Removes control characters, including those that change the writing direction, and collapses
 * whitespace into single spaces.
 * @param maxLength The maximum number of characters in the result.
 */
export function plainText(text: string, maxLength = 2000): string {
	const plain = wellFormed(withoutLogins(text))
		.replace(/(?!\s)[\p{Cc}\p{Bidi_Control}]/gu, '')
		.replace(/\s+/g, ' ')
		.trim()
		.replace(/</g, '‹')
		.replace(/>/g, '›');
	if (plain.length <= maxLength) return plain;
	return `${wellFormed(plain.slice(0, maxLength - 1))}…`;
}

/** The maximum length of a wrong value in a message, in characters. */
const maxQuotedLength = 80;

/** Puts a wrong value in quotation marks for a message, and truncates it if it is long. */
export function quoted(text: string): string {
	return `"${plainText(text, maxQuotedLength)}"`;
}

/** Removes the halves of characters (lone surrogates) that cutting a string can leave. */
function wellFormed(text: string): string {
	return text.replace(/\p{Surrogate}/gu, '');
}
