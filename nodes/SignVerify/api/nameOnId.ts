import { normalForm } from '../util/text';
import { normalName } from '../util/values';

/** Longer names aren't compared, so that no text from outside can hold up n8n. */
const maxLength = 300;
const maxWords = 30;

/** How passports write letters (ICAO Doc 9303-3, section 6): Jørgen Åse Müller is JOERGEN AASE MUELLER. */
const passportLetters = new Map(
	Object.entries({ ø: 'oe', å: 'aa', ä: 'ae', ö: 'oe', ü: 'ue', ħ: 'h', ŋ: 'n', ŧ: 't', ə: 'e' }),
);

/** Letters that Unicode doesn't decompose, as a letter with a mark, or as two letters. */
const decomposedLetters = new Map(
	Object.entries({
		ł: 'l\u0335',
		ø: 'o\u0338',
		đ: 'd\u0335',
		ð: 'd\u0336',
		æ: 'ae',
		œ: 'oe',
		þ: 'th',
	}),
);

/** A word's letters, each followed by its marks: as it is, and as passports write it. */
type Word = readonly [asIs: string[], inPassport: string[]];

/** Each field is a text, which is empty if the ID doesn't have it. */
export interface NameOnId {
	fullName: string;
	given: string;
	/** The family names, as the ID's data contains them in several places. */
	families: string[];
}

/**
 * Whether it's proven that a name is the one on an official ID: one or more of its given names in their order, and one
 * or more of its family names in theirs, and nothing else. The family names may come first or last. If the ID's data
 * has no given or no family names, all words of its full name are needed. Case doesn't matter, nor do spaces, hyphens,
 * and apostrophes inside a part.
 */
export function isProvenName(expected: string, { fullName, given, families }: NameOnId): boolean {
	const words = wordsOf(expected);
	const givenWords = wordsOf(given);
	const familyWords = families.map(wordsOf).filter(({ length }) => length > 0);
	if (givenWords.length > 0 && familyWords.length > 0) {
		return familyWords.some((family) => isInTwoParts(words, givenWords, family));
	}
	const all = wordsOf(fullName);
	return all.some((_, first) => {
		const inOrder = [...all.slice(first), ...all.slice(0, first)];
		return placesIn(inOrder, words, { begins: [0], canSkip: false })
			.at(-1)
			?.has(all.length);
	});
}

function isInTwoParts(words: Word[], given: Word[], family: Word[]): boolean {
	return [[given, family] as const, [family, given] as const].some(([first, second]) => {
		const inFirst = placesIn(first, words, { begins: [0], canSkip: true });
		const begins = [...words.keys()].filter(
			(index) =>
				(inFirst[index]?.size ?? 0) > 0 &&
				hasName(words.slice(0, index), first) &&
				hasName(words.slice(index), second),
		);
		return (placesIn(second, words, { begins, canSkip: true }).at(-1)?.size ?? 0) > 0;
	});
}

/** Whether the words can identify a part of the name. A single letter can't, unless the ID has no other name there. */
function hasName(words: Word[], onId: Word[]): boolean {
	return words.some(([letters]) => letters.length > 1) || words.length >= onId.length;
}

/** How many adjacent words of the name can be how many of the ID's: Jean-Luc, De la Cruz, or Xiaoming may be one word. */
const runs = Array.from({ length: maxWords }, (_, at) => at + 1).flatMap((length) =>
	length === 1
		? ([[1, 1]] as const)
		: ([
				[1, length],
				[length, 1],
			] as const),
);

/**
 * Finds words on the ID, in their order.
 * @param options.begins The words with which the search may begin, by index.
 * @param options.canSkip Whether the ID may have further words before, between, and after them.
 * @returns For each number of words, the places on the ID (as numbers of words) where they can end. Without a place,
 * they aren't on the ID.
 */
function placesIn(
	onId: Word[],
	words: Word[],
	{ begins, canSkip }: { begins: number[]; canSkip: boolean },
): Array<Set<number>> {
	const placesFrom = (place: number) =>
		canSkip ? Array.from({ length: onId.length - place + 1 }, (_, more) => place + more) : [place];
	const places = [...words, undefined].map(
		(_, index) => new Set(begins.includes(index) ? placesFrom(0) : []),
	);
	for (const index of words.keys()) {
		for (const start of places[index] ?? []) {
			for (const [ofName, ofId] of runs) {
				const [next, end] = [index + ofName, start + ofId];
				if (next > words.length || end > onId.length) continue;
				if (!isSame(words.slice(index, next), onId.slice(start, end))) continue;
				for (const place of placesFrom(end)) places[next]?.add(place);
			}
		}
	}
	return places;
}

/** Whether two lists of words consist of the same letters, on one side possibly as passports write them. */
function isSame(one: Word[], other: Word[]): boolean {
	const lengthOf = (words: Word[], spelling: 0 | 1) =>
		words.reduce((length, word) => length + word[spelling].length, 0);
	const lettersIn = (words: Word[], spelling: 0 | 1) => words.flatMap((word) => word[spelling]);
	return (
		[
			[0, 0],
			[0, 1],
			[1, 0],
		] as const
	).some(
		([ofOne, ofOther]) =>
			lengthOf(one, ofOne) === lengthOf(other, ofOther) &&
			haveSameLetters(lettersIn(one, ofOne), lettersIn(other, ofOther)),
	);
}

/**
 * Each letter has the same marks in both lists, or none in one of them: Hưng and Hùng are different names, but Hung may
 * be either. The lists have the same length.
 */
function haveSameLetters(one: string[], other: string[]): boolean {
	const isSameLetter = (letter: string, second = '') =>
		letter === second || letter === withoutMarks(second) || withoutMarks(letter) === second;
	return one.every((letter, at) => isSameLetter(letter, other[at]));
}

const withoutMarks = (letter: string) => letter.replace(/[\u0300-\u036f]/g, '');

/** Splits a name at everything that is no letter or digit; an empty list for a text that is too long to be a name. */
function wordsOf(name: string): Word[] {
	if (name.length > maxLength) return [];
	// These characters are apostrophes and the like inside a word, such as the Hawaiian okina.
	const words = name.replace(/[\u02b0-\u02ff'’‘´`]/g, '').match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
	return words.length > maxWords ? [] : words.map(readWord);
}

function readWord(text: string): Word {
	const word = normalName(text);
	const inPassport = word.replace(/./gu, (letter) => passportLetters.get(letter) ?? letter);
	return [lettersOf(word), lettersOf(inPassport)];
}

function lettersOf(word: string): string[] {
	const text = word.replace(/./gu, (letter) => decomposedLetters.get(letter) ?? letter);
	return normalForm(text, 'NFD').match(/[^\u0300-\u036f][\u0300-\u036f]*/gu) ?? [];
}
