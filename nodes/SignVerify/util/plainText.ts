/** Characters of a text that is shown, at the most. */
const longest = 2000;

/**
 * Makes a text harmless for the places in which n8n shows messages: they render HTML, so "<" and ">"
 * become "‹" and "›". Control characters and those that turn the direction of writing go, white space
 * becomes single spaces, and the length is bounded.
 * @param most Characters that are kept at the most.
 */
export function plainText(text: string, most = longest): string {
	// White space may shrink; no pattern sees more of the text than this.
	const plain = wellFormed(text.slice(0, 4 * most))
		.replace(/\s+/g, ' ')
		.replace(/[\p{Cc}\p{Bidi_Control}]/gu, '')
		.trim()
		.replace(/</g, '‹')
		.replace(/>/g, '›');
	return plain.length <= most ? plain : `${wellFormed(plain.slice(0, most - 1))}…`;
}

/** Without halves of characters, as cutting leaves them. */
function wellFormed(text: string): string {
	return text.replace(/\p{Surrogate}/gu, '');
}

/** Takes the secrets that a call knows out of a text (redact.ts). */
export type Hide = (text: string) => string;

/** So many characters of the service's words are looked at. */
const window = 4000;

/** What is cut off at the end of the window may be the beginning of a secret: too little to be known as one. */
const edge = 200;

/**
 * Prepares words of the service for a message: the one way by which they get there. Secrets are
 * taken out before anything is cut.
 * @param hide Takes the secrets out.
 * @param most Characters that are kept at the most.
 * @returns One line without markup; empty where nothing is left.
 */
export function quote(text: string, hide: Hide, most = 300): string {
	return plainText(beginningOf(text, hide), most);
}

/** As much of a text as is looked at, without secrets. */
export function beginningOf(text: string, hide: Hide): string {
	const seen = hide(text.slice(0, window));
	return text.length > window ? seen.slice(0, -edge) : seen;
}
