import { createHash } from 'crypto';
import { cutText, withoutEnd } from '../util/text';
import { decodeUrlPart, parseUrl } from '../util/urls';
import { isPdf } from './fileContent';

export interface NamedFile {
	title: string;
	/** The first signatory's name, to tell different people's copies apart; '' if unknown. */
	person: string;
	/** The document's ID, to tell contracts of one person apart; '' if unknown. The content tells them apart then. */
	documentId: string;
	/** A suffix for this file, such as " - certificate". */
	suffix: string;
	address: string;
}

/**
 * The MIME types that a stored file may have, with their extensions. Any other file is stored as
 * {@link anyBytes}, because n8n displays a file according to its declared type, and a web page or an SVG
 * image could run scripts in n8n.
 * @n8n
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

/** The MIME type for a file of unknown type. n8n doesn't display it, so any extension is harmless. */
const anyBytes = 'application/octet-stream';

/**
 * The extensions that a file of unknown type may get from its link: those of the types above, and that of the
 * certificate that a Mexican PSC issues.
 */
const extensionsOfLinks = [...new Set(extensionsByType.values()), '.asn1'];

/**
 * Matches the file extensions at the end of a title, in case the title is a file name. A converted or signed
 * file may have two, as in "Lease.docx.pdf".
 */
const fileEnding = /(?:\.(?:pdf|docx?|xlsx?|pptx?|od[tsp]|rtf|txt|xml|zip|p7m)){1,2}$/i;

/**
 * The maximum lengths of the title and of the person's name, in bytes of UTF-8. Even if both are cut and marked
 * as such, there is room for the document's ID, the suffix and the extension in the 255 bytes that common file
 * systems allow.
 */
const maxTitleBytes = 114;
const maxPersonBytes = 80;

/** How many characters from the end of the document's ID a file name contains. The beginning is often a time. */
const idLength = 6;

const maxCleanedLength = 1000;

/**
 * Names a file after its document and its first signatory. The name is the same whenever the file is downloaded, and
 * different for each document, so that a contract doesn't overwrite another one from the same template.
 * @param bytes The file's content, or at least its beginning.
 * @param type The declared content type, in lowercase.
 * @returns A file name without a path, and a harmless MIME type.
 */
export function nameFile(
	{ title, person, documentId, suffix, address }: NamedFile,
	bytes: Buffer,
	type: string,
): { fileName: string; mimeType: string } {
	const { extension, mimeType } = formatOfFile(bytes, type, address);
	const shortTitle = shorten(cleanName(title).replace(fileEnding, '').trimEnd(), maxTitleBytes);
	const shortPerson = shorten(cleanName(person), maxPersonBytes);
	// Many services put the person into the title.
	const isNamed = spacedWordsOf(shortTitle).includes(spacedWordsOf(shortPerson));
	const id = documentId.slice(-maxCleanedLength).replace(/[^a-z\d]/gi, '');
	const idEnd = (id || createHash('sha256').update(bytes).digest('hex')).slice(-idLength);
	const parts = [shortTitle || 'document', isNamed ? '' : shortPerson, idEnd].filter(Boolean);
	return { fileName: `${parts.join(' – ')}${suffix}${extension}`, mimeType };
}

/** Returns the words of a text with a space before and after each, so that "Lea" isn't found in "Lease". */
function spacedWordsOf(text: string): string {
	return ` ${text} `.replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ');
}

function formatOfFile(bytes: Buffer, type: string, address: string) {
	if (isPdf(bytes)) return { extension: '.pdf', mimeType: 'application/pdf' };
	const mimeType = type.split(';')[0]?.trim() ?? '';
	const ofType = extensionsByType.get(mimeType);
	if (ofType !== undefined) return { extension: ofType, mimeType };
	const path = decodeUrlPart(parseUrl(address)?.pathname ?? '').toLowerCase();
	const ofLink = extensionsOfLinks.find((extension) => path.endsWith(extension));
	return { extension: ofLink ?? '', mimeType: anyBytes };
}

/**
 * Removes characters that file names can't contain. Searches only the beginning, because the patterns take
 * too long for a very long text.
 */
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

/**
 * Cuts a string to at most `maxBytes` bytes of UTF-8, without splitting an emoji or an accented character. A
 * string that was cut ends in "…" and a hash of the whole string, so that the files of two documents whose
 * titles begin alike don't overwrite each other.
 */
function shorten(text: string, maxBytes: number): string {
	const { read } = new TextEncoder().encodeInto(text, new Uint8Array(maxBytes));
	if (read === text.length) return text;
	const hash = createHash('sha256').update(text).digest('hex').slice(0, 6);
	return `${withoutEnd(cutText(text, read), '. ')}… ${hash}`;
}
