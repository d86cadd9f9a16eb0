import type { DocsAnchor } from '../errors/docs';
import { normalText } from '../util/names';
import { quoted } from '../util/redact';
import { seenText } from '../util/text';
import { textOf } from '../util/values';
import {
	dateProblems,
	dateRemedy,
	durationMistake,
	isRoundAmount,
	midnightIn,
	missingDayIn,
	missingDayInAnyCalendar,
	momentIn,
	spreadsheetDateIn,
	unixMidnightIn,
	unixTimeIn,
	zeroDayIn,
} from './dates';
import { type Finding, mostSevere, type Severity } from './finding';

/*
 * One table of what is wrong with a text. Only what no author could mean, in any language, is certainly a
 * mistake, because the wording of a contract is its author's own. The words of a language, in dateWord and in
 * the row about missing values, can lead to a warning but never to an error.
 *
 * A pattern stops an item if no right value is known that it finds. What is known to be right as often only
 * informs (`findWarning`), and what informed and was wrong again has no row. Two stop although right values are
 * known, because the mistake is a hundred times as frequent: "undefined" in a field's text, and durations.
 *
 * Every pattern takes linear time: no quantifier contains another one, and no two that follow each other
 * match the same character.
 */

interface FormField {
	key: string;
	label: string;
	type: string;
}

interface Context {
	zone?: (() => string) | undefined;
	/** Whether the text can consist of digits only. */
	mayBeNumber?: boolean;
	/** What a template field is called. */
	fieldNames?: string[] | undefined;
}

/** The severities of a mistake if the text contains no other letter or digit, and if it does: "NaN €", "of NaN". */
type Severities = readonly [alone: Severity, inside?: Severity];

const wrong: Severities = ['wrong', 'wrong'];
const wrongAlone: Severities = ['wrong', 'looksWrong'];
const looksWrong: Severities = ['looksWrong', 'looksWrong'];
const looksWrongAlone: Severities = ['looksWrong'];
const warning: Severities = ['warning', 'warning'];

type Find = RegExp | ((text: string, context: Context) => string | undefined);

interface MistakeRow {
	/** Finds the mistake in a text as {@link seenText} reads it. */
	find: Find;
	/** Finds what looks like the mistake, but is right just as often. It never stops an item. */
	findWarning?: Find;
	/** In a person's name. */
	name?: Severities;
	/** In a template field, and in any other text that a document contains. */
	field?: Severities;
	/** In a template field for a date. `find` then gets plain digits and spaces, whatever their width. */
	date?: Severities;
	/** In any other template field. */
	otherField?: Severities;
	/** In an email address, where `field` applies as well. */
	address?: Severities;
	/** In a Send Once Key. What doesn't differ from item to item would make the node skip the next item. */
	key?: Severities;
	problem(found: string): string;
	remedy: string;
	docsAnchor?: DocsAnchor;
}

type Place = 'name' | 'field' | 'date' | 'otherField' | 'address' | 'key';

const contains = (found: string) => `contains ${quoted(found)}`;
const looksLike = (what: string) => (found: string) => `${quoted(found)} looks like ${what}`;
const withNumber = (what: string) => (character: string) => {
	const number = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
	return `contains ${what} (U+${number})`;
};

const noValueRemedy =
	'An earlier step or an expression returned no usable value. Check what it returns for this item.';
export const damaged =
	'The text was damaged in an earlier step. Read the file or the data again as UTF-8, or retype the text.';
const wrongCell =
	'Correct the value. If it comes from a spreadsheet, correct the cell, and read the file again.';

/** No letter or digit may directly precede or follow a word. */
const word = (words: string, flags = 'u') =>
	new RegExp(`(?<![\\p{L}\\p{M}\\p{N}])(?:${words})(?![\\p{L}\\p{M}\\p{N}])`, flags);

/** What Luxon, JavaScript, and older n8n nodes write for a date that can't be read. */
const noDate = 'Invalid [Dd]ate(?:Time)?';

/** The words that programs write instead of a value, except for null, which is also a last name, and zero in German. */
const noValueWords = `undefined|NaN|${noDate}`;

