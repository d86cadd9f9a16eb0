import { decodeUrlPart } from './values';

/** Removes secrets from a text. */
export type Redact = (text: string) => string;

/** A part of a secret is removed, too, if it has this many characters. */
const minPart = 8;

/** Shorter secrets stay: a gap in the text would reveal what they are. */
const minSecret = 4;

/** Of a longer secret, only parts of its beginning are removed: all parts would take seconds. */
const maxSecret = 8192;

/** Parts of a URL that are as long as this may authenticate it. */
const minPartOfUrl = 12;

/**
 * Makes a function that removes secrets from words that came from outside: a service may quote a token,
 * a key or a webhook URL in its message, whole or in part, as it is or encoded for URLs, JSON or as
 * base64. Its time grows with the length of the text only.
 * @param secrets Values that must not be shown; other values than texts are ignored, and texts under
 * 4 characters. Of a URL, the whole is removed, and the long parts behind its host.
 */
export function redactor(secrets: Iterable<unknown>): Redact {
	const whole = new Set<string>();
	const parts = new Set<string>();
	for (const secret of secrets) {
		if (typeof secret !== 'string' || secret.length < minSecret) continue;
		for (const form of encodings(secret)) whole.add(form);
		for (const form of partsOf(secret.slice(0, maxSecret)).flatMap(encodings)) {
			for (let at = 0; at + minPart <= form.length; at++) parts.add(form.slice(at, at + minPart));
		}
	}
	return (text) => withoutMarked(text, markSecrets(text, whole, parts));
}

function encodings(secret: string): string[] {
	const bytes = Buffer.from(secret);
	// Half a character cannot be encoded for a URL.
	const inUrl = encodeURIComponent(secret.replace(/\p{Surrogate}/gu, ''));
	const inJson = JSON.stringify(secret).slice(1, -1);
	// Without the padding, which also the end of a longer text does not have.
	const base64 = bytes.toString('base64').replace(/=+$/, '');
	return [secret, inUrl, inJson, base64, bytes.toString('base64url')];
}

/** A service may need to name the host and short parts of a URL, but not its long parts. */
function partsOf(secret: string): string[] {
	const behindHost = /^https?:\/\/[^/?#]*/i.exec(secret)?.[0].length;
	if (behindHost === undefined) return [secret];
	const parts = secret.slice(behindHost).split(/[/?&#=]/);
	return [...parts, ...parts.map(decodeUrlPart)].filter((part) => part.length >= minPartOfUrl);
}

/** Marks the characters of a text that belong to a secret. */
function markSecrets(text: string, whole: Set<string>, parts: Set<string>): Uint8Array {
	const marks = new Uint8Array(text.length);
	for (const form of whole) {
		let at = text.indexOf(form);
		for (; at >= 0; at = text.indexOf(form, at + form.length)) marks.fill(1, at, at + form.length);
	}
	if (parts.size === 0) return marks;
	for (let at = 0; at + minPart <= text.length; at++) {
		if (parts.has(text.slice(at, at + minPart))) marks.fill(1, at, at + minPart);
	}
	return marks;
}

function withoutMarked(text: string, marks: Uint8Array): string {
	let shown = '';
	for (let at = 0; at < text.length; at++) {
		if (!marks[at]) shown += text[at];
		else if (!marks[at - 1]) shown += '…';
	}
	return shown;
}

/** How many characters of the service's words are read. */
const maxRead = 4000;

/**
 * Prepares words of the service for a message about an answer. Secrets are removed before anything is cut.
 * @param max The most characters that are kept.
 * @returns One line without markup; empty if nothing is left.
 */
export function sanitize(text: string, redact: Redact, max = 300): string {
	return plainText(redact(text.slice(0, maxRead)), max);
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
	const plain = wellFormed(text.slice(0, 4 * max))
		.replace(/\s+/g, ' ')
		.replace(/[\p{Cc}\p{Bidi_Control}]/gu, '')
		.trim()
		.replace(/</g, '‹')
		.replace(/>/g, '›');
	return plain.length <= max ? plain : `${wellFormed(plain.slice(0, max - 1))}…`;
}

/** Without the halves of characters that cutting leaves. */
function wellFormed(text: string): string {
	return text.replace(/\p{Surrogate}/gu, '');
}
