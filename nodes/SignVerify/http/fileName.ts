import { createHash } from 'crypto';

import { cutText, decodeUrlPart, normalText, parseUrl, textOf, withoutEnd } from '../util/values';

/** The facts that determine a file's name. */
export interface NamedFile {
	title: string;
	/** The first signatory's name, to tell different people's copies apart; '' if unknown. */
	person: string;
	/** A suffix for this file, such as " - certificate". */
	suffix: string;
	/** The file's URL. */
	address: string;
}

/** The response headers that describe a file. */
interface FileHeaders {
	'content-type'?: unknown;
	'content-disposition'?: unknown;
}

/**
 * The MIME types that a stored file may have, with their extensions. Any other file is stored as
 * {@link anyBytes}, because n8n displays a file according to its declared type, and a web page or an SVG
 * image could run scripts in n8n.
 */
const extensionsByType = new Map([
	['application/pdf', '.pdf'],
	['application/xml', '.xml'],
	['text/xml', '.xml'],
	['application/zip', '.zip'],
	['application/x-zip-compressed', '.zip'],
	['image/png', '.png'],
	['image/jpeg', '.jpg'],
	['application/pkcs7-mime', '.p7m'],
	['application/x-pkcs7-mime', '.p7m'],
	['application/pkcs7-signature', '.p7s'],
	['application/x-pkcs7-signature', '.p7s'],
	['application/x-pkcs7-certificates', '.p7b'],
	['application/pkix-cert', '.cer'],
	['application/x-x509-ca-cert', '.crt'],
	['application/x-x509-user-cert', '.crt'],
	['application/x-pem-file', '.pem'],
	['application/pem-certificate-chain', '.pem'],
	['application/timestamp-reply', '.tsr'],
	['application/timestamped-data', '.tsd'],
	['application/vnd.etsi.asic-e+zip', '.asice'],
	['application/vnd.etsi.asic-s+zip', '.asics'],
	['application/pgp-signature', '.asc'],
]);

/**
 * The extensions that a stored file may have even if its type is unknown: those of the types above, and a few
 * others.
 */
const knownExtensions = new Set([
	...extensionsByType.values(),
	...['.p7c', '.p7z', '.der', '.asn1', '.tst', '.ots', '.sig', '.json', '.txt', '.jpeg'],
]);

/** The MIME type for a file of unknown type. */
const anyBytes = 'application/octet-stream';

const knownEnding = '\\.(?:pdf|docx?|xlsx?|pptx?|od[tsp]|rtf|txt|xml|zip|p7m)';

/**
 * Matches the file extensions at the end of a title, in case the title is a file name. A converted or signed
 * file may have two, as in "Lease.docx.pdf".
 */
const fileEnding = new RegExp(`(?:${knownEnding})?${knownEnding}$`, 'i');

/** The maximum length of a file name in common file systems, in bytes. */
const maxNameBytes = 255;

/** The maximum length of the person's name in a file name, in bytes. */
const maxPersonBytes = 100;

/** The maximum length of the document's title in a file name, in characters. */
const maxTitleLength = 120;

/** The maximum length of text that is searched for characters to remove, in characters. */
const maxCleanedLength = 1000;

/** Matches device names. Windows rejects them as file names, no matter what follows the first dot. */
const reservedName = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³])(?=\s*(?:\.|$))/i;

/**
 * Names a file after its document and its first signatory.
 * @param bytes The file's content, or at least its beginning.
 * @returns A file name that is valid on every system (at most 255 bytes, without a path), and a harmless MIME
 * type.
 */
export function nameFile(
	{ title, person, suffix, address }: NamedFile,
	bytes: Buffer,
	headers: FileHeaders,
): { fileName: string; mimeType: string } {
	const { extension, mimeType } = kindOfFile(bytes, headers, address);
	const maxBaseBytes = maxNameBytes - bytesOf(suffix) - bytesOf(extension);
	const fullTitle = cleanName(title).replace(fileEnding, '').trimEnd();
	const shortTitle =
		cleanName(cutBytes(cutText(fullTitle, maxTitleLength), maxBaseBytes)) || 'document';
	const shortPerson = shortenPerson(cleanName(person));
	const ending = shortPerson && ` – ${shortPerson}`;
	const base = isNamedIn(shortTitle, shortPerson)
		? shortTitle
		: `${cleanName(cutBytes(shortTitle, maxBaseBytes - bytesOf(ending)))}${ending}`;
	const name = `${base}${suffix}`.replace(reservedName, '$&_');
	return { fileName: `${name}${extension}`, mimeType };
}

