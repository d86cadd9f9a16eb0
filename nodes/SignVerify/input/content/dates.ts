import { ProcessMemory } from '../../util/processMemory';
import { type CheckedText, type Finding, quoted } from './finding';

/** A day as a contract has it by default: year-month-day. */
type Day = string;

const anchor = 'is-not-a-date';

/** How a person can write a date that nobody reads in two ways. */
const writeIt = 'Write it as year-month-day, such as 2027-02-01, or with the month in words.';

function certain(text: string, problem: string, remedy = writeIt): Finding {
	return { severity: 'certain', problem: `${quoted(text)} ${problem}`, remedy, docsAnchor: anchor };
}

function likely(text: string, problem: string, remedy = writeIt): Finding {
	return { severity: 'likely', problem: `${quoted(text)} ${problem}`, remedy, docsAnchor: anchor };
}

/** A moment as programs write it: a day, a time, and the distance from UTC or nothing. */
const moment =
	/^(\d{4}-\d\d-\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,]\d{1,9})?)? ?(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?(?: UTC)?)?(?:\[[\w/+-]{1,40}\])?$/i;

/** A day in figures, followed by a time or not: year first, or year last. Czech and Hungarian put a gap after each dot. */
const yearFirst = /^(\d{4})( ?[-/. ] ?)(\d{1,2})\2(\d{1,2})\.?(?:[T ,].{0,40})?$/;
const yearLast = /^(\d{1,2})( ?[-/. ] ?)(\d{1,2})\2(\d{4}|\d\d)\.?(?:[T ,].{0,40})?$/;

/** A day in figures at midnight, as exports of spreadsheets and databases have it in their own order. */
const dayAtMidnight =
	/^(\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4})[T ,]{1,2}(?:0{1,2}:00(?::00(?:[.,]0{1,9})?)?|12:00(?::00)? ?a\.?m\.?)$/i;

/** A time beside the day. */
const time = /(?<!\d)\d{1,2}:\d\d(?!\d)|(?<!\d)\d{1,2}h\d\d(?!\d)|(?<!\d)\d{1,2} ?[ap]\.?m\b/i;

/** A text that begins with a day of ten characters. */
const tenCharacters = /^(?:\d{4}([-/.])\d\d\1\d\d|\d\d([-/.])\d\d\2\d{4})(?!\d)/;

