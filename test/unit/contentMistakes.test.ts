import { transformFileSync } from '@swc/core';
import fc from 'fast-check';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import {
	hasNamedAddress,
	isAddress,
	mistakeInAddress,
	splitNamedAddress,
} from '../../nodes/SignVerify/text/addresses';
import {
	mistakeInAddressText,
	mistakeInField,
	mistakeInKey,
	mistakeInName,
	contentProblems,
} from '../../nodes/SignVerify/text/contentMistakes';
import { textRules } from '../../nodes/SignVerify/form/texts';
import {
	dateProblems,
	dateRemedy,
	dayBeginningAt,
	momentIn,
	textOfDate,
} from '../../nodes/SignVerify/text/dates';
import type { Severity } from '../../nodes/SignVerify/text/finding';
import { onOneLine } from '../../nodes/SignVerify/util/text';
import { expectLinear } from '../support/growth';
import { countriesWithLists } from '../support/realLists';
import realValues from './realValues.json';

/** The parts of Luxon that these tests use. n8n's expressions use Luxon for dates. */
interface Luxon {
	DateTime: {
		fromISO(text: string, options: { zone: string }): { hour: number };
		invalid(reason: string): unknown;
	};
	Duration: { fromObject(parts: object): unknown };
}
const { DateTime, Duration } = jest.requireActual<Luxon>('luxon');

/** What's wrong causes an error. What looks wrong stops the item without Send Despite Warnings, and a warning never does. */
type Verdict = Severity | 'right';

const findings: Record<Verdict, string> = {
	wrong: 'wrong',
	looksWrong: 'looks wrong',
	warning: 'a warning',
	right: 'right',
};

const dateField = { label: 'Start date', key: 'start', type: 'text' };
const verdicts = {
	'a name': (text: string) => mistakeInName(text)?.severity ?? 'right',
	'a field': (text: string) => mistakeInField(text)?.severity ?? 'right',
	'a date field': (text: string) => mistakeInField(text, dateField)?.severity ?? 'right',
};
type Place = keyof typeof verdicts;

/** The verdicts that a table expects for one value, by place: in a name, in a field, in a date field. */
type Row = [value: string, inName: Verdict, inField: Verdict, inDateField: Verdict];

/** Makes a test's row for each place of each value. */
function byPlace(rows: Row[]) {
	const places = Object.keys(verdicts) as Place[];
	return rows.flatMap(([value, ...expected]) =>
		places.map((place, index) => {
			const verdict = expected[index] ?? 'right';
			return [findings[verdict], value, place, verdict] as const;
		}),
	);
}

/** Single values in which the checks once found a mistake, or might, by country, each field with its label. */
const singleValues = Object.values(realValues);

const valuesOfLists = countriesWithLists.map(({ names, emails, lists }) => ({
	names,
	emails,
	fields: Object.values(lists)
		.flatMap((columns) => Object.entries(columns))
		.flatMap(([label, cells]) => cells.map((cell) => [label, cell])),
}));

/** The only right value that is stopped, because in a text like it, the word is nearly always a mistake. */
const isStoppedAnyway = (value: string) => /^Clause: Save as otherwise undefined/.test(value);

describe.each([
	['Single values', singleValues, 600],
	['The values of lists', valuesOfLists, 1_000],
])('%s', (_what, countries, expectedCount) => {
	const values = countries.flatMap(({ names, emails, fields }) => [
		...names.map((name) => ({ value: name, severity: mistakeInName(name)?.severity })),
		...emails.map((email) => ({
			value: email,
			severity: isAddress(email) ? textRules.email().mistakeIn(email, email)?.severity : 'wrong',
		})),
		...fields.map(([label = '', value = '']) => ({
			value: `${label}: ${value}`,
			severity: mistakeInField(value, { label, key: 'k1', type: 'text' })?.severity,
		})),
	]);
	const valuesWith = (severity: Severity) =>
		values.filter((one) => one.severity === severity).map(({ value }) => value);

	test(`of ${countries.length} countries are never refused`, () => {
		expect(countries.length).toBeGreaterThan(33);
		expect(values.length).toBeGreaterThan(expectedCount);
		expect(valuesWith('wrong')).toEqual([]);
	});

	test('are never stopped', () => {
		expect(valuesWith('looksWrong').filter((value) => !isStoppedAnyway(value))).toEqual([]);
	});

	test('are never refused in a field of any name', () => {
		const refused = countries
			.flatMap(({ fields }) => fields)
			.filter(
				([, value = '']) =>
					mistakeInField(value, { ...dateField, type: 'date' })?.severity === 'wrong',
			);
		expect(refused).toEqual([]);
	});
});

