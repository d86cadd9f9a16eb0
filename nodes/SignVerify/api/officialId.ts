import type { IDataObject } from 'n8n-workflow';

import { dayNumberOf, dayOfMoment, isoDay, readDay, readYearFirst } from '../util/calendarDay';
import { dayMs, readMoment } from '../util/times';
import { isProvenName } from './nameOnId';
import { normalForm } from '../util/text';
import { isEmpty, objectOf, textOf } from '../util/values';

/** The answer to a question about a fact. `unknown` means that a human has to look. */
type Answer = 'yes' | 'no' | 'unknown';

/** Whether it's proven that the ID is the expected person's. If not, a human has to look, so there is no "no". */
type IdAnswer = 'yes' | 'unknown';

const matchIf = (isProven: boolean): IdAnswer => (isProven ? 'yes' : 'unknown');

export interface ExpectedPerson {
	/** The person's name; '' if the workflow doesn't state one, or a wait hasn't stored it. */
	name: string;
	/** The age, in years, from which the person is of age; undefined if a wait hasn't stored it. */
	minimumAge?: number | undefined;
	/** The date of birth, as entered; undefined if the workflow doesn't state one, '' if a wait hasn't stored it. */
	birthDate?: string | undefined;
	/** A number of the official ID, such as its CURP, like the date of birth. */
	documentNumber?: string | undefined;
}

/**
 * Whether an official ID is valid and belongs to the expected person. These answers are output instead of what was
 * read from the ID, which is personal data. What the workflow doesn't expect has no answer.
 */
type IdAnswers = {
	nameMatches: IdAnswer;
	isOfAge: Answer;
	isExpired: Answer;
	birthDateMatches?: IdAnswer;
	documentNumberMatches?: IdAnswer;
};

/**
 * Compares the data that was read from an official ID with the expected person and with today.
 * @param ocr The data (docs/dev/service.md#identity-verification-results). Without any, all answers are `unknown`.
 */
export function answersFromId(ocr: unknown, expected: ExpectedPerson): IdAnswers {
	const { name, minimumAge, birthDate, documentNumber } = expected;
	const onId = objectOf(ocr);
	return {
		nameMatches: nameAnswer(name, onId.name),
		isOfAge: ageAnswer(onId.birthDate, minimumAge),
		isExpired: expiryAnswer(onId.expirationDate, onId.expireAt),
		...(birthDate === undefined
			? {}
			: { birthDateMatches: birthDateAnswer(birthDate, onId.birthDate) }),
		...(documentNumber === undefined
			? {}
			: { documentNumberMatches: numberAnswer(documentNumber, onId) }),
	};
}

function nameAnswer(expected: string, nameOnId: unknown): IdAnswer {
	const { fullName, firstName, lastName, paternalLastName, maternalLastName } = objectOf(nameOnId);
	const paternal = textOf(paternalLastName);
	const onId = {
		fullName: textOf(fullName),
		given: textOf(firstName),
		families: [
			textOf(lastName),
			...(paternal ? [paternal, `${paternal} ${textOf(maternalLastName)}`] : []),
		],
	};
	return matchIf(isProvenName(expected, onId));
}

/**
 * Answers `unknown` within a day of the birthday on which a person comes of age, because neither the time
 * zone of the date of birth nor the person's own is known.
 */
function ageAnswer(birthDate: unknown, minimumAge: number | undefined): Answer {
	const day = birthDay(birthDate);
	if (day === undefined || minimumAge === undefined) return 'unknown';
	const cameOfAge = new Date(day);
	cameOfAge.setUTCFullYear(cameOfAge.getUTCFullYear() + minimumAge);
	return isPast(daysSince(cameOfAge.getTime()));
}

function daysSince(timeMs: number): number {
	return Math.floor(Date.now() / dayMs) - timeMs / dayMs;
}

/** Whether a day is past, by the number of days since then. Within a day of today, a time zone can decide. */
function isPast(days: number): Answer {
	if (Math.abs(days) <= 1) return 'unknown';
	return days > 0 ? 'yes' : 'no';
}

/**
 * Whether the ID has expired, by the two fields that may contain its last day. A field that is empty doesn't mean that
 * the ID never expires.
 */
