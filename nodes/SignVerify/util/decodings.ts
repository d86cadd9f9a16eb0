/** A text as it reads in one way, and where each character of it began in the original. */
export interface Decoding {
	characters: string;
	/** One more than there are characters: the last is the end of the original. */
	starts: number[];
}

/** Something may have been encoded so many times over: for HTML, and then for JSON. */
const mostLayers = 2;

/** What may stand between the characters of a word without being seen, line breaks included. */
const unseen = /[\p{Cc}\p{Cf}]/u;

const named: ReadonlyMap<string, string> = new Map([
	['amp', '&'],
	['lt', '<'],
	['gt', '>'],
	['quot', '"'],
	['apos', "'"],
	['nbsp', ' '],
]);

/** A way to encode: how one encoded character looks, and which one it is. */
interface Encoding {
	/** Each encoded character begins with it. */
	sign: string;
	pattern: RegExp;
	read(match: RegExpExecArray): string | undefined;
}

const encodings: Encoding[] = [
	{
		// Of a URL: keys and tokens have no characters that take more than two bytes.
		sign: '%',
		pattern: /%(?:(c[23])%([89ab][0-9a-f])|([0-9a-f]{2}))/iy,
		read: ([, first, second, byte = '']) =>
			first && second ? decodeURIComponent(`%${first}%${second}`) : fromHex(byte),
	},
	{
		// Of HTML.
		sign: '&',
		pattern: /&(?:#(\d{1,7});?|#x([0-9a-f]{1,6});?|([a-z]{2,4});)/iy,
		read: ([, decimal, hex, name = '']) =>
			named.get(name.toLowerCase()) ??
			fromHex(decimal ? Number(decimal).toString(16) : (hex ?? '')),
	},
	{
		// Of JSON and of programming languages.
		sign: '\\',
		pattern: /\\(?:u([0-9a-f]{4})|x([0-9a-f]{2})|([^\sa-z0-9]))/iy,
		read: ([, long, short, escaped]) => escaped ?? fromHex(long ?? short ?? ''),
	},
];

/**
 * Reads a text in all ways in which characters of it may be encoded.
 * @returns The text as it is, without what nobody sees, and decoded in each way and in one way after
 * the other, as far as that makes a difference.
 */
export function decodings(text: string): Decoding[] {
	const starts = Array.from({ length: text.length + 1 }, (_, index) => index);
	const original: Decoding = { characters: text, starts };
	const plain = unseen.test(text) ? readAnew(original, withoutUnseen) : undefined;
	const all = plain ? [original, plain] : [original];
	let layer = [plain ?? original];
	for (let depth = 0; depth < mostLayers; depth++) {
		layer = layer.flatMap((each) => encodings.flatMap((encoding) => decoded(each, encoding)));
		all.push(...layer);
	}
	return all;
}

function decoded(text: Decoding, encoding: Encoding): Decoding[] {
	if (!text.characters.includes(encoding.sign)) return [];
	const next = readAnew(text, (characters, at) => {
		const own = characters.charAt(at);
		encoding.pattern.lastIndex = at;
		const match = own === encoding.sign ? encoding.pattern.exec(characters) : null;
		const character = match ? encoding.read(match) : undefined;
		return match && character !== undefined ? [match[0].length, seen(character)] : [1, own];
	});
	return next.characters.length < text.characters.length ? [next] : [];
}

/** How many characters are read as one, and as which. */
type Reading = [length: number, character: string];

function readAnew(text: Decoding, read: (characters: string, at: number) => Reading): Decoding {
	let characters = '';
	const starts: number[] = [];
	for (let at = 0; at < text.characters.length;) {
		const [length, character] = read(text.characters, at);
		if (character) starts.push(text.starts[at] ?? 0);
		characters += character;
		at += length;
	}
	starts.push(text.starts[text.characters.length] ?? 0);
	return { characters, starts };
}

function withoutUnseen(characters: string, at: number): Reading {
	return [1, seen(characters.charAt(at))];
}

function seen(character: string): string {
	return unseen.test(character) ? '' : character;
}

function fromHex(hex: string): string | undefined {
	const code = parseInt(hex, 16);
	return code > 0 && code < 0x1_0000 ? String.fromCharCode(code) : undefined;
}