const noValue = word(`${noValueWords}|null`, 'gu');

/** Whether a text contains what an expression returns instead of a value, so it doesn't show which value was read. */
export function isFailedResult(text: string): boolean {
	return text === '' || text.includes('undefined') || text.search(noValue) >= 0;
}

/** What code such as `first + last` writes for an empty cell: "Ana Gilundefined". No language has such a word. */
const joinedUndefined = /(?<=[\p{L}\p{M}])undefined|undefined(?=\p{L})/u;

/** The end of an address, or of a domain's name: `labs@…`, `labs.com`. */
const addressEnd = /@|\.\p{L}{2}/u;

/** The beginning of a link, with or without its scheme: `https://`, `example.com/`. */
const linkStart = /:\/\/|\.\p{L}{2,20}\//u;

/** Leaves out addresses, links, and domains, because a company can be called Undefined Labs. */
function joinedUndefinedIn(text: string): string | undefined {
	const found = 'undefined';
	// Almost no text contains the word, so most are never split.
	if (!text.includes(found)) return undefined;
	const isMistake = text.split(/\s+/).some((part) => {
		if (!joinedUndefined.test(part)) return false;
		const before = part.slice(0, part.indexOf(found));
		const after = part.slice(part.lastIndexOf(found));
		return !linkStart.test(before) && !addressEnd.test(after);
	});
	return isMistake ? found : undefined;
}

/** The errors of spreadsheets in English, which most programs write in any language. */
const spreadsheetError = '#(?:REF!|DIV/0!|VALUE!|NAME\\?|NUM!|NULL!|N/A)';

/**
 * UTF-8 that was read as Windows-1252: "Ã±" for "ñ", "â€™" for an apostrophe, "â‚¬" for "€", and three letters in a row of
 * any other script. Leaves out the signs that can follow a capital "Ã" in a text that is right: "«IRMû".
 */
const wrongEncoding =
	/Â[\u00a0-\u00bf]|Ã[\u00a1-\u00a9\u00ab-\u00ad\u00af-\u00b9\u00bc-\u00bf€‚ƒ„†‡ˆ‰Š‹ŒŽ‘“•–˜šœžŸ]|â[€‚„†ˆ‰œ][\u00a1-\u00bf™œ˜’“”šž]|(?:[\u00c4-\u00df][\u00a1-\u00bf\u0152-\u02dc\u2013-\u2122]){3}/;

/** In capitals, "Ã–" is "Ö" read as Windows-1252, or the end of a word and a dash: "MANHÃ–TARDE". */
const wordAndDash = /(?<=\p{Lu}{2})Ã–(?=\p{Lu})/u;

const sureMisreading = new RegExp(`(?!${wordAndDash.source})(?:${wrongEncoding.source})`, 'u');

/**
 * The names of characters that programs write when they convert text to HTML: those of the five that HTML needs, of
 * common signs, and of letters with an accent or another mark. HTML has 2,231 names, and many of them are words, so
 * any other name can be a company's: "Ernst&Young;".
 */
const htmlName = [
	'amp|lt|gt|quot|apos|nbsp|euro|[mn]dash|hellip|[a-z]{2,3}quo|i(?:excl|quest)|ord[fm]|deg|copy|trade|eth|thorn',
	'[A-Za-z](?:acute|grave|circ|tilde|uml|cedil|caron|slash|strok|ogon|breve|dblac|macr|dot)',
	'[AUau]ring|[A-Za-z]{2}lig',
].join('|');

/** A number with a decimal point, but no part of a longer one, such as a date or a version. */
const decimal = /(?<!\p{N}|\p{N}[.,])\d{1,20}\.\d{1,20}(?!\p{N}|[.,]\p{N})/gu;

const digitsOf = (number: string) => number.replace(/^0*\.?0*|\.|0+$/g, '').length;

const decimalsIn = (text: string) => text.match(decimal) ?? [];

/** Computers calculate with 16 digits: 19.99 * 1.19 is 23.788099999999996. They write no zeros at the end. */
const isLong = (number: string) => digitsOf(number) >= 16;

