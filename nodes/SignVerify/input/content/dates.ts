import { ProcessMemory } from '../../util/processMemory';
import { quoted } from '../../util/redact';
import type { CheckedText, Finding } from './finding';

/** A day as year-month-day, such as 2027-02-01. */
type Day = string;

const docsAnchor = 'is-not-a-date';

/** Advice that names the two unambiguous ways to write a date. */
const clearDateRemedy = 'Write it as year-month-day, such as 2027-02-01, or spell out the month.';

function certain(text: string, problem: string, remedy = clearDateRemedy): Finding {
	return { severity: 'certain', problem: `${quoted(text)} ${problem}`, remedy, docsAnchor };
}

function likely(text: string, problem: string, remedy = clearDateRemedy): Finding {
	return { severity: 'likely', problem: `${quoted(text)} ${problem}`, remedy, docsAnchor };
}

/** A date and time in a machine-readable format, often with a UTC offset: `2027-02-01T00:00:00+01:00`. */
const moment =
	/^(\d{4}-\d\d-\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,]\d{1,9})?)? ?(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?(?: UTC)?)?(?:\[[\w/+-]{1,40}\])?$/i;

/** A day in digits, with or without a time after it. Czech and Hungarian put a space after each dot. */
const yearFirst = /^(\d{4})( ?[-/. ] ?)(\d{1,2})\2(\d{1,2})\.?(?:[T ,].{0,40})?$/;
const yearLast = /^(\d{1,2})( ?[-/. ] ?)(\d{1,2})\2(\d{4}|\d\d)\.?(?:[T ,].{0,40})?$/;

/**
 * A date at midnight, in the formats that spreadsheets and databases export. The order of day, month and year
 * varies.
 */
const dayAtMidnight =
	/^(\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4})[T ,]{1,2}(?:0{1,2}:00(?::00(?:[.,]0{1,9})?)?|12:00(?::00)? ?a\.?m\.?)$/i;

/** A time of day anywhere in a string. */
const timeOfDay = /(?<!\d)\d{1,2}:\d\d(?!\d)|(?<!\d)\d{1,2}h\d\d(?!\d)|(?<!\d)\d{1,2} ?[ap]\.?m\b/i;

/**
 * Matches a string that begins with a date of exactly ten characters. The remedy is to keep only these ten
 * characters.
 */
const startsWithTenCharacterDay = /^(?:\d{4}([-/.])\d\d\1\d\d|\d\d([-/.])\d\d\2\d{4})(?!\d)/;

