import { jsonParse } from 'n8n-workflow';

import { hasNamedAddress, isAddress, maxAddressLength, splitNamedAddress } from '../text/addresses';
import { InputError, MissingValue } from '../errors/inputError';
import { valueProblems } from '../text/textProblems';
import { settleSync } from '../util/async';
import { plainText, quoted } from '../util/redact';
import { comparedText, maxTextLength, seenText } from '../util/text';
import { parseUrl } from '../util/urls';
import { isEmpty, isNumber, textOf } from '../util/values';

/**
 * The maximum length of an ID. The service's IDs are much shorter. The limit is there to keep pasted
 * documents out of URLs.
 */
const maxIdLength = 200;

/*
 * Invisible characters are whitespace, control and format characters, and URL-encoded line breaks (%0a, %0d).
 * Inside a string, spaces are allowed, but half a character (a lone surrogate) is not.
 */
const invisibleStart = /^(?:[\s\p{Cc}\p{Cf}]|%0[ad])+/iu;
const invisibleEnd = /(?:[\s\p{Cc}\p{Cf}]|%0[ad]){1,100}$/iu;
const invisibleInside = /[\p{Cc}\p{Cf}\p{Cs}]|%0[ad]/iu;

/**
 * Removes all leading and trailing invisible characters from a string that programs read, such as an address, an ID,
 * or a key, in which none of them belongs to a letter. Any other text is read by {@link seenText}. Finite numbers and
 * booleans become strings; any other value becomes ''.
 */
export function trimUnseen(value: unknown): string {
	const text = textOf(value);
	let end = text.length;
	let invisibleLength: number;
	// Search only 100 characters at a time. On a long string, the pattern would be slow, because it starts
	// over at every space.
	do {
		const lastPiece = text.slice(Math.max(0, end - 100), end);
		invisibleLength = invisibleEnd.exec(lastPiece)?.[0].length ?? 0;
		end -= invisibleLength;
	} while (invisibleLength > 0);
	return text.slice(0, end).replace(invisibleStart, '');
}

