import { settleSync } from '../util/async';

/*
 * Finds UTF-8 that was read in another encoding: "Ã±" or "√±" for "ñ". Written in the encoding in which it was read, it's
 * UTF-8 again. Apart from signs beside a capital letter, almost no other text is.
 */

const firstByte = 0x80;

/** Windows-1252. Up to 0x9F, Node 20 would read control characters. From 0xA0 on, the characters are Unicode's. */
const windows1252 = [
	...'€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ',
	...Array.from({ length: 0x60 }, (_, at) => String.fromCharCode(0xa0 + at)),
];

/** Returns nothing in a Node that was built without the tables of encodings. */
function charactersOf(encoding: string): string[][] {
	const decoder = settleSync(() => new TextDecoder(encoding));
	if (!decoder.ok) return [];
	const bytes = Array.from({ length: 0x80 }, (_, at) => Uint8Array.of(firstByte + at));
	return [bytes.map((byte) => decoder.value.decode(byte))];
}

/** The encodings in which programs read a file that doesn't name its own. */
const encodings = [
	windows1252,
	...['windows-1250', 'windows-1251', 'macintosh'].flatMap(charactersOf),
].map((characters) => {
	const from = (first: number, last: number) => {
		const range = characters.slice(first - firstByte, last - firstByte + 1);
		return `[${range.map((one) => `\\u{${one.charCodeAt(0).toString(16)}}`).join('')}]`;
	};
	const next = from(0x80, 0xbf);
	const two = from(0xc2, 0xdf) + next;
	const three = `${from(0xe0, 0xef)}${next}{2}`;
	const four = `${from(0xf0, 0xf4)}${next}{3}`;
	return {
		byteOf: new Map(characters.map((one, at) => [one, firstByte + at])),
		utf8: new RegExp(`(?:${two}|${three}|${four})+`, 'gu'),
	};
});

/** Signs that can follow a capital letter at the end of a word: "«IRMû, "CAFÉ™". */
const closingMark = '’”—…™›\\u00a0ª®º»';

/** A letter of Europe or Vietnam, or a sign. */
const letterOrSign = /^[\u00a0-\u024f\u1e00-\u1eff\u2010-\u27ff]$/;

/** Punctuation comes before a letter, as in "«Été»", and a formula such as "x√π" has a Greek one. */
const isOtherThanLetter = /^\p{P}|\p{Script=Greek}/u;

const isClosed = new RegExp(`[${closingMark}]$`, 'u');

/** One letter counts in a word of small letters only, because in capitals, it can be a word's last letter and a sign. */
function isInSmallWord(found: string, before: string, after: string): boolean {
	if (/[a-z]/.test(before)) return true;
	return /[A-Z]/.test(before) && /[a-z]/.test(after) && !isClosed.test(found);
}

/** Letters of one of these scripts, and signs. Japanese has three scripts. */
const scripts = [
	...['Latin', 'Greek', 'Cyrillic', 'Hebrew', 'Arabic', 'Devanagari', 'Thai', 'Hangul'],
	'Han}\\p{Script=Hiragana}\\p{Script=Katakana',
];
const oneScript = new RegExp(
	`^(?:${scripts
		.map((name) => `[\\p{Script=${name}}\\p{Script=Common}\\p{Script=Inherited}]+`)
		.join('|')})$`,
	'u',
);

/** A sign that can't be a quotation mark, a dash, or the end of a word. */
const otherSign = new RegExp(`.[^\\p{L}\\p{M}“‘–${closingMark}]`, 'u');

const foreignLetter = /[^a-z\P{L}]/iu;

/** Finds the first part of a text that was read in another encoding. */
export function misreadIn(text: string): string | undefined {
	if (!/[^\p{ASCII}]/u.test(text)) return undefined;
	for (const { byteOf, utf8 } of encodings) {
		for (const { 0: found, index } of text.matchAll(utf8)) {
			const bytes = Uint8Array.from(found, (one) => byteOf.get(one) ?? 0);
			const read = new TextDecoder().decode(bytes);
			const before = text.charAt(index - 1);
			const isMisread = /^.$/su.test(read)
				? letterOrSign.test(read) &&
					!isOtherThanLetter.test(found) &&
					isInSmallWord(found, before, text.charAt(index + found.length))
				: oneScript.test(read) && otherSign.test(found) && !foreignLetter.test(before);
			if (isMisread) return found;
		}
	}
	return undefined;
}
