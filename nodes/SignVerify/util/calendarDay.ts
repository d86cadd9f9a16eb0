import { normalText } from './names';
import { dayMs, readMoment } from './times';

/** Longer texts aren't read as a day. */
const maxDayLength = 100;

/** A date in digits, and the time after it, with or without a time zone. */
const dateAndTime =
	/^([\d./-]{8,10})(?:[T ](\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?)(?:Z|[+-]\d\d:?\d\d)?)?$/i;

/** A day in digits, with or without a time after it. Some languages put a space after each dot. */
const yearFirst = /^(\d{4})([\p{Pd}/.] ?)(\d{1,2})\2(\d{1,2})(?!\d)/u;
const yearLast = /^(\d{1,2})([\p{Pd}/.] ?)(\d{1,2})\2(\d{4})(?!\d)/u;

export interface WrittenDay {
	found: string;
	year: number;
	/** The two other numbers, as they are written. */
	left: number;
	right: number;
	isYearFirst: boolean;
}

/** Finds a day at the beginning of a text, whether it exists or not. */
export function writtenDayIn(text: string): WrittenDay | undefined {
	const first = yearFirst.exec(text);
	const [found, one, , two, three] = first ?? yearLast.exec(text) ?? [];
	if (found === undefined) return undefined;
	const [year, left, right] = first ? [one, two, three] : [three, one, two];
	return {
		found,
		year: Number(year),
		left: Number(left),
		right: Number(right),
		isYearFirst: first !== null,
	};
}

/** Returns the month and the day that a written day can mean: both ways if the year is last. */
export function monthsAndDaysOf({ left, right, isYearFirst }: WrittenDay): Array<[number, number]> {
	return isYearFirst
		? [[left, right]]
		: [
				[right, left],
				[left, right],
			];
}

/** Returns the existing days that a written day can mean: both, if either of its numbers can be the month. */
export function daysOf(written: WrittenDay): string[] {
	const digits = (number: number, length = 2) => String(number).padStart(length, '0');
	return monthsAndDaysOf(written)
		.map(([month, day]) => `${digits(written.year, 4)}-${digits(month)}-${digits(day)}`)
		.filter((iso) => {
			const timeMs = Date.parse(iso);
			// JavaScript reads 2030-02-30 as 2030-03-02.
			return !Number.isNaN(timeMs) && new Date(timeMs).toISOString().startsWith(iso);
		});
}

/**
 * Returns the existing days, year-month-day, that a text can mean if it's nothing but a day in digits: two for
 * 01/02/2027, and none for any other text.
 */
export function daysIn(text: string): string[] {
	const written = text.length > maxDayLength ? undefined : wholeDay(withHyphens(text));
	return written ? daysOf(written) : [];
}

/** Normalizes a text with a date, which word processors may write with dashes. */
function withHyphens(text: string): string {
	return normalText(text).replace(/\p{Pd}/gu, '-');
}

/** Reads a text that begins with a day, its four-digit year first: 2030-02-28, 20300228, 2030/2/28 12:00. */
export function readYearFirst(text: string): string | undefined {
	const written = wholeDay(textParts(text).date);
	return written?.isYearFirst ? daysOf(written)[0] : undefined;
}

/**
 * Reads a text that means one day only: one that begins with the year, one whose order of day and month is certain,
 * such as 28.02.1990, or a moment ({@link dayOfMoment}).
 * @returns The day, such as 1990-02-28; undefined for any other text.
 */
export function readDay(text: string): string | undefined {
	const { date, time } = textParts(text);
	if (/[1-9]/.test(time)) return dayOfMoment(readMoment(normalText(text)));
	const written = wholeDay(date);
	const [day, otherDay = day] = written ? daysOf(written) : [];
	return day === otherDay ? day : undefined;
}

function textParts(text: string): { date: string; time: string } {
	const [, date = '', time = ''] =
		text.length > maxDayLength ? [] : (dateAndTime.exec(withHyphens(text)) ?? []);
	return { date, time };
}

/** @returns undefined if the text is anything else than a day. */
function wholeDay(date: string): WrittenDay | undefined {
	const text = date.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3');
	const written = writtenDayIn(text);
	return written?.found === text ? written : undefined;
}

/**
 * Returns the number of days since 1970-01-01 of the day that most likely begins at a moment. Midnight in a time zone
 * east of UTC is the day before in UTC, so the day is that of the nearest midnight UTC. Exactly 12:00 UTC stays on its
 * day.
 */
export function dayNumberOf(momentMs: number): number {
	return Math.ceil(momentMs / dayMs - 0.5);
}

/** From here to 12:00 UTC, it's midnight in Honolulu, and also in Auckland, where the next day begins. */
const firstUncertainHour = 10;

/** Returns the day that begins at a moment; undefined if it could also be the next one. */
export function dayOfMoment(momentMs = NaN): string | undefined {
	const dayNumber = dayNumberOf(momentMs);
	const hours = ((momentMs - dayNumber * dayMs) / dayMs) * 24;
	return hours < firstUncertainHour ? isoDay(dayNumber) : undefined;
}

export function isoDay(dayNumber: number): string {
	return new Date(dayNumber * dayMs).toISOString().slice(0, 10);
}
