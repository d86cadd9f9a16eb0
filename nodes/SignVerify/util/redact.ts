import { decodeUrlPart, parseUrl, textOf } from './values';

/** Removes secrets from a text. */
export type Redact = (text: string) => string;

/** Shorter secrets stay: a gap in the text would reveal what they are. */
const minSecret = 4;

/** Parts of a URL that are as long as this may authenticate it. */
const minPartOfUrl = 12;

/** How many characters of a text are read, because to look for a long secret in a long text takes seconds. */
const maxRead = 10_000;

/**
 * Makes a function that removes secrets from words that came from outside: a service may quote a token,
 * a key or a webhook URL in its message, as it is or encoded for URLs, JSON or as base64.
 * @param secrets Values that must not be shown; those under 4 characters are ignored. Of a URL, the whole is
 * removed, and the long parts behind its host.
 * @returns The function. It drops the end of a text of more than 10,000 characters.
 */
export function redactor(secrets: Iterable<unknown>): Redact {
	const texts = Array.from(secrets, (secret) => textOf(secret).trim());
	const whole = texts.filter(({ length }) => length >= minSecret);
	const parts = whole.flatMap((secret) => [...longPartsOfUrl(secret), ...loginOfUrl(secret)]);
	const forms = new Set([...whole, ...parts].flatMap(encodings));
	// A secret can be a part of another one.
	const longestFirst = [...forms].filter(Boolean).sort((one, two) => two.length - one.length);
	const longest = longestFirst[0]?.length ?? 0;
	return (text) => {
		const read = text.slice(0, maxRead);
		const shown = longestFirst.reduce((words, form) => words.replaceAll(form, '…'), read);
		// The end of what was read can be the beginning of a secret.
		return read === text ? shown : shown.slice(0, Math.max(shown.length - longest, 0));
	};
}

function encodings(secret: string): string[] {
	const bytes = Buffer.from(secret);
	// Half a character cannot be encoded for a URL.
	const inUrl = encodeURIComponent(wellFormed(secret));
	const inJson = JSON.stringify(secret).slice(1, -1);
	// Without the padding, which also the end of a longer text does not have.
	const base64 = bytes.toString('base64').replace(/=+$/, '');
	return [secret, inUrl, inJson, base64, bytes.toString('base64url')];
}

/** A service may need to name the host and short parts of a URL, but not its long parts. */
function longPartsOfUrl(secret: string): string[] {
	const [address = secret] = /^https?:\/\/[^/?#]*/i.exec(secret) ?? [];
	const parts = secret.slice(address.length).split(/[/?&#=]/);
	return [...parts, ...parts.map(decodeUrlPart)].filter(({ length }) => length >= minPartOfUrl);
}

/** The login in a URL and its password, encoded as there and decoded. */
function loginOfUrl(secret: string): string[] {
	const { username = '', password = '' } = parseUrl(secret) ?? {};
	const written = /^https?:\/*([^/?#]*)@/i.exec(secret)?.[1] ?? '';
	const passwords = [password, written.slice(written.indexOf(':') + 1)];
	const parts = [password && `${username}:${password}`, written, ...(password ? passwords : [])];
	return [...parts, ...parts.map(decodeUrlPart)].filter(({ length }) => length >= minSecret);
}

/** The signs of a URL, as they are or encoded, once or several times. */
const slash = '(?:[/\\\\]|%(?:25)*(?:2f|5c))';
const colon = '(?::|%(?:25)*3a)';
const at = '(?:@|%(?:25)*40)';
const endOfHost = `(?:${slash}|[?#]|%(?:25)*(?:3f|23)|$)`;
const beforeHost = `(?:${slash}{2}|https?${colon}${slash}?)(?!${slash})`;
const logins = [
	`(${beforeHost})(?:(?!${endOfHost})\\S)*(${at})`,
	// What follows the colon is no port, so it is a password, whatever it contains.
	`(${beforeHost})(?:(?!${endOfHost}|${colon})\\S)*${colon}(?!\\d*(?:${endOfHost}|\\s))\\S*(${at})`,
].map((pattern) => new RegExp(pattern, 'gi'));

/** The longest text that is searched for logins, because a long one can take seconds. */
const maxSearched = 10_000;

/**
 * Removes the logins from all URLs in a text, encoded ones included: `https://…@example.com`. A text of more than
 * 10,000 characters loses its end.
 */
export function withoutLogins(text: string): string {
	return logins.reduce((shown, login) => shown.replace(login, '$1…$2'), text.slice(0, maxSearched));
}

/** The most characters of a text that is shown. */
const maxShown = 2000;

/**
 * Makes a text harmless where n8n shows messages. These places render HTML, so "<" and ">" become "‹"
 * and "›". Control characters are removed, also those for the direction of writing. White space becomes
 * single spaces.
 * @param max The most characters that are kept.
 */
export function plainText(text: string, max = maxShown): string {
	// White space may shrink; the patterns read no more of the text than this.
	const shown = wellFormed(withoutLogins(text.slice(0, 4 * max)))
		.replace(/\s+/g, ' ')
		.replace(/[\p{Cc}\p{Bidi_Control}]/gu, '')
		.trim()
		.replace(/</g, '‹')
		.replace(/>/g, '›');
	return shown.length <= max ? shown : `${wellFormed(shown.slice(0, max - 1))}…`;
}

/** Without the halves of characters that cutting leaves. */
function wellFormed(text: string): string {
	return text.replace(/\p{Surrogate}/gu, '');
}
