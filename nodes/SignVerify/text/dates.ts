import { settleSync } from '../util/async';
import {
	daysIn,
	daysOf,
	monthsAndDaysOf,
	type WrittenDay,
	writtenDayIn,
} from '../util/calendarDay';
import { normalText } from '../util/names';
import { quoted } from '../util/redact';
import type { Finding } from './finding';
import type { ValueProblemTable } from '../errors/problem';

/** A spreadsheet's number for a date: the days since 1900, with the time of day as a fraction. */
const spreadsheetDate = /^\d{5}(?:[.,]\d{1,20})?$/;

/** Finds a spreadsheet's number for a date between 1998 and 2099. Other numbers may be amounts. */
export function spreadsheetDateIn(text: string): string | undefined {
	const days = spreadsheetDate.test(text) ? Number(text.slice(0, 5)) : 0;
	return days >= 36_000 && days <= 73_000 ? text : undefined;
}

/** Whether a spreadsheet's number for a date is a round amount as well: 48000, 45300.00. */
export function isRoundAmount(text: string): boolean {
	return Number(text.replace(',', '.')) % 100 === 0;
}

/**
 * The time since 1970, in milliseconds or in seconds: "1801440000000", "/Date(1801440000000+0100)/", "1801440000".
 * Seconds must be the whole text, because phone numbers have as many digits.
 */
const unixTime = /^\D*(\d{12,13})(?:[.,+-]\d{1,20})?\D*$|^([1-4]\d{9})(?:[.,]\d{1,20})?$/;

const firstUnixTime = Date.UTC(1995, 0, 1) / 1000;
const lastUnixTime = Date.UTC(2100, 0, 1) / 1000;

/** Finds any number that may be the time since 1970, in a text without another number. */
export function unixTimeIn(text: string): string | undefined {
	const [, milliseconds, seconds] = unixTime.exec(text) ?? [];
	return milliseconds ?? (Number(seconds) < lastUnixTime ? seconds : undefined);
}

/**
 * Finds the time since 1970 if it's midnight somewhere between 1995 and 2100. Time zones are whole quarters of an hour
 * apart, so a phone number, or the number of an ID or a taxpayer, is such a time at most once in a thousand times.
 */
export function unixMidnightIn(text: string): string | undefined {
	const found = unixTimeIn(text) ?? '';
	const time = Number(found) / (found.length > 10 ? 1000 : 1);
	const isMidnight = time % 900 === 0 && !/[.,]\d*[1-9]/.test(text);
	return isMidnight && time >= firstUnixTime && time < lastUnixTime ? found : undefined;
}

/**
 * The days with which spreadsheets, databases, and Windows begin to count, as year, month, and day. January 1, 1970, is
 * missing, because it's the birthday of many people.
 */
const zeroDays = [
	...['1899 12 30', '1899 12 31', '1900 1 1', '1904 1 1'],
	...['1 1 1', '1601 1 1', '1753 1 1'],
];

/** Finds the day that programs write for an empty date, whichever of its numbers is the month. */
export function zeroDayIn(text: string): string | undefined {
	const { found, year, left, right } = writtenDayIn(text) ?? {};
	const isZero = [`${year} ${left} ${right}`, `${year} ${right} ${left}`].some((day) =>
		zeroDays.includes(day),
	);
	return isZero ? found : undefined;
}

/**
 * Finds a day that doesn't exist, whichever of its numbers is the month: "2027-02-30", "31/04/2027". Leaves
 * out years that may belong to another calendar, such as Nepal's, which is now in the 2080s, but no calendar
 * has a day or a month 0: "0000-00-00".
 */
function missingDay(text: string): WrittenDay | undefined {
	const written = writtenDayIn(text);
	if (!written) return undefined;
	const isOurYear = written.year >= 1900 && written.year < 2070;
	if (!isOurYear && !hasZero(written)) return undefined;
	return daysOf(written).length > 0 ? undefined : written;
}

const hasZero = ({ left, right }: WrittenDay) => left === 0 || right === 0;

export function missingDayIn(text: string): string | undefined {
	return missingDay(text)?.found;
}

/**
 * Like {@link missingDayIn}, but leaves out the days that another calendar has in a year of ours: a day 32, the
 * days of a short thirteenth month, and those of a birth, which can be in any of its years.
 */
export function missingDayInAnyCalendar(text: string, isBirth: boolean): string | undefined {
	const written = missingDay(text);
	if (!written || hasZero(written)) return written?.found;
	const isInOtherCalendar = monthsAndDaysOf(written).some(
		([month, day]) => (month <= 12 && day === 32) || (month === 13 && day <= 6),
	);
	return isBirth || isInOtherCalendar ? undefined : written.found;
}

/** A date and time with a UTC offset: `2027-02-01T00:00:00.000+01:00`, `2027-02-01 00:00:00+00`. */
const moment =
	/^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d(?:[.,]\d{1,9})?)? ?(?:Z|UTC|GMT|(?:UTC|GMT)?([+-]\d\d):?(\d\d)?)(?:\[[\w/+-]{1,40}\])?$/i;