describe('A leftover', () => {
	test.each(
		byPlace([
			// Wrong: no author means it, in any language.
			['a\u0000b', 'wrong', 'wrong', 'wrong'],
			['a\u0092s', 'wrong', 'wrong', 'wrong'],
			['cut \uD83D', 'wrong', 'wrong', 'wrong'],
			['a\uFFFDb', 'wrong', 'wrong', 'wrong'],
			['To {{ $json.name }}', 'wrong', 'wrong', 'wrong'],
			['{{ $json.name ?? {} }}', 'wrong', 'wrong', 'wrong'],
			['of [object Object], soon', 'wrong', 'wrong', 'wrong'],
			['undefined', 'wrong', 'wrong', 'wrong'],
			['undefined undefined', 'wrong', 'wrong', 'wrong'],
			['undefined null', 'wrong', 'wrong', 'wrong'],
			['.', 'looksWrong', 'right', 'right'],
			['\u3164.', 'looksWrong', 'right', 'right'],
			['N. N.', 'right', 'right', 'right'],
			['😀', 'right', 'right', 'right'],
			['null, NaN', 'wrong', 'wrong', 'wrong'],
			['NaN', 'wrong', 'wrong', 'wrong'],
			['NaN €', 'wrong', 'wrong', 'wrong'],
			['Invalid Date', 'wrong', 'wrong', 'wrong'],
			['Invalid DateTime', 'wrong', 'wrong', 'wrong'],
			['Invalid date', 'wrong', 'wrong', 'wrong'],
			...'#REF! #DIV/0! #VALUE! #NAME? #NUM! #NULL! #N/A'
				.split(' ')
				.map((error): Row => [` ${error} `, 'wrong', 'wrong', 'wrong']),
			['null', 'wrong', 'looksWrong', 'looksWrong'],
			['Ana undefined', 'wrong', 'looksWrong', 'looksWrong'],
			// Looks wrong.
			['until Invalid DateTime', 'looksWrong', 'looksWrong', 'looksWrong'],
			['23.788099999999996 EUR', 'warning', 'looksWrong', 'looksWrong'],
			['0.30000000000000004', 'looksWrong', 'looksWrong', 'looksWrong'],
			['33.333333333333336', 'looksWrong', 'looksWrong', 'looksWrong'],
			['0.6666666666666666.', 'looksWrong', 'looksWrong', 'looksWrong'],
			['520.9677419354839', 'looksWrong', 'looksWrong', 'looksWrong'],
			['19.99999999999999 and 5.5', 'warning', 'looksWrong', 'looksWrong'],
			['19.43260771234567', 'looksWrong', 'warning', 'warning'],
			// More digits than a computer's number has, and a number that it would write with fewer.
			...[
				...['250.1234567890123456789', '33.3333333333333333%', '0.10000000000000001'],
				...['43.653226000000004, -79.3831843', '23.788099999999996 3554.9999999999995'],
			].map((value): Row => [value, 'looksWrong', 'warning', 'warning']),
			['250.123456789012345678 ETH', 'warning', 'warning', 'warning'],
			['250.12345678901235', 'looksWrong', 'looksWrong', 'looksWrong'],
			['33.333333333333336%', 'looksWrong', 'looksWrong', 'looksWrong'],
			['19.432607700000002, -99.13320800000001', 'looksWrong', 'warning', 'warning'],
			['40.71277580123456° N 74.00597280123456° W', 'warning', 'warning', 'warning'],
			['19.43260770000000, -99.13320800000000', 'looksWrong', 'right', 'right'],
			['23.79', 'looksWrong', 'right', 'right'],
			['3.14159265358979', 'looksWrong', 'right', 'right'],
			['0.000000000000001', 'looksWrong', 'right', 'right'],
			['1.2.840.113549.1.1.11', 'looksWrong', 'right', 'right'],
			['Art. 1.10000000000000001.2', 'warning', 'right', 'right'],
			['boss@example.com', 'looksWrong', 'right', 'right'],
			['Boss <boss@example.com>', 'looksWrong', 'right', 'right'],
			['https://example.com/a', 'looksWrong', 'right', 'right'],
			['{"first":"Ana","last":"Gil"}', 'looksWrong', 'right', 'right'],
			['2027-02-01T00:00:00.000Z', 'looksWrong', 'right', 'looksWrong'],
			['Mon Feb 01 2027 00:00:00 GMT-0600', 'looksWrong', 'right', 'looksWrong'],
			['Kino @Home', 'right', 'right', 'right'],
			['Ana (Annie) Gil, HRB 12345', 'right', 'right', 'right'],
			['Studio 1899 {Berlin} 2', 'right', 'right', 'right'],
			['Ana NaN', 'looksWrong', 'looksWrong', 'looksWrong'],
			['See #REF! there', 'looksWrong', 'looksWrong', 'looksWrong'],
			['#SALE!', 'looksWrong', 'looksWrong', 'looksWrong'],
			['#¿NOMBRE?', 'looksWrong', 'looksWrong', 'looksWrong'],
			...[
				...['#Н/Д', '#N/D', '#NV', '#NENÍ_K_DISPOZICI!', '#VALEUR!', '#AD!', '#NAME ?'],
				...['#ДЕЛ/0!', '#¡DIV/0!', '#N/DISP', '#WERT!', '##', '########', 'Err:502'],
				...['Err :502', 'Err\u00a0:522', '#SAKNAS!', '#ОШИБКА!'],
			].map((value): Row => [value, 'looksWrong', 'looksWrong', 'looksWrong']),
			...[
				...['#A/B', '#PH/T', '#AD', '#PH', '#BSMT', '#REFUND', '#NDA', '#BLACK_FRIDAY'],
				...['#YOK', '#HIÁNYZIK', '#GETTING_DATA', '#DE', '#NAV', '#NVA'],
			].map((value): Row => [value, 'warning', 'warning', 'warning']),
			...['#FFF', '#CAFE', '#FACADE', '#FACADEFF', '#', '# #'].map((value): Row => [
				value,
				/[A-F]/.test(value) ? 'right' : 'looksWrong',
				'right',
				'right',
			]),
			...['#Nv', 'Room #NV', 'Error:502', 'Err:502a', 'Err:402'].map((value): Row => [
				value,
				'right',
				'right',
				'right',
			]),
			['MarÃ\u00ada NÃºÃ±ez', 'looksWrong', 'looksWrong', 'looksWrong'],
			['JosÃ© Gil', 'looksWrong', 'looksWrong', 'looksWrong'],
			['Oâ€™Brien', 'looksWrong', 'looksWrong', 'looksWrong'],
			['12Â\u00a0€', 'looksWrong', 'looksWrong', 'looksWrong'],
			...['Ã–sterreich', 'Ã–STERREICH', 'KÃ–LN', 'SchÃ–n', 'MALMÃ–', 'MANHÃ‡Ã•ES'].map(
				(value): Row => [value, 'looksWrong', 'looksWrong', 'looksWrong'],
			),
			['MANHÃ–TARDE', 'warning', 'warning', 'warning'],
			['Ð˜Ð²Ð°Ð½', 'looksWrong', 'looksWrong', 'looksWrong'],
			['O&#39;Brien', 'looksWrong', 'looksWrong', 'looksWrong'],
			...[
				...['A &amp; B', 'A &AMP; B', 'a &lt; b', '&quot;', '&apos;', '5&nbsp;&euro;', '&#x27;'],
				...['Garc&iacute;a', 'GARC&IACUTE;A', '&Eacute;', '&ntilde;', 'M&uuml;ller', '&aring;'],
				...['&oslash;', '&szlig;', '&aelig;', '&ccedil;', '&ccaron;', 'Pa&lstrok;a', '&aogon;'],
				...['&ldquo;', '&laquo;', '&iquest;', '&ordf;', '&copy;', '&thorn;', '&hellip;'],
			].map((value): Row => [value, 'looksWrong', 'looksWrong', 'looksWrong']),
			...[
				...['Johnson&Johnson;', 'Ernst&Young;', 'R&D;', '&company;', '&real;', '&part;', '&Sons;'],
				...['Klein&Spring;', 'Sales&Trade;', 'Print&Copy;', 'Miller&Bring;', 'Status&Quo;'],
			].map((value): Row => [value, 'right', 'right', 'right']),
			['Dear ${name}', 'looksWrong', 'looksWrong', 'looksWrong'],
			['<<FirstName>>', 'looksWrong', 'warning', 'warning'],
			['ООО <<Ромашка>>', 'warning', 'warning', 'warning'],
			['%NAME%', 'looksWrong', 'looksWrong', 'looksWrong'],
			['20% off %NAME%', 'looksWrong', 'looksWrong', 'looksWrong'],
			['20%DISCOUNT%', 'warning', 'warning', 'warning'],
			['*|FNAME|*', 'looksWrong', 'looksWrong', 'looksWrong'],
			['a\u202Eb', 'looksWrong', 'looksWrong', 'looksWrong'],
			['\u202Aa\u202C b', 'right', 'right', 'right'],
			['Noa (\u2067נועה\u2069) Levi', 'right', 'right', 'right'],
			['\u202AAna Gil\u202C', 'right', 'right', 'right'],
			['\u202EliG anA\u202C', 'looksWrong', 'looksWrong', 'looksWrong'],
			['\u202D055 123 45\u202C lots', 'warning', 'right', 'right'],
			...['&pound;1,250', '&yen;500', '5 m&sup2;', '1&frac12;', '&frac34;'].map((value): Row => [
				value,
				'looksWrong',
				'looksWrong',
				'looksWrong',
			]),
			...['rock&roll;80s', 'Arts&Crafts;2', '&sect;5', '&pound;', 'cut&pound;'].map(
				(value): Row => [value, 'right', 'right', 'right'],
			),
			...['100%20Design', 'Ana%20Gil', 'Ana%C3%B1', 'ana%ee'].map((value): Row => [
				value,
				'looksWrong',
				'right',
				'right',
			]),
			...[
				...['9123-4567 Québec inc.', '12345678 Canada Inc.', '1000123456 Ontario Inc.'],
				...['K2021123456 (South Africa) (Pty) Ltd', '2021/123456/07 (Pty) Ltd'],
				...['Acme Pty Ltd ACN 123 456 789', 'Fideicomiso 1234567890', '"Acme" 12345678'],
				...['The Smith Family Trust dated 01/02/2027', 'Ana Gil Ruiz (12345678Z)'],
				...['Ana Gil 5512345678', '+49 170 1234567, Ana', '王小明（11010119850312123X）'],
				...['Invoice 1801440000000 of 2027', 'Call 1801440000 for a date', 'Psalm 119:105, 12345'],
			].map((value): Row => [value, 'warning', 'right', 'right']),
			...[
				...['5512345678', '12345678Z', 'GILA900101MDFLNN09', 'X-12345678-Z', '12.345.678-K'],
				...['2027-02-01 Gil 10:30', '2/1/2027 9:30 AM', '1.2.2027, 09:30 Uhr'],
			].map((value): Row => [value, 'looksWrong', 'right', 'right']),
			['\u2068\u202Bנועה\u202C\u2069', 'right', 'right', 'right'],
			['a\u2066b', 'right', 'right', 'right'],
			['Ana\u{E0041}', 'looksWrong', 'looksWrong', 'looksWrong'],
			...['true', 'false', 'TRUE', 'False', 'True\r\n'].map((value): Row => [
				value,
				'looksWrong',
				'looksWrong',
				'looksWrong',
			]),
			// The same after .toUpperCase() or .toTitleCase(), with underscores, or as another sign.
			...['INVALID DATETIME', 'Invalid Datetime', '[OBJECT OBJECT]', '#ref!', '#n/a', '%name%'].map(
				(value): Row => [value, 'looksWrong', 'looksWrong', 'looksWrong'],
			),
			...['12 â‚¬', 'Acmeâ„¢', 'â†’', 'âœ“', 'âˆ’5', 'aâ€’b'].map((value): Row => [
				value,
				'looksWrong',
				'looksWrong',
				'looksWrong',
			]),
			['undefined_undefined', 'wrong', 'wrong', 'wrong'],
			['C_undefined', 'wrong', 'looksWrong', 'looksWrong'],
			...['Ana Gilundefined', 'undefinedGil Ana', 'Ana Gilundefined, Ruiz'].map((value): Row => [
				value,
				'looksWrong',
				'looksWrong',
				'looksWrong',
			]),
			...['GilNaN', 'Gilnull', 'ANA GILUNDEFINED', 'Undefinedlabs', 'undefined2 Gil'].map(
				(value): Row => [value, 'right', 'right', 'right'],
			),
			...[
				'ana@undefinedlabs.com',
				'undefinedlabs@example.com',
				'https://example.com/undefinedlabs',
			].map((value): Row => [value, 'looksWrong', 'right', 'right']),
			...['at undefinedlabs.com', 'www.undefinedlabs.com/a', 'example.com/undefinedlabs'].map(
				(value): Row => [value, 'right', 'right', 'right'],
			),
			['Write to ana@undefinedlabs.com, Gilundefined.', 'looksWrong', 'looksWrong', 'looksWrong'],
			['UNDEFINED UNDEFINED', 'looksWrong', 'right', 'right'],
			['Undefined', 'looksWrong', 'right', 'right'],
			...['ANA UNDEFINED', 'if an invalid date is given', 'True Love', 'Truer', '100%natural'].map(
				(value): Row => [value, 'right', 'right', 'right'],
			),
			...['“voilâ”', '«maçã»', 'â€', '#sale', 'Null_Gil', '10%bis20%'].map((value): Row => [
				value,
				'right',
				'right',
				'right',
			]),
			['PT3600S', 'looksWrong', 'looksWrong', 'looksWrong'],
			['P1DT2H', 'looksWrong', 'looksWrong', 'looksWrong'],
			['5.51235E+11', 'looksWrong', 'looksWrong', 'looksWrong'],
			['Ana null', 'looksWrong', 'right', 'right'],
			['N/A', 'looksWrong', 'right', 'right'],
			['-', 'looksWrong', 'right', 'right'],
			['TBD', 'looksWrong', 'right', 'right'],
			['???', 'looksWrong', 'right', 'right'],
			['None', 'looksWrong', 'right', 'right'],
			['Ana%20Gil', 'looksWrong', 'right', 'right'],
			['Ren\\u00e9', 'looksWrong', 'right', 'right'],
			// Only in a field for a date.
			['46054', 'looksWrong', 'right', 'looksWrong'],
			...['48000', '52000', '45300', '45300.00', '45300,0'].map((value): Row => [
				value,
				'looksWrong',
				'right',
				'warning',
			]),
			['45300.5', 'looksWrong', 'right', 'looksWrong'],
			['46054.5', 'looksWrong', 'right', 'looksWrong'],
			['35999', 'looksWrong', 'right', 'right'],
			['01234', 'looksWrong', 'right', 'right'],
			['2027-02-30', 'looksWrong', 'right', 'looksWrong'],
			['2027-02-30T10:00:00.000Z', 'looksWrong', 'right', 'looksWrong'],
			// After the year, the month always comes first.
			['2027-31-01', 'looksWrong', 'right', 'looksWrong'],
			['31/04/2027', 'looksWrong', 'right', 'looksWrong'],
			['04/31/2027', 'looksWrong', 'right', 'looksWrong'],
			['31. 04. 2027', 'looksWrong', 'right', 'looksWrong'],
			['2026-02-29', 'looksWrong', 'right', 'looksWrong'],
			// A year has a month of 32 days in Nepal, and a thirteenth month of up to 6 days in Ethiopia.
			...['2050-04-32', '32/04/2050', '04/32/2050', '2015-13-05', '2019-13-06'].map(
				(value): Row => [value, 'looksWrong', 'right', 'warning'],
			),
			...[
				...['2045-02-31', '2050-04-33', '2015-13-07', '31/13/2015', '2050-00-32', '2015-13-00'],
				...['2050-32-13', '2050-14-32', '2015-14-05'],
			].map((value): Row => [value, 'looksWrong', 'right', 'looksWrong']),
			['2026-03-05T00:00:00.000Z', 'looksWrong', 'right', 'looksWrong'],
			['2026-03-05T00:00:00.000-05:00', 'looksWrong', 'right', 'looksWrong'],
			['2026-03-05 00:00:00+00:00', 'looksWrong', 'right', 'looksWrong'],
			...[
				'0000-00-00',
				'30–02–2027',
				'２０２７-０２-３０',
				'４６０５４',
				'\u200e2027-02-30',
				'2027-02-01 00:00:00',
				'2027-02-01 00:00:00\r\n',
				'2027-02-01\u00a000:00:00.000000',
				'2027-02-01 00:00:00,000',
				'2027-02-01 00:00:00+00',
				'2027-02-01 00:00:00 +0000',
				'2027-02-01 00:00:00 +5:30',
				'２０２７-０２-０１ ００：００：００',
				'2027/2/1 0:00:00',
				'1.2.2027, 00:00:00',
				'1.2.2027 00.00.00',
				'1801440000000',
				'-1801440000000',
				'1801440000000.0',
				'1801440000',
				'1801420200',
				'804556800000',
				'4102358400',
				'１８０１４４０００００００',
				...['30/12/1899', '12/30/1899', '1899-12-30', '31.12.1899', '1900-01-01', '1/1/1900'],
				...['01/01/0001', '0001-01-01', '30/12/1899 10:00', '01. 01. 1900'],
				...['1/1/1601', '1753-01-01', '01.01.1904', '0/1/1900'],
			].map((value): Row => [value, 'looksWrong', 'right', 'looksWrong']),
			...[
				...['3105551234', '1801440001', '1801440000.123', '479433600000', '8503125009087'],
				...['123456789012', '0101990710006', '/Date(1801440000001)/'],
			].map((value): Row => [value, 'looksWrong', 'right', 'warning']),
			...[
				...['31/12/1900', '1900-01-02', '02/01/1900', '29/12/1899', '2001-01-01'],
				...['1405/01/01', '1448-01-01', '2/1/1904', '1970-01-01'],
				...['5512345678', '0612345678', '9876543210', '01234567890', '1/1/2001'],
			].map((value): Row => [value, 'looksWrong', 'right', 'right']),
			// A moment with seconds and a zone, as programs write it.
			...[
				...['2027-02-01T10:00:00.000Z', '2027-02-01 10:00:00+00', '2027-02-01t10:00:00z'],
				...['２０２７-０２-０１ １０：００：００Z', '2027-02-01 10:00:00 UTC'],
				...['2027-02-01T10:00:00,5 -0600', '2027-02-01T10:00:00+01:00[Europe/Madrid]'],
				'Mon Feb 01 2027 10:00:00 GMT+0100 (Central European Standard Time)',
				'Mon, 01 Feb 2027 10:00:00 GMT',
			].map((value): Row => [value, 'looksWrong', 'right', 'looksWrong']),
			...[
				'2027-02-01T00:00',
				'2027-02-01T00:00:00',
				'2027-02-01t00:00:00z',
				'2027-02-01T00:00:00-05',
				'20270201T000000Z',
				'2027-02-01T00:00:00[Europe/Madrid]',
				'"2027-02-01T00:00:00.000"',
				'0001-01-01T00:00:00',
				'2027-02-01 00:00:00 UTC',
				'2027-02-01 00:00:00 GMT-6',
				'2027-02-01 00:00:00 America/Argentina/Buenos_Aires',
				'1 février 2027 à 0:00:00 UTC−6',
				'1 de febrero de 2027, 12:00:00 a.m. GMT-6',
				'2/1/2027, 12:00:00 AM',
				'1/2/2027, 12:00:00 a. m.',
				'2027年2月1日 00:00:00',
				'01-FEB-27 00:00:00',
				'Mon Feb 01 2027 00:00:00 GMT+0100 (Central European Standard Time)',
				'Mon, 01 Feb 2027 00:00:00 GMT',
				'Mon Feb 01 00:00:00 CET 2027',
				'/Date(1801440000000)/',
				'/Date(1801440000000+0100)/',
				'{"$date":1801440000000}',
			].map((value): Row => [value, 'looksWrong', 'right', 'looksWrong']),
			// HTML.
			...[
				'Rent</p>',
				'<b>Ana</b>',
				'</P>',
				'</p\r\n>',
				'</h1>',
				'</o:p>',
				'Ana<br>Gil',
				'<BR>',
				'<br/>',
				'<br />',
				'<br clear="all">',
			].map((value): Row => [value, 'looksWrong', 'looksWrong', 'looksWrong']),
			...[
				...[
					'<b>Ana',
					'a < b and c > d',
					'Ana and/or Ben',
					'Ana <Annie>',
					'(株)サンプル',
					'「株」X',
				],
				...['Ana @ Home (Berlin)', '[Ana] Gil', '[a] and [b]', '(Ana) Gil (Jr.)', 'Kino @Home (2)'],
				...['„Ana“', '«Ana»', '@home', '@ Ana'],
			].map((value): Row => [value, 'right', 'right', 'right']),
			...[
				...['<p>', '<EL ARRENDADOR>', '<EL ARRENDADOR/>', '<Br. Johannes>', '<br and others>'],
				...['[Full Name]', '<name>', '【姓名】', '(Full Name)', '{Ana}', '[[Name]]', '<<A B>>'],
				...['<<EL ARRENDADOR>>', '<<EL\u00a0ARRENDADOR>>'],
				...['=A2', '=CONCAT(A2)', '= Ana', '@SUM(A1)', '@[Name]'],
				...['[First Name] [Last Name]', '<first> <last>', '{first} {last}', '[Name], (Title)'],
				...['@{triggerBody()}', '@concat( A2, B2 )', '［氏名］'],
			].map((value): Row => [value, 'looksWrong', 'right', 'right']),
			['</3', 'looksWrong', 'right', 'right'],
			['</>', 'looksWrong', 'right', 'right'],
			// Right everywhere but in a name.
			...[
				'Ana <ana@example.com>',
				'2027-02-01T10:30',
				'2027-02-01T00:01',
				'2027-02-01 12:00:00 PM',
				'desde las 00:00:00 horas del 1 de febrero de 2027',
				'Del 01/02/2027 00:00:00 al 31/12/2027 23:59:59',
				'Del 01/02/2027 12:00:00 a. m. al 31/12/2027',
				'2027-02-01 00:00:00 -6 days',
				'2027-02-01 00:00:00 Bogota/Lima time',
				'31 December 2027 at 24:00',
			].map((value): Row => [value, 'looksWrong', 'right', 'right']),
			// Right everywhere.
			...[
				...[
					'@Home (Pty) Ltd',
					'@work <Berlin>',
					'[bau]werk GmbH',
					'(株)山田',
					'「匠」',
					'[Ana] Gil',
				],
				...['100%Design GmbH', '50%ab', '100%Eco Ltd', 'R&D;2027', 'K&K;'],
			].map((value): Row => [value, 'right', 'right', 'right']),
			...['desde las 00:00 del 1 de febrero', 'PTS', 'PYMTS', 'PYMTS3M', '4E-2'].map(
				(value): Row => [value, 'right', 'right', 'right'],
			),
			...[
				'2027-02-01 10:30',
				'2027-02-01 00:00',
				'2027-02-01 10:00:00',
				'2027-02-01 00:00:01',
				'31/12/2027 24:00',
				'00:00',
				'100:00:00',
				'00.00.00',
				'18014400000000',
				'5512345678',
				'0612345678',
				'1,801,440,000,000',
				'3*4*5',
				'{1, 2, 3}',
				'= 1,500.00',
			].map((value): Row => [value, 'looksWrong', 'right', 'right']),
			['1E-05', 'looksWrong', 'looksWrong', 'looksWrong'],
			['1e+21', 'looksWrong', 'looksWrong', 'looksWrong'],
			['Ana Gil', 'right', 'right', 'right'],
			['Null', 'right', 'right', 'right'],
			...['NULL', '\\N', 'nan', 'NaT', ' <NA>\u00a0'].map((value): Row => [
				value,
				'looksWrong',
				'looksWrong',
				'looksWrong',
			]),
			...['Nan', 'Nan Goldin', 'NULL AND VOID', 'Ana None', 'NaTO', 'naan', '\\No'].map(
				(value): Row => [value, 'right', 'right', 'right'],
			),
			['null and void', 'looksWrong', 'right', 'right'],
			['Undefined Pottery', 'right', 'right', 'right'],
			['annulled', 'right', 'right', 'right'],
			['#1234', 'looksWrong', 'right', 'right'],
			['#hashtag', 'right', 'right', 'right'],
			['Suite #REF', 'right', 'right', 'right'],
			['Q&A; R&D', 'right', 'right', 'right'],
			['3554.9999999999995', 'looksWrong', 'looksWrong', 'looksWrong'],
			['1e5', 'right', 'right', 'right'],
			['PT100', 'right', 'right', 'right'],
			['SÃO JOÃO', 'right', 'right', 'right'],
			['«AMANHû', 'right', 'right', 'right'],
			['„MENÜ“ «CAFÉ»', 'right', 'right', 'right'],
			['\u200fמחמד\u200e\u061C', 'right', 'right', 'right'],
			['\u{1F3F4}\u{E0067}\u{E0062}\u{E007F}', 'right', 'right', 'right'],
			['👩\u200d⚖️ 😀', 'right', 'right', 'right'],
			['One\ttwo\u000Bthree\nfour\r\u0085five\fsix', 'right', 'right', 'right'],
			['2028-02-29', 'looksWrong', 'right', 'right'],
			['1/31/2027', 'looksWrong', 'right', 'right'],
			['3/4/2027', 'looksWrong', 'right', 'right'],
			['2570-02-30', 'looksWrong', 'right', 'right'],
			['2027-02-01 10:00', 'looksWrong', 'right', 'right'],
			['', 'right', 'right', 'right'],
		]),
	)('is judged as %s: %j in %s', (_finding, value, place, verdict) => {
		expect(verdicts[place](value)).toBe(verdict);
	});
});