/** The latitude and the longitude of a place are two: "43.653226000000004, -79.3831843". */
const hasManyDecimals = (number: string) => /\.\d{5}/.test(number);

/** A calculation usually leaves a row of the same digit. */
const repeatedDigit = /(\d)\1{4}/;

/** A text in brackets. The corner brackets of Chinese and Japanese are quotation marks. */
const bracketed = /(?![「『])[\p{Ps}<][^\p{Ps}\p{Pe}<>]*[\p{Pe}>]/gu;

/** Whether a text consists of one or more texts in brackets: "[Full Name]", "<first> <last>". */
function isInBrackets(text: string): boolean {
	const rest = text.replace(bracketed, '');
	return rest !== text && !/[\p{L}\p{N}]/u.test(rest);
}

/** The beginning of a formula: "=A2", "@SUM(A2)". A company can be called "@Home (Pty) Ltd". */
const formula = /^(?:=|@\S{0,100}[\p{Ps}<])/u;

const infinity = word('-?Infinity');
const infinityOrSign = word('-?(?:Infinity|∞)');

const currencies = new Set(Intl.supportedValuesOf('currency'));

/** Finds infinity in a text that is otherwise nothing but a part of an amount: "R$ Infinity", "-Infinity MXN", "1/∞". */
function infinityIn(text: string, infinity: RegExp): string | undefined {
	const [found] = infinity.exec(text) ?? [];
	if (found === undefined) return undefined;
	const rest = text
		.replaceAll(found, ' ')
		.replace(/\p{Lu}{0,3}\p{Sc}/gu, '')
		.replace(/(?<!\p{L})\p{Lu}{3}(?!\p{L})/u, (code) => (currencies.has(code) ? '' : code));
	return /^[\s\p{N}\p{Sm}\p{Pd}.,'’%‰/()]*$/u.test(rest) ? found : undefined;
}

const hasManyDigits = (text: string) => text.replace(/\P{Nd}/gu, '').length >= 8;

/** A word without a digit: "Fideicomiso 1234567890", "王小明（11010119850312123X）". In "12.345.678-K", there is none. */
const hasWord = (text: string) =>
	text.split(/[\s\p{Ps}\p{Pe}\p{Pi}\p{Pf}"]+/u).some((part) => /^\p{L}\P{N}*$/u.test(part));

/** A time, which no name contains: "2/1/2027 9:30 AM". */
const timeOfDay = /(?<!\d)\d?\d:\d\d(?!\d)/;

/** A word for birth. Like dateWord, it decides only whether a few values inform or stop. */
const birthWord = /(?<!\p{L})(?:birth|dob(?!\p{L}))/iu;

/** A label of several things, so a value can belong to any of them: "Invoice date / no.", but not "Date (DD/MM/YYYY)". */
const severalThings = /[,&]|(?<!\1(\p{L}))\/|(?<!\p{L})and(?!\p{L})/iu;

export const contentProblems = {
	controlCharacter: {
		find: /(?![\t\n\v\f\r\x85])\p{Cc}/u,
		name: wrong,
		field: wrong,
		problem: withNumber('a control character'),
		remedy: damaged,
	},
	incompleteCharacter: {
		find: /\p{Surrogate}/u,
		name: wrong,
		field: wrong,
		problem: () => 'contains an incomplete character',
		remedy:
			'The text was cut off in the middle of an emoji. Cut it elsewhere, or use the whole text.',
	},
	unreadableCharacter: {
		find: /\uFFFD/,
		name: wrong,
		field: wrong,
		problem: () => "contains a character that couldn't be read (U+FFFD)",
		remedy: damaged,
	},
	expression: {
		find: /\{\{[^{}]*(?:\{[^{}]*\}[^{}]*)?\}\}/,
		name: wrong,
		field: wrong,
		key: wrong,
		problem: contains,
		remedy:
			'This is an expression that came as text, so the contract would contain the curly braces. Correct it in the earlier step that returned it.',
	},
	wholeObject: {
		find: /\[object [A-Z]\w{0,40}\]/,
		name: wrong,
		field: wrong,
		key: wrong,
		problem: contains,
		remedy:
			'An expression returned a whole object instead of one of its properties. Select the property that you need.',
	},
	undefinedInName: {
		find: word('undefined'),
		name: wrong,
		problem: contains,
		remedy: noValueRemedy,
	},
	noValue: {
		find: word(noValueWords),
		name: wrongAlone,
		field: wrongAlone,
		address: wrong,
		key: wrong,
		problem: contains,
		remedy: noValueRemedy,
	},
	spreadsheetError: {
		find: new RegExp(spreadsheetError),
		name: wrongAlone,
		field: wrongAlone,
		address: wrong,
		key: wrong,
		problem: (found) => `contains the spreadsheet error ${quoted(found)}`,
		remedy: wrongCell,
	},
	failedInOtherCase: {
		// The same after .toUpperCase() or .toTitleCase(). In a longer text, the words can be English.
		find: new RegExp(`\\[object object\\]|${noDate}|${spreadsheetError}`, 'i'),
		name: looksWrongAlone,
		field: looksWrongAlone,
		key: looksWrongAlone,
		problem: contains,
		remedy: noValueRemedy,
	},
	joinedUndefined: {
		find: joinedUndefinedIn,
		name: looksWrong,
		field: looksWrong,
		key: wrong,
		problem: contains,
		remedy: noValueRemedy,
	},
	undefinedInOtherCase: {
		// A contract's term can be "Undefined", and a company "Undefined Pottery".
		find: word('undefined', 'iu'),
		name: looksWrongAlone,
		address: looksWrong,
		key: looksWrongAlone,
		problem: contains,
		remedy: noValueRemedy,
	},
	likeSpreadsheetError: {
		// In other languages: "#WERT!", "#ДЕЛ/0!", and, for "#N/A", "#NV" or "#N/D". A word for "not" begins with N in most
		// of them. A column that is too narrow is a row of "#", and LibreOffice writes "Err:502".
		find: /^#[¡¿]?(?:NV|[\p{Lu}_]{2,30} ?[!?]|\p{Lu}{1,12}\/[\p{Lu}\d]{1,12} ?[!?]|[NН]\/\p{Lu}{1,12})$|^#{2,}$|^Err\s?:5\d\d$/u,
		// "#HIÁNYZIK" is an error as well, but "#NDA" is a tag, "#PH" an apartment, and "#FACADE" a color.
		findWarning:
			/^(?!#(?:[A-F]{3,4}|[A-F]{6}|[A-F]{8})$)#(?:[\p{Lu}_]{2,30}|\p{Lu}{1,12}\/\p{Lu}{1,12})$/u,
		name: looksWrong,
		field: looksWrong,
		problem: looksLike('a spreadsheet error'),
		remedy: wrongCell,
	},
	null: {
		// Null is a real last name, so only the lowercase word is a mistake. In German and Norwegian, it means
		// zero.
		find: word('null'),
		name: wrongAlone,
		field: looksWrongAlone,
		key: wrongAlone,
		problem: contains,
		remedy: noValueRemedy,
	},
	nullOfPrograms: {
		// What databases and Python write. Null can be a last name in capitals, and Nan a first name.
		find: /^(?:NULL|\\N|nan|NaT|<NA>)$/,
		name: looksWrong,
		field: looksWrong,
		key: looksWrong,
		problem: looksLike('a missing value'),
		remedy: noValueRemedy,
	},
	infinity: {
		// Alone, it can be a company's name, and the sign can be meant.
		find: (text) => (/^-?Infinity$/.test(text) ? undefined : infinityIn(text, infinity)),
		findWarning: (text) => infinityIn(text, infinityOrSign),
		field: looksWrong,
		problem: contains,
		remedy:
			'A division by zero or by an empty value returns this. Check the expression for this item.',
	},
	nullInAddress: {
		// Addresses are in lowercase, so "john.null" is most likely the last name.
		find: /^null(?=@|[._-]null@)|(?<=[@.])null(?=$|\.[^@]*$)/,
		findWarning: word('null'),
		address: looksWrong,
		problem: contains,
		remedy: noValueRemedy,
	},
	wrongEncoding: {
		find: sureMisreading,
		findWarning: wordAndDash,
		name: looksWrong,
		field: looksWrong,
		problem: (found) =>
			`contains ${quoted(found)}, which looks like text read in the wrong encoding`,
		remedy: damaged,
	},
	htmlCharacter: {
		// Names with a digit are no words, and before a number, those of money are its sign.
		find: new RegExp(
			`&(?:#\\d{1,7}|#[Xx][\\dA-Fa-f]{1,6}|${htmlName}|${htmlName.toUpperCase()}|[a-z]{2,8}\\d{1,2}|(?:cent|curren|pound|yen)(?=;\\d));`,
		),
		name: looksWrong,
		field: looksWrong,
		problem: (found) => `contains ${quoted(found)}, which is HTML for a character`,
		remedy: 'Convert the HTML to text before this node, or replace it with the character.',
	},
	htmlTag: {
		// No other tag, because authors put a word or an address into angle brackets.
		find: /<\/[a-z][a-z\d:-]{0,40}\s*>|<br(?:\s*\/?|\s[^<>=]{1,40}=[^<>]{0,200})>/i,
		name: looksWrong,
		field: looksWrong,
		problem: (found) => `contains ${quoted(found)}, which is an HTML tag`,
		remedy: 'Convert the HTML to text before this node, or remove the tags.',
	},
	placeholder: {
		find: /\$\{[^${}]{1,80}\}|(?<!\p{N})%[A-Za-z][A-Za-z_]{2,40}%|\*\|[^*|]{1,80}\|\*/u,
		// "<<Ромашка>>" has two signs for each quotation mark.
		findWarning: /%[A-Za-z][A-Za-z_]{2,40}%|<<[^<>\s]{1,80}>>/,
		name: looksWrong,
		field: looksWrong,
		problem: (found) => `contains the placeholder ${quoted(found)}`,
		remedy: 'An earlier step should have replaced it. Check that step, or enter the value.',
	},
	orderOfText: {
		// The other marks keep the order of digits and letters, and phones and word processors write them inside a text.
		find: /\u202E/,
		name: looksWrong,
		field: looksWrong,
		problem: withNumber('an invisible character that can change the order of the text'),
		remedy: 'Remove it, or type the text instead of pasting it.',
	},
	invisibleLetter: {
		// A flag such as Scotland's consists of a black flag and tag letters.
		find: /(?<![\u{1F3F4}\u{E0000}-\u{E007F}])[\u{E0000}-\u{E007F}]/u,
		name: looksWrong,
		field: looksWrong,
		problem: withNumber('an invisible letter'),
		remedy: 'Type the text instead of pasting it.',
	},
	trueOrFalse: {
		find: /^(?:true|false)$/i,
		name: looksWrong,
		field: looksWrong,
		problem: (found) => `contains only ${quoted(found)}`,
		remedy:
			"Have the expression return the words that the contract should contain. If false stands for an empty cell, as in Odoo, return empty text: {{ $json.phone || '' }}.",
	},
	duration: {
		find: /^-?P(?=T?-?\d)[\dYMWD.,-]{0,40}T[\dHMS.,-]{1,40}(?<=[HMS])$/,
		name: looksWrong,
		field: looksWrong,
		...durationMistake,
	},
	scientificNotation: {
		find: /^-?\d(?:[.,]\d{1,20})?[eE](?:\+\d{1,3}|-\d{2,3})$/,
		name: looksWrong,
		field: looksWrong,
		problem: (found) => `${quoted(found)} is in scientific notation, so some digits may be missing`,
		remedy: 'Format the cell as text before you enter the number, or pass the number as text.',
	},
	rounding: {
		// JavaScript writes as few digits as show which number it is.
		find: (text) => {
			const decimals = decimalsIn(text);
			if (decimals.filter(hasManyDecimals).length > 1) return undefined;
			return decimals.find(
				(number) =>
					isLong(number) &&
					number === String(Number(number)) &&
					(Number(number) > 180 || repeatedDigit.test(number)),
			);
		},
		findWarning: (text) => decimalsIn(text).find(isLong),
		field: looksWrong,
		problem: (found) => `contains ${quoted(found)}, which looks like the rest of a calculation`,
		remedy: 'Round the number in the expression, for example with .round(2).',
	},
	missingValue: {
		find: (text, { mayBeNumber }) => {
			const hasValue =
				/(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{Extended_Pictographic}]/u.test(text) ||
				(mayBeNumber && /\p{N}/u.test(text));
			return hasValue && !/^(?:N\/A|TBD|none)$/i.test(text) ? undefined : text;
		},
		name: looksWrong,
		key: looksWrong,
		problem: looksLike('a missing value'),
		remedy: 'Enter the real value, or check which column it comes from.',
	},
	placeholderForName: {
		find: (text) => (isInBrackets(text) || formula.test(text) ? text : undefined),
		name: looksWrong,
		problem: looksLike('a placeholder or a formula'),
		remedy: "Enter the person's full name, or check which column it comes from.",
	},
	characterCode: {
		// A company can be called "100%Design".
		find: /%\d[\dA-F]|(?<!\p{N})%[A-F][\dA-F]|\\u[\dA-F]{4}/iu,
		name: looksWrong,
		problem: (found) => `contains ${quoted(found)}, which is the code of a character`,
		remedy: 'Decode the text before this node, or replace the code with the character.',
	},
	otherThanName: {
		// An address, a link, an object, or a moment: what other columns contain.
		find: (text) => {
			const isOther = /\S@[^\s@]+\.|:\/\/|^\{[^]*\}$/.test(text);
			const isNumber = hasManyDigits(text) && (!hasWord(text) || timeOfDay.test(text));
			return isOther || isNumber ? text : undefined;
		},
		findWarning: (text) => (hasManyDigits(text) ? text : undefined),
		name: looksWrong,
		problem: looksLike('something other than a name'),
		remedy: "Enter the person's full name, or check which column it comes from.",
	},
	spreadsheetDate: {
		find: (text, { fieldNames = [] }) => {
			const mayBeOther = isRoundAmount(text) || fieldNames.some((name) => severalThings.test(name));
			return mayBeOther ? undefined : spreadsheetDateIn(text);
		},
		findWarning: spreadsheetDateIn,
		date: looksWrong,
		problem: (found) => `${quoted(found)} looks like a spreadsheet's number for a date`,
		remedy: 'Format the column as text, or convert the number to a date with an expression.',
		docsAnchor: 'spreadsheet-date',
	},
	unixTime: {
		find: unixMidnightIn,
		findWarning: unixTimeIn,
		date: looksWrong,
		problem: (found) =>
			`contains ${quoted(found)}, which looks like a computer's number for a date`,
		remedy: 'Convert the number to a date with an expression.',
	},
	missingDay: {
		find: (text, { fieldNames = [] }) =>
			missingDayInAnyCalendar(
				text,
				fieldNames.some((name) => birthWord.test(name)),
			),
		findWarning: missingDayIn,
		date: looksWrong,
		problem: (found) => `${quoted(found)} isn't a day in the calendar`,
		remedy: 'Check the day and the month.',
	},
	zeroDay: {
		find: zeroDayIn,
		date: looksWrong,
		problem: (found) => `${quoted(found)} is what programs write for an empty date`,
		remedy: wrongCell,
	},
	midnight: {
		find: (text, { zone }) => midnightIn(text, zone),
		date: looksWrong,
		problem: (found) => found,
		remedy: dateRemedy,
	},
	moment: {
		// Elsewhere, it may be meant: "Timestamp (UTC)".
		find: (text) => (momentIn(text) === undefined ? undefined : text),
		date: looksWrong,
		otherField: warning,
		problem: (found) => dateProblems.timestamp(found).problem,
		remedy: dateRemedy,
	},
} satisfies Record<string, MistakeRow>;

/** The table's rows for each use of a text, each with the severities of the first of the text's places that it names. */
function rowsFor(...places: Place[]): Array<{ row: MistakeRow; severities: Severities }> {
	return Object.values<MistakeRow>(contentProblems).flatMap((row) => {
		const severities = places.map((place) => row[place]).find(Boolean);
		return severities ? [{ row, severities }] : [];
	});
}

const rowsByUse = {
	name: rowsFor('name'),
	address: rowsFor('address', 'field'),
	key: rowsFor('key'),
	field: rowsFor('field'),
	otherField: rowsFor('field', 'otherField'),
	dateField: rowsFor('field', 'date'),
};

/**
 * Looks up a text in the table.
 * @returns The first of the most severe mistakes.
 */
function mistakeIn(
	entered: string,
	use: keyof typeof rowsByUse,
	context: Context,
): Finding | undefined {
	const text = seenText(entered);
	if (text === '') return undefined;
	const plainText = use === 'dateField' ? normalText(text) : text;
	const search = (find: Find | undefined, { date }: MistakeRow) =>
		typeof find === 'function' ? find(date ? plainText : text, context) : find?.exec(text)?.[0];
	const findings: Finding[] = [];
	for (const { row, severities } of rowsByUse[use]) {
		const sure = search(row.find, row);
		const found = sure ?? search(row.findWarning, row);
		if (found === undefined) continue;
		const severity =
			sure === undefined ? 'warning' : severities[isNothingElse(text, found) ? 0 : 1];
		if (severity === undefined) continue;
		const { remedy, docsAnchor } = row;
		findings.push({ severity, problem: withText(text, found, row), remedy, docsAnchor });
		if (severity === 'wrong') break;
	}
	return mostSevere(findings);
}

function withText(text: string, found: string, row: MistakeRow): string {
	const words = row.problem(found);
	return text !== found && words.startsWith('contains') ? `${quoted(text)} ${words}` : words;
}

/** Whether a text contains only mistakes: "NaN €", "undefined undefined", "(null)", "undefined null". */
function isNothingElse(text: string, found: string): boolean {
	return !/[\p{L}\p{N}]/u.test(text.replaceAll(found, '').replace(noValue, ''));
}

export function mistakeInName(text: string): Finding | undefined {
	return mistakeIn(text, 'name', {});
}

/** Checks the words of an email address. addresses.ts checks its form. */
export function mistakeInAddressText(text: string): Finding | undefined {
	return mistakeIn(text, 'address', {});
}

/** Checks a Send Once Key for what expressions return in place of missing values. */
export function mistakeInKey(text: string): Finding | undefined {
	return mistakeIn(text, 'key', { mayBeNumber: true });
}

/**
 * @param variable The template field. In a field for a date, a few more values look wrong.
 * @param zone Returns the workflow's time zone.
 */
export function mistakeInField(
	text: string,
	variable?: FormField,
	zone?: () => string,
): Finding | undefined {
	if (!variable) return mistakeIn(text, 'field', {});
	const use = isForDate(variable) ? 'dateField' : 'otherField';
	return mistakeIn(text, use, { zone, fieldNames: wordsOfField(variable) });
}

/**
 * Words for "date" in eight languages: English, French, Spanish, German, Dutch, and, with "data", Italian,
 * Polish and Portuguese. "Data" counts only at the beginning, because in English it means something else. The
 * words decide only whether a few values look wrong.
 */
const dateWord =
	/(?<!\p{L})(?:(?:birth|start|end|due)?date|dob|fecha)(?!\p{L})|^data(?!\p{L})|datum(?!\p{L})/iu;

/** Labels and keys longer than this are cut, because the word stands at the beginning. */
const maxLabelLength = 200;

/** A field's label, key, and type, any of which a service may leave out. */
const wordsOfField = ({ label, key, type }: FormField) =>
	[label, key, type].map((text) =>
		textOf(text)
			.slice(0, maxLabelLength)
			.replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 '),
	);

/** Whether a template field is for a date, as far as its label, its key, or its type shows. */
export function isForDate(variable: FormField): boolean {
	return wordsOfField(variable).some((words) => dateWord.test(words));
}