/** Longer texts aren't read as a moment. */
const maxMomentLength = 100;

/** A moment as JavaScript writes it: `Mon Feb 01 2027 00:00:00 GMT+0100 (CET)`, `Mon, 01 Feb 2027 00:00:00 GMT`. */
const javaScriptMoment =
	/^[A-Z][a-z]{2}(?:, \d\d [A-Z][a-z]{2}| [A-Z][a-z]{2} \d\d) \d{4} \d\d:\d\d:\d\d GMT(?:[+-]\d{4})?(?: \([^()]{1,60}\))?$/;

/**
 * Reads a text that is a moment as programs write it, with seconds and a zone. It's the same as a date object that isn't
 * a day ({@link textOfDate}).
 * @returns Milliseconds since 1970; undefined for any other text.
 */
export function momentIn(text: string): number | undefined {
	const plain = text.length > maxMomentLength ? '' : normalText(text);
	const timeMs = javaScriptMoment.test(plain) ? Date.parse(plain) : isoTimeIn(plain);
	return Number.isNaN(timeMs) ? undefined : timeMs;
}

function isoTimeIn(text: string): number {
	const [, day = '', time, seconds, hours, minutes = '00'] = moment.exec(text) ?? [];
	// JavaScript reads a day that doesn't exist as one in the next month.
	if (seconds === undefined || daysIn(day).length === 0) return NaN;
	const zone = hours === undefined ? 'Z' : `${hours}:${minutes}`;
	return Date.parse(`${day}T${time}${seconds.replace(',', '.')}${zone}`);
}

/** Returns the day that begins at a moment; undefined if none does, or if Node doesn't recognize the zone. */
export function dayBeginningAt(momentMs: number, zone: string): string | undefined {
	// Where daylight saving time begins at midnight, the day begins at 01:00.
	const [day, dayBefore] = [momentMs, momentMs - 1].map((timeMs) => readingIn(zone, timeMs)?.day);
	return day === dayBefore ? undefined : day;
}

/** Midnight after a T, or with seconds: "T00:00", "0:00:00", "00.00.00", "12:00:00 AM". */
const midnight = String.raw`(?<=\d[Tt])00:?00(?::?00)?|(?<![\d:.])0?0:00:00|(?<=\d,? )0?0\.00\.00|(?<!\d)12:00:00 ?[Aa]\.? ?[Mm]\b\.?`;

/**
 * A time zone as computers write it: "Z", "+00", "GMT-6", "GMT+0100 (Central European Standard Time)",
 * "America/Bogota".
 */
const zoneAfter = String.raw`(?: ?(?:[A-Z]{1,4}|z))?(?: ?[+\u2212-]\d{1,2}:?(?:\d\d)?)?(?: UTC)?(?: [A-Z]\w{1,20}/[\w/+-]{1,40})?(?: ?[([][^()[\]]{1,60}[)\]])?`;

/**
 * A midnight as computers write it, at the end of a text. Some programs put the year last: "Mon Feb 01 00:00:00
 * CET 2027". In a sentence, other words follow: "from 00:00:00 hours on 1 February".
 */
const writtenMidnight = new RegExp(
	String.raw`(?:${midnight})(?:[.,]0{1,9})?${zoneAfter}(?: \d{4})?(?![^\p{L}\p{N}]*[\p{L}\p{N}])`,
	'u',
);

/**
 * Finds a date and time that most likely means a day: it is midnight as computers write it, or midnight in its
 * own zone, in UTC, or in the workflow's zone.
 * @returns The rest of a sentence. If the zones disagree about the day, it contains both days.
 */
export function midnightIn(text: string, zone?: () => string): string | undefined {
	const found = zonedMidnightIn(text, zone);
	if (found !== undefined) return `${quoted(text)} is midnight with a time zone${found}`;
	if (!writtenMidnight.test(text)) return undefined;
	return `${quoted(text)} is midnight, written as computers do`;
}

/** @returns The days on which the zones disagree, after a colon; '' if they agree; undefined if it isn't midnight. */
function zonedMidnightIn(text: string, zone?: () => string): string | undefined {
	const [found, ownDay = '', ownTime = '', , hours, minutes = '00'] = moment.exec(text) ?? [];
	if (found === undefined) return undefined;
	const offset = hours === undefined ? 'Z' : `${hours}:${minutes}`;
	const timeMs = Date.parse(`${ownDay}T${ownTime}${offset}`);
	if (Number.isNaN(timeMs)) return undefined;
	const ownReading = {
		day: ownDay,
		time: ownTime,
		name: /[1-9]/.test(offset) ? `UTC${offset}` : 'UTC',
	};
	const [utcDay = '', utcTime = ''] = new Date(timeMs).toISOString().slice(0, 16).split('T');
	const readings = [
		ownReading,
		// The day in UTC matters only if the text was made from that day.
		utcTime === '00:00' ? { day: utcDay, time: utcTime, name: 'UTC' } : undefined,
		zone && readingIn(zone(), timeMs),
	].filter((reading) => reading !== undefined);
	if (!readings.some(({ time }) => time === '00:00')) return undefined;
	const other = readings.find(({ day }) => day !== ownDay);
	return other ? `: ${ownDay} in ${ownReading.name}, but ${other.day} in ${other.name}` : '';
}

