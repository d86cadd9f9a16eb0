import type { FileContent } from './fileFailures';

/** The number of leading bytes that show what a download is. */
const maxBeginning = 1000;

/** Anything smaller (in bytes) is a remnant, such as a single character, unless it's a PDF. */
const minFileBytes = 16;

/* eslint-disable no-control-regex -- These patterns match binary data. */

/** How a file of a declared type must begin (in Latin-1). */
const beginnings: Array<{ type: RegExp; begins: RegExp }> = [
	{ type: /[/+-]pdf\b/, begins: /%PDF-/ },
	{ type: /^image\/png\b/, begins: /^\x89PNG\r\n\x1a\n/ },
	{ type: /^image\/jpe?g\b/, begins: /^\xff\xd8\xff/ },
	{ type: /^image\/(?!svg)/, begins: /^(?:\x89PNG|\xff\xd8\xff|GIF8|BM|II\*\0|MM\0\*|RIFF)/ },
	{ type: /[/+-]zip\b|-zip-/, begins: /^PK(?:\x03\x04|\x05\x06|\x07\x08)/ },
];

/** Matches the types of signatures, certificates and timestamps, which can be text. */
const signatureType = /pkcs|pkix|x509|x-pem|pem-|timestamp|signature/;

/** Matches the beginning of a signature in base64 (a DER sequence), or of a signed email. */
const signatureText = /^(?:M[A-I][A-Za-z\d+/]{38}|(?:MIME-Version|Content-Type):)/;

/** Matches text that contains a file instead of being one. The nodes don't decode it. */
const encodedFile = /^(?:data:[\w/+.-]*[;,]|[A-Za-z\d+/_-]{40})/;

/**
 * Determines whether a download is the file. A PDF is one under any declared type, because storage servers
 * often declare a wrong one. Everything else must begin the way a file of its type does.
 * @param type The declared content type, in lowercase.
 */
export function fileContentOf(bytes: Buffer, type: string): FileContent {
	if (bytes.length === 0) return { what: 'nothing' };
	const beginning = bytes.subarray(0, maxBeginning);
	return isFile(bytes, beginning, type)
		? { what: 'file' }
		: { what: 'other', description: describe(bytes, type) };
}

/** Whether bytes are a PDF. Text may come before its header, but not the bytes of an archive or a signature around it. */
export function isPdf(bytes: Buffer): boolean {
	const [beforeHeader = '', ...rest] = bytes
		.subarray(0, maxBeginning)
		.toString('latin1')
		.split('%PDF-');
	return rest.length > 0 && isText(beforeHeader);
}

function isFile(bytes: Buffer, beginning: Buffer, type: string): boolean {
	if (isPdf(bytes)) return true;
	const raw = beginning.toString('latin1');
	if (bytes.length < minFileBytes || /html|[/+]json\b/.test(type)) return false;
	const declared = beginnings.find((row) => row.type.test(type));
	if (declared) return declared.begins.test(raw);
	if (!isText(raw)) return true;
	const text = textIn(beginning);
	if (text.startsWith('-----BEGIN ')) return true;
	const isLong = bytes.length > maxBeginning;
	const isXmlType = /[/+]xml\b/.test(type);
	if (text.startsWith('<')) return isXml(text, isLong && isXmlType);
	if (signatureType.test(type)) return signatureText.test(text);
	return isLong && !isXmlType && !/^[{[]/.test(text) && !encodedFile.test(text);
}

/** Whether bytes (in Latin-1) contain only characters that text contains. Files in a binary format contain others. */
function isText(raw: string): boolean {
	return !/[\0-\x08\x0e-\x1a\x1c-\x1f]/.test(raw);
}

/** Returns text without a byte order mark, which the decoder removes, and without leading whitespace. */
function textIn(beginning: Buffer): string {
	return new TextDecoder().decode(beginning).trimStart();
}

/** Matches the declaration and the comments that can come before a root element. */
const prolog = /^(?:\s|<\?[^>]*>|<!--.*?-->)*/s;

/**
 * Whether markup is XML other than a web page or an error.
 * @param isLikely Whether it counts as XML even without a declaration and a namespace. Without both, it may
 * just as well be a piece of a web page.
 */
function isXml(text: string, isLikely: boolean): boolean {
	const root = text.replace(prolog, '');
	if (/^<(?:!doctype\s+html|html|(?:\w{1,40}:)?Error(?:Response)?)[\s/>]/i.test(root)) return false;
	return isLikely || text.startsWith('<?xml') || /^<[^>]*\sxmlns[:=]/.test(root);
}

/** Matches a declared type without its parameters. Anything else in its place isn't shown. */
const shownType = /^[a-z]{1,20}\/[a-z\d.+-]{1,80}$/;

/**
 * Describes what came instead of the file: its size and its declared type. An error's text isn't quoted, because it
 * can repeat the file's URL, a key or a name.
 */
function describe(bytes: Buffer, type: string): string {
	const [declared = ''] = type.split(';');
	return `${bytes.length} B of ${shownType.exec(declared.trim())?.[0] ?? 'no type'}`;
}
