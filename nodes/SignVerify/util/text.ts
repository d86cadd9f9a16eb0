/**
 * The longest text that the nodes accept from a form, and the longest that they normalize, in UTF-16 code
 * units. A clause of several pages fits.
 */
export const maxTextLength = 100_000;

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
