/**
 * The longest text that the nodes accept from a form, and the longest that they normalize, in UTF-16 code
 * units. A clause of several pages fits.
 */
export const maxTextLength = 100_000;

/** Invisible characters that set the direction of the text between them. They work in pairs. */
const directionMark = /[\u202A-\u202E\u2066-\u2069]/;

/** Spaces of all kinds, line breaks, and the marks for a direction that work alone. */
const unseenEnd = /[\s\x85\u200B\u061C\u200E\u200F]/;

/** The same, and the marks in pairs that don't turn the letters themselves around, as U+202E does. */
const unseenOrPairedEnd = /[\s\x85\u200B\u061C\u200E\u200F\u202A-\u202D\u2066-\u2069]/;

function withoutEnds(text: string, end: RegExp): string {
	let from = 0;
	let to = text.length;
	while (to > 0 && end.test(text.charAt(to - 1))) to--;
	while (from < to && end.test(text.charAt(from))) from++;
	return text.slice(from, to);
}

/**
 * Returns a text without what no one sees at its ends: spaces, line breaks, and the direction marks that phones put
 * around the names and numbers of contacts. Whatever judges a text, compares it, or writes it out reads it this way.
 * Any other invisible character belongs to the letter before it, such as a joiner at the end of a name in Malayalam.
 * A text with marks in pairs elsewhere keeps all of these, because each half needs the other.
 */
export function seenText(text: string): string {
	const inner = withoutEnds(text, unseenOrPairedEnd);
	return directionMark.test(inner) ? withoutEnds(text, unseenEnd) : inner;
}

/**
 * Normalizes a text for comparing the items of a list, so that texts are the same if a person sees no difference. Never
 * send the result: composing letters changes Japanese names.
 */
export function comparedText(text: string): string {
	return normalForm(seenText(text), 'NFC').replace(/[\s\x85]+/g, ' ');
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

const lineBreaks = /[\t\n\v\f\r\x85\u2028\u2029]+/;

/** Puts a string on one line by turning line breaks, which spreadsheet cells may contain, into spaces. */
export function onOneLine(text: string): string {
	const lines = text.split(lineBreaks).map((line) => line.trim());
	return lines.filter(Boolean).join(' ');
}

const graphemes = new Intl.Segmenter('en');

/** Never splits an emoji or an accented character. */
export function cutText(text: string, maxLength: number): string {
	if (text.length <= maxLength) return text;
	// Segment 1,000 code units more than needed, so only a longer grapheme (what people see as one character)
	// would be split.
	const segments = graphemes.segment(text.slice(0, maxLength + 1000));
	return text.slice(0, segments.containing(maxLength)?.index ?? maxLength);
}

/** A regular expression would be slow for a string that contains the characters many times. */
export function withoutEnd(text: string, characters: string): string {
	let end = text.length;
	while (end > 0 && characters.includes(text.charAt(end - 1))) end--;
	return text.slice(0, end);
}