const amounts: Record<string, string[]> = {
	looksWrong: [
		...['$ Infinity', 'Infinity €', '-Infinity %', 'R$ Infinity', 'MX$-Infinity.00', '12 Infinity'],
		...['Infinity MXN', 'EUR -Infinity', '(Infinity USD)', 'Infinity / Infinity'],
	],
	warning: ['Infinity', '-Infinity', ' Infinity\u00a0', '∞', '$∞', '∞ EUR'],
	right: [
		...['Infinity LLC', 'Infinity SAS', 'Infinity SRL', 'Infinity MXN Ltd', 'Infinity Pools'],
		...[
			'INFINITY MXN',
			'infinity',
			'Infinitya',
			'“Infinity”',
			'Infinity®',
			'to Infinity',
			'Loop ∞',
		],
	],
};

test.each(
	Object.entries(amounts).flatMap(([verdict, texts]) => texts.map((text) => [verdict, text])),
)('An amount is judged as %s: %j', (verdict = '', text = '') => {
	expect(verdicts['a field'](text)).toBe(verdict);
});

describe('A Send Once Key', () => {
	test.each([
		...['NULL', '\\N', 'nan', 'NaT', '<NA>'].map((key) => [key, 'looksWrong']),
		...['NULL-7', 'Infinity'].map((key) => [key, 'right']),
		['C_undefined', 'wrong'],
		['undefined_2027', 'wrong'],
		['C_NaN', 'wrong'],
		['C_[object Object]', 'wrong'],
		['null_null', 'wrong'],
		['C_null', 'looksWrong'],
		['UNDEFINED', 'looksWrong'],
		['INVALID DATETIME', 'looksWrong'],
		['[OBJECT OBJECT]', 'looksWrong'],
		['Null_1042', 'right'],
		['nan_1042', 'right'],
		['undefined1042', 'right'],
		['C-Gilundefined', 'wrong'],
		['undefinedC-1', 'wrong'],
		['ana@example.comundefined', 'wrong'],
		['ana@undefinedlabs.com', 'right'],
		['undefinedlabs.com/1042', 'right'],
		['https://example.com/undefinedlabs', 'right'],
		['C-Gilnull', 'right'],
		['C-GilNaN', 'right'],
		['UNDEFINED POTTERY 1042', 'right'],
		['N/A', 'looksWrong'],
		['n/a', 'looksWrong'],
		['TBD', 'looksWrong'],
		['None', 'looksWrong'],
		['-', 'looksWrong'],
		['–', 'looksWrong'],
		['???', 'looksWrong'],
		['... / ...', 'looksWrong'],
		['TBD-1042', 'right'],
		['N/A 7', 'right'],
		['-7', 'right'],
		['0', 'right'],
		['٧', 'right'],
		['Nonesuch', 'right'],
		['2027-02-01 00:00:00', 'right'],
		['1801440000000', 'right'],
	])('that is %j is judged as %s', (key, verdict) => {
		expect(mistakeInKey(key)?.severity ?? 'right').toBe(verdict);
	});
});