function expiryAnswer(expirationDate: unknown, expireAt: unknown): Answer {
	const filled = [expirationDate, expireAt].filter(
		(value) => !isEmpty(value) && value !== false && (typeof value !== 'string' || value.trim()),
	);
	const [date = '', otherDate = date] = filled.map(dateOfExpiry);
	// A year agrees with each of its days.
	const isSame = date.startsWith(otherDate) || otherDate.startsWith(date);
	if (!date || !otherDate || !isSame) return 'unknown';
	const answer = isPastExpiry(date);
	return answer === isPastExpiry(otherDate) ? answer : 'unknown';
}

/** Returns a date of expiry as a day or a year, such as 2030-12-31 or 2030; '' if it isn't certain. */
function dateOfExpiry(value: unknown): string {
	const text = textOf(value).trim();
	return /^\d{4}$/.test(text) ? text : (readYearFirst(text) ?? '');
}

/** No one has verified an ID that expired so long ago, so such a date stands for a missing one, or is in another calendar. */
const maxExpiredDays = 100 * 366;

/** No ID is valid for longer. A later date is in another calendar: 2565 in Thailand was 2022. */
const maxValidDays = 30 * 366;

/** The years in which an ID expires that never does. */
const neverYears = ['2099', '9999'];

/** A year alone means its last day. */
function isPastExpiry(date: string): Answer {
	if (neverYears.includes(date.slice(0, 4))) return 'no';
	const lastDayMs = Date.parse(date.length === 4 ? `${date}-12-31` : date);
	const days = daysSince(lastDayMs);
	const isBelieved = days <= maxExpiredDays && days >= -maxValidDays;
	return isBelieved && Math.abs(lastDayMs / dayMs) > unbelievedDays ? isPast(days) : 'unknown';
}

function birthDateAnswer(expected: string, onId: unknown): IdAnswer {
	const expectedDay = birthDay(Date.parse(readDay(expected) ?? ''));
	const day = birthDay(onId) && dayOfMoment(readMoment(onId));
	return matchIf(expectedDay !== undefined && expectedDay === day);
}

/** Compares the expected number with each number on the ID, because IDs name their numbers differently. */
function numberAnswer(expected: string, onId: IDataObject): IdAnswer {
	const { documentNumber, documentNumberCheckDigit, claveDeElector, cic, ocr, curp } = onId;
	const withCheckDigit =
		comparedNumber(documentNumber) &&
		`${textOf(documentNumber)}${textOf(documentNumberCheckDigit)}`;
	const numbers = [documentNumber, withCheckDigit, claveDeElector, cic, ocr, curp];
	const number = comparedNumber(expected);
	return matchIf(number !== '' && numbers.map(comparedNumber).includes(number));
}

/** Longer numbers aren't compared, so that no text from outside can hold up n8n. */
const maxNumberLength = 100;

/** Returns a number's letters and digits; '' if it's only a placeholder, such as 000000000 or N/A. */
function comparedNumber(value: unknown): string {
	const text = textOf(value);
	if (text.length > maxNumberLength) return '';
	const characters = normalForm(text, 'NFKC')
		.toUpperCase()
		.replace(/[^\p{L}\p{N}]/gu, '');
	return /\p{Nd}/u.test(characters) && new Set(characters).size > 1 ? characters : '';
}

/** No living person is older. A date of birth that is longer ago stands for a missing one, such as 1900-01-01. */
const maxAgeDays = 120 * 366;

/**
 * The days around 1970-01-01 on which no date of birth is believed: 0 and -1 stand for a missing one, and one
 * in seconds, or written as digits (2015, 20150512), is only that many milliseconds away from this day.
 */
const unbelievedDays = 31;

/**
 * Returns the day on which a person was born. The service sends a moment, usually midnight in the time zone of the ID
 * ({@link dayNumberOf}).
 * @returns The day, such as 1990-02-28; undefined if there is none, for a date in the future, and for one so
 * close to 1970-01-01 that it's likely in another unit than milliseconds.
 */
export function birthDay(birthDate: unknown): string | undefined {
	const momentMs = readMoment(birthDate);
	if (momentMs === undefined) return undefined;
	const dayNumber = dayNumberOf(momentMs);
	if (Math.abs(dayNumber) <= unbelievedDays) return undefined;
	const ageDays = Date.now() / dayMs - dayNumber;
	return ageDays < -1 || ageDays > maxAgeDays ? undefined : isoDay(dayNumber);
}
