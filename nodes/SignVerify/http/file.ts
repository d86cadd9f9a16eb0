import type { IDataObject } from 'n8n-workflow';

import { timeIsOver } from '../util/async';
import { cutText, originOf, textOf } from '../util/values';
import { type ErrorFacts, ServiceError } from './errors';
import { readNetworkError, tooLarge } from './network';
import { readRetryAfter } from './retry';

/** A file behind a pre-signed URL. */
export interface Download {
	address: string;
	/** What it is, with its article, for errors: "the document". */
	noun: string;
	/** The document's title, and what is added to it in the name of this file. */
	title: string;
	suffix: string;
	/** Milliseconds without an answer after which a try fails. */
	timeout: number;
	/** Milliseconds that all tries may take together. */
	total: number;
}

const tryAgain = 'Try again in a moment. If it stays like this, check the link.';

/** The most bytes of a file, because n8n has it in memory until it is stored. */
export const maxFile = 100_000_000;

/** An answer to a download. */
interface FileAnswer {
	statusCode: number;
	headers: IDataObject;
	bytes: Buffer;
}

/**
 * What an answer means that is not the file. Storages and portals report "link expired" as a web page,
 * as XML or as JSON, with different statuses, some of them with HTTP 200.
 * @returns undefined if it may be the file.
 */
export function refusalOf(
	{ noun }: Download,
	{ statusCode: status, headers, bytes }: FileAnswer,
): ServiceError | undefined {
	const isSuccess = status < 300;
	if (isSuccess && bytes.length === 0) {
		return notDownloaded(`${noun}: the answer is empty`, tryAgain, { retryable: 'whenIdempotent' });
	}
	if (isSuccess && isFile(bytes, textOf(headers['content-type']).toLowerCase())) return undefined;
	if (status >= 500 || status === 408 || status === 429) {
		// Without the status: nobody else waits for a storage that limits its rate.
		const remedy = `The fault is where the file is kept. ${tryAgain}`;
		return notDownloaded(`${noun} (HTTP ${status})`, remedy, {
			retryable: 'whenIdempotent',
			retryAfter: readRetryAfter(headers['retry-after']),
		});
	}
	return new ServiceError({
		message: `The link to ${noun} is not valid, most likely because it has expired (HTTP ${status})`,
		description:
			'Such links work for a short time only. Download the file as soon as the event arrives, before any waiting step. For this file, copy a new link at the service.',
		httpStatus: status,
		docsAnchor: 'files',
	});
}

/** How many bytes show whether it is a file. */
const maxBeginning = 1000;

/** A PDF is a file, whatever its type says. A web page, JSON and XML whose root is an error are none. */
function isFile(bytes: Buffer, type: string): boolean {
	// The decoder removes a byte order mark. An XML declaration may stand before the root.
	const text = new TextDecoder().decode(bytes.subarray(0, maxBeginning)).trimStart();
	const markup = text.replace(/^<\?xml[^>]*>\s*/, '');
	if (markup.startsWith('%PDF-')) return true;
	if (/html|[/+]json\b/.test(type)) return false;
	return !/^(?:<(?:!doctype\s+html|html|(?:\w{1,40}:)?Error(?:Response)?)[\s/>]|[{[]\s*["{}\]])/i.test(
		markup,
	);
}

/** A transfer that broke, could not begin, or took too long. */
export function broken({ address, noun, total }: Download, error: unknown): ServiceError {
	const { code } = error as { code?: string };
	if (code === tooLarge) {
		return notDownloaded(
			`${noun}: more than ${maxFile / 1_000_000} MB`,
			'Use an HTTP Request node with the link. It can store a larger file.',
		);
	}
	if (code === timeIsOver) {
		return notDownloaded(
			`${noun}: it was not complete after ${total / 1000} s`,
			'The sender is too slow. Try again later, or raise "Timeout" in the credential: a file may take twenty times as long.',
		);
	}
	const { problem, retryable } = readNetworkError(error);
	return notDownloaded(`${noun}: ${originOf(address)} ${problem}`, tryAgain, { retryable });
}

/** @param what The file, and why it could not be downloaded. */
function notDownloaded(
	what: string,
	description: string,
	facts: Partial<ErrorFacts> = {},
): ServiceError {
	return new ServiceError({
		...facts,
		message: `Could not download ${what}`,
		description,
		docsAnchor: 'files',
	});
}

/**
 * The types that a file may have, with their extensions. The sender names the type, and n8n shows a file
 * by it: a web page or a drawing (SVG) could run scripts in n8n.
 */
const extensions = new Map([
	['application/pdf', '.pdf'],
	['application/xml', '.xml'],
	['text/xml', '.xml'],
	['application/zip', '.zip'],
	['image/png', '.png'],
	['image/jpeg', '.jpg'],
]);

/** The most characters of a title in a name. What is added to it is never cut. */
const maxTitle = 120;

/**
 * Names a file after its document.
 * @param contentType Header `Content-Type`, if there was one.
 * @returns A name without a path that every system accepts, and a harmless MIME type.
 */
export function nameFile(
	{ title, suffix }: Pick<Download, 'title' | 'suffix'>,
	bytes: Buffer,
	contentType: unknown,
): { fileName: string; mimeType: string } {
	const declared = textOf(contentType).split(';')[0]?.trim().toLowerCase() ?? '';
	const isPdf = bytes.subarray(0, 5).toString('latin1') === '%PDF-';
	const type = isPdf ? 'application/pdf' : declared;
	const extension = extensions.get(type);
	const name = cleanName(`${cleanName(title, maxTitle) || 'document'}${suffix}`);
	if (extension === undefined) return { fileName: name, mimeType: 'application/octet-stream' };
	const isNamed = name.toLowerCase().endsWith(extension);
	return { fileName: isNamed ? name : `${name}${extension}`, mimeType: type };
}

function cleanName(name: string, most = Infinity): string {
	const clean = name
		.replace(/\p{Bidi_Control}/gu, '')
		.replace(/[\p{Cc}\\/:*?"<>|\s]+/gu, ' ')
		.replace(/^[. ]+/, '');
	// The service may give half a character, and cutting may leave a space at the end.
	return cutText(clean, most)
		.replace(/\p{Surrogate}/gu, '')
		.replace(/[. ]+$/, '');
}
