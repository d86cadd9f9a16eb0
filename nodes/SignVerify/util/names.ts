import { normalForm } from './text';

/**
 * Normalizes a string for comparisons and keys: one Unicode form (NFKC), single spaces, no invisible
 * characters. Never send the result, because text must be sent exactly as the user wrote it.
 */
export function normalText(text: string): string {
	const visible = text.replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]|(?!\s)\p{Cc}/gu, '');
	// Remove invisible characters first, because NFKC can't combine a letter with its accent if there is an
	// invisible character between them.
	return normalForm(visible, 'NFKC').replace(/\s+/g, ' ').trim();
}

const equalLetters = new Map(Object.entries({ 'i\u0307': 'i', ς: 'σ', ş: 'ș', ţ: 'ț' }));

/**
 * Normalizes a column name, a field name or a title for comparisons, like {@link normalText} but ignoring
 * case. "ß" equals "ss" (because of the uppercase conversion), the two lowercase forms of the Greek sigma are
 * equal, and the Turkish "İ" equals "i". The Romanian "ș" and "ț" equal the "ş" and "ţ" that keyboards had in their
 * place.
 */
export function normalName(text: string): string {
	const small = normalText(text).toLowerCase().toUpperCase().toLowerCase();
	return small.replace(/i\u0307|[ςşţ]/g, (letter) => equalLetters.get(letter) ?? letter);
}

/** Unicode doesn't decompose these letters into base letters and an accent, so this map does. */
const accentedLetters = new Map(
	Object.entries({
		...{ ł: 'l\u0335', ø: 'o\u0338', đ: 'd\u0335', ð: 'd\u0335' },
		...{ æ: 'ae', œ: 'oe', þ: 'th' },
	}),
);

/** In NFKC, U+00B4 becomes a space with an accent, so apostrophes are removed before a text is normalized. */
export function withoutApostrophes(text: string): string {
	return text.replace(/['＇’‘ʼ`´]/g, '');
}

/** Normalizes a name like {@link normalName}, but without apostrophes, and with each accent after its letter. */
export function accentedName(text: string): string {
	return normalForm(normalName(withoutApostrophes(text)), 'NFD').replace(
		/[łøđðæœþ]/g,
		(letter) => accentedLetters.get(letter) ?? letter,
	);
}

/** Normalizes a name for a search box, like {@link normalName} but without accents and apostrophes. */
export function searchName(text: string): string {
	return normalForm(accentedName(text).replace(/[\u0300-\u036f]/g, ''), 'NFC').trim();
}

/**
 * Creates the check whether a name contains a text, in the spelling of {@link searchName}. A text of nothing but what
 * this spelling leaves out is searched for as it is, because it would otherwise be part of every name.
 */
export function nameFilter(text: string): (name: string) => boolean {
	const spelling = searchName(text) ? searchName : normalName;
	const part = spelling(text);
	return (name) => spelling(name).includes(part);
}