/** Characters that are letters or symbols, but without ink, such as the Hangul filler and the blank in Braille. */
const unseen = /[\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Matches most texts: a visible letter that can't be part of a URL-encoded line break. */
const certainlySeen = /[e-z]/i;

export function isBlank(value: unknown): boolean {
	if (isEmpty(value)) return true;
	if (typeof value !== 'string' || certainlySeen.test(value)) return false;
	return trimUnseen(value.replace(unseen, '')) === '';
}

/** JavaScript rounds whole numbers beyond 2^53, so the item may have contained a different number. */
function checkDigits(value: unknown, label: string): void {
	if (!Number.isInteger(value) || Number.isSafeInteger(value)) return;
	throw new InputError(label, valueProblems.tooManyDigits);
}

/**
 * Refuses text that no contract contains, before anything searches or compares it. Otherwise, a stranger
 * could enter a text into a public form that keeps n8n busy.
 */
export function checkTextLength(value: unknown, label: string): void {
	if (typeof value !== 'string' || value.length <= maxTextLength) return;
	throw new InputError(label, valueProblems.tooLong);
}

const maxListEntries = 1000;

/** Refuses a list that is too long to be what the user meant, before anything reads its entries. */
export function checkListLength(list: unknown[], label: string): void {
	if (list.length <= maxListEntries) return;
	throw new InputError(label, valueProblems.tooManyEntries(list.length, maxListEntries));
}

/**
 * Converts an entered value to a string. Every string from a form passes through this function, so a check
 * that applies to all of them belongs here.
 * @returns The string, untrimmed; '' for an empty value.
 * @throws InputError for a list, an object, true, false, NaN, a number that isn't exact, and text that is too
 * long.
 */
export function enteredText(value: unknown, label: string, remedy: string): string {
	if (isEmpty(value)) return '';
	checkDigits(value, label);
	const text = isNumber(value) ? String(value) : value;
	checkTextLength(text, label);
	if (typeof text === 'string') return text;
	throw notText(value, label, remedy);
}

function notText(value: unknown, label: string, remedy: string): InputError {
	return new InputError(label, { ...valueProblems.notText(shown(value)), remedy });
}

/** Shows a value in a message: its type if that explains the mistake, and how the value begins. */
export function shown(value: unknown): string {
	if (isEmpty(value)) return 'an empty value';
	if (typeof value === 'string') return quoted(value);
	if (['bigint', 'number', 'boolean'].includes(typeof value)) return String(value);
	const what = Array.isArray(value) ? 'a list' : 'an object';
	// An expression can return an object that contains itself.
	const json = settleSync(() => JSON.stringify(value));
	return json.ok ? `${what} (${plainText(json.value, maxShownValueLength)})` : what;
}

/** How much of a list or an object a message shows, in characters. */
const maxShownValueLength = 100;

/**
 * @param trim Removes what no one sees at the ends.
 * @throws MissingValue for an empty string, or InputError for what {@link enteredText} refuses.
 */
export function readText(
	value: unknown,
	label: string,
	remedy: string,
	trim: (text: string) => string = seenText,
): string {
	const text = trim(enteredText(value, label, remedy));
	if (!isBlank(text)) return text;
	throw new MissingValue(label, { ...valueProblems.empty, remedy });
}

/**
 * Unwraps a list with a single entry, such as those of Airtable's lookup fields.
 * @returns undefined for an empty list, which Airtable returns if a lookup finds nothing. Any other value is
 * returned unchanged.
 */
export function onlyText(value: unknown): unknown {
	if (!Array.isArray(value) || value.length > 1) return value;
	const [entry] = value as unknown[];
	return typeof entry === 'string' || typeof entry === 'number' || isEmpty(entry) ? entry : value;
}

/** Whether a value from a form or a column is empty, blank, or a list without a value. */
export function isUnfilled(value: unknown): boolean {
	return isBlank(onlyText(value));
}

/** Whether two values look the same when they are sent: 5 and "5", "Ana" and ["Ana "]. */
export function isSameValue(left: unknown, right: unknown): boolean {
	return comparedValue(left) === comparedValue(right);
}

function comparedValue(value: unknown): string {
	if (isUnfilled(value)) return '';
	const only = onlyText(value);
	return typeof only === 'object' ? JSON.stringify(only) : comparedText(textOf(only));
}

/**
 * Reads a person's name, given as a string or a list with a single string. Refuses numbers, which probably
 * come from the wrong column, and booleans, which probably result from `&&` in an expression.
 */
export function readName(value: unknown, label: string): string {
	const remedy = "Enter the person's full name, or check what the expression returns.";
	const name = onlyText(value);
	if (typeof name === 'number') checkDigits(name, label);
	if (typeof name === 'string' || isEmpty(name)) return readText(name, label, remedy);
	throw notText(name, label, remedy);
}

function readVisible(value: unknown, label: string, remedy: string): string {
	const text = readText(value, label, remedy, trimUnseen);
	if (!invisibleInside.test(text)) return text;
	throw new InputError(label, valueProblems.invisibleCharacter);
}

/**
 * Reads an ID that becomes part of a request URL, whose path it mustn't change.
 * @param source A sentence that explains where to find the ID.
 */
export function readId(value: unknown, label: string, source: string): string {
	const id = readVisible(value, label, source);
	if (id.length <= maxIdLength && !/[\s/\\?#{}[\]"',;<>]|^\.+$/.test(id)) return id;
	throw new InputError(label, {
		...valueProblems.notId(id),
		remedy: `Enter only the ID. ${source}`,
	});
}

/** Reads an email address, without a name, given as a string or a list with a single string. */
export function readEmail(value: unknown, label: string): string {
	const email = readVisible(
		onlyText(value),
		label,
		'Enter an email address, or check what the expression returns.',
	);
	checkAddressAlone(email, label);
	if (isAddress(email)) return email;
	const row = email.length > maxAddressLength ? 'addressTooLong' : 'notEmail';
	throw new InputError(label, valueProblems[row](email));
}

/** Refuses `Ana Gil <ana@example.com>` in a field that takes only the address. */
function checkAddressAlone(value: unknown, label: string): void {
	if (typeof value !== 'string' || !hasNamedAddress(value)) return;
	throw new InputError(label, valueProblems.nameInAddress(value));
}

/**
 * Reads an address with or without a name: `ana@example.com`, `Ana Gil <ana@example.com>`.
 * @returns The name is '' if there is none.
 */
export function readNamedEmail(value: unknown, label: string): { email: string; name: string } {
	const enteredAddress = onlyText(value);
	if (typeof enteredAddress !== 'string') {
		return { email: readEmail(enteredAddress, label), name: '' };
	}
	const { address, name } = splitNamedAddress(trimUnseen(enteredAddress));
	return { email: readEmail(address, label), name };
}

/**
 * Reads a URL, given as a string or a list with a single string. No error shows the value, because it may contain
 * secrets.
 * @param refused Matches what the URL must not contain.
 */
export function readUrl(value: unknown, label: string, remedy: string, refused: RegExp): string {
	const entered = onlyText(value);
	if (isEmpty(entered) || typeof entered === 'string') {
		const url = readText(entered, label, remedy, trimUnseen);
		const isWhole = /^https?:\/\//i.test(url) && parseUrl(url) !== undefined;
		if (isWhole && !refused.test(url)) return url;
	}
	throw new InputError(label, valueProblems.notUrl);
}

/** Parses a JSON string that contains a list or an object. Returns any other value unchanged. */
export function parsedJson(value: unknown): unknown {
	if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
	return jsonParse<unknown>(value, { fallbackValue: value });
}

/**
 * Splits an entered list into its entries. The list may be an array, JSON, or a string with separators.
 * @returns The entries, without blank strings. undefined and null are kept, because they show that an
 * expression failed.
 */
export function entriesOf(value: unknown): unknown[] {
	const list = parsedJson(value);
	return [list]
		.flat()
		.flatMap((entry: unknown) => (typeof entry === 'string' ? entry.split(/[,;\r\n]+/) : [entry]))
		.filter((entry) => typeof entry !== 'string' || !isBlank(entry));
}

export function readChoice<Option extends { value: string }>(
	value: unknown,
	label: string,
	options: readonly Option[],
): Option {
	const chosen = options.find((option) => option.value === value);
	if (chosen) return chosen;
	const values = options.map((option) => option.value).join(', ');
	throw new InputError(label, valueProblems.notAChoice(values));
}

/** Without `min`, the field accepts any number above 0. */
interface NumberRange {
	min?: number;
	max?: number;
	isWhole?: boolean;
}

export function readNumber(
	value: unknown,
	label: string,
	{ min = Number.MIN_VALUE, max = Number.MAX_VALUE, isWhole = false }: NumberRange,
): number {
	const number = Number(textOf(value).trim() || NaN);
	if (number >= min && number <= max && (!isWhole || Number.isInteger(number))) return number;
	const from = min === Number.MIN_VALUE ? 'above 0' : `of at least ${min}`;
	const to = max === Number.MAX_VALUE ? '' : ` and at most ${max}`;
	const range = `a ${isWhole ? 'whole number' : 'number'} ${from}${to}`;
	throw new InputError(label, valueProblems.notInRange(range));
}
