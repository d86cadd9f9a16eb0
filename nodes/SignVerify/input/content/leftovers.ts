import { quoted } from '../../util/redact';
import { lineBreaks } from '../../util/values';
import type { Finding, Severity } from './finding';
import { spreadsheetErrorIn } from './spreadsheetErrors';

/*
 * Finds leftovers: traces of an expression, a spreadsheet or an encoding that failed in an earlier step.
 * Nothing else is checked, because the wording of a contract is up to the user.
 */

/**
 * A kind of leftover. The severities state how certain it is that the leftover is a mistake, depending on
 * where it appears.
 */
interface Leftover {
	/** Returns the first leftover of this kind in a string, or undefined. */
	find(text: string): string | undefined;
	/** The severity in a person's name. If undefined, this kind is allowed in names. */
	inName?: Severity;
	/** The severity if the leftover is a field's entire value. */
	asField?: Severity;
	/** The severity if the leftover is part of a longer value. */
	inField?: Severity;
	/** Describes the leftover as the rest of a sentence that begins with the field's name: "contains …". */
	problem(leftover: string): string;
	remedy: string;
}

const expressionFailed =
	'An earlier step or an expression returned no value. Check what it returns for this item.';
const encodingFailed =
	'The text was damaged in an earlier step. Read the file or the data again as UTF-8, or retype the text.';
const spreadsheetFailed =
	'Correct the value. If it comes from a spreadsheet, correct the cell, and read the file again.';

/** Creates a pattern for a whole word. No letter, digit or underscore may directly precede or follow it. */
function word(pattern: string, flags = ''): RegExp {
	return new RegExp(
		`(?<![\\p{L}\\p{M}\\p{N}_])(?:${pattern})(?![\\p{L}\\p{M}\\p{N}_])`,
		`u${flags}`,
	);
}

function finderOf(pattern: RegExp): Leftover['find'] {
	return (text) => pattern.exec(text)?.[0];
}

function containsIt(leftover: string): string {
	return `contains ${quoted(leftover)}`;
}

