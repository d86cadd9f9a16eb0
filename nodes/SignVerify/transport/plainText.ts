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
