/** A part of a secret is removed, too, if it has this many characters. */
const shortestPart = 8;

/** Shorter secrets stay: a gap in the text would reveal what they are. */
const shortestSecret = 4;

/** Parts of a URL that are as long as this may authenticate it. */
const shortestInAddress = 12;

/**
 * Removes secrets from words that came from outside. A service may quote a token, a key or a webhook
 * URL in its message, whole or in part, as it is or encoded (for URLs, HTML, JSON, as base64). Each
 * character is read several times, so give it no more than a few thousand.
 * @param secrets Values that must not be shown; other values than texts are ignored, and texts under
 * 4 characters. Of a URL, the whole is removed, and the long parts behind its host.
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

/** What to look for: whole secrets, and every part of a secret that must not be shown. */
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

/** A service may need to name the host and short parts of a URL, but not its long parts. */
function valuesOf(secret: string): string[] {
	const behindHost = /^https?:\/\/[^/?#]*/i.exec(secret)?.[0].length;
	if (behindHost === undefined) return [secret];
	const parts = secret.slice(behindHost).split(/[/?&#=]/);
	return parts.filter((part) => part.length >= shortestInAddress);
}

/** How a value looks inside something longer in base64, where it may begin at any of three places. */
function inBase64(value: string): string[] {
	if (value.length < shortestPart) return [];
	return [0, 1, 2].flatMap((skipped) => {
		const bytes = Buffer.from(value).subarray(skipped);
		const whole = bytes.subarray(0, bytes.length - (bytes.length % 3));
		return [whole.toString('base64'), whole.toString('base64url')];
	});
}

/** Upper and lower case count as the same, and so do a space and the "+" for it in a query. */
function fold(text: string): string {
	return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()).replace(/[\s+]/g, ' ');
}

/** A text decoded in one way, and where each of its characters began in the original. */
interface Decoding {
	characters: string;
	/** One more than characters: the last is the end of the original. */
	starts: number[];
}

/** How often a text may have been encoded, such as for HTML and then for JSON. */
const mostLayers = 2;

/** Characters that nobody sees inside a word, such as line breaks. */
const unseen = /[\p{Cc}\p{Cf}]/u;

const named: ReadonlyMap<string, string> = new Map([
	['amp', '&'],
	['lt', '<'],
	['gt', '>'],
	['quot', '"'],
	['apos', "'"],
	['nbsp', ' '],
]);

interface Encoding {
	/** The first character of each encoded character. */
	sign: string;
	pattern: RegExp;
	read(match: RegExpExecArray): string | undefined;
}

const encodings: Encoding[] = [
	{
		// Of a URL: keys and tokens have no characters of more than two bytes.
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
 * Decodes a text in all ways in which its characters may be encoded.
 * @returns The text as it is, without unseen characters, and decoded in each way and in two ways one
 * after another, if that changes it.
 */
function decodings(text: string): Decoding[] {
	const starts = Array.from({ length: text.length + 1 }, (_, index) => index);
	const original: Decoding = { characters: text, starts };
	const plain = unseen.test(text)
		? mapped(original, (all, at) => [1, seen(all.charAt(at))])
		: undefined;
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
	const next = mapped(text, (characters, at) => {
		const own = characters.charAt(at);
		encoding.pattern.lastIndex = at;
		const match = own === encoding.sign ? encoding.pattern.exec(characters) : null;
		const character = match ? encoding.read(match) : undefined;
		return match && character !== undefined ? [match[0].length, seen(character)] : [1, own];
	});
	return next.characters.length < text.characters.length ? [next] : [];
}

/** How many characters are read as one, and which one. */
type Reading = [length: number, character: string];

function mapped(text: Decoding, read: (characters: string, at: number) => Reading): Decoding {
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

function seen(character: string): string {
	return unseen.test(character) ? '' : character;
}

function fromHex(hex: string): string | undefined {
	const code = parseInt(hex, 16);
	return code > 0 && code < 0x1_0000 ? String.fromCharCode(code) : undefined;
}
