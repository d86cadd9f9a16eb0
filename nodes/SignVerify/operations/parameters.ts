import { InputError, readEach } from './inputError';
import { isEmpty, isWebAddress, textOf } from '../util/values';
import type { ItemContext } from './types';

/** Some servers refuse longer URLs. */
const longestAddress = 2048;
const longestId = 200;
const longestEmail = 254;

/** A character that nobody sees: white space, control and format characters, or a line break in a URL. */
const unseen = /^(?:[\s\p{Cc}\p{Cf}]|%0[ad])$/iu;
const unseenInside = /[\p{Cc}\p{Cf}]|%0[ad]/iu;

/** A text from outside without what nobody sees at its ends. Its time grows with its length only. */
export function trimUnseen(value: unknown): string {
	const text = textOf(value);
	// A character has up to two units, and an encoded one has three.
	const lengths = [1, 2, 3];
	let [start, end] = [0, text.length];
	let found: number | undefined;
	do {
		found = lengths.find((length) => unseen.test(text.slice(start, start + length)));
		start += found ?? 0;
	} while (found);
	do {
		found = lengths.find((length) => unseen.test(text.slice(Math.max(start, end - length), end)));
		end -= found ?? 0;
	} while (found && end > start);
	return text.slice(start, end);
}

/** Whether a form or an expression gives nothing that a person could see. */
export function isBlank(value: unknown): boolean {
	return isEmpty(value) || (typeof value === 'string' && trimUnseen(value) === '');
}

/** @throws InputError if it is empty, or a list or an object. */
export function readText(value: unknown, field: string, remedy: string): string {
	const text = trimUnseen(value);
	if (text) return text;
	throw new InputError(field, isBlank(value) ? 'it is empty' : 'it is not a text', remedy);
}

/** @throws InputError as {@link readText}, and for a character inside that nobody sees. */
function readVisible(value: unknown, field: string, remedy: string): string {
	const text = readText(value, field, remedy);
	if (!unseenInside.test(text)) return text;
	throw new InputError(
		field,
		'it has an invisible character inside',
		'Type it instead of pasting it, or remove the character in the expression.',
	);
}

/**
 * Reads an ID that becomes part of a call.
 * @param source Where to find the ID, as a sentence.
 * @throws InputError if it is empty or has characters that would change the path of the call.
 */
export function readId(value: unknown, field: string, source: string): string {
	const id = readVisible(value, field, source);
	if (id.length > longestId) throw new InputError(field, 'it is too long for an ID', source);
	if (!/[\s/\\?#]|^\.+$/.test(id)) return id;
	throw new InputError(field, `"${id}" is not an ID`, `Enter the ID alone. ${source}`);
}

/** @throws InputError if it is empty or not an e-mail address. */
export function readEmail(value: unknown, field: string): string {
	const email = readVisible(value, field, 'Enter an e-mail address.');
	const pattern = /^[^\s@<>(),;:"[\]]+@(?:[^\s@.<>(),;:"[\]]+\.)+[^\s@.<>(),;:"[\]]+$/;
	if (email.length <= longestEmail && pattern.test(email)) return email;
	const shown = email.length > 80 ? `${email.slice(0, 80)}…` : email;
	throw new InputError(
		field,
		`"${shown}" is not an e-mail address`,
		'Enter one address, such as name@email.com.',
	);
}

/**
 * Reads e-mail addresses: a list, or a text with commas, semicolons, spaces or lines between them.
 * @throws InputError with everything that is not an e-mail address.
 */
export function readEmails(value: unknown, field: string): string[] {
	const given: unknown[] = Array.isArray(value) ? value : [value];
	const parts = given.flatMap((each) =>
		typeof each === 'string' ? each.split(/[,;\s]+/) : [each],
	);
	return readEach(
		parts.filter((each) => !isBlank(each)),
		(each) => readEmail(each, field),
	);
}

/**
 * Reads a whole URL. It may have secrets, so no error shows it.
 * @throws InputError if it is empty, not an http(s) URL, or too long.
 */
export function readWebAddress(value: unknown, field: string, remedy: string): string {
	const address = readText(value, field, remedy);
	if (!isWebAddress(address) || /[\p{Cc}\p{Cf}]/u.test(address)) {
		throw new InputError(field, 'it is not a URL', 'Enter a whole URL that begins with https://.');
	}
	if (address.length <= longestAddress) return address;
	throw new InputError(
		field,
		`it is longer than ${longestAddress} characters`,
		'Enter a shorter URL.',
	);
}

/** Whether the workflow has saved a parameter, also if its expression gives nothing for an item. */
export function isInForm(item: ItemContext, name: string): boolean {
	return textOf(item.rawParameter(name)).trim() !== '';
}

/**
 * Reads a switch: true, false, or a text for them.
 * @param name The parameter, by its path.
 * @param field Its name in the form.
 * @param byDefault What it is if the form does not have it.
 * @throws InputError for anything else. An expression that gives nothing is not "off", because the user
 * may have wanted "on".
 */
export function readSwitch(
	item: ItemContext,
	name: string,
	field: string,
	byDefault = false,
): boolean {
	const value = item.parameter(name);
	if (value === undefined && !isInForm(item, name)) return byDefault;
	const text = textOf(value).trim().toLowerCase();
	if (text === 'true' || text === 'on') return true;
	if (text === 'false' || text === 'off') return false;
	throw new InputError(field, 'it is neither on nor off', 'Let the expression give true or false.');
}

/** The numbers that a field accepts. */
interface NumberRange {
	/** The smallest; absent means any above 0. */
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
	range: NumberRange,
	docsAnchor = 'it-must-be-a-number',
): number {
	const { min = Number.MIN_VALUE, max = Number.MAX_VALUE, isWhole } = range;
	const number = typeof value === 'string' && !value.trim() ? NaN : Number(value ?? NaN);
	const isIn = number >= min && number <= max;
	if (isIn && (!isWhole || Number.isInteger(number))) return number;
	throw new InputError(
		field,
		`it must be ${describeRange(range)}`,
		'Enter such a number.',
		docsAnchor,
	);
}

function describeRange({ min, max, isWhole }: NumberRange): string {
	const from = min === undefined ? 'above 0' : `of at least ${min}`;
	const to = max === undefined ? '' : ` and at most ${max}`;
	return `a ${isWhole ? 'whole ' : ''}number ${from}${to}`;
}