describe('The words of an address', () => {
	test.each([
		['ana_undefined@example.com', 'wrong'],
		['UNDEFINED@EXAMPLE.COM', 'looksWrong'],
		['null@example.com', 'looksWrong'],
		['null.null@example.com', 'looksWrong'],
		['ana@null.com', 'looksWrong'],
		['ana@mail.null', 'looksWrong'],
		['john.null@example.com', 'warning'],
		['null.john@example.com', 'warning'],
		['ana_null@example.com', 'warning'],
		['ana@example.comundefined', 'looksWrong'],
		['ana@undefinedlabs.com', 'right'],
		['undefinedlabs@example.com', 'right'],
		['nan@example.com', 'right'],
		['annullata@example.com', 'right'],
	])('%j are judged as %s', (address, verdict) => {
		expect(mistakeInAddressText(address)?.severity ?? 'right').toBe(verdict);
	});
});

describe('A finding', () => {
	test.each([
		[
			'/Date(1801440000000)/',
			`"/Date(1801440000000)/" ${contentProblems.unixTime.problem('1801440000000')}`,
		],
		['Rent</p>', `"Rent‹/p›" ${contentProblems.htmlTag.problem('‹/p›')}`],
	])('describes %j', (value, problem) => {
		expect(mistakeInField(value, dateField)?.problem).toBe(problem);
	});
});

