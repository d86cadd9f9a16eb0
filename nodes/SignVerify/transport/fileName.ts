import { textOf } from '../util/values';

/** Of each source of a name, so many characters are looked at. */
const mostRead = 2000;

/** What is known about a file that may give it a name. */
export interface FileOrigin {
	/** Header `Content-Disposition`, if there was one. */
	disposition: unknown;
	/** Header `Content-Type`, if there was one. */
	contentType: unknown;
	/** The document's title; may be empty. */
	title: string;
	/** Goes behind the title, to tell the files of a document apart. */
	suffix: string;
	address: string;
}

/**
 * Names a file: as the sender does, else after the document, else after its address.
 * @returns A name without a path, fit for every system, and the MIME type.
 */
export function nameFile(origin: FileOrigin): { fileName: string; mimeType: string } {
	const declared =
		textOf(origin.contentType).slice(0, mostRead).split(';')[0]?.trim().toLowerCase() ?? '';
	const general = declared === '' || /\/octet-stream$/.test(declared);
	const inAddress = lastPart(origin.address);
	const name =
		cleanName(dispositionName(textOf(origin.disposition).slice(0, mostRead))) ||
		cleanName(origin.title && `${origin.title}${origin.suffix}`) ||
		cleanName(inAddress) ||
		'document';
	const extension = /\.[a-z0-9]{1,8}$/i.exec(name)?.[0];
	const isPdf =
		declared === 'application/pdf' || (general && /\.pdf$/i.test(extension ?? inAddress));
	return {
		fileName: isPdf && extension?.toLowerCase() !== '.pdf' ? `${name}.pdf` : name,
		mimeType: isPdf ? 'application/pdf' : declared || 'application/octet-stream',
	};
}

/** The name in a `Content-Disposition`: the encoded form, which carries every script, before the plain one. */
function dispositionName(header: string): string {
	const encoded = /filename\*\s*=\s*(?:utf-8|iso-8859-1)'[^']*'([^;]+)/i.exec(header)?.[1];
	const decoded = encoded === undefined ? undefined : decode(encoded.trim());
	if (decoded) return decoded;
	const quoted = /filename\s*=\s*"((?:[^"\\]|\\.)*)"/i.exec(header)?.[1];
	if (quoted !== undefined) return quoted.replace(/\\(.)/g, '$1');
	return /filename\s*=\s*([^;"]+)/i.exec(header)?.[1]?.trim() ?? '';
}

function lastPart(address: string): string {
	const path = address.split(/[?#]/)[0] ?? '';
	const at = path.lastIndexOf('/') + 1;
	// Behind "https://" there is no path, but the host.
	return at > 'https://'.length ? decode(path.slice(at, at + mostRead)) : '';
}

function cleanName(name: string): string {
	const clean = name
		.slice(0, mostRead)
		.replace(/[\p{Bidi_Control}\p{Surrogate}]/gu, '')
		.replace(/[\p{Cc}\\/:*?"<>|]+/gu, ' ')
		.replace(/\s+/g, ' ')
		.replace(/^[. ]+|[. ]+$/g, '');
	if ([...clean].length <= 150) return clean;
	const extension = /\.[a-z0-9]{1,8}$/i.exec(clean)?.[0] ?? '';
	return `${[...clean].slice(0, 140).join('').trim()}${extension}`;
}

function decode(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}
