/** A date in a client's text, as in `2027-01-31`. */
const ISO_DATE = /^\d{4}-\d{2}-\d{2}$/;
const months = new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' });

/**
 * A time as a person writes it: `21 November 2026, 05:17:32 UTC`. Put together here: how a library
 * joins the parts differs between versions of Node, and a document's bytes, with them its hash, must
 * not.
 * @param epochMs '' is the answer when it is absent or not a time.
 * @param isExact Whether to the second.
 */
export function writtenTime(epochMs: number | undefined, isExact = true): string {
	const date = new Date(epochMs ?? NaN);
	if (Number.isNaN(date.getTime())) return '';
	const time = date.toISOString().slice(11, isExact ? 19 : 16);
	return `${date.getUTCDate()} ${months.format(date)} ${date.getUTCFullYear()}, ${time} UTC`;
}

/** A text as it stands in a sentence: a date such as `2027-01-31` becomes `31 January 2027`. */
export function writtenDate(text: string): string {
	const date = new Date(ISO_DATE.test(text) ? text : NaN);
	if (Number.isNaN(date.getTime())) return text;
	return `${date.getUTCDate()} ${months.format(date)} ${date.getUTCFullYear()}`;
}