describe('A field for a date', () => {
	test.each(['2027-02-01 00:00:00', '2027-02-01 00:00:00+00'])(
		'shows the value in the warning about %j',
		(value) => {
			expect(mistakeInField(value, dateField)).toEqual({
				severity: 'looksWrong',
				problem: expect.stringContaining(`"${value}"`),
				remedy: dateRemedy,
			});
		},
	);

	const isForDate = (field: { label: string; key: string; type: string }) =>
		mistakeInField('2027-02-30', field) !== undefined;

	test.each([
		['Date', ''],
		['Start date *', ''],
		["Date d'effet", ''],
		['Fecha de inicio', ''],
		['Data de nascimento', ''],
		['Data di nascita', ''],
		['Data urodzenia', ''],
		['Vertragsdatum', ''],
		['Datum', ''],
		['', 'startDate'],
		['', 'start_date'],
		['', 'fechaInicio'],
		['', 'birthdate'],
		['DOB', ''],
	])('is recognized by the label %j or the key %j', (label, key) => {
		expect(isForDate({ label, key, type: 'text' })).toBe(true);
	});

	test('is recognized by its type', () => {
		expect(isForDate({ label: 'Start', key: 'k1', type: 'date' })).toBe(true);
	});

	test.each(['Mandate', 'Candidate', 'Update', 'Personal data', 'Database', 'Rent', ''])(
		'is not recognized by the label %j',
		(label) => {
			expect(isForDate({ label, key: 'k1', type: 'text' })).toBe(false);
		},
	);

	const timestamp = { label: 'Timestamp (UTC)', key: 'timestamp', type: 'text' };

	test.each([
		['2027-02-01T10:00:00.000Z', 'looksWrong', 'warning'],
		['2027-02-01T00:00:00.000Z', 'looksWrong', 'warning'],
		['Mon Feb 01 2027 00:00:00 GMT+0100 (CET)', 'looksWrong', 'warning'],
		[' 2027-02-01 10:00:00+00\u00a0', 'looksWrong', 'warning'],
		// Without seconds or a zone, or with other words.
		['2027-02-01T10:00Z', undefined, undefined],
		['2027-02-01 10:00:00', undefined, undefined],
		['Mon Feb 01 2027 10:00:00', undefined, undefined],
		['From 2027-02-01T10:00:00.000Z', undefined, undefined],
		['2027-02-30T10:00:00Z', 'looksWrong', undefined],
		[`2027-02-01T10:00:00Z[${'a'.repeat(80)}]`, undefined, undefined],
	])(
		'stops a moment, which only causes a warning in another field: %j',
		(value, inDate, inOther) => {
			expect(mistakeInField(value, dateField)?.severity).toBe(inDate);
			expect(mistakeInField(value, timestamp)?.severity).toBe(inOther);
			expect(mistakeInField(value)).toBeUndefined();
		},
	);

	test.each<[label: string, key: string, value: string, verdict: Verdict]>([
		// The day of a birth may be one of another calendar, in the years of ours.
		['Date of birth', 'k1', '2045-02-31', 'warning'],
		['Date of birth / ID', 'k1', '31/04/2050', 'warning'],
		['DOB', 'k1', '2045-02-31', 'warning'],
		['Geburtstag', 'birthDate', '2045-02-31', 'warning'],
		['Geburtstag', 'date_of_birth', '2045-02-31', 'warning'],
		['Date of birth', 'k1', '0000-00-00', 'looksWrong'],
		['Date of birth', 'k1', '2045-02-30T10:00:00Z', 'warning'],
		['Date of birth', 'k1', '46054', 'looksWrong'],
		['Date of joining', 'k1', '2045-02-31', 'looksWrong'],
		['Doberman, date', 'k1', '2045-02-31', 'looksWrong'],
		['Afterbirth date', 'k1', '2045-02-31', 'looksWrong'],
		// With another word in the label, the number may be what that word means.
		['Datum / PLZ', 'k1', '36110', 'warning'],
		['Invoice date / no.', 'k1', '45012', 'warning'],
		['Fecha, folio', 'k1', '45012', 'warning'],
		['Date & number', 'k1', '45012.5', 'warning'],
		['Date and number', 'k1', '45012', 'warning'],
		['', 'date_and_number', '45012', 'warning'],
		['Date of landing', 'k1', '45012', 'looksWrong'],
		['Start date (DD/MM/YYYY)', 'k1', '45012', 'looksWrong'],
		['Date JJ/MM/AAAA', 'k1', '45012', 'looksWrong'],
		['Standdatum', 'k1', '45012', 'looksWrong'],
		['Fecha y folio', 'k1', '45012', 'looksWrong'],
		['Earnings to date', 'k1', '52000', 'warning'],
		['Earnings to date', 'k1', '52001', 'looksWrong'],
		['Date / ID', 'k1', '2027-02-30', 'looksWrong'],
	])('called %j (%s) judges "%s" as %s', (label, key, value, verdict) => {
		expect(mistakeInField(value, { label, key, type: 'text' })?.severity ?? 'right').toBe(verdict);
	});

	test.each([
		[
			'2027-02-01T00:00:00.000Z',
			'America/Bogota',
			['2027-02-01 in UTC', '2027-01-31 in America/Bogota'],
		],
		[
			'2027-01-31T23:00:00.000Z',
			'Europe/Madrid',
			['2027-01-31 in UTC', '2027-02-01 in Europe/Madrid'],
		],
		[
			'2027-01-31 23:00:00+00',
			'Europe/Madrid',
			['2027-01-31 in UTC', '2027-02-01 in Europe/Madrid'],
		],
		['2027-02-01T00:00:00.000+01:00', 'UTC', ['2027-02-01 in UTC+01:00', '2027-01-31 in UTC']],
		[
			'2027-01-31T19:00:00.000-05:00',
			'America/Bogota',
			['2027-01-31 in UTC-05:00', '2027-02-01 in UTC'],
		],
	])('shows both days of %j in %s', (value, zone, days) => {
		const finding = mistakeInField(value, dateField, () => zone);
		for (const part of [`"${value}"`, ...days]) expect(finding?.problem).toContain(part);
	});

	test.each([
		['2027-02-01T00:00:00.000Z', 'Europe/Madrid'],
		['2027-02-01T00:00:00.000-05:00', 'America/Bogota'],
		['2027-02-01T00:00:00.000+01:00', 'Europe/Madrid'],
		['2027-02-01T00:00:00.000Z', 'No/Zone'],
	])('shows no second day for %j in %s', (value, zone) => {
		const finding = mistakeInField(value, dateField, () => zone);
		expect(finding?.problem).toContain(`"${value}"`);
		expect(finding?.problem.replace(value, '')).not.toMatch(/\d/);
	});
});

