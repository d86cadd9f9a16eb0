/**
 * The longest text that the nodes accept from a form, and the longest that they normalize, in UTF-16 code
 * units. A clause of several pages fits.
 */
export const maxTextLength = 100_000;

/** Invisible characters that set the direction of the text between them. They work in pairs. */
export const directionMark = /[\u202A-\u202E\u2066-\u2069]/;

/** The marks that don't turn the letters themselves around, as U+202E does. */
const harmlessMark = /[\u202A-\u202D\u2066-\u2069]/;

/**
 * Removes direction marks from the ends of a text, where phones put them around the names and numbers of contacts.
 * There, most of them only change the order of what is around the text.
 * @returns The text unchanged if it contains such marks elsewhere.
 */
export function withoutDirectionMarks(text: string): string {
	let start = 0;
	let end = text.length;
	while (harmlessMark.test(text.charAt(start))) start++;
	while (end > start && harmlessMark.test(text.charAt(end - 1))) end--;
	const inner = text.slice(start, end);
	return directionMark.test(inner) ? text : inner;
}

/**
 * A run of combining marks longer than Unicode's Stream-Safe Text Format allows (UAX #15), which no language
 * needs. U+FF9E and U+FF9F are letters that NFKC turns into marks.
 */
const longMarkRun = /[\p{M}\uff9e\uff9f]{31}/u;

/**
 * Returns a string in one of Unicode's normal forms, for comparisons and patterns. A string that is too long,
 * or that contains a run of combining marks that no language needs, is returned unchanged: normalizing sorts
 * such a run in quadratic time, during which n8n does nothing else.
 */
export function normalForm(text: string, form: 'NFC' | 'NFD' | 'NFKC'): string {
	if (text.length > maxTextLength || longMarkRun.test(text)) return text;
	return text.normalize(form);
}
