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

type Word = readonly [plain: string, inPassport: string];

/** The alphabets in which different spellings show that two names differ. */
const alphabets = [/^\p{sc=Latin}+$/u, /^\p{sc=Greek}+$/u, /^\p{sc=Cyrillic}+$/u];

/**
 * Whether a person's name is the name on an official ID, whatever the order of its words. Case, accents,
 * hyphens, apostrophes and spaces inside a name don't matter, nor do further names on the ID.
 * @param expected The person's name. One word isn't enough, in either of the names, unless the ID has no other.
 * @returns `yes` if every word of the name is on the ID. `no` if both names are in the same alphabet, and
 * nothing in one even resembles anything in the other. Otherwise `unknown`: a shared word may mean a nickname,
 * a married name, or a relative.
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
	const idRuns = runsOf(idWords);
	const isAlike = runsOf(expectedWords).some((run) =>
		idRuns.some((other) => resembles(run, other)),
	);
	return isAlike ? 'unknown' : 'no';
}

/**
 * Whether a person's name is the name on an official ID although some of its words are titles or short forms, as in
 * Lic. Ana Gil Ruiz or Ma. Guadalupe Gil Ruiz. Such a word has two letters or more and a dot after them, because no
 * list of titles could be complete.
 * @param given The first names on the ID.
 * @param family The last names on the ID.
 * @returns true only if a given name and a family name are on the ID in full, and each of the other words is either
 * short for a name at the same place on the ID, or a title. A title stands before the given names, and all of those are
 * in the name: besides JAVIER ANTONIO, Ma. Javier may be another person, called María Javier.
 */
export function isShortenedName(expected: string, given: string, family: string): boolean {
	const words = wordsOf(expected);
	const shortForms = words.filter((_, index) => isShortForm(tokensOf(expected)[index]));
	const givenWords = wordsOf(given);
	const idWords = [...givenWords, ...wordsOf(family)];
	const { missing, unused } = unmatched(words, idWords);
	if (!missing.every((word) => shortForms.includes(word))) return false;
	const inFull = idWords.filter((word) => !unused.includes(word) && word[0].length > 1);
	const givenCount = inFull.filter((word) => givenWords.includes(word)).length;
	if (givenCount === 0 || givenCount === inFull.length) return false;
	const unusedGiven = unused.filter((word) => givenWords.includes(word));
	const isFound = (word: Word) => !missing.includes(word);
	const inFront = words.slice(0, words.findIndex(isFound));
	return missing.every((short) => {
		const index = words.indexOf(short);
		const next = words.slice(index).find(isFound);
		const previous = words.slice(0, index).filter(isFound).at(-1);
		const names = next
			? unusedBefore(next, idWords, unused)
			: unusedBefore(previous, [...idWords].reverse(), unused);
		if (!names) return false;
		if (names.some((name) => isShortFor(short, name))) return true;
		const isBeforeGiven = next && givenWords.some((word) => isSame(word, next));
		const isShortened = (name: Word) =>
			names.includes(name) && inFront.some((word) => isShortFor(word, name));
		return isBeforeGiven && inFront.includes(short) && unusedGiven.every(isShortened);
	});
}

/**
 * Returns the unused words directly before the given word; undefined if the word isn't there, because it's only a
 * part of another.
 */
function unusedBefore(word: Word | undefined, words: Word[], unused: Word[]): Word[] | undefined {
	const place = words.findIndex((other) => word && isSame(other, word) && !unused.includes(other));
	if (place === -1) return undefined;
	const isUsed = words.slice(0, place).map((other) => !unused.includes(other));
	return words.slice(isUsed.lastIndexOf(true) + 1, place);
}

function isShortForm(token = ''): boolean {
	return token.endsWith('.') && (token.match(/\p{L}/gu) ?? []).length > 1;
}

/** Whether a short form is a name that was cut off (Guad., Ma.) or contracted (Gpe., Fco., Mtz.). */
function isShortFor([short]: Word, [name]: Word): boolean {
	if (name.startsWith(short)) return true;
	let found = 0;
	for (const letter of name) if (letter === short.charAt(found)) found++;
	const hasSameEnds = name.startsWith(short.charAt(0)) && name.endsWith(short.slice(-1));
	return hasSameEnds && found === short.length;
}

/** Splits a name into its words; an empty list for a text that is too long to be a name. */
function wordsOf(name: string): Word[] {
	const tokens = tokensOf(name);
	return tokens.length > maxWords
		? []
		: tokens.map((token) => foldedWord(token.replace(/\.$/, '')));
}

