import { transformFileSync } from '@swc/core';
import fc from 'fast-check';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import {
	hasNamedAddress,
	mistakeInAddress,
	splitNamedAddress,
} from '../../nodes/SignVerify/input/content/addresses';
import { dateFieldOf } from '../../nodes/SignVerify/input/content/dateFields';
import { dateTextOf, textOfDate } from '../../nodes/SignVerify/input/content/dates';
import { checkFieldText } from '../../nodes/SignVerify/input/content/fieldValue';
import { mistakeInMailDomain } from '../../nodes/SignVerify/input/content/mailDomains';
import { mistakeInField, mistakeInName } from '../../nodes/SignVerify/input/content/leftovers';
import { onOneLine } from '../../nodes/SignVerify/util/values';
import { processorTimeOf } from '../support/processorTime';

/** The parts of Luxon that these tests use. n8n's expressions use Luxon for dates. */
interface Luxon {
	DateTime: {
		fromISO(text: string, options: { zone: string }): { hour: number };
		invalid(reason: string): unknown;
	};
}
const { DateTime } = jest.requireActual<Luxon>('luxon');

const utc = () => 'UTC';

/** A definite mistake causes an error, and a likely one causes a warning. */
type Verdict = 'certain' | 'likely' | 'right';

const findings: Record<Verdict, string> = {
	certain: 'a definite mistake',
	likely: 'a likely mistake',
	right: 'no mistake',
};

/** Puts each verdict into words so that a test's name reads as a sentence. */
const withFindings = (rows: Array<[value: string, verdict: Verdict]>) =>
	rows.map(([value, verdict]) => [findings[verdict], value, verdict] as const);

