import { type Answer, compareNames } from '../util/personName';
import { dayMs, objectOf, readMoment, textOf } from '../util/values';

/** The person that a workflow expects to have verified. */
export interface ExpectedPerson {
	/** The person's name; '' if the workflow doesn't state one. */
	name: string;
	/** The age, in years, from which the person is of age. */
	minimumAge: number;
}

/**
 * Whether an official ID belongs to the expected person. These answers are output instead of the name and the
 * date of birth, which are personal data.
 */
type IdAnswers = {
	nameMatches: Answer;
	isOfAge: Answer;
};

/** The answers if nothing was read from an ID. */
export const noIdAnswers: IdAnswers = { nameMatches: 'unknown', isOfAge: 'unknown' };

/**
 * Compares the data that was read from an official ID with the expected person.
 * @param ocr The data (docs/dev/service.md#identity-verification-results).
 * @param expected undefined if the node no longer knows whom the workflow expects.
 */
export function answersFromId(ocr: unknown, expected: ExpectedPerson | undefined): IdAnswers {
	if (!expected) return noIdAnswers;
	const { name, minimumAge } = expected;
	const { name: nameOnId, birthDate } = objectOf(ocr);
	return { nameMatches: nameAnswer(name, nameOnId), isOfAge: ageAnswer(birthDate, minimumAge) };
}

/**
 * Compares the expected name with each form of the name that the ID's data contains, because the data may
 * contain the full name without the second family name, or nothing but the parts.
 */
function nameAnswer(expected: string, nameOnId: unknown): Answer {
	const { fullName, firstName, lastName, paternalLastName, maternalLastName } = objectOf(nameOnId);
	const bothLastNames = `${textOf(paternalLastName)} ${textOf(maternalLastName)}`;
	const fromParts = [textOf(lastName), bothLastNames]
		.filter((family) => textOf(firstName).trim() && family.trim())
		.map((family) => `${textOf(firstName)} ${family}`);
	const names = [textOf(fullName), ...fromParts].filter((name) => name.trim());
	const answers = names.map((name) => compareNames(expected, name));
	if (answers.includes('yes')) return 'yes';
	return answers.length > 0 && answers.every((answer) => answer === 'no') ? 'no' : 'unknown';
}

/**
 * Answers `unknown` within a day of the birthday on which a person comes of age, because neither the time
 * zone of the date of birth nor the person's own is known.
 */
function ageAnswer(birthDate: unknown, minimumAge: number): Answer {
	const day = birthDay(birthDate);
	if (day === undefined) return 'unknown';
	const cameOfAge = new Date(day);
	cameOfAge.setUTCFullYear(cameOfAge.getUTCFullYear() + minimumAge);
	const daysSince = Math.floor(Date.now() / dayMs) - cameOfAge.getTime() / dayMs;
	if (Math.abs(daysSince) <= 1) return 'unknown';
	return daysSince > 0 ? 'yes' : 'no';
}

/** No living person is older. A date of birth that is longer ago stands for a missing one. */
const maxAgeDays = 130 * 366;

/**
 * The days around 1970-01-01 on which no date of birth is believed: 0 and -1 stand for a missing one, and one
 * in seconds, or written as digits (2015, 20150512), is only that many milliseconds away from this day.
 */
const unbelievedDays = 31;

/**
 * Returns the day on which a person was born. The service sends a moment, usually midnight in the time zone
 * of the ID, which is the day before in UTC if that zone is east of it. So the day is that of the nearest
 * midnight UTC. Exactly 12:00 UTC stays on its day.
 * @returns The day, such as 1990-02-28; undefined if there is none, for a date in the future, and for one so
 * close to 1970-01-01 that it's likely in another unit than milliseconds.
 */
export function birthDay(birthDate: unknown): string | undefined {
	const momentMs = readMoment(birthDate);
	if (momentMs === undefined) return undefined;
	const dayNumber = Math.ceil(momentMs / dayMs - 0.5);
	if (Math.abs(dayNumber) <= unbelievedDays) return undefined;
	const ageDays = Date.now() / dayMs - dayNumber;
	if (ageDays < -1 || ageDays > maxAgeDays) return undefined;
	return new Date(dayNumber * dayMs).toISOString().slice(0, 10);
}