/** Digits in any script, and the characters that Chinese, Japanese and Hebrew use to write numbers. */
const anyDigit = /[\p{N}一二三四五六七八九十零百千壹貳叁肆伍陸柒捌玖拾初廿元]|[א-ת][׳״'"]/u;

/** A spreadsheet's serial number for a date: the days since 1900, with the time of day as a fraction. */
const serialNumber = /^\d{5}(?:[.,]\d{1,20})?$/;

/** A timestamp: the seconds or milliseconds since 1970, or digits such as 20270201T120000Z. */
const epoch = /^\d{9,14}$|^\d{8}T\d{4,6}Z?$/;

/** Words that open-ended contracts use in place of an end date. */
const withoutEnd = new RegExp(
	`(?<![\\p{L}\\p{M}])(?:${[
		'indefinite(?:ly)?|unlimited|permanent(?:ly)?|open[- ]ended|ongoing|perpetual|until further notice|no end(?: date)?',
		'indefinid[oa]|indeterminad[oa]|ilimitad[oa]|indéterminée?|illimitée?|indeterminat[oa]|illimitat[oa]',
		'unbefristet|unbegrenzt|bis auf weiteres|onbepaalde tijd|onbeperkt|tills ?vidare|tidsubegrænset|toistaiseksi',
		'bezterminow[oay]|nieokreślony|neurčit[oáý]u?|nedoločen|határozatlan|nedeterminată?|süresiz|belirsiz',
		'бессрочн(?:о|ый|ая)|безстроков(?:о|ий)|безсрочно|αορίστου',
	].join(
		'|',
	)})(?![\\p{L}\\p{M}])|無期限|期限なし|期間の定めなし|无固定期限|無固定期限|无限期|무기한|기간의 정함이 없`,
	'iu',
);

/** Whether a day exists in the calendar (unlike February 31). */
function isDayOfCalendar(year: number, month: number, day: number): boolean {
	const date = new Date(Date.UTC(year, month - 1, day));
	return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** Whether a year is plausible in a contract. A year outside this range may be from a different calendar. */
function isPlausibleYear(year: number): boolean {
	return year >= 1900 && year <= 2199;
}

/**
 * Checks a date field's value. Keeps the value as it was entered, with one exception: if the time is
 * midnight, in any time zone, only the date is kept.
 * @param zoneOfWorkflow Returns the workflow's time zone, which is used to determine whether a time is the
 * start of a day. In some zones, the day on which daylight saving time starts begins at 01:00.
 * @returns The string to send, and the mistake found in it, if any.
 */
export function dateTextOf(value: string, zoneOfWorkflow?: () => string): CheckedText {
	const text = value.trim();
	const day = dayAtItsStart(text, zoneOfWorkflow) ?? dayAtMidnight.exec(text)?.[1];
	if (day !== undefined) return withFinding(day, mistakeInDay(day));
	return withFinding(value, mistakeInDay(text));
}

function withFinding(text: string, finding: Finding | undefined): CheckedText {
	return finding ? { text, finding } : { text };
}

function mistakeInDay(text: string): Finding | undefined {
	if (text === '') return undefined;
	if (serialNumber.test(text)) {
		return certain(
			text,
			"is a spreadsheet's internal number for a date",
			'Format the column as text, or convert the number to a date with an expression.',
		);
	}
	if (!anyDigit.test(text)) {
		return namesMonth(text) || withoutEnd.test(text.slice(0, 200).normalize('NFC'))
			? likely(
					text,
					"doesn't contain a date in digits",
					"If this isn't what you want in the contract, write the date in digits, such as 2027-02-01.",
				)
			: certain(text, "isn't a date");
	}
	if (epoch.test(text)) return likely(text, 'looks like a timestamp');
	const finding = mistakeInDigits(text);
	if (finding) return finding;
	if (!timeOfDay.test(text)) return undefined;
	const remedy = startsWithTenCharacterDay.test(text)
		? 'If the contract needs only the date, keep only the first ten characters: add .slice(0, 10) after the value in the expression.'
		: `If the contract needs only the date, leave out the time. ${clearDateRemedy}`;
	return likely(text, 'contains a time', remedy);
}

/**
 * Checks a day in digits.
 * @returns A mistake if no order of the parts makes a valid date (31/31/2027), or if the order is ambiguous
 * (02/03/2027 can be day first or month first).
 */
function mistakeInDigits(text: string): Finding | undefined {
	const missingDay = () =>
		certain(text, "isn't a valid date", "This date doesn't exist. Check the day and the month.");
	// Japanese keyboards type full-width digits. NFKC converts them to ordinary digits.
	const plain = text.slice(0, 100).normalize('NFKC');
	if (/^\d{8}$/.test(plain)) return isEightDigitDay(plain) ? undefined : missingDay();
	const yearFirstMatch = yearFirst.exec(plain);
	if (yearFirstMatch) {
		const year = Number(yearFirstMatch[1]);
		if (!isPlausibleYear(year)) return likely(text, `has the year ${year}`);
		const month = Number(yearFirstMatch[3]);
		const day = Number(yearFirstMatch[4]);
		return isDayOfCalendar(year, month, day) ? undefined : missingDay();
	}
	const yearLastMatch = yearLast.exec(plain);
	if (!yearLastMatch) return undefined;
	const first = Number(yearLastMatch[1]);
	const second = Number(yearLastMatch[3]);
	const year = Number(yearLastMatch[4]);
	const hasWholeYear = yearLastMatch[4]?.length === 4;
	if (hasWholeYear && !isPlausibleYear(year)) return likely(text, `has the year ${year}`);
	const existsDayFirst = isDayOfCalendar(year, second, first);
	const existsMonthFirst = isDayOfCalendar(year, first, second);
	if (hasWholeYear && !existsDayFirst && !existsMonthFirst) return missingDay();
	if (!existsDayFirst || !existsMonthFirst || first === second) return undefined;
	return likely(text, "doesn't make clear whether the day or the month comes first");
}

/**
 * Whether eight digits can be a date, with the year first or last. If no reading has a plausible year, the
 * digits are accepted, because they may not be a date at all.
 */
function isEightDigitDay(digits: string): boolean {
	const part = (start: number, end?: number) => Number(digits.slice(start, end));
	const readings = [
		{ year: part(0, 4), month: part(4, 6), day: part(6) },
		{ year: part(4), month: part(2, 4), day: part(0, 2) },
		{ year: part(4), month: part(0, 2), day: part(2, 4) },
	];
	const plausible = readings.filter(({ year }) => isPlausibleYear(year));
	return (
		plausible.length === 0 ||
		plausible.some(({ year, month, day }) => isDayOfCalendar(year, month, day))
	);
}

/** Matches month names. Built on first use, because building the pattern takes a while. */
let months: RegExp | undefined;

/**
 * Whether a string contains a month's name. If it does, it can be a date even without digits, because legal
 * documents may spell out the day and the year.
 */
function namesMonth(text: string): boolean {
	months ??= new RegExp(`(?<!\\p{L})(?:${monthNames().join('|')})(?!\\p{L})`, 'iu');
	return months.test(text.slice(0, 500).normalize('NFC'));
}

/**
 * Lists the month names in common contract languages, both alone and in the form used next to a day ("1
 * февраля").
 */
function monthNames(): string[] {
	const languages =
		'en es pt fr de it nl pl sv da nb fi cs sk sl hr hu ro tr ru uk bg el ca ar he hi id vi th'.split(
			' ',
		);
	const names = languages.flatMap((language) =>
		[{ month: 'long' }, { month: 'long', day: 'numeric' }].flatMap((options) => {
			const format = new Intl.DateTimeFormat(language, {
				...options,
				timeZone: 'UTC',
			} as Intl.DateTimeFormatOptions);
			return Array.from({ length: 12 }, (_, month) => {
				const parts = format.formatToParts(Date.UTC(2027, month, 1));
				return parts.find(({ type }) => type === 'month')?.value ?? '';
			});
		}),
	);
	return [...new Set(names.filter((name) => /^[\p{L}\p{M} ]+$/u.test(name)))];
}

/**
 * Zones where daylight saving time starts (or used to start) at midnight, so the day of the change begins at
 * 01:00. The code tries all of them, because a string contains only a UTC offset, not the zone.
 */
const midnightZones = [
	'Africa/Cairo',
	'America/Asuncion',
	'America/Havana',
	'America/Santiago',
	'America/Sao_Paulo',
	'Asia/Amman',
	'Asia/Beirut',
	'Asia/Damascus',
	'Asia/Gaza',
	'Asia/Tehran',
	'Atlantic/Azores',
];

/**
 * Reads a date and time, and returns the day if it begins at exactly this time in its time zone. A day begins
 * at 00:00, or at 01:00 if daylight saving time starts at midnight.
 * @returns The day, or undefined for any other string.
 */
function dayAtItsStart(text: string, zoneOfWorkflow?: () => string): Day | undefined {
	const [, day, hours, minutes, seconds = '00', offset] = moment.exec(text) ?? [];
	if (day === undefined || minutes !== '00' || seconds !== '00' || /[.,]0*[1-9]/.test(text))
		return undefined;
	if (hours === '00') return day;
	if (hours !== '01' || offset === undefined) return undefined;
	const timeMs = new Date(text.replace(' ', 'T').replace(/\[.*$/, '')).getTime();
	const zones = zoneOfWorkflow ? [zoneOfWorkflow(), ...midnightZones] : midnightZones;
	return zones.some((zone) => beginsDay(timeMs, day, zone)) ? day : undefined;
}

/** Caches one formatter per zone, because creating a formatter is slow. */
const dayFormats = new ProcessMemory<Intl.DateTimeFormat | 'unknown zone'>({
	name: 'date formats',
	bound: 1000,
	life: 'until pushed out',
});

/** Returns a formatter for dates in a zone, or undefined if Node doesn't recognize the zone. */
function dayFormatOf(zone: string): Intl.DateTimeFormat | undefined {
	const known = dayFormats.get(zone);
	if (known) return known === 'unknown zone' ? undefined : known;
	let format: Intl.DateTimeFormat | undefined;
	try {
		// The Swedish date format is year-month-day.
		format = new Intl.DateTimeFormat('sv', { timeZone: zone, dateStyle: 'short' });
	} catch {
		format = undefined;
	}
	dayFormats.set(zone, format ?? 'unknown zone');
	return format;
}

/**
 * Whether the given day begins at the given moment in the zone. If it does, the day was different one
 * millisecond earlier.
 */
function beginsDay(timeMs: number, day: Day, zone: string): boolean {
	const format = dayFormatOf(zone);
	if (Number.isNaN(timeMs) || !format) return false;
	return format.format(timeMs) === day && format.format(timeMs - 1) !== day;
}

/**
 * Converts a JavaScript date, or a Luxon date from an n8n expression, to a string. If the time is the start
 * of a day, only the date is kept, because a contract doesn't need the time. Any other date becomes an ISO
 * 8601 timestamp.
 * @returns The string, with a mistake if the date is invalid or has a time of day; undefined if the value is
 * not a date.
 */
export function textOfDate(value: unknown): CheckedText | undefined {
	const date = Object(value) as { toJSON?: unknown; isLuxonDateTime?: unknown };
	const isLuxon = date.isLuxonDateTime === true;
	if (typeof date.toJSON !== 'function') return undefined;
	const text: unknown = date.toJSON.call(value);
	if (typeof text === 'string') {
		if (value instanceof Date) return textOfJavaScriptDate(value, text);
		const day =
			isLuxon && beginsItsDay(value as LuxonDate) ? text.slice(0, 10) : dayAtItsStart(text);
		if (day !== undefined) return { text: day };
		return moment.test(text) ? { text, finding: withTime(text) } : { text };
	}
	if (!isLuxon && !(value instanceof Date)) return undefined;
	const remedy =
		"An expression couldn't read a date. Check the value that it receives for this item.";
	return { text: '', finding: certain('Invalid DateTime', "isn't a date", remedy) };
}

/** The only Luxon method that this file calls. */
interface LuxonDate {
	startOf(unit: 'day'): object;
}

function beginsItsDay(date: LuxonDate): boolean {
	return Number(date.startOf('day')) === Number(date);
}

function withTime(text: string): Finding {
	return likely(
		text,
		'contains a time',
		"If the contract needs only the date, add .toDateTime().toFormat('yyyy-MM-dd') after the value in the expression.",
	);
}

/**
 * Converts a JavaScript date to a day. A JavaScript date has no time zone, so midnight in the n8n process's
 * time zone is treated as the start of a day. Midnight in UTC is treated the same way, but with a warning.
 * Any other date keeps its time, also with a warning.
 */
function textOfJavaScriptDate(date: Date, text: string): CheckedText {
	const start = new Date(date);
	start.setHours(0, 0, 0, 0);
	const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000)
		.toISOString()
		.slice(0, 10);
	if (start.getTime() === date.getTime()) return { text: local };
	const [day = '', time] = text.split('T');
	if (time !== '00:00:00.000Z') return { text, finding: withTime(text) };
	const finding = likely(
		text,
		`is ${day} in UTC, but ${local} where n8n runs`,
		`The contract will contain ${day}. If that's wrong, have the expression return the date as text.`,
	);
	return { text: day, finding };
}
