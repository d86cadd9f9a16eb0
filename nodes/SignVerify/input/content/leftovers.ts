import { type Finding, quoted, type Severity } from './finding';
import { spreadsheetErrorIn } from './spreadsheetErrors';

/*
 * What expressions, spreadsheets and encodings leave behind in a text when something went wrong before. The
 * wording of a contract is the user's own, so nothing else is judged here.
 */

/** A kind of leftover, and how sure it is that it is a mistake in each place. */
interface Leftover {
	/** Finds the first one. */
	find(text: string): string | undefined;
	/** Of a person's name. */
	inName?: Severity;
	/** If it is the whole value of a field. */
	asField?: Severity;
	/** Within a longer value of a field. */
	inField?: Severity;
	/** What it is, as the rest of a sentence: "it contains …". The text that was found is behind it. */
	problem(found: string): string;
	remedy: string;
}

const expressionFailed =
	'An earlier step or an expression had no value. Check what it returns for this item.';
const encodingFailed =
	'The text was damaged before it came here. Read the file or the data again as UTF-8, or type the text.';
const spreadsheetFailed = 'Correct the cell in the spreadsheet, and read it again.';

/** A whole word. Letters, digits and an underscore belong to a word. */
function word(pattern: string, flags = ''): RegExp {
	return new RegExp(
		`(?<![\\p{L}\\p{M}\\p{N}_])(?:${pattern})(?![\\p{L}\\p{M}\\p{N}_])`,
		`u${flags}`,
	);
}

function finderOf(pattern: RegExp): Leftover['find'] {
	return (text) => pattern.exec(text)?.[0];
}

function containsIt(found: string): string {
	return `it contains ${quoted(found)}`;
}

/** A character by its number, because nobody can see it. */
function numberOf(character: string): string {
	return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** What counts as the end of a line or a gap in one: cells of spreadsheets have all of them. */
const lineBreaks = '\\t\\n\\v\\f\\r\\x85\\u2028\\u2029';

/** The one table of what is found in names and in the values of fields. */
const leftovers: Leftover[] = [
	{
		find: finderOf(new RegExp(`(?![${lineBreaks}])\\p{Cc}`, 'u')),
		inName: 'certain',
		asField: 'certain',
		inField: 'certain',
		problem: (found) => `it contains a control character (${numberOf(found)})`,
		remedy: encodingFailed,
	},
	{
		find: finderOf(/\p{Surrogate}/u),
		inName: 'certain',
		asField: 'certain',
		inField: 'certain',
		problem: () => 'it contains half a character',
		remedy: 'A text was cut in the middle of an emoji. Cut it elsewhere, or use the whole text.',
	},
	{
		find: finderOf(/\uFFFD/),
		inName: 'certain',
		asField: 'certain',
		inField: 'certain',
		problem: () => 'it contains a character that could not be read (U+FFFD)',
		remedy: encodingFailed,
	},
	{
		find: finderOf(/\[object [A-Z]\w{0,40}\]/),
		inName: 'certain',
		asField: 'certain',
		inField: 'certain',
		problem: containsIt,
		remedy:
			'An expression returned a whole object instead of one of its properties. Choose the property that you need.',
	},
	{
		find: (text) => spreadsheetErrorIn(text, 'certain'),
		inName: 'certain',
		asField: 'certain',
		inField: 'likely',
		problem: (found) => `it contains the error ${quoted(found)} of a spreadsheet`,
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
			'An expression calculated with something that is not a number. Check its parts for this item.',
	},
	{
		find: finderOf(word('Invalid Date(?:Time)?')),
		inName: 'certain',
		asField: 'certain',
		inField: 'likely',
		problem: containsIt,
		remedy: 'An expression could not read a date. Check what it gets for this item.',
	},
	{
		// Nobody has this as a whole name. As a part, it is the name of some people.
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
		problem: (found) => `${quoted(found)} looks like an error of a spreadsheet`,
		remedy: spreadsheetFailed,
	},
	{
		// A column that is too narrow, or a formula that has not ended, when the spreadsheet was saved.
		find: finderOf(/^(?:#{3,}|Loading\.\.\.)$/),
		inName: 'likely',
		asField: 'likely',
		problem: (found) => `${quoted(found)} looks like a cell that a spreadsheet could not show`,
		remedy: spreadsheetFailed,
	},
	{
		find: finderOf(/(?<![\d.,])\d{1,20}[.,]\d{10,40}(?![\d.,]*\d)/),
		asField: 'likely',
		inField: 'likely',
		problem: (found) => `the number ${found} was not rounded`,
		remedy: 'Round it in the expression, for example with .round(2) after the number.',
	},
	{
		find: finderOf(/^-?\d(?:[.,]\d{1,20})?[eE][+-]?\d{1,3}$/),
		asField: 'likely',
		problem: (found) => `${quoted(found)} is a number that a program has shortened`,
		remedy: 'Format the cell as text before you enter the number, or give the number as a text.',
	},
];

const anchor = 'it-contains-a-leftover';

/** The first row of the table that fits, certain mistakes first; undefined if there is none. */
function firstOf(
	text: string,
	severityOf: (row: Leftover, found: string) => Severity | undefined,
): Finding | undefined {
	let likely: Finding | undefined;
	for (const row of leftovers) {
		const found = row.find(text);
		const severity = found === undefined ? undefined : severityOf(row, found);
		if (found === undefined || severity === undefined) continue;
		const finding: Finding = {
			severity,
			problem: row.problem(found),
			remedy: row.remedy,
			docsAnchor: anchor,
		};
		if (severity === 'certain') return finding;
		likely ??= finding;
	}
	return likely;
}

/** Checks the name of a person. */
export function mistakeInName(name: string): Finding | undefined {
	return firstOf(name, ({ inName }) => inName);
}

/** Checks what is filled into a field of a template. */
export function mistakeInField(value: string): Finding | undefined {
	const whole = value.trim();
	return firstOf(whole, ({ asField, inField }, found) =>
		isNothingElse(whole, found) ? asField : inField,
	);
}

/** Whether a text has only what was found, once or several times: "NaN €", "undefined undefined", "(null)". */
function isNothingElse(text: string, found: string): boolean {
	return !/[\p{L}\p{N}]/u.test(
		text
			.replace(/[\u00a0\u202f]/g, ' ')
			.normalize('NFC')
			.replaceAll(found, ''),
	);
}

const breaks = new RegExp(`[${lineBreaks}]+`);

/** A name in one line, as a contract has it: a line break inside, as cells of spreadsheets have it, is a space. */
export function nameInOneLine(name: string): string {
	const lines = name.split(breaks).map((line) => line.trim());
	return lines.filter(Boolean).join(' ');
}
