import { parseUrl, textOf } from './values';

/**
 * Makes untrusted text safe to show: cleans it, then removes logins and secrets, and then truncates it to
 * `maxLength` characters. No other order is safe: cleaning may remove a character that hides a secret from
 * the search, and the search can't find a secret that truncating has cut in two.
 */
export type Redact = (text: string, maxLength?: number) => string;

/**
 * Secrets shorter than this are not removed, because they could be guessed from the gaps left in the text.
 */
const minSecretLength = 4;

/** The minimum length of a URL part that is removed even where it appears without the rest of the URL. */
const minUrlPartLength = 12;

/** Longer strings are truncated first, because searching a long string can take seconds. */
const maxSearchedLength = 10_000;

const maxShownLength = 2000;

/**
 * Creates a function that makes untrusted text safe to show wherever n8n shows messages. The service may
 * quote a token, a key or a webhook URL in its message, either in plain text or encoded for a URL.
 * @param secrets Values that must not be shown. Values with fewer than 4 {@link comparedCharacter}s are
 * ignored. If a value is a URL, its login and the long parts after its host are also removed, wherever they
 * appear.
 * @returns The function. It drops everything after the first 10,000 characters.
 */
export function redactor(secrets: unknown[]): Redact {
	// Most calls succeed and show no text, so prepare the secrets only when they are needed.
	let wanted: string[] | undefined;
	return (text, maxLength = maxShownLength) => {
		wanted ??= wantedIn(secrets);
		const searched = text.slice(0, maxSearchedLength);
		const isCut = searched !== text;
		const withoutUrlLogins = hideLogins(clean(searched), isCut);
		const withoutSecrets = hideSecrets(withoutUrlLogins, wanted, isCut);
		return truncated(withoutSecrets.replace(webhookSecret, '$1…'), maxLength);
	};
}

/** The secret in a webhook's URL (registrations/url.ts), even in the URL of a webhook that the caller doesn't know. */
const webhookSecret = /\b(secret(?:=|%3d))[\w-]{43}/gi;

/** Makes text safe to show that can't contain a secret, such as a value from a form ({@link Redact}). */
export const plainText: Redact = redactor([]);

/**
 * n8n renders HTML in messages, so "<" and ">" become "‹" and "›". Removes control characters, including
 * those that change the writing direction, and collapses whitespace into single spaces.
 * @n8n
 */
function clean(text: string): string {
	return wellFormed(text)
		.replace(/(?!\s)[\p{Cc}\p{Bidi_Control}]/gu, '')
		.replace(/\s+/g, ' ')
		.trim()
		.replace(/</g, '‹')
		.replace(/>/g, '›');
}

function truncated(text: string, maxLength: number): string {
	return text.length <= maxLength ? text : `${wellFormed(text.slice(0, maxLength - 1))}…`;
}

/** Returns what to search for, in the form in which {@link readings} returns the text. */
function wantedIn(secrets: unknown[]): string[] {
	const forms = secrets.flatMap((value) => {
		const secret = textOf(value).trim().slice(0, maxSearchedLength);
		return [secret, ...longPartsOfUrl(secret), ...loginOfUrl(secret)];
	});
	const wanted = forms.flatMap(readings).map(({ characters }) => characters);
	return [...new Set(wanted)].filter(({ length }) => length >= minSecretLength);
}

/** Replaces secrets with "…". If the text was cut, also replaces its end, which may be half a secret. */
function hideSecrets(text: string, wanted: string[], isCut: boolean): string {
	if (wanted.length === 0) return text;
	const isHidden = new Uint8Array(text.length);
	const longest = wanted.reduce((most, { length }) => Math.max(most, length), 0);
	for (const { characters, starts, ends } of readings(text)) {
		for (const secret of wanted) {
			let at = characters.indexOf(secret);
			for (; at >= 0; at = characters.indexOf(secret, at + 1)) {
				isHidden.fill(1, starts[at], ends[at + secret.length - 1]);
			}
		}
		if (isCut) isHidden.fill(1, starts.at(-longest) ?? 0);
	}
	const shown = Array.from(isHidden, (hidden, at) => {
		if (!hidden) return text.charAt(at);
		return isHidden[at - 1] ? '' : '…';
	});
	return shown.join('');
}