/** undefined if Node doesn't recognize the zone. */
function readingIn(zone: string, timeMs: number) {
	// The Swedish format is year-month-day and a time of 24 hours.
	const reading = settleSync(() =>
		new Date(timeMs).toLocaleString('sv', {
			timeZone: zone,
			dateStyle: 'short',
			timeStyle: 'short',
		}),
	);
	if (!reading.ok) return undefined;
	const [day = '', time = ''] = reading.value.split(' ');
	return { day, time, name: zone };
}

interface LuxonDate {
	startOf(unit: 'day'): object;
}

/**
 * Converts a date object to a string, by one rule: a date at the start of a day becomes the day,
 * year-month-day, and any other date becomes an ISO 8601 timestamp. The day begins at midnight in the zone of
 * a Luxon date. A JavaScript date has no zone, so its day begins at midnight where n8n runs, otherwise at
 * midnight in UTC.
 * @returns The string, with a warning if it's a timestamp or a duration, which no one would write into a contract,
 * or if a JavaScript date falls on one day in UTC and on another where n8n runs; undefined if the value is neither
 * a date nor a duration.
 */
export function textOfDate(value: unknown): { text: string; finding?: Finding } | undefined {
	const date = Object(value) as Record<'toJSON' | 'isLuxonDateTime' | 'isLuxonDuration', unknown>;
	if (typeof date.toJSON !== 'function') return undefined;
	const text: unknown = date.toJSON.call(value);
	if (value instanceof Date && typeof text === 'string') return textOfJavaScriptDate(value, text);
	if (value instanceof Date || (date.isLuxonDateTime === true && typeof text !== 'string')) {
		return { text: 'Invalid DateTime' };
	}
	if (typeof text !== 'string') return undefined;
	if (date.isLuxonDuration === true) {
		const { problem, remedy } = durationMistake;
		return { text, finding: { severity: 'looksWrong', problem: problem(text), remedy } };
	}
	// n8n gives numbers of type BigInt this method as well, and other objects have it, such as a URL.
	if (date.isLuxonDateTime !== true) return moment.test(text) ? timestamp(text) : undefined;
	const isDay = Number((value as LuxonDate).startOf('day')) === Number(value);
	return isDay ? { text: text.slice(0, 10) } : timestamp(text);
}

export const durationMistake = {
	problem: (text: string) => `${quoted(text)} looks like a duration`,
	remedy:
		'In the expression, convert the duration to words with .toHuman(), before it becomes text.',
};

function timestamp(text: string): { text: string; finding: Finding } {
	return { text, finding: { severity: 'looksWrong', ...dateProblems.timestamp(text) } };
}

/** The remedy for a date that the contract would contain in a form that its author probably didn't intend. */
export const dateRemedy =
	"If this isn't what the contract should contain, have the expression return the date as text, such as 2027-02-01.";

export const dateProblems = {
	timestamp: (text: string) => ({
		problem: `${quoted(text)} is a date with a time, written as computers do`,
		remedy: dateRemedy,
	}),
	notWrittenOut: (text: string) => ({
		problem: `${quoted(text)} stays as it is, because only a date such as 2027-02-01 is written out`,
		remedy: 'To have it written out like the others, have the expression return it as 2027-02-01.',
	}),
	otherDayInUtc: ({ text, day, localDay }: { text: string; day: string; localDay: string }) => ({
		problem: `${quoted(text)} is ${day} in UTC, but ${localDay} where n8n runs`,
		remedy: `The node uses ${day}. If that's wrong, have the expression return the date as text.`,
	}),
} satisfies ValueProblemTable;

function textOfJavaScriptDate(date: Date, text: string): { text: string; finding?: Finding } {
	const start = new Date(date);
	start.setHours(0, 0, 0, 0);
	// getTimezoneOffset() leaves out the seconds that a zone's offset had in the past, as in Riyadh before 1947.
	const localMidnight = new Date(0);
	localMidnight.setUTCFullYear(date.getFullYear(), date.getMonth(), date.getDate());
	const localDay = localMidnight.toISOString().slice(0, 10);
	if (start.getTime() === date.getTime()) return { text: localDay };
	const [day = '', time] = text.split('T');
	if (time !== '00:00:00.000Z') return timestamp(text);
	if (day === localDay) return { text: day };
	const problem = dateProblems.otherDayInUtc({ text, day, localDay });
	return { text: day, finding: { severity: 'looksWrong', ...problem } };
}