describe('An email address', () => {
	test.each([
		'ana@example.com',
		"o'brien@example.com",
		'ana+contracts@example.com',
		'jose\u0301@example.com',
		'用户@例子.公司',
		'अना@उदाहरण.भारत',
		'ana@münchen.de',
		'ana@mu\u0308nchen.de',
		'ana@example.photography',
		'a@b.co',
		'ana/gil@example.com',
		'&ana@example.com',
		'test@faß.de',
		'ana@gmial.com',
	])('is accepted if it is %s', (address) => {
		expect(isAddress(address)).toBe(true);
		expect(mistakeInAddress(address)).toBeUndefined();
	});

	test.each([
		'ana@example.com',
		'ana@münchen.de',
		'ана@пример.com',
		'ana@日本ABC.jp',
		'ana@müller.de',
		'ana@παράδειγμα.example',
		'анна@example.com',
		'ana@пример2.example.com',
		'анна.hr@example.com',
		'анна+ana@example.com',
	])('is accepted without a warning if it is %s', (address) => {
		expect(isAddress(address)).toBe(true);
		expect(mistakeInAddress(address)).toBeUndefined();
	});

	test.each([
		'ana@exаmple.com',
		'ana@mail.gοogle.com',
		'ana@EXАMPLE.com',
		'аna@example.com',
		'ana.gіl@example.com',
		'а1na@example.com',
		'ana+οffice@example.com',
	])('is accepted with a warning if a word in it mixes scripts: %s', (address) => {
		expect(isAddress(address)).toBe(true);
		expect(mistakeInAddress(address)?.severity).toBe('looksWrong');
	});

	test.each(['taro.@docomo.ne.jp', 'taro..yamada@docomo.ne.jp', '.taro@ezweb.example.jp'])(
		'is accepted with a note if it has a dot where only Japanese providers allow one: %s',
		(address) => {
			expect(isAddress(address)).toBe(true);
			expect(mistakeInAddress(address)?.severity).toBe('warning');
		},
	);

	test.each([
		'ana..gil@example.com',
		'ana.@example.com',
		'.ana@example.com',
		'taro@docomo..jp',
		'taro@docomo.jp.',
		'ana@example..com',
		'ana@.example.com',
		'ana@example.com.',
		'ana@localhost',
	])('is accepted with a warning if it is %s', (address) => {
		expect(isAddress(address)).toBe(true);
		expect(mistakeInAddress(address)?.severity).toBe('looksWrong');
	});

	test.each([
		'ana',
		'@example.com',
		'ana@',
		'ana@ben@example.com',
		'ana@example.com,ben@example.com',
		'ana gil@example.com',
		'ana@exam ple.com',
		'"ana@example.com"',
		'“ana@example.com”',
		"ana@example.com'",
		'<ana@example.com>',
		'mailto:ana@example.com',
		'ana@example.com?subject=Hello',
		'ana@example.com/',
		'ana@example.com:25',
		'ana@example.com&nbsp;',
		'ana@[192.168.0.1]',
		'an\uFFFDa@example.com',
		`${'a'.repeat(250)}@example.com`,
	])('is refused if it is %s', (address) => {
		expect(isAddress(address)).toBe(false);
	});

	test('is accepted exactly if its domain can be parsed', () => {
		const labels = fc.stringMatching(/^(?:xn--|0x|XN--)?[a-zA-Z\d-]{0,3}$/);
		const domains = fc.array(labels, { minLength: 1, maxLength: 4 });
		fc.assert(
			fc.property(domains, (parts) => {
				const domain = parts.join('.');
				expect({ domain, isAddress: isAddress(`ana@${domain}`) }).toEqual({
					domain,
					isAddress: URL.canParse(`http://${domain}`),
				});
			}),
			{ numRuns: 2000 },
		);
	});

	test.each([
		['Ana Gil <ana@example.com>', 'ana@example.com', 'Ana Gil'],
		['"Gil, Ana" <ana@example.com>', 'ana@example.com', 'Gil, Ana'],
		['"Ana \\"Nita\\" Gil" <ana@example.com>', 'ana@example.com', 'Ana "Nita" Gil'],
		["'Ana Gil' <ana@example.com>", 'ana@example.com', 'Ana Gil'],
		['<ana@example.com>', 'ana@example.com', ''],
		['ana@example.com <ana@example.com>', 'ana@example.com', ''],
		['=?UTF-8?Q?Ana_Gil?= <ana@example.com>', 'ana@example.com', ''],
		['ana@example.com', 'ana@example.com', ''],
		['Ana <a@x.com>, Ben <b@x.com>', 'Ana <a@x.com>, Ben <b@x.com>', ''],
	])('splits %j into the address %j and the name %j', (text, address, name) => {
		expect(splitNamedAddress(text)).toEqual({ address, name });
	});

	test('finds an address with a name in a list', () => {
		expect(hasNamedAddress('Ana Gil <ana@example.com>, ben@example.com')).toBe(true);
		expect(hasNamedAddress('ana@example.com, ben@example.com')).toBe(false);
	});
});

