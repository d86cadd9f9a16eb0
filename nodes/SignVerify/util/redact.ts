import { parseUrl } from './urls';
import { textOf } from './values';

/**
 * Makes untrusted text safe to show: cleans it, then removes logins and secrets, and then truncates it to
 * `maxLength` characters. No other order is safe: cleaning may remove a character that hides a secret from
 * the search, and the search can't find a secret that truncating has cut in two.
 */
export type Redact = (text: string, maxLength?: number) => string;

/** The minimum length of a URL part that is removed even where it appears without the rest of the URL. */
const minUrlPartLength = 12;

/** Longer strings are truncated first, because searching a long string can take seconds. */
const maxSearchedLength = 10_000;

const maxPlainTextLength = 2000;

/**
 * Creates a function that makes untrusted text safe to show wherever n8n shows messages. The service may
 * quote a token, a key or a webhook URL in its message, as it is, escaped, or in base64 or hex.
 * @param secrets Values that must not be shown. Values that are too short ({@link comparisons}) are ignored.
 * If a value is a URL, its login and the long parts after its host are also removed, wherever they appear.
 * @returns The function. It drops everything after the first 10,000 characters.
 */
export function redactor(secrets: unknown[]): Redact {
	// Most calls succeed and show no text, so prepare the secrets only when they are needed.
	let wanted: ReturnType<typeof wantedIn> | undefined;
	return (text, maxLength = maxPlainTextLength) => {
		wanted ??= wantedIn(secrets);
		const searched = text.slice(0, maxSearchedLength);
		return truncated(hideIn(clean(searched), searched !== text, wanted), maxLength);
	};
}

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

/**
 * Which characters count when a text is searched for secrets, and how many of them a secret must have. A shorter
 * one isn't removed, because it could be guessed from the gaps left in the text.
 */
const comparisons = {
	/**
	 * Visible ASCII, because keys and tokens consist of it. Anything else inside a secret, such as a space, a line
	 * break or an invisible character, doesn't keep a person from reading the secret. The exceptions are "+",
	 * which can be an encoded space, and "<" and ">", which cleaning replaces.
	 */
	exact: { compared: /[!-*,-;=?-~]/, minLength: 4 },
	/** Only letters and digits, because services write signs in many ways, or leave them out. */
	loose: { compared: /[\da-z]/i, minLength: 8 },
};

function wantedIn(secrets: unknown[]) {
	const values = secrets.map((value) => textOf(value).trim().slice(0, maxSearchedLength));
	const wholes = values.flatMap((value) => [value, ...loginOfUrl(value)]);
	const wantedBy = ({ compared, minLength }: typeof comparisons.exact, forms: string[]) => {
		const all = forms.flatMap((form) => readings(form, visible));
		const texts = new Set(all.map((reading) => only(compared, reading).text));
		return { compared, texts: [...texts].filter(({ length }) => length >= minLength) };
	};
	return [
		// The parts of a URL can be ordinary words, so their signs count.
		wantedBy(comparisons.exact, [...wholes, ...values.flatMap(longPartsOfUrl)]),
		wantedBy(comparisons.loose, [...wholes, ...values.flatMap(encodedForms)]),
	].filter(({ texts }) => texts.length > 0);
}

/** Returns how base64 and hex write a text, even within a longer one, such as `user:key` in a header. */
function encodedForms(text: string): string[] {
	const inBase64 = [0, 1, 2].map((before) => {
		const bytes = Buffer.from(`${' '.repeat(before)}${text}`);
		// The characters at both ends also depend on what surrounds the text.
		const [from, to] = [Math.ceil((before * 4) / 3), Math.floor((bytes.length * 4) / 3)];
		return bytes.toString('base64').slice(from, to);
	});
	return [...inBase64, Buffer.from(text).toString('hex')];
}

/**
 * Creates a function that replaces secrets with "…" in JSON of any length, and changes nothing else.
 * @param secrets Random texts, so what is between their letters and digits doesn't matter: signs, however they are
 * escaped. Shorter secrets than the loose comparison needs are ignored.
 */
export function jsonRedactor(secrets: string[]): (json: string) => string {
	const { compared, minLength } = comparisons.loose;
	const isLong = (text: string) =>
		text.split('').filter((one) => compared.test(one)).length >= minLength;
	const forms = secrets.filter(isLong).flatMap((secret) => [secret, ...encodedForms(secret)]);
	const parts = forms.map((form) => form.split(/[^\da-z]+/i).filter(Boolean));
	const written = (part: string) => part.split('').map(waysToWrite).join('');
	// Without a quotation mark, no match goes beyond the end of a string.
	const pattern = new RegExp(
		parts.map((one) => one.map(written).join('[^"]{1,16}')).join('|'),
		'gi',
	);
	return (json) => (forms.length > 0 ? json.replace(pattern, '…') : json);
}

/**
 * Returns a pattern for a letter or digit as it is, or escaped in a URL, in JSON, or in HTML. A run of backslashes is
 * searched only from its start, because from each of them, the search would take quadratic time.
 */
function waysToWrite(character: string): string {
	const codes = [character.toLowerCase(), character.toUpperCase()].map((one) => one.charCodeAt(0));
	const [decimal, hex] = [10, 16].map((base) => codes.map((code) => code.toString(base)).join('|'));
	return `(?:${character}|%(?:25){0,2}(?:${hex})|(?<!\\\\)\\\\+u00(?:${hex})|&#(?:x(?:${hex})|${decimal});)`;
}

/**
 * Replaces logins in URLs, secrets of webhooks, and what is wanted with "…". If the text was cut, also replaces
 * its end, which may be half a secret, or a URL without the "@" that ends its login.
 */
