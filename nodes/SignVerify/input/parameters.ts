import type { INodePropertyOptions } from 'n8n-workflow';

import { plainText } from '../util/redact';
import { isEmpty, textOf } from '../util/values';
import { InputError, readEach } from './inputError';

const maxId = 200;
const maxEmail = 254;
/** How many characters of a wrong value an error shows. */
const maxShown = 80;

/** What nobody sees: white space, control and format characters, line breaks of URLs; inside, half characters. */
const unseenStart = /^(?:[\s\p{Cc}\p{Cf}]|%0[ad])+/iu;
const unseenEnd = /(?:[\s\p{Cc}\p{Cf}]|%0[ad])+$/iu;
const unseenInside = /[\p{Cc}\p{Cf}\p{Cs}]|%0[ad]/iu;

/** A text from outside without what nobody sees at its ends. */
export function trimUnseen(value: unknown): string {
	const text = textOf(value);
	let end = text.length;
	let unseen: number;
	// Piece by piece: in the whole text, the pattern would begin again at each space inside.
	do {
		const piece = text.slice(Math.max(0, end - 100), end);
		unseen = unseenEnd.exec(piece)?.[0].length ?? 0;
		end -= unseen;
	} while (unseen > 0);
	return text.slice(0, end).replace(unseenStart, '');
}

/** Whether a form or an expression gives nothing that a person could see. */
export function isBlank(value: unknown): boolean {
	return isEmpty(value) || (typeof value === 'string' && trimUnseen(value) === '');
}

/**
 * @throws InputError for a whole number beyond 2^53: JavaScript has rounded it, so it may be another one than
 * the item had.
 */
export function checkDigits(value: unknown, field: string): void {
	if (!Number.isInteger(value) || Number.isSafeInteger(value)) return;
	throw new InputError(
		field,
		'the number has too many digits to be exact',
		'Give it as a text, such as "12345678901234567890", where it first enters the workflow.',
		'the-number-has-too-many-digits-to-be-exact',
	);
}

/** @throws InputError if it is empty, a list, an object, or a number that is not exact. */
export function readText(value: unknown, field: string, remedy: string): string {
	checkDigits(value, field);
	const text = trimUnseen(value);
	if (text) return text;
	throw new InputError(
		field,
		isBlank(value) ? 'it is empty' : 'it is not a text',
		remedy,
		'it-is-empty',
	);
}

/** @throws InputError as {@link readText}, and for a character inside that nobody sees. */
function readVisible(value: unknown, field: string, remedy: string): string {
	const text = readText(value, field, remedy);
	if (!unseenInside.test(text)) return text;
	throw new InputError(
		field,
		'it has an invisible character inside',
		'Type it instead of pasting it, or remove the character in the expression.',
		'it-has-an-invisible-character-inside',
	);
}

/**
 * Reads an ID that becomes part of a call.
 * @param source Where to find the ID, as a sentence.
 * @throws InputError if it is empty, too long, or has characters that would change the path of the call.
 */
export function readId(value: unknown, field: string, source: string): string {
	const id = readVisible(value, field, source);
	if (id.length <= maxId && !/[\s/\\?#{}]|^\.+$/.test(id)) return id;
	const problem = `"${plainText(id, maxShown)}" is not an ID`;
	throw new InputError(field, problem, `Enter the ID alone. ${source}`, 'is-not-an-id');
}

/** @throws InputError if it is empty or not an e-mail address. */
export function readEmail(value: unknown, field: string): string {
	const email = readVisible(value, field, 'Enter an e-mail address.');
	const pattern = /^[^\s@<>(),;:"[\]]+@(?:[^\s@.<>(),;:"[\]]+\.)+[^\s@.<>(),;:"[\]]+$/;
	if (email.length <= maxEmail && pattern.test(email)) return email;
	const problem = `"${plainText(email, maxShown)}" is not an e-mail address`;
	throw new InputError(
		field,
		problem,
		'Enter one address, such as name@email.com.',
		'is-not-an-e-mail-address',
	);
}

/**
 * Reads e-mail addresses: a list, or a text with commas, semicolons, spaces or lines between them.
 * @throws InputError with everything that is not an e-mail address.
 */
export function readEmails(value: unknown, field: string): string[] {
	const parts = [value]
		.flat()
		.flatMap((part: unknown) => (typeof part === 'string' ? part.split(/[,;\s]+/) : [part]));
	return readEach(
		parts.filter((part) => !isBlank(part)),
		(part) => readEmail(part, field),
	);
}

/**
 * Reads a whole URL. It may have secrets, so no error shows it.
 * @throws InputError if it is empty or not an http(s) URL.
 */
export function readWebAddress(value: unknown, field: string, remedy: string): string {
	const address = readText(value, field, remedy);
	const isWhole = /^https?:\/\/\S+$/i.test(address) && URL.canParse(address);
	// A brace is of an expression that somebody typed as a text.
	if (isWhole && !/[\p{Cc}\p{Cf}\p{Cs}{}]/u.test(address)) return address;
	throw new InputError(
		field,
		'it is not a URL',
		'Enter a whole URL that begins with https://.',
		'it-is-not-a-url',
	);
}

/** What was chosen from a list of which several can be; an expression may give a single one as a text. */
export function chosenIn(value: unknown): unknown[] {
	return [value].flat().filter((one) => !isEmpty(one));
}

/**
 * Reads what was chosen from a list.
 * @throws InputError if it is none of the options.
 */
export function readChoice<Option extends { value: string }>(
	value: unknown,
	field: string,
	options: readonly Option[],
): Option {
	const chosen = options.find((option) => option.value === value);
	if (chosen) return chosen;
	const values = options.map((option) => option.value).join(', ');
	throw new InputError(
		field,
		'there is no such choice',
		`Choose one of ${values}.`,
		'there-is-no-such-choice',
	);
}

/** The numbers that a field accepts; without `min` those above 0. */
interface NumberRange {
	min?: number;
	max?: number;
	isWhole?: boolean;
}

/**
 * Reads a number, or a text that is one.
 * @throws InputError for everything else, and for a number out of its range.
 */
export function readNumber(
	value: unknown,
	field: string,
	{ min = Number.MIN_VALUE, max = Number.MAX_VALUE, isWhole = false }: NumberRange,
): number {
	const number = Number(textOf(value).trim() || NaN);
	if (number >= min && number <= max && (!isWhole || Number.isInteger(number))) return number;
	const from = min === Number.MIN_VALUE ? 'above 0' : `of at least ${min}`;
	const to = max === Number.MAX_VALUE ? '' : ` and at most ${max}`;
	const problem = `it must be a ${isWhole ? 'whole number' : 'number'} ${from}${to}`;
	throw new InputError(field, problem, 'Enter such a number.', 'it-must-be-a-number');
}

/** How much of an answer or event a node can output, as the form shows it. */
export const outputs = [
	{ name: 'Simplified', value: 'simplified', description: 'The most useful fields' },
	{
		name: 'Raw',
		value: 'raw',
		description: 'What the service sent, also links with which others could sign',
	},
] as const satisfies INodePropertyOptions[];

/** How much of an answer or event to output. */
export type Output = (typeof outputs)[number]['value'];

/** How much to output; simplified if a workflow has not saved it. @throws InputError for no such choice. */
export function readOutput(given: unknown): Output {
	return readChoice(given ?? 'simplified', 'Output', outputs).value;
}
