import { type INodePropertyOptions, jsonParse } from 'n8n-workflow';

import { plainText } from '../util/redact';
import { isEmpty, textOf } from '../util/values';
import { hasNamedAddress, mistakeInAddress, splitNamedAddress } from './content/addresses';
import { nameInOneLine } from './content/leftovers';
import { InputError } from './inputError';

const maxId = 200;
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

/** Whether a form or an expression returns nothing that a person could see. */
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

/**
 * Turns a value into the text that it stands for. Every text of a form passes here, so this is the place for
 * what no text of a form may have.
 * @returns The text as it was given; '' if nothing was given.
 * @throws InputError for a list, an object, a truth value, NaN, and a number that is not exact.
 */
export function enteredText(value: unknown, field: string, remedy: string): string {
	if (isEmpty(value)) return '';
	checkDigits(value, field);
	if (typeof value === 'string' || Number.isFinite(value)) return String(value);
	throw new InputError(field, 'it is not a text', remedy, 'it-is-not-a-text');
}

/**
 * Reads a text that must be there.
 * @returns The text without what nobody sees at its ends.
 * @throws InputError as {@link enteredText}, and if it is empty.
 */
export function readText(value: unknown, field: string, remedy: string): string {
	const text = trimUnseen(enteredText(value, field, remedy));
	if (text) return text;
	throw new InputError(field, 'it is empty', remedy, 'it-is-empty');
}

/**
 * The only text of a list, as a look-up of Airtable gives it.
 * @returns undefined for a list of nothing: a look-up without a result, or a checkbox without a choice. Any other
 * value as it is.
 */
export function onlyText(value: unknown): unknown {
	if (!Array.isArray(value) || value.length > 1) return value;
	const [only] = value as unknown[];
	return typeof only === 'string' || typeof only === 'number' || isEmpty(only) ? only : value;
}

/**
 * Reads the name of a person: a text, or a list of one. A number is another column, and a truth value is what
 * `&&` in an expression leaves.
 * @returns The name in one line.
 * @throws InputError as {@link readText}.
 */
export function readName(value: unknown, field: string): string {
	const remedy = 'Enter the full name of the person, or check what the expression returns.';
	const name = onlyText(value);
	if (typeof name === 'number') checkDigits(name, field);
	if (typeof name === 'string' || isEmpty(name))
		return nameInOneLine(readText(name, field, remedy));
	throw new InputError(field, 'it is not a text', remedy, 'it-is-not-a-text');
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
	if (id.length <= maxId && !/[\s/\\?#{}[\]"',;<>]|^\.+$/.test(id)) return id;
	const problem = `"${plainText(id, maxShown)}" is not an ID`;
	throw new InputError(field, problem, `Enter the ID alone. ${source}`, 'is-not-an-id');
}

/**
 * Reads an email address: a text, or a list of one.
 * @throws InputError if it is empty, or something that no mail server takes.
 */
export function readEmail(value: unknown, field: string): string {
	const email = readVisible(
		onlyText(value),
		field,
		'Enter an email address, or check what the expression returns.',
	);
	checkAddressAlone(email, field);
	const mistake = mistakeInAddress(email);
	if (mistake === undefined) return email;
	const problem = `"${plainText(email, maxShown)}" is not an email address`;
	throw new InputError(
		field,
		mistake ? `${problem}: ${mistake}` : problem,
		'Enter one address, such as name@email.com.',
		'is-not-an-email-address',
	);
}

/** @throws InputError for an address with the name of the person, where only an address can be. */
export function checkAddressAlone(value: unknown, field: string): void {
	if (typeof value !== 'string' || !hasNamedAddress(value)) return;
	throw new InputError(
		field,
		`"${plainText(value, maxShown)}" has a name with the address`,
		'Enter only the address: what is between < and >.',
		'has-a-name-with-the-address',
	);
}

/**
 * Reads the email address of a person, also as mail programs write it: `Ana Gil <ana@example.com>`.
 * @returns The address, and the name that stands with it; '' if there is none.
 * @throws InputError as {@link readEmail}.
 */
export function readNamedEmail(value: unknown, field: string): { email: string; name: string } {
	const given = onlyText(value);
	if (typeof given !== 'string') return { email: readEmail(given, field), name: '' };
	const { address, name } = splitNamedAddress(trimUnseen(given));
	return { email: readEmail(address, field), name };
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

/**
 * Reads a link to a file as the service has given it. A space or a brace in it does no harm. It may have secrets, so
 * no error shows it.
 * @throws InputError if it is empty, a typed expression, or not an http(s) URL.
 */
export function readFileLink(
	form: { checkTyped(value: unknown, field: string): void },
	value: unknown,
	field: string,
	remedy: string,
): string {
	form.checkTyped(value, field);
	const link = readText(value, field, remedy);
	if (/^https?:\/\//i.test(link) && URL.canParse(link) && !/[\p{Cc}\p{Cs}]/u.test(link))
		return link;
	throw new InputError(
		field,
		'it is not a URL',
		'Enter a whole URL that begins with https://.',
		'it-is-not-a-url',
	);
}

/** A value that may be JSON: a text that is a list or an object in JSON as this, any other value as it is. */
export function parsedJson(value: unknown): unknown {
	if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
	return jsonParse<unknown>(value, { fallbackValue: value });
}

/**
 * The entries of a list that was given as a list, as a JSON text, or as a text with something between them.
 * @param separators What is between the entries of a text.
 * @returns What an expression failed to give is an entry, too. An empty text is none.
 */
export function entriesOf(value: unknown, separators = /[,;\r\n]+/): unknown[] {
	const list = parsedJson(value);
	return [list]
		.flat()
		.flatMap((entry: unknown) => (typeof entry === 'string' ? entry.split(separators) : [entry]))
		.filter((entry) => typeof entry !== 'string' || !isBlank(entry));
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