/** Splits a name at everything that is no letter or digit. A dot stays with the word before it. */
function tokensOf(name: string): string[] {
	if (name.length > maxLength) return [];
	// These characters are apostrophes and the like inside a word, such as the Hawaiian okina.
	return name.replace(/[\u02b0-\u02ff'’‘´`]/g, '').match(/[\p{L}\p{M}\p{N}]+\.?/gu) ?? [];
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

/** One to three adjacent words of a name, joined. */
interface Run {
	letters: string;
	wordCount: number;
}

/**
 * Returns a name's words and their joined neighbors, because one document may write in one word what another writes in
 * several, as in Abdelrahman and Abdul Rahman. An initial between two words is left out: far too many people have a
 * name with that letter.
 */
function runsOf(words: Word[]): Run[] {
	const runs = words.flatMap((_, start) =>
		[1, 2, 3]
			.filter((wordCount) => start + wordCount <= words.length)
			.map((wordCount) => {
				const [letters] = joined(words.slice(start, start + wordCount));
				const isInside = start > 0 && start + wordCount < words.length;
				return { letters, wordCount, isInside };
			}),
	);
	return runs.filter(({ letters, isInside }) => letters.length > 1 || !isInside);
}

/** With fewer letters, the names of two people too often sound the same. */
const minLettersForSound = 6;

/** What changes cost if only the sound counts. Any other letter costs 1. */
const vowelCost = 1 / 3;
const similarCost = 1 / 4;

/** Letters that stand for the same sound in different languages, or in different ways to romanize a name. */
const similarLetters = ['bpfvwu', 'cgkqxjszh', 'cdstz', 'lmnr', 'ijy'];
const similarTo = new Map(
	[...similarLetters.join('')].map((letter) => [
		letter,
		similarLetters.filter((letters) => letters.includes(letter)).join(''),
	]),
);

/**
 * Whether two different spellings may be the same name: an initial, a name that was cut off, as in a passport, or one
 * in three letters changed, as in a typo or another transliteration (Iurii, Yuri). Where Latin words are joined, one
 * in four letters may have changed, but vowels, h and similar letters count less, because they are what
 * transliterations differ in most (Cheung Hok-yau, Zhang Xueyou).
 */
function resembles(one: Run, other: Run): boolean {
	if (one.letters.startsWith(other.letters) || other.letters.startsWith(one.letters)) return true;
	const shorter = Math.min(one.letters.length, other.letters.length);
	const longer = Math.max(one.letters.length, other.letters.length);
	const isJoined = one.wordCount + other.wordCount > 2;
	const bySound = isJoined && shorter >= minLettersForSound && /[a-z]/.test(one.letters);
	const maxCost = longer / (bySound ? 4 : 3);
	// The letters that one has more than the other have to be added, whichever they are.
	if ((longer - shorter) * (bySound ? vowelCost : 1) > maxCost) return false;
	return isWithin(maxCost, one.letters, other.letters, bySound);
}

/**
 * Whether adding, removing and replacing letters turns one word into another at no more than the given cost. Stops as
 * soon as it doesn't, because most names have nothing in common.
 * @param bySound Whether a vowel, an h, or a similar letter in place of another costs less than 1.
 */
function isWithin(maxCost: number, one: string, other: string, bySound: boolean): boolean {
	const costOf = (letter: string) => (bySound && 'aeiouh'.includes(letter) ? vowelCost : 1);
	const others = [...other].map((letter) => ({ letter, cost: costOf(letter) }));
	let previous = [0];
	for (const { cost } of others) previous.push((previous.at(-1) ?? 0) + cost);
	for (const letter of one) {
		const cost = costOf(letter);
		const similar = bySound ? (similarTo.get(letter) ?? '') : '';
		let last = (previous[0] ?? 0) + cost;
		let least = last;
		const current = [last];
		let column = 0;
		for (const known of others) {
			const otherCost = similar.includes(known.letter) ? similarCost : larger(known.cost, cost);
			const replaceCost = known.letter === letter ? 0 : otherCost;
			const replaced = (previous[column++] ?? 0) + replaceCost;
			const removed = (previous[column] ?? 0) + cost;
			last = smaller(smaller(replaced, removed), last + known.cost);
			least = smaller(least, last);
			current.push(last);
		}
		if (least > maxCost) return false;
		previous = current;
	}
	return (previous.at(-1) ?? 0) <= maxCost;
}

const smaller = (one: number, other: number) => (one < other ? one : other);
const larger = (one: number, other: number) => (one > other ? one : other);