function hideIn(text: string, isCut: boolean, wanted: ReturnType<typeof wantedIn> = []): string {
	const isHidden = new Uint8Array(text.length);
	const hide = ({ starts, ends }: Reading, from: number, to: number) => {
		if (from < to) isHidden.fill(1, starts[from], ends[to - 1]);
	};
	for (const reading of readings(text)) {
		for (const pattern of isCut ? [...patterns, lastUrl] : patterns) {
			for (const { indices } of reading.text.matchAll(pattern)) {
				const [from = 0, to = 0] = indices?.groups?.hidden ?? [];
				hide(reading, from, to);
			}
		}
	}
	for (const reading of wanted.length > 0 ? readings(text, visible) : []) {
		for (const { compared, texts } of wanted) {
			const searched = only(compared, reading);
			const { length } = searched.text;
			const longest = texts.reduce((most, one) => Math.max(most, one.length), 0);
			if (isCut) hide(searched, Math.max(length - longest, 0), length);
			for (const one of texts) {
				let at = searched.text.indexOf(one);
				for (; at >= 0; at = searched.text.indexOf(one, at + 1))
					hide(searched, at, at + one.length);
			}
		}
	}
	if (!isHidden.includes(1)) return text;
	const shown = Array.from(isHidden, (hidden, at) => {
		if (!hidden) return text.charAt(at);
		return isHidden[at - 1] ? '' : '…';
	});
	return shown.join('');
}

/** The characters that a text contains or stands for, and where each of them starts and ends in the text. */
interface Reading {
	text: string;
	starts: number[];
	ends: number[];
}

/** All places in a text, so that each search only copies a part of the list. */
const places = Array.from({ length: maxSearchedLength + 1 }, (_, index) => index);

const visible = /[!-~]/;

/** Reads a text as it is, and unescaped up to three times, because a URL inside a URL is escaped twice. */
function readings(text: string, kept?: RegExp): Reading[] {
	const { length } = text;
	const asIs = { text, starts: places.slice(0, length), ends: places.slice(1, length + 1) };
	const written = kept ? only(kept, asIs) : asIs;
	const once = unescaped(written);
	const twice = unescaped(once);
	const all = [written, once, twice, unescaped(twice)];
	return [...new Set(all)];
}

/** Returns the matching characters in lowercase. */
function only(kept: RegExp, { text, starts, ends }: Reading): Reading {
	const characters = text.split('');
	const matches = characters.map((character) => kept.test(character));
	const isKept = (_: unknown, at: number) => matches[at];
	return {
		text: characters.filter(isKept).join('').toLowerCase(),
		starts: starts.filter(isKept),
		ends: ends.filter(isKept),
	};
}

/** Matches a character that is escaped in a URL, in a string of JSON or another language, or in HTML. */
const escape =
	/%(?:u[\da-f]{4}|[\da-f]{2})|\\(?:u[\da-f]{4}|x[\da-f]{2}|[!-~])|&(?:#x[\da-f]{1,6}|#\d{1,7}|[a-z]\w{1,31});/gi;

function unescaped(reading: Reading): Reading {
	const { text, starts, ends } = reading;
	/** For each character, whether the next one belongs to the same escaped character. */
	const isJoined = new Uint8Array(text.length);
	for (const { 0: escaped, index } of text.matchAll(escape)) {
		isJoined.fill(1, index, index + escaped.length - 1);
	}
	if (!isJoined.includes(1)) return reading;
	return {
		text: text.replace(escape, characterOf),
		starts: starts.filter((_, at) => !isJoined[at - 1]),
		ends: ends.filter((_, at) => !isJoined[at]),
	};
}

function characterOf(escaped: string): string {
	const code = parseInt(escaped.replace(/^(?:%u?|\\[ux]|&#x)/i, '0x').replace('&#', ''));
	if (!Number.isNaN(code)) {
		const character = String.fromCharCode(code);
		// A space that is encoded in a URL doesn't end the URL.
		return escaped.startsWith('%') && !visible.test(character) ? '\ufffd' : character;
	}
	if (/^&amp;$/i.test(escaped)) return '&';
	return /^\\\W/.test(escaped) ? escaped.charAt(1) : ' ';
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

const beforeHost = '(?:[/\\\\]{2}|https?:[/\\\\]?)(?![/\\\\])';
const inHost = '[^/\\\\?#\\s]';
// Anything after the colon that isn't a port must be a password, which may contain any character.
const login = `${inHost}*|(?:(?!:)${inHost})*:(?!\\d*(?!${inHost}))\\S*`;
const lastUrl = new RegExp(`(?<hidden>${beforeHost}\\S*)$`, 'dgi');

/** What is hidden even if the caller doesn't know it: logins, and the secrets in webhooks' URLs (registrations/webhookSecret.ts). */
const patterns = [
	new RegExp(`${beforeHost}(?<hidden>${login})@`, 'dgi'),
	/secret[^\w-]+(?<hidden>[\w-]{43})(?![\w-])/dgi,
];

/**
 * Removes the logins from all URLs in a string, even from encoded URLs: `https://…@example.com`. Drops
 * everything after the first 10,000 characters.
 */
export function withoutLogins(text: string): string {
	const searched = text.slice(0, maxSearchedLength);
	return hideIn(searched, searched !== text);
}

const maxQuotedLength = 80;

export function quoted(text: string): string {
	return `"${plainText(text, maxQuotedLength)}"`;
}

/** Removes the halves of characters (lone surrogates) that cutting a string can leave. */
function wellFormed(text: string): string {
	return text.replace(/\p{Surrogate}/gu, '');
}
