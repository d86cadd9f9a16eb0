import { normalName } from '../util/names';
import { normalForm } from '../util/text';
/** Longer names aren't compared, so that no text from outside can hold up n8n. */
const maxNameLength = 300;
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
	/** The ID's data contains the family name in several places. Each of these is a whole family name. */
	families: string[];
}

/** Words on the ID, of which a name may lack some if `canSkip` is true. */
interface Part {
	onId: Word[];
	canSkip: boolean;
}

/**
 * Whether it's proven that a name is the one on an official ID: either its full name, or one or more of its given names
 * in their order and a whole family name, which may come first or last. Case doesn't matter, nor do spaces, hyphens, and
 * apostrophes inside a part.
 */
export function isProvenName(expected: string, { fullName, given, families }: NameOnId): boolean {
	const words = wordsOf(expected);
	const all = wordsOf(fullName);
	const givenNames = wordsOf(given);
	const familyNames = families.map(wordsOf).filter(({ length }) => length > 0);
	const hasParts = givenNames.length > 0 && familyNames.length > 0;
	// A full name that lacks one of the parts isn't the whole name, such as a given name alone.
	const hasFullName = [givenNames, ...familyNames].every((part) =>
		isIn({ onId: all, canSkip: true }, part),
	);
	// Words that are joined or split in another way could be those of another given and another family name.
	const isFullName = hasParts ? isWordForWord : isWhole;
	const turned = all.map((_, first) => [...all.slice(first), ...all.slice(0, first)]);
	return (
		(hasFullName && turned.some((inOrder) => isFullName(inOrder, words))) ||
		(hasParts && familyNames.some((family) => isInTwoParts(givenNames, family, words)))
	);
}

function isWordForWord(onId: Word[], words: Word[]): boolean {
	return (
		words.length === onId.length &&
		words.every((word, at) => isSame([word], onId.slice(at, at + 1)))
	);
}

function isWhole(onId: Word[], words: Word[]): boolean {
	return isIn({ onId, canSkip: false }, words);
}

/** Matches a word in a script that needs no space between family and given name: 王小明, 김민지. */
const withoutSpaces = /^[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]+$/u;

function isInTwoParts(given: Word[], family: Word[], words: Word[]): boolean {
	const givenPart = { onId: given, canSkip: true };
	const familyPart = { onId: family, canSkip: false };
	const orders = [
		[givenPart, familyPart],
		[familyPart, givenPart],
	] as const;
	const [onlyWord] = words.length === 1 ? words : [];
	if (onlyWord && withoutSpaces.test(onlyWord[0].join(''))) {
		return orders.some(([first, second]) => isSame(words, [...first.onId, ...second.onId]));
	}
	return orders.some(([first, second]) => {
		const inFirst = endsOf(first, words, [0]);
		const begins = [...words.keys()].filter(
			(index) =>
				inFirst[index] &&
				hasName(words.slice(0, index), first.onId) &&
				hasName(words.slice(index), second.onId),
		);
		return endsOf(second, words, begins).at(-1) ?? false;
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

/** Whether the words are in a part of the name, in their order, possibly joined or split. */
function isIn(part: Part, words: Word[]): boolean {
	return endsOf(part, words, [0]).at(-1) ?? false;
}

/**
 * Finds words in a part of the name, in their order.
 * @param begins The words with which the search may begin, by index.
 * @returns For each number of words, whether the words from one of these to there are in the part.
 */
function endsOf({ onId, canSkip }: Part, words: Word[], begins: number[]): boolean[] {
	const placesFrom = (place: number) =>
		canSkip ? Array.from({ length: onId.length - place + 1 }, (_, more) => place + more) : [place];
	// For each number of words, the places on the ID (as numbers of words) where they can end.
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
	return places.map((ends) => ends.has(onId.length));
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
	if (name.length > maxNameLength) return [];
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