/** Returns a character's Unicode number for a message, because the character itself is invisible. */
function numberOf(character: string): string {
	return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** All kinds of leftovers to look for in names and field values. */
const leftovers: Leftover[] = [
	{
		// Allow line breaks, even those that are control characters, because spreadsheet cells may contain
		// them.
		find: finderOf(new RegExp(`(?![${lineBreaks}])\\p{Cc}`, 'u')),
		inName: 'certain',
		asField: 'certain',
		inField: 'certain',
		problem: (leftover) => `contains a control character (${numberOf(leftover)})`,
		remedy: encodingFailed,
	},
	{
		find: finderOf(/\p{Surrogate}/u),
		inName: 'certain',
		asField: 'certain',
		inField: 'certain',
		problem: () => 'contains an incomplete character',
		remedy:
			'The text was cut off in the middle of an emoji. Cut it elsewhere, or use the whole text.',
	},
	{
		find: finderOf(/\uFFFD/),
		inName: 'certain',
		asField: 'certain',
		inField: 'certain',
		problem: () => "contains a character that couldn't be read (U+FFFD)",
		remedy: encodingFailed,
	},
	{
		find: finderOf(/\[object [A-Z]\w{0,40}\]/),
		inName: 'certain',
		asField: 'certain',
		inField: 'certain',
		problem: containsIt,
		remedy:
			'An expression returned a whole object instead of one of its properties. Select the property that you need.',
	},
	{
		find: (text) => spreadsheetErrorIn(text, 'certain'),
		inName: 'certain',
		asField: 'certain',
		inField: 'likely',
		problem: (leftover) => `contains the spreadsheet error ${quoted(leftover)}`,
		remedy: spreadsheetFailed,
	},
	{
		find: finderOf(word('undefined')),
		inName: 'certain',
		asField: 'certain',
		inField: 'likely',
		problem: containsIt,
		remedy: expressionFailed,
	},
	{
		find: finderOf(word('undefined', 'i')),
		inName: 'certain',
		problem: containsIt,
		remedy: expressionFailed,
	},
	{
		find: finderOf(word('NaN')),
		inName: 'certain',
		asField: 'certain',
		inField: 'likely',
		problem: containsIt,
		remedy:
			"An expression used something that isn't a number in a calculation. Check each value in the calculation for this item.",
	},
	{
		find: finderOf(word('Invalid Date(?:Time)?')),
		inName: 'certain',
		asField: 'certain',
		inField: 'likely',
		problem: containsIt,
		remedy: "An expression couldn't read a date. Check the value that it receives for this item.",
	},
	{
		// Null is a real family name, so reject only a name that consists of nothing else.
		find: finderOf(/^null(?:\s+null)*$/),
		inName: 'certain',
		problem: containsIt,
		remedy: expressionFailed,
	},
	{
		find: finderOf(word('null')),
		asField: 'certain',
		inField: 'likely',
		problem: containsIt,
		remedy: expressionFailed,
	},
	{
		find: finderOf(word('null', 'i')),
		inName: 'likely',
		asField: 'likely',
		problem: containsIt,
		remedy: expressionFailed,
	},
	{
		find: (text) => spreadsheetErrorIn(text, 'likely'),
		inName: 'likely',
		asField: 'likely',
		problem: (leftover) => `${quoted(leftover)} looks like a spreadsheet error`,
		remedy: spreadsheetFailed,
	},
	{
		// Spreadsheets save "###" if a column is too narrow for the value.
		find: finderOf(/^#{3,}$/),
		inName: 'likely',
		asField: 'likely',
		problem: (leftover) =>
			`${quoted(leftover)} looks like a cell that was too narrow to show its value`,
		remedy: spreadsheetFailed,
	},
	{
		// Spreadsheets save "Loading..." if a formula was still running.
		find: finderOf(/^Loading\.\.\.$/),
		inName: 'likely',
		asField: 'likely',
		problem: (leftover) => `${quoted(leftover)} looks like a cell that was still loading`,
		remedy: spreadsheetFailed,
	},
	{
		find: finderOf(/(?<![\d.,])\d{1,20}[.,]\d{10,40}(?![\d.,]*\d)/),
		asField: 'likely',
		inField: 'likely',
		problem: (leftover) => `the number ${leftover} isn't rounded`,
		remedy: 'Round it in the expression, for example with .round(2) after the number.',
	},
	{
		find: finderOf(/^-?\d(?:[.,]\d{1,20})?[eE][+-]?\d{1,3}$/),
		asField: 'likely',
		problem: (leftover) =>
			`${quoted(leftover)} is in scientific notation, so some digits may be missing`,
		remedy: 'Format the cell as text before you enter the number, or pass the number as text.',
	},
];

const docsAnchor = 'it-contains-a-leftover';

/**
 * Checks a string for every kind of leftover.
 * @param severityOf Returns how certain it is that the leftover is a mistake in this string; undefined if the
 * leftover is allowed.
 * @returns The first certain mistake, otherwise the first likely mistake, otherwise undefined.
 */
function firstMistake(
	text: string,
	severityOf: (kind: Leftover, leftover: string) => Severity | undefined,
): Finding | undefined {
	let firstLikely: Finding | undefined;
	for (const kind of leftovers) {
		const leftover = kind.find(text);
		if (leftover === undefined) continue;
		const severity = severityOf(kind, leftover);
		if (severity === undefined) continue;
		const finding: Finding = {
			severity,
			problem: kind.problem(leftover),
			remedy: kind.remedy,
			docsAnchor,
		};
		if (severity === 'certain') return finding;
		firstLikely ??= finding;
	}
	return firstLikely;
}

/** Checks a person's name for leftovers. */
export function mistakeInName(name: string): Finding | undefined {
	return firstMistake(name, ({ inName }) => inName);
}

/** Checks a template field's value for leftovers. */
export function mistakeInField(value: string): Finding | undefined {
	const text = value.trim();
	return firstMistake(text, ({ asField, inField }, leftover) =>
		isNothingElse(text, leftover) ? asField : inField,
	);
}

/**
 * Whether a string contains only the leftover, possibly repeated: "NaN €", "undefined undefined", "(null)".
 */
function isNothingElse(text: string, leftover: string): boolean {
	return !/[\p{L}\p{N}]/u.test(
		text
			.replace(/[\u00a0\u202f]/g, ' ')
			.normalize('NFC')
			.replaceAll(leftover, ''),
	);
}