describe('The email address check', () => {
	test.each([
		'ana@example.com',
		"o'brien@example.com",
		'ana+contracts@example.com',
		'ana_gil-2@sub.example.co.uk',
		'josé@example.com',
		'jose\u0301@example.com',
		'анна@пример.рф',
		'用户@例子.公司',
		'अना@उदाहरण.भारत',
		'ana@münchen.de',
		'ana@mu\u0308nchen.de',
		'ana@example.photography',
		'ana@xn--mnchen-3ya.de',
		'ana@3com.com',
		'ana@1.example.com',
		'a@b.co',
		'ana/gil@example.com',
		'{ana}@example.com',
		'&ana@example.com',
		'δοκιμή@παράδειγμα.δοκιμή',
		'דוגמה@דוגמה.קום',
		'test@faß.de',
		'ana@b--c.example.com',
	])('accepts %s', (address) => {
		expect(mistakeInAddress(address)).toBeUndefined();
	});

	test.each([
		['"ana@example.com"', 'quotation mark'],
		["'ana@example.com'", 'quotation mark'],
		["'ana@example.com", 'quotation mark'],
		["ana@example.com'", 'quotation mark'],
		['“ana@example.com”', 'quotation mark'],
		['‘ana@example.com', 'quotation mark'],
		['ana@example.com’', 'quotation mark'],
		['«ana@example.com»', 'quotation mark'],
		['„ana@example.com“', 'quotation mark'],
		['`ana@example.com`', 'quotation mark'],
		['ana"@example.com', 'quotation mark'],
		['ana@example.com?subject=Hello', 'after the @'],
		['ana@example.com/', 'after the @'],
		['ana@example.com&nbsp', 'after the @'],
		['ana@example.com&nbsp;', 'second @'],
		['ana@example.com%20', 'after the @'],
		['ana@example.com#1', 'after the @'],
		['ana@example.com:25', 'after the @'],
		['ana@exa_mple.com', 'after the @'],
		['ana..gil@example.com', 'dot'],
		['ana@example..com', 'dot'],
		['ana.@example.com', 'dot'],
		['.ana@example.com', 'dot'],
		['ana@.example.com', 'dot'],
		['ana@example.com.', 'dot'],
		['ana@-example.com', 'after the @'],
		['ana@example-.com', 'after the @'],
		['ana@exämple-.com', 'after the @'],
		['ana@-exämple.com', 'after the @'],
		['ana@example.c', 'ending'],
		['ana@example．com', 'full-width'],
		['ana@example。com', 'full-width'],
		['ａｎａ@example.com', 'full-width'],
		['ana@ｅxample.com', 'full-width'],
		['ana@192.168.0.1', 'IP address'],
		['ana@[192.168.0.1]', 'after the @'],
		['ana@0x7f.1', 'IP address'],
		['ana@example.123', 'after the @'],
		['an\uFFFDa@example.com', 'U+FFFD'],
		['ana@exa\uFFFDmple.com', 'U+FFFD'],
		['ana@localhost', 'ending'],
		['ana', ''],
		['@example.com', ''],
		['ana@', ''],
		['ana@example.com,ben@example.com', 'second @'],
		['ana@ben@example.com', 'second @'],
		['ana gil@example.com', 'second @'],
		['mailto:ana@example.com', 'before the @'],
		['<ana@example.com>', 'before the @'],
		['o’brien@example.com', 'before the @'],
		[`${'a'.repeat(250)}@example.com`, 'too long'],
	])('rejects %s', (address, words) => {
		expect(mistakeInAddress(address)).toContain(words);
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

describe('The email domain check', () => {
	test.each([
		['ana@gmial.com', 'gmail.com'],
		['ana@gmai.com', 'gmail.com'],
		['ana@gamil.com', 'gmail.com'],
		['Ana.Gil@GMAIL.CON', 'gmail.com'],
		['ana@hotmial.com', 'hotmail.com'],
		['ana@hotmail.con', 'hotmail.com'],
		['ana@outlok.com', 'outlook.com'],
		['ana@outlook.con', 'outlook.com'],
		['ana@yahooo.com', 'yahoo.com'],
		['ana@yaho.com', 'yahoo.com'],
		['ana@iclod.com', 'icloud.com'],
	])('warns that the domain in %s is probably a misspelling of %s', (address, rightDomain) => {
		expect(mistakeInMailDomain(address)).toMatchObject({
			severity: 'likely',
			problem: `"${address}" looks like a misspelling of ${rightDomain}`,
		});
	});

	test.each([
		...['gmail.com', 'googlemail.com', 'gmail.com.br', 'mail.com', 'ymail.com', 'email.com'],
		...['gmx.com', 'hotmail.com', 'hotmail.es', 'hotmail.co.uk', 'hotmail.com.mx', 'live.com'],
		...['outlook.com', 'outlook.es', 'yahoo.com', 'yahoo.com.mx', 'yahoo.co.uk', 'rocketmail.com'],
		...['icloud.com', 'me.com', 'gmial.com.example.com', 'sub.gmial.com', 'example.com'],
	])('accepts %s', (domain) => {
		expect(mistakeInMailDomain(`ana@${domain}`)).toBeUndefined();
		// The check reads only the domain, not the part before the @.
		expect(mistakeInMailDomain(`gmial.com@${domain}`)).toBeUndefined();
	});
});

describe('The name check', () => {
	test.each(
		withFindings([
			['Ana Gil', 'right'],
			['Ana undefined', 'certain'],
			['undefined', 'certain'],
			['Undefined Gil', 'certain'],
			['Ana [object Object]', 'certain'],
			['[object Undefined]', 'certain'],
			['NaN', 'certain'],
			['Ana NaN', 'certain'],
			['Nan Gil', 'right'],
			['NAN LI', 'right'],
			['Nana Gil', 'right'],
			['Ana #REF!', 'certain'],
			['#NOM ? Gil', 'certain'],
			['#n/a', 'likely'],
			['Nan', 'right'],
			['Na Li', 'right'],
			['True Love', 'right'],
			['Inf', 'right'],
			['แนน ใจดี', 'right'],
			['南 娜', 'right'],
			['#1 Plumbing Ltd.', 'right'],
			['#N/A', 'certain'],
			['#¿NOMBRE?', 'certain'],
			['Ana\u0000Gil', 'certain'],
			['Ana\u0092s', 'certain'],
			['Ana \uD83D', 'certain'],
			['Ana \uFFFD Gil', 'certain'],
			['Ana null', 'likely'],
			['Christopher Null', 'likely'],
			['null null', 'certain'],
			['null', 'certain'],
			['Nullmeyer', 'right'],
			['Ana 😀 Gil', 'right'],
			['محمد\u200cرضا', 'right'],
			['\u200fمحمد\u200e', 'right'],
			['क्\u200dष', 'right'],
			['Room #12', 'right'],
		]),
	)('finds %s in %j', (_finding, name, verdict) => {
		expect(mistakeInName(onOneLine(name))?.severity ?? 'right').toBe(verdict);
	});

	test.each(['\n', '\r\n', '\t', '\v', '\f', '\u0085', '\u2028', '\u2029', ' \n '])(
		'replaces the whitespace %j with a single space',
		(gap) => {
			expect(onOneLine(`Ana${gap}Gil`)).toBe('Ana Gil');
		},
	);
});

describe('The field value check', () => {
	const errors =
		"#REF! #N/A #NAME? #VALUE! #DIV/0! #NUM! #NULL! #SPILL! #CALC! #GETTING_DATA #FIELD! #BLOCKED! #CONNECT! #UNKNOWN! #BUSY! #ERROR! #NV #BEZUG! #WERT! #ZAHL! #NOM? #VALEUR! #NOMBRE? #¡REF! #¡VALOR! #¿NOMBRE? #¡DIV/0! #¡NUM! #VALOR! #NOME? #NÚM! #RIF! #VALORE! #ARG! #ADR! #N/D #N/D! #N/B #I/T #ЗНАЧ! #ССЫЛКА! #Н/Д #ИМЯ? #ДЕЛ/0! #ΤΙΜΗ! #Δ/Υ #DEĞER! #YOK #DEEL/0! #VÄRDEFEL! #ÉRTÉK! #HIÁNYZIK #NENÍ_K_DISPOZICI #ІМ'Я? Err:502 #UNPARSEABLE #DELENIENULOU! #DEL/0! #DIJ/0! #BÖL/0! #TAŞMA! #OBL! #ВЫЧИСЛ! #ЗАНЯТО! #ИМЕ? #OCCUPATO! #BEZET! #BLOQUE! #BLOCKERAD! #OVERFLYT! #MACRO? #HENTER_DATA #NAČÍTÁNÍ_DAT";

	test.each(errors.split(' '))('finds the spreadsheet error %s', (error) => {
		expect(mistakeInField(` ${error} `)?.severity).toBe('certain');
		expect(mistakeInField(`See ${error} there`)?.severity).toBe('likely');
	});

	test.each(
		withFindings([
			['#1234', 'right'],
			['#hashtag', 'right'],
			['#Room!', 'right'],
			['#NUMBER 5', 'right'],
			['#METOO', 'right'],
			['Suite #REF', 'right'],
			['#SALE!', 'likely'],
			['#NOM ?', 'certain'],
			['#REF\u00a0!', 'certain'],
			['#VALEUR\u202f!', 'certain'],
			['#ref!', 'likely'],
			['#n/a', 'likely'],
			['#REF! #REF!', 'certain'],
			['#N/A N/A', 'likely'],
			['"#REF!"', 'certain'],
			['#VALUE! €', 'certain'],
			['NaN €', 'certain'],
			['$NaN', 'certain'],
			['undefined undefined', 'certain'],
			['undefined, undefined', 'certain'],
			['(null)', 'certain'],
			['(NULL)', 'likely'],
			['#hashtag !', 'right'],
			['Invoice #A !', 'right'],
			['undefined', 'certain'],
			['null', 'certain'],
			['NaN', 'certain'],
			['Invalid DateTime', 'certain'],
			['Invalid Date', 'certain'],
			['[object Object]', 'certain'],
			['To: [object Object], soon', 'certain'],
			['a\uFFFDb', 'certain'],
			['a\u0001b', 'certain'],
			['cut \uD83D', 'certain'],
			['Rent: undefined per month', 'likely'],
			['null and void', 'likely'],
			['paid until Invalid DateTime', 'likely'],
			['Null', 'likely'],
			['NULL', 'likely'],
			['Undefined', 'right'],
			['undefinedness', 'right'],
			['annulled', 'right'],
			['nan', 'right'],
			['3554.9999999999995', 'likely'],
			['0.30000000000000004', 'likely'],
			['1004.9999999999999', 'likely'],
			['Rent: 3554,9999999999995 €', 'likely'],
			['3554.95', 'right'],
			['1,234,567.89', 'right'],
			['19.4326077', 'right'],
			['1.2.3.4', 'right'],
			['5.51235E+11', 'likely'],
			['3e5', 'likely'],
			['E10', 'right'],
			['########', 'likely'],
			['Line one\nLine two\tand\u000Bthree', 'right'],
			['"quoted" – and more…', 'right'],
			['', 'right'],
		]),
	)('finds %s in %j', (_finding, value, verdict) => {
		expect(mistakeInField(value)?.severity ?? 'right').toBe(verdict);
	});

	test.each([
		['####', '"####" looks like a cell that was too narrow to show its value'],
		['Loading...', '"Loading..." looks like a cell that was still loading'],
	])('explains why a spreadsheet cell contains %j', (value, problem) => {
		expect(mistakeInField(value)).toMatchObject({ severity: 'likely', problem });
		expect(mistakeInName(value)).toMatchObject({ severity: 'likely', problem });
	});
});

describe('Date field detection', () => {
	test.each([
		['Date', ''],
		['Start date', ''],
		['Date of birth', ''],
		['', 'startDate'],
		['', 'start_date'],
		['', 'dateOfBirth'],
		['', 'DOB'],
		['Born', 'birthdate'],
		['Start', 'start-date'],
		['Fecha de inicio', ''],
		['', 'fechaNacimiento'],
		['', 'fechanacimiento'],
		['Data de nascimento', ''],
		['Data di nascita', ''],
		["Data d'inizio", ''],
		['', 'dataNascimento'],
		['data_inicio', ''],
		["Date d'effet", ''],
		['Geburtsdatum', ''],
		['Vertragsdatum', ''],
		['Datum', ''],
		['Fødselsdato', ''],
		['Data urodzenia', ''],
		['Дата рождения', ''],
		['Ημερομηνία', ''],
		['生年月日', ''],
		['合同日期', ''],
		['생년월일', ''],
		['تاريخ الميلاد', ''],
		['วันที่เริ่มงาน', ''],
		['Start date *', 'text_3'],
		['D.O.B.', ''],
		['F. de nacimiento', ''],
		['Data końcowa', ''],
		['Data (dd/mm/aaaa)', ''],
		['TARİH', ''],
		['DOĞUM TARİHİ', ''],
		['Dato for underskrift', ''],
		['Allekirjoituspäivä', ''],
		['जन्मतिथि', ''],
		['入社日', ''],
		['到期日', ''],
		['입사일', ''],
		['วันเกิด', ''],
		['Ngày sinh', ''],
		['Tanggal lahir', ''],
		['Tarih', ''],
		['التاريخ', ''],
		['Fecha de inicio / Start date', ''],
		['Start date/Fecha de inicio', ''],
		["Date d'entrée en vigueur", ''],
		['', 'leaseStartdate'],
		['', 'contractenddate'],
		['', 'dogumtarihi'],
	])('recognizes a date field with the label %j and the key %j', (label, key) => {
		expect(dateFieldOf({ label, key: key || 'k1', type: 'text' })).toBe('certainly');
	});

	test.each([
		'Data',
		'data',
		'DATA',
		'Dato',
		'Number and date of the invoice',
		'Numéro et date',
		'Numer i data umowy',
		'Номер и дата договора',
		'Rechnungsnummer und -datum',
		'Fecha límite o condición',
	])('recognizes a possible date field with the label %j', (label) => {
		expect(dateFieldOf({ label, key: 'k1', type: 'text' })).toBe('perhaps');
	});

	test.each([
		'Mandate',
		'Candidate',
		'Update',
		'Validated by',
		'Personal data',
		'Database',
		'Data protection officer',
		'Dates of absence',
		'Candidato',
		'Mandato',
		'Lugar y fecha',
		'Place and date',
		'Date and time',
		'Comments on the date',
		'Employer',
		'Doğum yeri ve tarihi',
		'Luogo e data di nascita',
		'Geburtsdatum und Geburtsort',
		'Up to date',
		'Is up-to-date',
		'Is the start date flexible?',
		'Date confirmed (yes/no)',
		'Date source',
		'Birthday wish',
		'Venue and date',
		'Start date or event',
		'Geburtsort und -datum',
		'Tempat, tanggal lahir',
		'地点和日期',
		'場所と日付',
		'วันที่และสถานที่',
		'Số ngày nghỉ',
		'Ngày làm việc',
		'Työpäivä',
		'Tarih bölümü',
		'Tarihi eser',
		'التاريخ الوظيفي',
		'تاريخ ومكان الميلاد',
		'Дата-центр',
		'Mjesto i datum',
		'Paikka ja päivämäärä',
		'장소 및 날짜',
		'',
	])('does not treat a field with the label %j as a date field', (label) => {
		expect(dateFieldOf({ label, key: 'k1', type: 'text' })).toBe('no');
	});

	test.each([
		'isValidDate',
		'hasStartDate',
		'dateFormat',
		'candidateName',
		'lastUpdate',
		'dataUsage',
	])('does not treat a field with the key %j as a date field', (key) => {
		expect(dateFieldOf({ label: '', key, type: 'text' })).toBe('no');
	});

	test('does not treat a multiline text field as a date field', () => {
		const field = { label: 'Start date', key: 'start', type: 'textarea' };
		expect(dateFieldOf(field)).toBe('no');
		expect(dateFieldOf({ ...field, label: 'Start', type: 'date' })).toBe('certainly');
	});
});

describe('The date text check', () => {
	test.each(
		withFindings([
			['2027-02-01', 'right'],
			['2027/2/1', 'right'],
			['2027.02.01', 'right'],
			['2028-02-29', 'right'],
			['1 de febrero de 2027', 'right'],
			['1 February 2027', 'right'],
			['1. Februar 2027', 'right'],
			['2027年2月1日', 'right'],
			['二〇二七年二月一日', 'right'],
			['١ فبراير ٢٠٢٧', 'right'],
			['1 февраля 2027 г.', 'right'],
			['1 กุมภาพันธ์ 2570', 'right'],
			['31/01/2027', 'right'],
			['1/31/2027', 'right'],
			['31.01.2027', 'right'],
			['3/3/2027', 'right'],
			['2027', 'right'],
			['Q1 2027', 'right'],
			['כ״ה באדר תשפ״ז', 'right'],
			['א׳ באדר ה׳תשפ״ז', 'right'],
			['31. 12. 2027', 'right'],
			['2027. 12. 31.', 'right'],
			['20270201', 'right'],
			['31122027', 'right'],
			['12345678', 'right'],
			['unbefristet', 'likely'],
			['Indefinido', 'likely'],
			['open-ended', 'likely'],
			['plazo indefinido', 'likely'],
			['бессрочно', 'likely'],
			['無期限', 'likely'],
			['31. 04. 2027', 'certain'],
			['31 / 04 / 2027', 'certain'],
			['31.04.2027.', 'certain'],
			['2027. 02. 30.', 'certain'],
			['２０２７-02-30', 'certain'],
			['20270230', 'certain'],
			['TBD', 'certain'],
			['来週の月曜日', 'certain'],
			['קודם', 'certain'],
			['--', 'certain'],
			['1 February 2027 14:30', 'likely'],
			['1 de febrero de 2027, 9:05', 'likely'],
			['1 February 2027, 2 pm', 'likely'],
			['20260305T000000Z', 'likely'],
			['3. 4. 2027', 'likely'],
			['46054', 'certain'],
			['46054.5', 'certain'],
			['46054,25', 'certain'],
			['soon', 'certain'],
			['next Monday', 'certain'],
			['pronto', 'certain'],
			['2027-02-30', 'certain'],
			['2027-02-30 10:00', 'certain'],
			['2027-02-30T00:00:00.000Z', 'certain'],
			['2027-13-01', 'certain'],
			['31/04/2027', 'certain'],
			['31.04.2027', 'certain'],
			['04/31/2027', 'certain'],
			['29/02/2027', 'certain'],
			['32/01/2027 10:00', 'certain'],
			['0/1/2027', 'certain'],
			['3/4/2027', 'likely'],
			['03-04-2027', 'likely'],
			['3/4/27', 'likely'],
			['3.4.2027', 'likely'],
			['2027-02-01 10:00', 'likely'],
			['2027-02-01T10:00:00.000Z', 'likely'],
			['31/01/2027 10:00', 'likely'],
			['Mon Feb 01 2027 10:00:00 GMT+0100 (CET)', 'likely'],
			['2570-02-30', 'likely'],
			['1405/02/31', 'likely'],
			['1801440000000', 'likely'],
			['primero de febrero de dos mil veintisiete', 'likely'],
		]),
	)('finds %s in %j', (_finding, value, verdict) => {
		expect(dateTextOf(value).finding?.severity ?? 'right').toBe(verdict);
	});

	test.each([
		['2026-03-05T00:00:00.000-05:00', '2026-03-05'],
		['2026-03-05T00:00:00.000Z', '2026-03-05'],
		['2026-03-05T00:00:00+05:30', '2026-03-05'],
		['2026-03-05T00:00:00', '2026-03-05'],
		['2026-03-05T00:00', '2026-03-05'],
		['2026-03-05 00:00:00', '2026-03-05'],
		['2026-03-05 00:00:00+00', '2026-03-05'],
		['2026-03-05 00:00:00 UTC', '2026-03-05'],
		['2026-03-05 00:00:00 +0000 UTC', '2026-03-05'],
		['31/01/2027 00:00:00', '31/01/2027'],
		['1/31/2027 12:00:00 AM', '1/31/2027'],
		// On these days, daylight saving time began at midnight, so the day began at 01:00.
		['2026-09-06T01:00:00.000-03:00', '2026-09-06'],
		['2018-11-04T01:00:00.000-02:00', '2018-11-04'],
	])('reads %j as the day %s', (value, day) => {
		expect(dateTextOf(value)).toEqual({ text: day });
	});

	test.each(
		withFindings([
			['America/Bogota', 'likely'],
			['No/Zone', 'likely'],
			['America/Tegucigalpa', 'right'],
		]),
	)(
		'finds %s in 2006-05-07T01:00, when that day began in Honduras, if the time zone is %s',
		(_finding, zone, verdict) => {
			// In 2006, daylight saving time in Honduras began at midnight.
			const { finding } = dateTextOf('2006-05-07T01:00:00.000-05:00', () => zone);
			expect(finding?.severity ?? 'right').toBe(verdict);
		},
	);

	test.each([
		['2027-02-01 10:00', '.slice(0, 10)'],
		['Thu Mar 05 2026 00:00:00 GMT+0000 (Coordinated Universal Time)', 'year-month-day'],
		['1 February 2027 14:30', 'year-month-day'],
	])('suggests how to remove the time from %j', (value, remedy) => {
		expect(dateTextOf(value).finding?.remedy).toContain(remedy);
	});

	test('does not report a definite mistake in a field that might not be a date', () => {
		const field = { label: 'Data', key: 'data', type: 'text' };
		expect(checkFieldText(field, { text: 'John' }, utc).finding?.severity).toBe('likely');
		expect(checkFieldText(field, { text: '2027-02-01' }, utc).finding).toBeUndefined();
		const { text, finding } = checkFieldText(field, { text: '2027-02-01T00:00:00Z' }, utc);
		expect(text).toBe('2027-02-01');
		expect(finding).toBeUndefined();
	});
});

describe('Date object conversion', () => {
	const folder = mkdtempSync(join(tmpdir(), 'dates-'));
	afterAll(() => rmSync(folder, { recursive: true }));
	beforeAll(() => {
		const modules = ['input/content/dates', 'util/processMemory', 'util/redact', 'util/values'];
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
	});

	/** Converts a JavaScript date in a new process, because Node reads the time zone only when it starts. */
	const inZone = (zone: string, date: string): unknown => {
		const program = `console.log(JSON.stringify(require('./input/content/dates.js').textOfDate(${date})))`;
		// The compiled modules are outside the repository, but they need its node_modules.
		const env = { ...process.env, TZ: zone, NODE_PATH: join(__dirname, '../../node_modules') };
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

	test('keeps the time of a Luxon date that is not at midnight, and adds a warning', () => {
		const date = DateTime.fromISO('2026-03-05T10:00', { zone: 'America/Bogota' });
		expect(textOfDate(date)).toMatchObject({
			text: '2026-03-05T10:00:00.000-05:00',
			finding: { severity: 'likely' },
		});
	});

	test('suggests how to remove the time from a Luxon date, even in a date field', () => {
		const date = DateTime.fromISO('2026-03-05T10:00', { zone: 'America/Bogota' });
		const field = { label: 'Start date', key: 'start', type: 'text' };
		const { finding } = checkFieldText(field, textOfDate(date) ?? { text: '' }, utc);
		expect(finding?.problem).toContain('contains a time');
		expect(finding?.remedy).toContain(".toDateTime().toFormat('yyyy-MM-dd')");
	});

	test('reports an implausible year in a Luxon date with a time', () => {
		const date = DateTime.fromISO('2926-03-05T10:00', { zone: 'America/Bogota' });
		const field = { label: 'Start date', key: 'start', type: 'text' };
		const { finding } = checkFieldText(field, textOfDate(date) ?? { text: '' }, utc);
		expect(finding?.problem).toContain('has the year 2926');
	});

	test('finds a definite mistake in an invalid date', () => {
		expect(textOfDate(DateTime.invalid('no'))?.finding?.severity).toBe('certain');
		expect(textOfDate(new Date(NaN))?.finding?.severity).toBe('certain');
	});

	test("keeps only the day of a JavaScript date at midnight in n8n's time zone", () => {
		expect(inZone('America/Bogota', 'new Date(2026, 2, 5)')).toEqual({ text: '2026-03-05' });
		expect(inZone('UTC', 'new Date(2026, 2, 5)')).toEqual({ text: '2026-03-05' });
		// On this day, daylight saving time begins at midnight.
		const spring = inZone('America/Santiago', 'new Date(2026, 8, 6)');
		expect(spring).toEqual({ text: '2026-09-06' });
	});

	test('keeps only the UTC day of a JavaScript date that is at midnight only in UTC, and adds a warning that names both days', () => {
		expect(inZone('America/Bogota', "new Date('2026-03-05T00:00:00Z')")).toMatchObject({
			text: '2026-03-05',
			finding: { severity: 'likely', problem: expect.stringMatching(/2026-03-05 .*2026-03-04/) },
		});
	});

	test('keeps the time of a JavaScript date that is not at midnight, and adds a warning', () => {
		expect(inZone('America/Bogota', "new Date('2026-03-05T10:00:00Z')")).toMatchObject({
			text: '2026-03-05T10:00:00.000Z',
			finding: { severity: 'likely' },
		});
	});

	test.each([[{}], [[]], ['2026-03-05'], [5], [null], [Buffer.from('a')]])(
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
				expect(mistakeInField(sentence)).toBeUndefined();
				expect(mistakeInName(onOneLine(sentence))).toBeUndefined();
				expect(mistakeInAddress(`${local}@example.com`)).toBeUndefined();
			}),
			{ numRuns: 300 },
		);
	});

	test('is checked quickly even if it repeats a pattern for 100,000 characters', () => {
		const hostile = [
			'#A',
			'1.',
			' ',
			'\n',
			'[object ',
			'#',
			'9',
			'0.',
			'::',
			'null',
			'=?',
			'<a@',
			'\\',
			'a.',
		];
		for (const piece of hostile) {
			const text = piece.repeat(100_000 / piece.length);
			const time = processorTimeOf(() => {
				mistakeInField(text);
				mistakeInName(onOneLine(text));
				mistakeInAddress(`${text}@example.com`);
				splitNamedAddress(text);
				hasNamedAddress(text);
				dateTextOf(text);
				dateFieldOf({ label: text, key: text, type: 'text' });
			});
			expect({ piece, isQuick: time < 500 }).toEqual({ piece, isQuick: true });
		}
	});
});
