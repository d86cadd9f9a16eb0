/** The most characters of a text that is shown. */
const longest = 2000;

/**
 * Makes a text harmless where n8n shows messages. These places render HTML, so "<" and ">" become "‹"
 * and "›". Control characters are removed, also those for the direction of writing. White space becomes
 * single spaces.
 * @param most The most characters that are kept.
 */
export function plainText(text: string, most = longest): string {
	// White space may shrink; the patterns read no more of the text than this.
	const plain = wellFormed(text.slice(0, 4 * most))
		.replace(/\s+/g, ' ')
		.replace(/[\p{Cc}\p{Bidi_Control}]/gu, '')
		.trim()
		.replace(/</g, '‹')
		.replace(/>/g, '›');
	return plain.length <= most ? plain : `${wellFormed(plain.slice(0, most - 1))}…`;
}

/** Without the halves of characters that cutting leaves. */
function wellFormed(text: string): string {
	return text.replace(/\p{Surrogate}/gu, '');
}

/** Removes the secrets that a call knows from a text (redact.ts). */
export type Hide = (text: string) => string;

/** How many characters of the service's words are read. */
const window = 4000;

/** The end of the window may have the beginning of a secret, too short to be recognized. */
const edge = 200;

/**
 * Prepares words of the service for a message. All of them pass through here. Secrets are removed
 * before anything is cut.
 * @param most The most characters that are kept.
 * @returns One line without markup; empty if nothing is left.
 */
export function quote(text: string, hide: Hide, most = 300): string {
	return plainText(beginningOf(text, hide), most);
}

/** The part of a text that is read, without secrets. */
export function beginningOf(text: string, hide: Hide): string {
	const seen = hide(text.slice(0, window));
	return text.length > window ? seen.slice(0, -edge) : seen;
}
