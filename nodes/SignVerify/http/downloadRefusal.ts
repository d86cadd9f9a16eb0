import { quote } from '../util/plainText';
import { redact } from '../util/redact';
import { decodeUrlPart, textOf } from '../util/values';
import { messageOf } from './envelope';
import { type ErrorFacts, ServiceError } from './errors';
import { readRetryAfter } from './rateLimiter';

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
	/** Milliseconds to wait for the answer, and for each piece of it. */
	timeout: number;
	/** Milliseconds that all tries may take together. */
	total: number;
}

/** What file storages and plain hosts answer for a link that has expired. */
const linkStatuses = [401, 403, 404, 410];

/** Statuses below 500 that may pass in a moment. */
const passingStatuses = [408, 429];

/** The beginning of an answer: enough to see whether it is a file. */
interface Beginning {
	bytes: Buffer;
	/** Whether that is the whole answer. */
	whole: boolean;
	/** Header `Content-Type`, if there was one. */
	contentType: unknown;
}

/** The beginning of an answer to the request for a file. */
interface FileAnswer extends Beginning {
	status: number;
	retryAfter?: unknown;
}

/**
 * What an answer with an error status means: mostly that the link has expired, which storages report
 * as XML or JSON with different statuses.
 */
export function refusedDownload(download: Download, answer: FileAnswer): ServiceError {
	const { status } = answer;
	const said = wordsOf(download.address, answer);
	if (isExpired(said) || linkStatuses.includes(status)) {
		return linkOver(download, said, status);
	}
	const isPassing = status >= 500 || passingStatuses.includes(status);
	const retryAfter = readRetryAfter(answer.retryAfter);
	return notDownloaded(
		`${download.noun} (HTTP ${status}${said && `: ${said}`})`,
		isPassing
			? 'The fault is where the file is kept. Try again in a moment.'
			: 'Check that the address is whole and was not changed on the way.',
		{ httpStatus: status, ...(isPassing ? { repeat: 'ifIdempotent', retryAfter } : {}) },
	);
}

/** @param what The file, and why it could not be downloaded. */
export function notDownloaded(
	what: string,
	description: string,
	facts: Partial<ErrorFacts> = {},
): ServiceError {
	return new ServiceError({
		...facts,
		message: `Could not download ${what}`,
		description,
		topic: 'files',
	});
}

/**
 * Checks an answer that claims to be the file.
 * @returns The failure if it is a page or a message about the link instead; undefined if it may be
 * the file.
 */
export function notTheFile(download: Download, answer: FileAnswer): ServiceError | undefined {
	const found = recognizeNotAFile(answer);
	if (found === undefined) return undefined;
	if (found === 'nothing') {
		return notDownloaded(
			`${download.noun}: the answer is empty`,
			'Try again in a moment. If it stays like this, check the address of the file.',
			{ httpStatus: answer.status, repeat: 'ifIdempotent' },
		);
	}
	const said = wordsOf(download.address, answer);
	return linkOver(download, said || `${found} instead of a file`, answer.status);
}

function linkOver({ noun }: Download, said: string, status: number): ServiceError {
	const answer = said ? `HTTP ${status}: ${said}` : `HTTP ${status}`;
	const expired = isExpired(said) || status === 410;
	return new ServiceError({
		message: expired
			? `The link to ${noun} has expired (${answer})`
			: `The link to ${noun} is not valid, most likely because it has expired (${answer})`,
		description:
			'Such links work for a short time only. Download the file as soon as the event arrives, before any waiting step. To get this one, take a fresh link from the service.',
		httpStatus: status,
		topic: 'files',
	});
}

function isExpired(said: string): boolean {
	return /expire/i.test(said);
}

/** The answer's own words, without secrets. */
function wordsOf(address: string, answer: FileAnswer): string {
	const secrets = secretsOf(address);
	const hide = (text: string) => redact(text, secrets);
	const text = asText(answer.bytes);
	if (!text.startsWith('<')) return messageOf(text, hide) ?? '';
	// Of XML its `<Message>`, of a page its title.
	return quote(/<(Message|title)\b[^<>]{0,200}>([^<]*)<\/\1/i.exec(text)?.[2] ?? '', hide);
}

/** The URL, and the parts of it that may be a key: the answer may quote them. */
function secretsOf(address: string): string[] {
	const [path = '', ...query] = address.split(/[?&#]/);
	const values = query.map((part) => part.slice(part.indexOf('=') + 1));
	// Some links have their key in the path.
	const parts = path
		.split('/')
		.slice(3)
		.filter((part) => part.length >= 20);
	const whole = [...values.filter((value) => value.length >= 8), ...parts];
	return [address, ...whole, ...whole.map(decodeUrlPart)];
}

/** What an answer is if it is not a file. */
type NotAFile = 'nothing' | 'a web page' | 'an XML error' | 'JSON' | 'a sentence';

/** The tags by which browsers recognize a web page without a content type (WHATWG MIME Sniffing). */
const firstTag =
	/^<(?:!doctype\s+html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p|meta|center)[\s/>]/i;
const firstTagOfXhtml = /^<(?:!doctype\s+html|html)[\s>]/i;

/** A shorter answer that says "expired" is about the link. */
const longestSentence = 300;

/**
 * Recognizes an answer that is not the file. Storages and portals answer "link expired" as a web page,
 * as XML or as JSON, some of them with HTTP 200. A PDF and other binary content are files, whatever the
 * content type says.
 */
function recognizeNotAFile(beginning: Beginning): NotAFile | undefined {
	const { bytes, whole } = beginning;
	if (bytes.length === 0) return 'nothing';
	const text = asText(bytes);
	if (text.startsWith('%PDF-')) return undefined;
	const { isXml, root } = rootOf(text);
	if ((isXml ? firstTagOfXhtml : firstTag).test(root)) return 'a web page';
	if (/^<(?:\w{1,40}:)?Error(?:Response)?[\s/>]/i.test(root)) return 'an XML error';
	if (/^\{\s*(?:"|\}|$)/.test(text)) return 'JSON';
	// A PDF may begin with other bytes.
	if (isBinary(text) || text.includes('%PDF-')) return undefined;
	const type = textOf(beginning.contentType).toLowerCase();
	if (/html/.test(type)) return 'a web page';
	if (/[/+]json\b/.test(type)) return 'JSON';
	const isSentence = whole && text.length <= longestSentence && /\bexpired\b/i.test(text);
	return isSentence ? 'a sentence' : undefined;
}

/** The text without a byte order mark and leading space; UTF-16 pages say so by that mark. */
function asText(bytes: Buffer): string {
	const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
	return bytes
		.toString(isUtf16 ? 'utf16le' : 'utf8')
		.replace(/^\ufeff/, '')
		.trimStart();
}

/** The text behind an XML declaration and comments. */
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

/** A text has no control characters except those for space. */
function isBinary(text: string): boolean {
	return /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/.test(text);
}
