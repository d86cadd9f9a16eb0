import type { TemplateVariable } from '../../api/types';
import { InputError } from '../../input/inputError';

/** A day as a contract has it: year-month-day, with a time or without. */
const written = /^\s*(\d{4}-\d\d-\d\d)(?:T|\s*$)/;

/** How a spreadsheet stores a day: as the number of days since 1900. */
const serialNumber = /^\s*\d{5}\s*$/;

/** Whether a field is a date, by its type or its label. */
export function isDateField({ type, label, key }: TemplateVariable): boolean {
	return type === 'date' || /(?<!\p{L})(?:date|fecha)(?!\p{L})/iu.test(label || key);
}

/**
 * Checks the value of a date field. The interface documents no format, so only what is certainly no date is
 * refused.
 * @param field What the form calls the field.
 * @returns Whether it is written as year-month-day.
 * @throws InputError for a day that no calendar has, and for a spreadsheet's number.
 */
export function checkDate(text: string, field: string): boolean {
	const [, day] = written.exec(text) ?? [];
	const isDay = day !== undefined && new Date(`${day}T00:00Z`).toJSON()?.startsWith(day);
	if (isDay || (day === undefined && !serialNumber.test(text))) return isDay;
	throw new InputError(
		field,
		`"${text.trim().slice(0, 30)}" is not a date`,
		'Write it as year-month-day, such as 2027-02-01.',
	);
}

/**
 * A date of JavaScript, or of n8n's expressions (Luxon), as text. At midnight it is a day, in its own time
 * zone: a contract needs no hours. Otherwise it is the moment in ISO 8601.
 * @returns undefined if the value is no such date.
 */
export function dateText(value: unknown): unknown {
	const { toJSON } = Object(value) as { toJSON?: unknown };
	if (typeof toJSON !== 'function') return undefined;
	const moment: unknown = toJSON.call(value);
	const local = value instanceof Date ? localDay(value) : undefined;
	if (local !== undefined || typeof moment !== 'string') return local ?? moment;
	return moment.replace(/^(\d{4}-\d\d-\d\d)T00:00(?::00(?:\.0+)?)?(?:Z|[+-]\d\d:?\d\d)$/, '$1');
}

/** The day of a JavaScript date that is midnight where n8n runs; undefined at any other time. */
function localDay(date: Date): string | undefined {
	const offset = date.getTimezoneOffset() * 60_000;
	const [day, time] = Number.isNaN(date.getTime())
		? []
		: new Date(date.getTime() - offset).toISOString().split('T');
	return time === '00:00:00.000Z' ? day : undefined;
}