/** Detects a file's type from its first bytes, the response headers and the link. */
function kindOfFile(bytes: Buffer, headers: FileHeaders, address: string) {
	if (bytes.subarray(0, 5).toString('latin1') === '%PDF-') {
		return { extension: '.pdf', mimeType: 'application/pdf' };
	}
	const type = textOf(headers['content-type']).split(';')[0]?.trim().toLowerCase() ?? '';
	const ofType = extensionsByType.get(type);
	const ofName =
		extensionIn(nameInHeader(textOf(headers['content-disposition']))) ??
		extensionIn(decodeUrlPart(parseUrl(address)?.pathname ?? ''));
	// n8n doesn't display files of type `anyBytes`, so any extension is harmless.
	if (ofType === undefined) return { extension: ofName ?? '', mimeType: anyBytes };
	return { extension: ofName?.endsWith(ofType) ? ofName : ofType, mimeType: type };
}

/** Returns the file name in the `Content-Disposition` header; '' if there is none. */
function nameInHeader(header: string): string {
	const [, encoded] = /filename\*\s*=\s*[\w-]*'[^']*'([^;]{1,1000})/i.exec(header) ?? [];
	if (encoded !== undefined) return decodeUrlPart(encoded.trim());
	const [, quotedName, name = ''] =
		/filename\s*=\s*(?:"([^"]{1,1000})"|([^;]{1,1000}))/i.exec(header) ?? [];
	return (quotedName ?? name).trim();
}

/**
 * Returns a name's extension if it is one of the {@link knownExtensions}. For a signed file, returns both
 * extensions: ".pdf.p7m".
 */
function extensionIn(name: string): string | undefined {
	const [extension] = /(?:\.(?:pdf|xml))?\.p7m$|\.[a-z\d]{2,5}$/i.exec(name.slice(-20)) ?? [];
	const known = extension?.toLowerCase() ?? '';
	const last = known.replace(/^.*(?=\.)/, '');
	return knownExtensions.has(last) ? known : undefined;
}

/** Shortens a person's name for a file name. A short hash of the full name keeps shortened names distinct. */
function shortenPerson(name: string): string {
	if (bytesOf(name) <= maxPersonBytes) return name;
	const hash = createHash('sha256').update(name).digest('hex').slice(0, 6);
	return `${cutBytes(name, maxPersonBytes - 7).trimEnd()} ${hash}`;
}

/** Whether a title contains a name as whole words. */
function isNamedIn(title: string, name: string): boolean {
	const wordsOf = (text: string) =>
		` ${normalText(text)
			.toLowerCase()
			.split(/[^\p{L}\p{M}\p{N}]+/u)
			.join(' ')} `;
	return name === '' || wordsOf(title).includes(wordsOf(name));
}

/** Cleans a name. Cuts it first, because the patterns take too long for a very long one. */
function cleanName(name: string): string {
	const clean = name
		.slice(0, maxCleanedLength)
		.replace(/\p{Bidi_Control}/gu, '')
		.replace(/[\p{Cc}\\/:*?"<>|\s]+/gu, ' ')
		.replace(/^[. ]+/, '')
		// The service may return half of a character (a lone surrogate). Removing it can leave a trailing
		// space, so remove trailing spaces last.
		.replace(/\p{Surrogate}/gu, '');
	return withoutEnd(clean, '. ');
}

function bytesOf(text: string): number {
	return Buffer.byteLength(text);
}

/** Cuts a string to at most `maxBytes` bytes of UTF-8. Never splits an emoji or an accented character. */
function cutBytes(text: string, maxBytes: number): string {
	let cut = cutText(text, maxBytes);
	while (bytesOf(cut) > maxBytes) {
		// A code unit takes up to three bytes, so at least this many code units must be removed.
		const excessLength = Math.ceil((bytesOf(cut) - maxBytes) / 3);
		cut = cutText(cut, cut.length - excessLength);
	}
	return cut;
}