/** Figures of any script, and signs and letters that Chinese, Japanese and Hebrew write for numbers. */
const hasFigure = /[\p{N}一二三四五六七八九十零百千壹貳叁肆伍陸柒捌玖拾初廿元]|[א-ת][׳״'"]/u;

/** How a spreadsheet stores a day, and with a fraction a time: as the number of days since 1900. */
const serialNumber = /^\d{5}(?:[.,]\d{1,20})?$/;

/** How programs store a moment: as the seconds or milliseconds since 1970. */
const epoch = /^\d{9,14}$|^\d{8}T\d{4,6}Z?$/;

/** What a contract without an end has as its end. */
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

/** Whether a calendar has the day. */
function exists(year: number, month: number, day: number): boolean {
	const date = new Date(Date.UTC(year, month - 1, day));
	return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** The years of which a contract can speak in figures. Other years can be those of another calendar. */
function isOfCalendar(year: number): boolean {
	return year >= 1900 && year <= 2199;
}

/**
 * Checks what is filled into a field for a date. Every way to write a day is sent as it is, unless it is
 * certainly a mistake. A day at midnight, in any time zone, is sent as the day.
 * @param zoneOfWorkflow Gives the time zone in which the workflow writes dates, which may begin a day at 01:00.
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
			'is how a spreadsheet stores a date, not a date',
			'Format the column as text, or turn the number into a date with an expression.',
		);
	}
	if (!hasFigure.test(text)) {
		return namesMonth(text) || withoutEnd.test(text.slice(0, 200).normalize('NFC'))
			? likely(text, 'has no day in numbers')
			: certain(text, 'is not a date');
	}
	if (epoch.test(text)) return likely(text, 'looks like a timestamp');
	const finding = mistakeInFigures(text);
	if (finding) return finding;
	if (!time.test(text)) return undefined;
	const remedy = tenCharacters.test(text)
		? 'If the contract needs only the day, use its first ten characters.'
		: `If the contract needs only the day, leave the time out. ${writeIt}`;
	return likely(text, 'has a time', remedy);
}

/** Checks a day in figures for one that no reading of it gives, and for one that two readings give. */
function mistakeInFigures(text: string): Finding | undefined {
	const noDay = () => certain(text, "is a day that doesn't exist");
	// Figures may be full-width, as Japanese keyboards write them.
	const plain = text.slice(0, 100).normalize('NFKC');
	if (/^\d{8}$/.test(plain)) return isEightFigureDay(plain) ? undefined : noDay();
	const first = yearFirst.exec(plain);
	if (first) {
		const [year, month, day] = [first[1], first[3], first[4]].map(Number) as [
			number,
			number,
			number,
		];
		if (!isOfCalendar(year)) return likely(text, `has the year ${year}`);
		return exists(year, month, day) ? undefined : noDay();
	}
	const last = yearLast.exec(plain);
	if (!last) return undefined;
	const [one, two, year] = [last[1], last[3], last[4]].map(Number) as [number, number, number];
	const isWhole = last[4]?.length === 4;
	if (isWhole && !isOfCalendar(year)) return likely(text, `has the year ${year}`);
	const readings = [exists(year, two, one), exists(year, one, two)].filter(Boolean).length;
	if (isWhole && readings === 0) return noDay();
	if (readings < 2 || one === two) return undefined;
	return likely(text, 'can be read as day first or as month first');
}

/** Whether eight figures are a day, year first or year last. Without a year, they are a number. */
function isEightFigureDay(figures: string): boolean {
	const part = (start: number, end?: number) => Number(figures.slice(start, end));
	const readings = [
		[part(0, 4), part(4, 6), part(6)],
		[part(4), part(2, 4), part(0, 2)],
		[part(4), part(0, 2), part(2, 4)],
	] as const;
	const ofCalendar = readings.filter(([year]) => isOfCalendar(year));
	return (
		ofCalendar.length === 0 || ofCalendar.some(([year, month, day]) => exists(year, month, day))
	);
}

/** The names of the months in languages of many contracts, once they are needed. */
let months: RegExp | undefined;

/** Whether a text names a month. Legal texts also write days and years in words. */
function namesMonth(text: string): boolean {
	months ??= new RegExp(`(?<!\\p{L})(?:${monthNames().join('|')})(?!\\p{L})`, 'iu');
	return months.test(text.slice(0, 500).normalize('NFC'));
}

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
 * Zones in which summer time begins or began at midnight: on that day, their clocks begin at 01:00. A text has only
 * the distance from UTC, and not the zone.
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
 * The day of a moment that is the beginning of a day where it was written: at midnight, or at the first moment of
 * the day on which summer time begins at midnight.
 * @returns undefined for any other text.
 */
function dayAtItsStart(text: string, zoneOfWorkflow?: () => string): Day | undefined {
	const [, day, hours, minutes, seconds = '00', offset] = moment.exec(text) ?? [];
	if (day === undefined || minutes !== '00' || seconds !== '00' || /[.,]0*[1-9]/.test(text))
		return undefined;
	if (hours === '00') return day;
	if (hours !== '01' || offset === undefined) return undefined;
	const time = new Date(text.replace(' ', 'T').replace(/\[.*$/, '')).getTime();
	const zones = [...(zoneOfWorkflow ? [zoneOfWorkflow()] : []), ...midnightZones];
	return zones.some((zone) => beginsDay(time, day, zone)) ? day : undefined;
}

const dayFormats = new ProcessMemory<Intl.DateTimeFormat | 'unknown zone'>({
	name: 'formats of days',
	bound: 1000,
	life: 'until pushed out',
});

/** Writes the day in a zone; undefined if Node does not know the zone. */
function dayFormatOf(zone: string): Intl.DateTimeFormat | undefined {
	const known = dayFormats.get(zone);
	if (known) return known === 'unknown zone' ? undefined : known;
	let format: Intl.DateTimeFormat | undefined;
	try {
		// This language writes year-month-day.
		format = new Intl.DateTimeFormat('sv', { timeZone: zone, dateStyle: 'short' });
	} catch {
		format = undefined;
	}
	dayFormats.set(zone, format ?? 'unknown zone');
	return format;
}

function beginsDay(time: number, day: Day, zone: string): boolean {
	const format = dayFormatOf(zone);
	if (Number.isNaN(time) || !format) return false;
	return format.format(time) === day && format.format(time - 1) !== day;
}

/**
 * A date of JavaScript, or of n8n's expressions (Luxon), as text. At the beginning of a day, it is the day, because
 * a contract needs no hours. At any other time, it is the moment in ISO 8601.
 * @returns undefined if the value is no such date.
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
	const remedy = 'An expression could not read a date. Check what it gets for this item.';
	return { text: '', finding: certain('Invalid DateTime', 'is not a date', remedy) };
}

/** What is used of a date of Luxon. */
interface LuxonDate {
	startOf(unit: 'day'): object;
}

function beginsItsDay(date: LuxonDate): boolean {
	return Number(date.startOf('day')) === Number(date);
}

function withTime(text: string): Finding {
	return likely(
		text,
		'has a time',
		"If the contract needs only the day, use .toFormat('yyyy-MM-dd') in the expression.",
	);
}

/** The day of a JavaScript date, which has no time zone of its own: that of n8n's process counts. */
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
		`is the day ${day} in UTC, and ${local} where n8n runs`,
		`The contract says ${day}. If that is wrong, let the expression return the day as a text.`,
	);
	return { text: day, finding };
}
