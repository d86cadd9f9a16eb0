/** A part of a secret of so many characters is taken out, too. */
const shortestPart = 8;

/** Shorter ones are left alone: to take them out would say what they are. */
const shortestSecret = 4;

/** Parts of an address that are as long as this may be what authenticates it. */
const shortestInAddress = 12;

/**
 * Takes secrets out of words that came from outside: a service may quote a token, a key or a
 * callback address in its message, whole or in part, as it is or encoded (for URLs, HTML, JSON,
 * as base64). Give it a few thousand characters: each is looked at several times.
 * @param secrets Values that must not be shown; what is no text or has under 4 characters is
 * ignored. Of an address, the whole is taken out and the long parts behind its host.
 */
export function redact(text: string, secrets: unknown[]): string {
	const { whole, parts } = needlesOf(secrets);
	if (whole.size === 0) return text;
	const hidden = new Uint8Array(text.length);
	for (const { characters, starts } of decodings(text)) {
		const hide = (from: number, length: number): void => {
			hidden.fill(1, starts[from], starts[from + length]);
		};
		const folded = fold(characters);
		for (const needle of whole) {
			let at = folded.indexOf(needle);
			for (; at >= 0; at = folded.indexOf(needle, at + 1)) hide(at, needle.length);
		}
		for (let at = 0; at + shortestPart <= folded.length; at++) {
			if (parts.has(folded.slice(at, at + shortestPart))) hide(at, shortestPart);
		}
	}
	return blank(text, hidden);
}

function blank(text: string, hidden: Uint8Array): string {
	let shown = '';
	for (let at = 0; at < text.length; at++) {
		if (!hidden[at]) shown += text[at];
		else if (!hidden[at - 1]) shown += '…';
	}
	return shown;
}

/** What to look for: whole secrets, and every part of the length that is not shown any more. */
function needlesOf(secrets: unknown[]): { whole: Set<string>; parts: Set<string> } {
	const whole = new Set<string>();
	const parts = new Set<string>();
	for (const secret of secrets) {
		if (typeof secret !== 'string' || secret.length < shortestSecret) continue;
		for (const form of [secret, ...inBase64(secret)]) whole.add(fold(form));
		for (const value of valuesOf(secret)) {
			for (const form of [value, ...inBase64(value)].map(fold)) {
				for (let at = 0; at + shortestPart <= form.length; at++) {
					parts.add(form.slice(at, at + shortestPart));
				}
			}
		}
	}
	return { whole, parts };
}

/** Host and path of an address are words that a service may need to say; its long parts are not. */
function valuesOf(secret: string): string[] {
	const behindHost = /^https?:\/\/[^/?#]*/i.exec(secret)?.[0].length;
	if (behindHost === undefined) return [secret];
	const parts = secret.slice(behindHost).split(/[/?&#=]/);
	return parts.filter((part) => part.length >= shortestInAddress);
}

/** How a value looks inside something longer that was encoded as base64: it may begin at any bit. */
function inBase64(value: string): string[] {
	if (value.length < shortestPart) return [];
	return [0, 1, 2].flatMap((skipped) => {
		const bytes = Buffer.from(value).subarray(skipped);
		const whole = bytes.subarray(0, bytes.length - (bytes.length % 3));
		return [whole.toString('base64'), whole.toString('base64url')];
	});
}

/** Upper and lower case, and a space and the "+" that stands for it in a query, count as the same. */
function fold(text: string): string {
	return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()).replace(/[\s+]/g, ' ');
}

/** A text as it reads in one way, and where each character of it began in the original. */
interface Decoding {
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
function decodings(text: string): Decoding[] {
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
