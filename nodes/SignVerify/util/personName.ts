import { normalName, searchName } from './values';

/** The answer to a question about a person. `unknown` means that a human has to look. */
export type Answer = 'yes' | 'no' | 'unknown';

/** Longer names aren't compared, so that no text from outside can hold up n8n. */
const maxLength = 300;
const maxWords = 30;

/**
 * How passports write letters that {@link searchName} doesn't reduce in the same way (ICAO Doc 9303-3,
 * section 6): Jørgen Åse Müller is JOERGEN AASE MUELLER.
 */
const passportLetters = new Map(
	Object.entries({ ø: 'oe', å: 'aa', ä: 'ae', ö: 'oe', ü: 'ue', ħ: 'h', ŋ: 'n', ŧ: 't', ə: 'e' }),
);

/** A word of a name, in both ways of writing it without accents. */
type Word = readonly [plain: string, inPassport: string];

/** The alphabets in which different spellings show that two names differ. */
const alphabets = [/^\p{sc=Latin}+$/u, /^\p{sc=Greek}+$/u, /^\p{sc=Cyrillic}+$/u];

/**
 * Whether a person's name is the name on an official ID, whatever the order of its words. Case, accents,
 * hyphens, apostrophes and spaces inside a name don't matter, nor do further names on the ID.
 * @param expected The person's name. One word isn't enough, in either of the names, unless the ID has no other.
 * @returns `yes` if every word of the name is on the ID. `no` if both names are in the same alphabet, and no
 * word of one even resembles a word of the other. Otherwise `unknown`: a shared word may mean a nickname, a
 * married name, or a relative.
 */
export function compareNames(expected: string, onId: string): Answer {
	const expectedWords = wordsOf(expected);
	const idWords = wordsOf(onId);
	if (expectedWords.length === 0 || idWords.length === 0) return 'unknown';
	const { missing, unused } = unmatched(expectedWords, idWords);
	const usedCount = idWords.length - unused.length;
	const identifies = (expectedWords.length > 1 && usedCount > 1) || unused.length === 0;
	if (missing.length === 0 && identifies) return 'yes';
	const letters = [...expectedWords, ...idWords].map(([plain]) => plain).join('');
	if (!alphabets.some((alphabet) => alphabet.test(letters))) return 'unknown';
	const isAlike = expectedWords.some((word) => idWords.some((other) => resembles(word, other)));
	return isAlike ? 'unknown' : 'no';
}

/** Splits a name into its words; an empty list for a text that is too long to be a name. */
function wordsOf(name: string): Word[] {
	if (name.length > maxLength) return [];
	// These characters are apostrophes and the like inside a word, such as the Hawaiian okina.
	const words = name.replace(/[\u02b0-\u02ff'’‘´`]/g, '').match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
	return words.length > maxWords ? [] : words.map(foldedWord);
}

function foldedWord(word: string): Word {
	const inPassport = normalName(word).replace(
		/./gu,
		(letter) => passportLetters.get(letter) ?? letter,
	);
	return [searchName(word), searchName(inPassport)];
}

function isSame(one: Word, other: Word): boolean {
	return one.some((spelling) => other.includes(spelling));
}

/** Joins words, because one document writes Jean-Luc, De la Cruz or Xiaoming in one word, another in several. */
function joined(words: Word[]): Word {
	return [
		words.map(([plain]) => plain).join(''),
		words.map(([, inPassport]) => inPassport).join(''),
	];
}

/** Matches each word at most once. Returns the words of both names that have no counterpart. */
function unmatched(expected: Word[], onId: Word[]): { missing: Word[]; unused: Word[] } {
	const missing: Word[] = [];
	const unused = [...onId];
	for (const word of expected) {
		if (!takeRun(word, unused, 1)) missing.push(word);
	}
	const inSeveral = missing.filter((word) => !takeRun(word, unused, unused.length));
	const inOne = unused.filter((word) => !takeRun(word, inSeveral, inSeveral.length));
	return { missing: inSeveral, unused: inOne };
}

/** Removes the adjacent words that make up the given word, at most `maxCount` of them. */
function takeRun(word: Word, words: Word[], maxCount: number): boolean {
	for (let start = 0; start < words.length; start++) {
		for (let count = 1; count <= maxCount && start + count <= words.length; count++) {
			if (!isSame(joined(words.slice(start, start + count)), word)) continue;
			words.splice(start, count);
			return true;
		}
	}
	return false;
}

/**
 * Whether two different spellings may be the same name: an initial, a name that was cut off, as in a
 * passport, or one in three letters changed, as in a typo or another transliteration (Iurii, Yuri).
 */
function resembles([one]: Word, [other]: Word): boolean {
	if (one.startsWith(other) || other.startsWith(one)) return true;
	return changesBetween(one, other) <= Math.max(one.length, other.length) / 3;
}

/** The number of letters to add, remove or replace in order to get from one word to another. */
function changesBetween(one: string, other: string): number {
	let previous = [...Array(other.length + 1).keys()];
	for (let row = 1; row <= one.length; row++) {
		const current = [row];
		for (let column = 1; column <= other.length; column++) {
			const isEqual = one[row - 1] === other[column - 1];
			const replaced = (previous[column - 1] ?? 0) + (isEqual ? 0 : 1);
			const changed = Math.min(previous[column] ?? 0, current[column - 1] ?? 0) + 1;
			current.push(Math.min(replaced, changed));
		}
		previous = current;
	}
	return previous.at(-1) ?? 0;
}
