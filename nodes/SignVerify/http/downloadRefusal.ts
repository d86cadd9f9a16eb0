import type { IDataObject } from 'n8n-workflow';

import { type Redact, redactor } from '../util/redact';
import { parseJson, textOf } from '../util/values';
import { originOf } from './baseUrl';
import { type ErrorFacts, ServiceError } from './errors';
import { readNetworkError } from './network';
import { readRetryAfter } from './rateLimit';
import { messageOf } from './response';

/** A file behind a pre-signed URL. */
export interface Download {
	address: string;
	/** What it is, with its article, for errors: "the document". */
	noun: string;
	/** The document's title, and what is added to it in the name of this file. */
	title: string;
	suffix: string;
	/** The most bytes that are accepted. */
	limit: number;
	/** Milliseconds without an answer after which a try fails. */
	timeout: number;
	/** Milliseconds that all tries may take together. */
	total: number;
}

const tryAgain = 'Try again in a moment. If it stays like this, check the address of the file.';

/** The beginning of an answer: enough to see whether it is a file. */
interface Beginning {
	statusCode: number;
	headers: IDataObject;
	beginning: Buffer;
}

/**
 * What an answer means that is not the file. Storages and portals report "link expired" as a web page,
 * as XML or as JSON, with different statuses, some of them with HTTP 200.
 * @returns undefined if it may be the file.
 */
export function refusalOf(download: Download, answer: Beginning): ServiceError | undefined {
	const { statusCode: httpStatus, headers, beginning } = answer;
	const found = kindOf(answer);
	if (httpStatus < 300 && found === undefined) return undefined;
	if (httpStatus < 300 && found === 'nothing') {
		const retryable = 'whenIdempotent';
		return notDownloaded(`${download.noun}: the answer is empty`, tryAgain, {
			httpStatus,
			retryable,
		});
	}
	const words = wordsOf(beginning, redactor([download.address]));
	const said = words || (httpStatus < 300 ? `${found} instead of a file` : '');
	const isLate = /expire/i.test(said) || httpStatus === 410;
	if (isLate || httpStatus < 300 || [401, 403, 404].includes(httpStatus)) {
		return linkOver(download.noun, `HTTP ${httpStatus}${said && `: ${said}`}`, httpStatus, isLate);
	}
	const isPassing = httpStatus >= 500 || httpStatus === 408 || httpStatus === 429;
	return notDownloaded(
		`${download.noun} (HTTP ${httpStatus}${said && `: ${said}`})`,
		isPassing
			? 'The fault is where the file is kept. Try again in a moment.'
			: 'Check that the address is whole and was not changed on the way.',
		{
			httpStatus,
			retryAfter: readRetryAfter(headers['retry-after']),
			...(isPassing ? { retryable: 'whenIdempotent' } : {}),
		},
	);
}

/** What an answer is if it is not a file. A PDF is a file, whatever the content type says. */
function kindOf({ headers, beginning }: Beginning): string | undefined {
	if (beginning.length === 0) return 'nothing';
	const text = textIn(beginning);
	if (text.startsWith('%PDF-')) return undefined;
	const type = textOf(headers['content-type']).toLowerCase();
	if (type.includes('html') || /^<(?:!doctype\s+html|html|head|body)[\s>]/i.test(text))
		return 'a web page';
	if (/[/+]json\b/.test(type) || /^(?:\{\s*["}]|\[\s*[\]{"])/.test(text)) return 'JSON';
	return /^<(?:\w{1,40}:)?Error(?:Response)?[\s/>]/i.test(text) ? 'an XML error' : undefined;
}

/** The text without a byte order mark, and without an XML declaration before the root. */
function textIn(bytes: Buffer): string {
	const text = new TextDecoder().decode(bytes).trimStart();
	return text.replace(/^<\?xml[^>]*>\s*/, '');
}

/** The answer's own words: of XML its `<Message>`, of a page its title. */
function wordsOf(beginning: Buffer, redact: Redact): string {
	const text = textIn(beginning);
	const [, , inTag] = /<(Message|title)\b[^<>]{0,200}>([^<]*)<\/\1/i.exec(text) ?? [];
	return messageOf(text.startsWith('<') ? (inTag ?? '') : parseJson(text, text), redact);
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

/** A transfer that broke, or could not begin. */
export function broken({ address, noun }: Download, error: unknown): ServiceError {
	const { problem, retryable } = readNetworkError(error);
	return notDownloaded(`${noun}: ${originOf(address)} ${problem}`, tryAgain, { retryable });
}

/** @param announced How many bytes the sender has announced. */
export function tooLarge({ noun, limit }: Download, announced?: number): ServiceError {
	const size = announced === undefined ? '' : `it has ${megabytes(announced)} MB, `;
	return notDownloaded(
		`${noun}: ${size}more than the limit of ${megabytes(limit)} MB`,
		'Raise "Max File Size (MB)" in the options if the file is to be that large.',
	);
}

export function overdue({ noun, total }: Download): ServiceError {
	return notDownloaded(
		`${noun}: it was not complete after ${total / 1000} s`,
		'The sender is too slow. Try again later, or raise "Timeout" in the options: a file may take twenty times as long.',
	);
}

function linkOver(noun: string, answer: string, httpStatus: number, isLate: boolean): ServiceError {
	return new ServiceError({
		message: isLate
			? `The link to ${noun} has expired (${answer})`
			: `The link to ${noun} is not valid, most likely because it has expired (${answer})`,
		description:
			'Such links work for a short time only. Download the file as soon as the event arrives, before any waiting step. To get this one, take a fresh link from the service.',
		httpStatus,
		docsAnchor: 'files',
	});
}

function megabytes(bytes: number): number {
	return Number((bytes / 1_000_000).toPrecision(3));
}
