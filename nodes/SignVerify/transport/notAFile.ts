import { textOf } from '../util/values';

/** The beginning of an answer, which is enough to tell a file from words about it. */
export interface Beginning {
	bytes: Buffer;
	/** Whether that is the whole answer. */
	whole: boolean;
	/** Header `Content-Type`, if there was one. */
	contentType: unknown;
}

/** What an answer is if it is not a file. */
export type NotAFile = 'nothing' | 'a web page' | 'an XML error' | 'JSON' | 'a sentence';

/** The tags by which browsers recognize a web page without a content type (WHATWG MIME Sniffing). */
const firstTag =
	/^<(?:!doctype\s+html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p|meta|center)[\s/>]/i;
const firstTagOfXhtml = /^<(?:!doctype\s+html|html)[\s>]/i;

/** A whole answer that is shorter and says "expired" is about the link. */
const longestSentence = 300;

/**
 * Recognizes an answer that takes the place of a file. Storages and portals answer "link expired"
 * as a web page, as XML or as JSON, some of them with HTTP 200. A PDF and other binary content are
 * files, whatever the content type says.
 * @returns undefined if it may be the file.
 */
export function recognizeNotAFile(beginning: Beginning): NotAFile | undefined {
	const { bytes, whole } = beginning;
	if (bytes.length === 0) return 'nothing';
	const text = asText(bytes);
	if (text.startsWith('%PDF-')) return undefined;
	const { isXml, root } = rootOf(text);
	if ((isXml ? firstTagOfXhtml : firstTag).test(root)) return 'a web page';
	if (/^<(?:\w{1,40}:)?Error(?:Response)?[\s/>]/i.test(root)) return 'an XML error';
	if (/^\{\s*(?:"|\}|$)/.test(text)) return 'JSON';
	// A PDF may have other bytes in front.
	if (isBinary(text) || text.includes('%PDF-')) return undefined;
	const type = textOf(beginning.contentType).toLowerCase();
	if (/html/.test(type)) return 'a web page';
	if (/[/+]json\b/.test(type)) return 'JSON';
	const isSentence = whole && text.length <= longestSentence && /\bexpired\b/i.test(text);
	return isSentence ? 'a sentence' : undefined;
}

/**
 * The words of an answer that is not a file: `<Message>` of XML, the title of a page.
 * @returns undefined if they are not in its beginning, and for all other answers.
 */
export function wordsOfMarkup({ bytes }: Pick<Beginning, 'bytes'>): string | undefined {
	const text = asText(bytes);
	const words = (/<(Message|title)\b[^<>]{0,200}>([^<]*)<\/\1/i.exec(text)?.[2] ?? '').trim();
	return words === '' ? undefined : words;
}

/** Whether an answer begins as markup does. */
export function isMarkup({ bytes }: Pick<Beginning, 'bytes'>): boolean {
	return asText(bytes).startsWith('<');
}

/** The text without a byte order mark and leading space; UTF-16 pages say so by that mark. */
export function asText(bytes: Buffer): string {
	const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
	return bytes
		.toString(isUtf16 ? 'utf16le' : 'utf8')
		.replace(/^\ufeff/, '')
		.trimStart();
}

/** What follows an XML declaration and comments. */
function rootOf(text: string): { isXml: boolean; root: string } {
	const isXml = /^<\?xml\b/i.test(text);
	let root = text;
	for (;;) {
		const end = root.startsWith('<!--') ? '-->' : root.startsWith('<?') ? '?>' : undefined;
		const at = end === undefined ? -1 : root.indexOf(end);
		if (end === undefined || at < 0) return { isXml, root };
		root = root.slice(at + end.length).trimStart();
	}
}

/** Control characters, except those for space, are in no text. */
function isBinary(text: string): boolean {
	return /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/.test(text);
}