/**
 * Matches the characters that are compared when searching for a secret: visible ASCII, because keys and
 * tokens consist of it. Anything else inside a secret, such as a space, a line break or an invisible
 * character, doesn't keep a person from reading the secret, so the search ignores it. The exceptions are "+",
 * which can be an encoded space, and "<" and ">", which cleaning replaces.
 */
const comparedCharacter = /[!-*,-;=?-~]/;

/** The compared characters of a text, in lowercase, and where each of them starts and ends in the text. */
interface Reading {
	characters: string;
	starts: number[];
	ends: number[];
}

/** Reads a text in two ways: as it is, and decoded from a URL. */
function readings(text: string): Reading[] {
	const places = Array.from(text.matchAll(/[!-~]/g), ({ index }) => index);
	const visible = text.replace(/[^!-~]/g, '');
	const read = (unit: RegExp) => {
		const reading: Reading = { characters: '', starts: [], ends: [] };
		for (const { 0: part, index } of visible.matchAll(unit)) {
			const isEncoded = part.length > 1;
			const character = isEncoded ? String.fromCharCode(parseInt(part.slice(1), 16)) : part;
			if (!comparedCharacter.test(character)) continue;
			reading.characters += character.toLowerCase();
			reading.starts.push(places[index] ?? 0);
			reading.ends.push((places[index + part.length - 1] ?? 0) + 1);
		}
		return reading;
	};
	return [read(/[!-~]/g), read(/%[\da-f]{2}|[!-~]/gi)];
}

/** Leaves out the host and the short parts, because a message may need to show them. */
function longPartsOfUrl(secret: string): string[] {
	const [address = secret] = /^https?:\/\/[^/?#]*/i.exec(secret) ?? [];
	const parts = secret.slice(address.length).split(/[/?&#=]/);
	return parts.filter(({ length }) => length >= minUrlPartLength);
}

function loginOfUrl(secret: string): string[] {
	const { username = '', password = '' } = parseUrl(secret) ?? {};
	const written = /^https?:\/*([^/?#]*)@/i.exec(secret)?.[1] ?? '';
	const passwords = [password, written.slice(written.indexOf(':') + 1)];
	return [password && `${username}:${password}`, written, ...(password ? passwords : [])];
}

/** These patterns match each character both plain and encoded, because a URL inside another URL is encoded. */
const slash = '(?:[/\\\\]|%(?:2f|5c))';
const colon = '(?::|%3a)';
const at = '(?:@|%40)';
const endOfHost = `(?:${slash}|[?#]|%(?:3f|23)|$)`;
const beforeHost = `(?:${slash}{2}|https?${colon}${slash}?)(?!${slash})`;
const logins = [
	`(${beforeHost})(?:(?!${endOfHost})\\S)*(${at})`,
	// Anything after the colon that isn't a port must be a password, which may contain any character.
	`(${beforeHost})(?:(?!${endOfHost}|${colon})\\S)*${colon}(?!\\d*(?:${endOfHost}|\\s))\\S*(${at})`,
].map((pattern) => new RegExp(pattern, 'gi'));

const lastUrl = new RegExp(`${beforeHost}\\S*$`, 'i');

/**
 * Removes the logins from all URLs in a string, even from encoded URLs: `https://…@example.com`. Drops
 * everything after the first 10,000 characters.
 */
export function withoutLogins(text: string): string {
	const searched = text.slice(0, maxSearchedLength);
	return hideLogins(searched, searched !== text);
}

function hideLogins(text: string, isCut: boolean): string {
	// If the end of a URL was cut off, the "@" that ends its login may be missing, so remove the entire URL.
	const whole = isCut ? text.replace(lastUrl, '') : text;
	return logins.reduce((rest, login) => rest.replace(login, '$1…$2'), whole);
}

const maxQuotedLength = 80;

export function quoted(text: string): string {
	return `"${plainText(text, maxQuotedLength)}"`;
}

/** Removes the halves of characters (lone surrogates) that cutting a string can leave. */
function wellFormed(text: string): string {
	return text.replace(/\p{Surrogate}/gu, '');
}