test.each([
	['2027-01-31T23:00:00.000Z', 'Europe/Madrid', '2027-02-01'],
	['2027-01-31T23:00:00.000Z', 'UTC', undefined],
	['2027-01-31T23:00:01.000Z', 'Europe/Madrid', undefined],
	// On this day, daylight saving time begins at midnight.
	['2026-09-06T04:00:00.000Z', 'America/Santiago', '2026-09-06'],
	['2026-09-06T05:00:00.000Z', 'America/Santiago', undefined],
	['2027-01-31T23:00:00.000Z', 'No/Zone', undefined],
])('At %s in %s, this day begins: %s', (text, zone, day) => {
	expect(dayBeginningAt(momentIn(text) ?? NaN, zone)).toBe(day);
});

describe('Date object conversion', () => {
	let folder: string;
	afterAll(() => rmSync(folder, { recursive: true }));
	beforeAll(() => {
		folder = mkdtempSync(join(tmpdir(), 'dates-'));
		const utilFolder = join(__dirname, '../../nodes/SignVerify/util');
		const modules = [
			'text/dates',
			...readdirSync(utilFolder).map((file) => `util/${file.replace('.ts', '')}`),
		];
		for (const name of modules) {
			const source = join(__dirname, `../../nodes/SignVerify/${name}.ts`);
			const { code } = transformFileSync(source, {
				jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
				module: { type: 'commonjs' },
			});
			const compiled = join(folder, `${name}.js`);
			mkdirSync(dirname(compiled), { recursive: true });
			writeFileSync(compiled, code);
		}
		// The conversion of dates calls nothing from this package, and loading it takes most of a process's time.
		const unused = join(folder, 'node_modules/n8n-workflow');
		mkdirSync(unused, { recursive: true });
		writeFileSync(join(unused, 'index.js'), '');
	});

	const timestamp = (text: string) => ({
		text,
		finding: {
			severity: 'looksWrong',
			...dateProblems.timestamp(text),
		},
	});

	/** Converts a JavaScript date in a new process, because Node reads the time zone only when it starts. */
	const inZone = (zone: string, date: string): unknown => {
		const program = `console.log(JSON.stringify(require('./text/dates.js').textOfDate(${date})))`;
		const env = { ...process.env, TZ: zone };
		return JSON.parse(
			execFileSync(process.execPath, ['-e', program], { cwd: folder, env }).toString(),
		);
	};

	test.each(['America/Bogota', 'Asia/Kolkata', 'UTC', 'Pacific/Kiritimati'])(
		'keeps only the day of a Luxon date at midnight in %s',
		(name) => {
			const date = DateTime.fromISO('2026-03-05', { zone: name });
			expect(textOfDate(date)).toEqual({ text: '2026-03-05' });
		},
	);

	test('keeps only the day of a Luxon date at 01:00 if daylight saving time began at midnight', () => {
		const date = DateTime.fromISO('2026-09-06', { zone: 'America/Santiago' });
		expect(date.hour).toBe(1);
		expect(textOfDate(date)).toEqual({ text: '2026-09-06' });
	});

	test('keeps the time of a Luxon date that is not at midnight, with a warning', () => {
		const date = DateTime.fromISO('2026-03-05T10:00', { zone: 'America/Bogota' });
		expect(textOfDate(date)).toEqual(timestamp('2026-03-05T10:00:00.000-05:00'));
	});

	test.each([
		[{ seconds: 3600 }, 'PT3600S'],
		[{ days: 31 }, 'P31D'],
		[{ weeks: 4.5 }, 'P4.5W'],
		[{ years: 1, months: 2 }, 'P1Y2M'],
	])('turns a duration of %j into a text with a warning', (parts, text) => {
		expect(textOfDate(Duration.fromObject(parts))).toEqual({
			text,
			finding: expect.objectContaining({
				severity: 'looksWrong',
				problem: contentProblems.duration.problem(text),
			}) as unknown,
		});
	});

	test('turns an invalid date into a text that is refused', () => {
		for (const date of [DateTime.invalid('no'), new Date(NaN)]) {
			const { text = '' } = textOfDate(date) ?? {};
			expect(mistakeInField(text)?.severity).toBe('wrong');
		}
	});

	test("keeps only the day of a JavaScript date at midnight in n8n's time zone", () => {
		expect(inZone('America/Bogota', 'new Date(2026, 2, 5)')).toEqual({ text: '2026-03-05' });
		expect(inZone('UTC', 'new Date(2026, 2, 5)')).toEqual({ text: '2026-03-05' });
		// On this day, daylight saving time begins at midnight.
		const spring = inZone('America/Santiago', 'new Date(2026, 8, 6)');
		expect(spring).toEqual({ text: '2026-09-06' });
		// Until 1947, this zone was 3 hours, 6 minutes, and 52 seconds ahead of UTC.
		expect(inZone('Asia/Riyadh', 'new Date(1945, 0, 1)')).toEqual({ text: '1945-01-01' });
	});

	test('keeps only the UTC day of a JavaScript date that is at midnight only in UTC, and adds a warning that names both days', () => {
		expect(inZone('America/Bogota', "new Date('2026-03-05T00:00:00Z')")).toMatchObject({
			text: '2026-03-05',
			finding: {
				severity: 'looksWrong',
				problem: dateProblems.otherDayInUtc({
					text: '2026-03-05T00:00:00.000Z',
					day: '2026-03-05',
					localDay: '2026-03-04',
				}).problem,
			},
		});
	});

	test('keeps only the day of a JavaScript date at midnight in UTC without a warning if it is the same day where n8n runs', () => {
		const date = "new Date('2027-02-01')";
		for (const zone of ['Europe/Madrid', 'Asia/Tokyo', 'UTC']) {
			expect(inZone(zone, date)).toEqual({ text: '2027-02-01' });
		}
	});

	test('keeps the time of a JavaScript date that is not at midnight, with a warning', () => {
		const sent = inZone('America/Bogota', "new Date('2026-03-05T10:00:00Z')");
		expect(sent).toEqual(timestamp('2026-03-05T10:00:00.000Z'));
	});

	test("turns another program's date object into a text, with a warning", () => {
		const date = { toJSON: () => '2027-02-01T00:00:00.000Z' };
		expect(textOfDate(date)).toEqual(timestamp('2027-02-01T00:00:00.000Z'));
	});

	test.each([[{}], [[]], ['2026-03-05'], [5], [5n], [null], [Buffer.from('a')], [new URL('a:b')]])(
		'does not recognize a date in %j',
		(value) => {
			expect(textOfDate(value)).toBeUndefined();
		},
	);
});

