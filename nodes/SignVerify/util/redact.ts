import { decodeUrlPart, parseUrl, textOf } from './values';

/** Removes secrets from a text. */
export type Redact = (text: string) => string;

/** Shorter secrets are not removed, because the gaps in a text would reveal them. */
const minSecretLength = 4;

/** A part of a URL may be a secret of its own if it has at least this many characters. */
const minUrlPartLength = 12;

/** The rest of a longer text is dropped, because searching a long text for a long secret takes seconds. */
const maxRedactedLength = 10_000;

/**
 * Makes a function that removes secrets from a text that came from outside. The service may quote a token, a key or a
 * webhook URL in its message, plainly or encoded for a URL, for JSON or as base64.
 * @param secrets Values that must not be shown. Values under 4 characters are ignored. If a value is a URL, its login
 * and the long parts after its host are removed as well, wherever they stand.
 * @returns The function. It drops the end of a text of more than 10,000 characters.
 */
export function redactor(secrets: Iterable<unknown>): Redact {
	const texts = Array.from(secrets, (secret) => textOf(secret).trim());
	const wholeSecrets = texts.filter(({ length }) => length >= minSecretLength);
	const parts = wholeSecrets.flatMap((secret) => [
		...longPartsOfUrl(secret),
		...loginOfUrl(secret),
	]);
	const forms = new Set([...wholeSecrets, ...parts].flatMap(encodings));
	// A secret can be part of another one, so the longest goes first.
	const longestFirst = [...forms]
		.filter((form) => form !== '')
		.sort((left, right) => right.length - left.length);
	const longestLength = longestFirst[0]?.length ?? 0;
	return (text) => {
		const searched = text.slice(0, maxRedactedLength);
		const redacted = longestFirst.reduce((rest, form) => rest.replaceAll(form, '…'), searched);
		if (searched === text) return redacted;
		// The cut may have left the beginning of a secret, which no search finds, at the end of the text.
		return redacted.slice(0, Math.max(redacted.length - longestLength, 0));
	};
}

function encodings(secret: string): string[] {
	const bytes = Buffer.from(secret);
	// encodeURIComponent() throws for half a character.
	const inUrl = encodeURIComponent(wellFormed(secret));
	const inJson = JSON.stringify(secret).slice(1, -1);
	// The padding is left out, because a secret at the beginning of a longer encoded text has none.
	const base64 = bytes.toString('base64').replace(/=+$/, '');
	return [secret, inUrl, inJson, base64, bytes.toString('base64url')];
}

/** Finds the long parts of a URL after its host. The host and short parts stay, because a message may need to name them. */
function longPartsOfUrl(secret: string): string[] {
	const [address = secret] = /^https?:\/\/[^/?#]*/i.exec(secret) ?? [];
	const parts = secret.slice(address.length).split(/[/?&#=]/);
	return [...parts, ...parts.map(decodeUrlPart)].filter(({ length }) => length >= minUrlPartLength);
}

/** Finds the login in a URL and its password, encoded as in the URL and decoded. */
function loginOfUrl(secret: string): string[] {
	const { username = '', password = '' } = parseUrl(secret) ?? {};
	const written = /^https?:\/*([^/?#]*)@/i.exec(secret)?.[1] ?? '';
	const passwords = [password, written.slice(written.indexOf(':') + 1)];
	const parts = [password && `${username}:${password}`, written, ...(password ? passwords : [])];
	return [...parts, ...parts.map(decodeUrlPart)].filter(({ length }) => length >= minSecretLength);
}

/** A URL inside another one is encoded once or several times, so each sign is matched plainly and encoded. */
const slash = '(?:[/\\\\]|%(?:25)*(?:2f|5c))';
const colon = '(?::|%(?:25)*3a)';
const at = '(?:@|%(?:25)*40)';
const endOfHost = `(?:${slash}|[?#]|%(?:25)*(?:3f|23)|$)`;
const beforeHost = `(?:${slash}{2}|https?${colon}${slash}?)(?!${slash})`;
const logins = [
	`(${beforeHost})(?:(?!${endOfHost})\\S)*(${at})`,
	// Text after the colon that is not a port must be a password, which may contain any sign.
	`(${beforeHost})(?:(?!${endOfHost}|${colon})\\S)*${colon}(?!\\d*(?:${endOfHost}|\\s))\\S*(${at})`,
].map((pattern) => new RegExp(pattern, 'gi'));

/** The rest of a longer text is dropped, because these patterns can take seconds for a long text. */
const maxSearchedLength = 10_000;

/**
 * Removes the logins from all URLs in a text, even from encoded URLs: `https://…@example.com`. Drops the end of a text
 * of more than 10,000 characters.
 */
export function withoutLogins(text: string): string {
	return logins.reduce(
		(rest, login) => rest.replace(login, '$1…$2'),
		text.slice(0, maxSearchedLength),
	);
}

/**
 * Makes a text harmless where n8n shows messages. n8n renders HTML there, so "<" and ">" become "‹" and "›". Control
 * characters are removed, including those that change the direction of writing. White space becomes single spaces.
 * @param maxLength The maximum number of characters in the result.
 */
export function plainText(text: string, maxLength = 2000): string {
	// The patterns get more than `maxLength` characters, because white space shrinks, but not an endless text.
	const plain = wellFormed(withoutLogins(text.slice(0, 4 * maxLength)))
		.replace(/\s+/g, ' ')
		.replace(/[\p{Cc}\p{Bidi_Control}]/gu, '')
		.trim()
		.replace(/</g, '‹')
		.replace(/>/g, '›');
	if (plain.length <= maxLength) return plain;
	return `${wellFormed(plain.slice(0, maxLength - 1))}…`;
}

/** Removes the halves of characters (lone surrogates) that cutting a text can leave. */
function wellFormed(text: string): string {
	return text.replace(/\p{Surrogate}/gu, '');
}
