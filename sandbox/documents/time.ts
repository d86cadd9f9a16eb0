/** Where the clock of a country's capital is, by the country's name in English or its own language. */
const ZONES: Array<[zone: string, ...countries: string[]]> = [
	['America/Argentina/Buenos_Aires', 'argentina'],
	['America/Bogota', 'colombia'],
	['America/Costa_Rica', 'costa rica'],
	['America/El_Salvador', 'el salvador'],
	['America/Guatemala', 'guatemala'],
	['America/Guayaquil', 'ecuador'],
	['America/La_Paz', 'bolivia'],
	['America/Lima', 'peru'],
	['America/Mexico_City', 'mexico'],
	['America/Montevideo', 'uruguay'],
	['America/New_York', 'united states', 'usa', 'estados unidos'],
	['America/Panama', 'panama'],
	['America/Santiago', 'chile'],
	['America/Santo_Domingo', 'dominican republic', 'republica dominicana'],
	['America/Sao_Paulo', 'brazil', 'brasil'],
	['America/Tegucigalpa', 'honduras'],
	['America/Toronto', 'canada'],
	['Europe/Berlin', 'germany', 'deutschland'],
	['Europe/London', 'united kingdom'],
	['Europe/Madrid', 'spain', 'espana'],
];

const byCountry = new Map(ZONES.flatMap(([zone, ...names]) => names.map((name) => [name, zone])));
const formats = new Map<string, Intl.DateTimeFormat>();

/** The time zone of a document: that of its country's capital, or UTC where the country is not known. */
export function timeZoneOf(country: string): string {
	const plain = country.normalize('NFD').replace(/\p{M}/gu, '').trim().toLowerCase();
	return byCountry.get(plain) ?? 'UTC';
}

/**
 * A time as a person writes it: `21 November 2026, 05:17:32 (UTC−6)`.
 * @param epochMs '' is the answer when it is absent or not a time.
 * @param country Of the document.
 * @param isExact Whether to the second.
 */
export function writtenTime(epochMs: number | undefined, country: string, isExact = true): string {
	if (epochMs === undefined || Number.isNaN(new Date(epochMs).getTime())) return '';
	const zone = timeZoneOf(country);
	let format = formats.get(zone);
	if (!format) {
		format = new Intl.DateTimeFormat('en-GB', {
			timeZone: zone,
			hourCycle: 'h23',
			day: 'numeric',
			month: 'long',
			year: 'numeric',
			hour: '2-digit',
			minute: '2-digit',
			second: '2-digit',
			timeZoneName: 'longOffset',
		});
		formats.set(zone, format);
	}
	// Put together here: how a library joins the parts differs between versions of Node, and a
	// document's bytes, with them its hash, must not.
	const of = Object.fromEntries(
		format.formatToParts(epochMs).map(({ type, value }) => [type, value]),
	);
	const time = `${of.hour}:${of.minute}${isExact ? `:${of.second}` : ''}`;
	return `${of.day} ${of.month} ${of.year}, ${time} (${offsetText(of.timeZoneName ?? '')})`;
}

/** `GMT-06:00` as `UTC−6`. */
function offsetText(offset: string): string {
	const [, sign = '', hours = '', minutes = '00'] = /([+-])(\d+):?(\d+)?/.exec(offset) ?? [];
	const rest = minutes === '00' ? '' : `:${minutes}`;
	// Some versions of Node name no offset for UTC, others name 0.
	if (!sign || (Number(hours) === 0 && !rest)) return 'UTC';
	return `UTC${sign === '-' ? '−' : '+'}${Number(hours)}${rest}`;
}
