import { quote } from '../util/plainText';
import { redact } from '../util/redact';
import { messageOf } from './envelope';
import { ServiceError } from './errors';
import { asText, type Beginning, isMarkup, recognizeNotAFile, wordsOfMarkup } from './notAFile';
import { readRetryAfter } from './rateLimiter';

/** What file storages and plain hosts answer for a link that has expired. */
const linkStatuses = [401, 403, 404, 410];

/** Statuses below 500 under which the file may come a moment later. */
const passingStatuses = [408, 429];

/** An answer to the request for a file, as far as it was read. */
export interface FileAnswer extends Beginning {
	status: number;
	retryAfter?: unknown;
}

/**
 * Says what an answer with an error status means: mostly that the link has expired, which storages
 * report as XML or JSON under different statuses.
 */
export function refusedDownload(download: Download, answer: FileAnswer): ServiceError {
	const { status } = answer;
	const said = wordsOf(download.address, answer);
	if (isExpired(said) || linkStatuses.includes(status)) {
		return linkOver(download, said, status);
	}
	const isPassing = status >= 500 || passingStatuses.includes(status);
	const retryAfter = readRetryAfter(answer.retryAfter);
	return new ServiceError({
		message: `Could not download ${download.noun} (HTTP ${status}${said && `: ${said}`})`,
		description: isPassing
			? 'The fault is where the file is kept. Try again in a moment.'
			: 'Check that the address is whole and was not changed on the way.',
		httpStatus: status,
		topic: 'files',
		...(isPassing ? { repeat: 'ifIdempotent', retryAfter } : {}),
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
		return new ServiceError({
			message: `Could not download ${download.noun}: the answer is empty`,
			description: 'Try again in a moment. If it stays like this, check the address of the file.',
			httpStatus: answer.status,
			repeat: 'ifIdempotent',
			topic: 'files',
		});
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

/** Its own words, without what signs the address. */
function wordsOf(address: string, answer: FileAnswer): string {
	const secrets = secretsOf(address);
	const hide = (text: string) => redact(text, secrets);
	if (isMarkup(answer)) return quote(wordsOfMarkup(answer) ?? '', hide);
	return messageOf(asText(answer.bytes), hide) ?? '';
}

/** The address and the parts of it that may be a key, should the answer quote them. */
function secretsOf(address: string): string[] {
	const [path = '', ...query] = address.split(/[?&#]/);
	const values = query.map((part) => part.slice(part.indexOf('=') + 1));
	// Some links have their key in the path.
	const parts = path
		.split('/')
		.slice(3)
		.filter((part) => part.length >= 20);
	const whole = [...values.filter((value) => value.length >= 8), ...parts];
	return [address, ...whole, ...whole.map(decoded)];
}

function decoded(value: string): string {
	try {
		return decodeURIComponent(value);
	} catch {
		return value;
	}
}

/** A file behind a pre-signed address. */
export interface Download {
	address: string;
	/** What it is, with its article, for errors. */
	noun: string;
	/** The document's title, and what tells this file of it apart; for the file's name. */
	title: string;
	suffix: string;
	/** Bytes that are accepted at most. */
	limit: number;
	/** Milliseconds to wait for the answer, and for each further piece of it. */
	timeout: number;
	/** Milliseconds that it may take in all, every try included. */
	total: number;
}