/** Text in these scripts must be accepted. */
const scripts = [
	'Latin',
	'Cyrillic',
	'Greek',
	'Arabic',
	'Hebrew',
	'Devanagari',
	'Thai',
	'Han',
	'Hiragana',
	'Hangul',
	'Armenian',
	'Ethiopic',
];

describe('Text', () => {
	const lettersOf = (script: string) => {
		const isOfIt = new RegExp(`^[\\p{Script=${script}}&&[\\p{L}\\p{M}]]$`, 'v');
		// This range ends before the full-width Latin letters, because no address contains them.
		const all = Array.from({ length: 0xff00 }, (_, code) => String.fromCharCode(code));
		return all.filter((letter) => isOfIt.test(letter)).slice(0, 2000);
	};

	test.each(scripts)('in ordinary %s script is never rejected', (script) => {
		const letters = lettersOf(script);
		expect(letters.length).toBeGreaterThan(30);
		const word = fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 12 });
		const mark = fc.constantFrom(
			' ',
			' ',
			' ',
			'-',
			'’',
			'. ',
			', ',
			' & ',
			' (',
			') ',
			'\n',
			'\u200c',
			' 12 ',
			' #',
		);
		const text = fc
			.array(fc.tuple(word, mark), { minLength: 1, maxLength: 8 })
			.map((parts) => parts.flat().join(''));
		fc.assert(
			fc.property(text, word, (sentence, local) => {
				const leftover = /\b(?:undefined|null|NaN)\b/i.test(sentence);
				if (leftover) return;
				expect(mistakeInField(sentence)?.severity).not.toBe('wrong');
				expect(mistakeInName(onOneLine(sentence))?.severity).not.toBe('wrong');
				expect(isAddress(`${local}@example.com`)).toBe(true);
			}),
			{ numRuns: 300 },
		);
	});

	test('is checked in linear time even if it repeats a pattern', async () => {
		const check = (text: string) => {
			mistakeInField(text, { label: text, key: text, type: 'date' });
			mistakeInName(text);
			isAddress(`${text}@example.com`);
			mistakeInAddress(text);
			splitNamedAddress(text);
			hasNamedAddress(text);
		};
		const hostile = [
			...[
				'#A',
				'1.',
				' ',
				'\n',
				'[object ',
				'#',
				'9',
				'{{',
				'{{a{',
				'${',
				'<<',
				'<<a',
				'[a',
				'<a>',
				'@a',
				'%AA',
				'*|',
			],
			...[
				'null',
				'undefined ',
				'=?',
				'<a@',
				'\\',
				'a.',
				'&aa',
				'Ã',
				'Ä¡',
				'PT',
				'a\u0301',
				'\u{E0041}',
			],
			...[
				'</',
				'</a',
				'<br',
				'<br ',
				'<br a=',
				'00:00:00',
				'00:00:00 ',
				'1T00:00',
				'1 00.00.00(',
				'12:00:00 AM +',
				'9-',
				'000000000000',
				'000000000000 ',
			],
		];
		for (const piece of hostile) {
			const workOn = (length: number) => {
				const repeated = piece.repeat(length / piece.length);
				// A pattern for the end of a text fails only if the text ends in something else.
				const texts = [repeated, `${repeated}!`];
				return () => texts.forEach(check);
			};
			await expectLinear(20_000, workOn, piece);
		}
	});

	test("don't search the whole table for a text's rows", () => {
		const values = jest.spyOn(Object, 'values');
		for (const check of [mistakeInName, mistakeInAddressText, mistakeInKey, mistakeInField]) {
			check('Person 1');
		}
		const tables = values.mock.calls.filter(([table]) => table === contentProblems);
		values.mockRestore();
		expect(tables).toEqual([]);
	});
});
