import fc from 'fast-check';

import { answersFromId, birthDay } from '../../nodes/SignVerify/api/officialId';
import { dayMs } from '../../nodes/SignVerify/util/times';

const nameAnswer = (expected: string, name: unknown) =>
	answersFromId({ name }, { name: expected, minimumAge: 18 }).nameMatches;

describe('A name is the one on the ID', () => {
	test.each([
		// Family names first or last, case, and accents
		['Ana Gil', 'ANA GIL'],
		['Ana Gil', 'GIL ANA'],
		['Gil López, Ana', 'ANA GIL LÓPEZ'],
		['josé antonio muñoz', 'MUÑOZ JOSE ANTONIO'],
		['Juan García García', 'GARCIA GARCIA JUAN'],
		['  Zoë \u200b Åkerström ', 'AKERSTROM ZOE'],
		['Zoe\u0308 A\u030akerstro\u0308m', 'ÅKERSTRÖM ZOË'],
		// The letters that passports spell out
		['Zoë Åkerström', 'AAKERSTROEM ZOE'],
		['Jürgen Müller', 'MUELLER JUERGEN'],
		['Juergen Mueller', 'MÜLLER JÜRGEN'],
		['Hans Groß', 'GROSS HANS'],
		['Søren Kjærgård', 'KJAERGAARD SOEREN'],
		['Søren Kjærgård', 'KJÆRGÅRD SØREN'],
		['Łukasz Żółć', 'ZOLC LUKASZ'],
		['Đorđe Jovanović', 'JOVANOVIC DORDE'],
		['Þórður Guðmundsson', 'THORDUR GUDMUNDSSON'],
		['Işıl Yıldız', 'YILDIZ ISIL'],
		['İpek Çağlar', 'CAGLAR IPEK'],
		['Nguyễn Văn Đức', 'NGUYEN VAN DUC'],
		['Ștefan Țăran', 'TARAN STEFAN'],
		['Ştefan Ţăran', 'ȚĂRAN ȘTEFAN'],
		['Ħamrun Żammit', 'ZAMMIT HAMRUN'],
		['François Lœuil', 'LOEUIL FRANCOIS'],
		// One word or several
		["Sinéad O'Connor", 'O CONNOR SINEAD'],
		['Sinéad O’Connor', 'OCONNOR<SINEAD'],
		['Jean-Luc Picard', 'PICARD JEAN LUC'],
		['Jean Luc Picard', 'PICARD<<JEANLUC'],
		['Maria de la Cruz', 'DELACRUZ MARIA'],
		['Daan van den Berg', 'VANDENBERG DAAN'],
		['Wang Xiaoming', 'XIAO MING WANG'],
		['Kim Min-soo', 'KIM MINSOO'],
		['Keʻala Kaʻiulani', 'KAIULANI KEALA'],
		['Ronald McDonald', 'MC DONALD RONALD'],
		// Other scripts and single names
		['Иван Петров', 'ПЕТРОВ ИВАН'],
		['Γιώργος Παπαδόπουλος', 'ΠΑΠΑΔΟΠΟΥΛΟΣ ΓΙΩΡΓΟΣ'],
		['王小明', '王小明'],
		['王 小明', '王小明'],
		['محمد علي', 'علي محمد'],
		['יוסי כהן', 'כהן יוסי'],
		['प्रिया शर्मा', 'शर्मा प्रिया'],
		['Suharto', 'SUHARTO'],
	])('if the expected name is %j and the ID shows %j', (expected, fullName) => {
		expect(nameAnswer(expected, { fullName })).toBe('yes');
	});

	// Together, two words of the one name make up a single word of the other.
	test.each([
		['Li Na', 'WANG LINA'],
		['An Na', 'ANNA SCHMIDT'],
		['Kim Min', 'KIMMIN PARK'],
	])('unless only one word of the ID matches: %j and %j', (expected, fullName) => {
		expect(nameAnswer(expected, { fullName })).toBe('unknown');
	});

	test.each([
		['first and last name', { firstName: 'ANA', lastName: 'GIL LOPEZ' }],
		['both last names', { firstName: 'ANA', paternalLastName: 'GIL', maternalLastName: 'LOPEZ' }],
		[
			'a full name without the second last name',
			{ fullName: 'ANA GIL', firstName: 'ANA', lastName: 'GIL LOPEZ' },
		],
		[
			'a full name, and parts that lack a name',
			{ fullName: 'ANA GIL LOPEZ', firstName: 'ANA', lastName: 'LOPEZ' },
		],
		[
			'a full name that begins with the last names, and parts that lack a name',
			{ fullName: 'GIL LOPEZ ANA', firstName: 'ANA', lastName: 'GIL' },
		],
	])('if the ID has %s', (_what, name) => {
		expect(nameAnswer('Ana Gil López', name)).toBe('yes');
	});

	test.each([
		['paternal', { paternalLastName: 'GIL', maternalLastName: 'LOPEZ' }],
		['only', { lastName: 'GIL' }],
		['paternal, besides both', { lastName: 'GIL LOPEZ', paternalLastName: 'GIL' }],
	])('if it contains the %s last name', (_what, lastNames) => {
		expect(nameAnswer('Ana Gil', { firstName: 'ANA', ...lastNames })).toBe('yes');
	});
});

describe('It is unknown whether a name is the one on the ID', () => {
	test.each([
		['nothing is expected', '', 'ANA GIL'],
		['the expected name has no letter', ' -.– ', 'ANA GIL'],
		['someone else is expected', 'Ana Gil', 'LUIS FERNANDO PEREZ SOTO'],
		['the full name on the ID has another name', 'Ana Gil', 'ANA MARIA GIL'],
		['only a first name is expected', 'Ana', 'ANA GIL'],
		['only a last name is expected', 'García', 'GARCIA LOPEZ JUAN'],
		['a last name is expected twice', 'Juan García García', 'JUAN GARCIA LOPEZ'],
		['a relative has the same last name', 'Ana Gil', 'LUIS GIL'],
		['the person has married', 'Ana Gil', 'ANA PEREZ'],
		['the ID lacks a name', 'Ana María Gil López', 'ANA GIL'],
		['there is a title', 'Dr. Ana Gil', 'ANA GIL'],
		['there is a nickname', 'Bob Smith', 'ROBERT SMITH'],
		['there is an initial', 'J. Smith', 'JOHN SMITH'],
		['there is an initial before another last name', 'J. Smith', 'JOHN BERGER'],
		['joined words resemble each other in another alphabet', 'Эм Джих Уна', 'ЧИХУНА ОМ'],
		['there is a short form before another last name', 'Jo Smith', 'JOANNA MILLER'],
		['there are only initials', 'J. S.', 'JOHN SMITH'],
		['the ID cuts off a name', 'Eleni Christodoulopoulos', 'CHRISTODOULOP ELENI'],
		['the ID cuts off every name', 'Elenitsa Christodoulopoulos', 'CHRISTODOULOP ELENI'],
		['a letter was misread', 'Ana García', 'GARC1A ANA'],
		['letters were misread in each name', 'Ana García', 'GARC1A ANNA'],
		['there is a typo', 'Ana Gracía', 'GARCIA ANA'],
		['the transliterations differ', 'Yuri Gagarin', 'IURII HAHARIN'],
		['the spellings differ', 'Muhammad Husain', 'MOHAMMED HUSSEIN'],
		['the scripts differ', 'Ivan Petrov', 'ИВАН ПЕТРОВ'],
		['a letter comes from another script', 'Ivan P\u0435trov', 'LUIS SOTO'],
		['the script has variants', '刘伟', '劉偉'],
		['the script has marks that this comparison keeps', 'أحمد علي', 'احمد حسن'],
		['the ID has no name', 'Ana Gil', ''],
		['the ID has no letter', 'Ana Gil', '<<<<'],
		['the ID has an endless name', 'Ana Gil', 'X'.repeat(1_000_000)],
	])('if %s', (_what, expected, fullName) => {
		expect(nameAnswer(expected, { fullName })).toBe('unknown');
	});

	test.each([
		['no data', undefined],
		['text instead of a name', 'ANA GIL'],
		['only a last name', { lastName: 'GIL' }],
		['values that are no text', { fullName: ['ANA GIL'], firstName: {}, lastName: null }],
	])('if the ID has %s', (_what, name) => {
		expect(nameAnswer('Ana Gil', name)).toBe('unknown');
	});

	test.each([
		[{ fullName: 'ANA GIL RUIZ', firstName: 'ANA' }, 'Ana Gil'],
		[{ fullName: 'ANA GIL RUIZ', lastName: 'GIL RUIZ' }, 'Ana Gil'],
		[{ fullName: 'ANA GIL', firstName: 'EVA', lastName: 'GIL' }, 'Ana Gil'],
		// A full name that lacks one of the parts isn't the whole name.
		[{ fullName: 'ANA', firstName: 'ANA', lastName: 'GIL' }, 'Ana'],
		[{ fullName: 'ANA GIL', firstName: 'ANA', lastName: 'GIL RUIZ' }, 'Ana Gil'],
		[{ fullName: 'ANA', lastName: 'GIL' }, 'Ana'],
		[{ firstName: 'ANA', lastName: 'GIL RUIZ' }, 'Ana Gil'],
		[{ firstName: 'ANA', paternalLastName: 'GIL', maternalLastName: 'RUIZ' }, 'Ana Ruiz'],
		[{ firstName: 'ANA', maternalLastName: 'RUIZ' }, 'Ana Ruiz'],
		[{ fullName: 'SU NAN', firstName: 'SU', lastName: 'NAN' }, 'Sun An'],
		[{ fullName: 'CHAN GAN', firstName: 'CHAN', lastName: 'GAN' }, 'Chang An'],
		[{ fullName: 'LI NA WANG', firstName: 'LI NA', lastName: 'WANG' }, 'Lin A Wang'],
		[{ fullName: 'ANNA', firstName: 'ANNA', lastName: 'ANNA' }, 'An Na'],
	])('if the ID has %j and the expected name is %s', (name, expected) => {
		expect(nameAnswer(expected, name)).toBe('unknown');
	});

	test("if one form of the ID's name resembles it", () => {
		const name = { fullName: 'X Y', firstName: 'ANNA', lastName: 'GILL' };
		expect(nameAnswer('Ana Gil', name)).toBe('unknown');
	});
});

describe('The ID', () => {
	beforeEach(() => jest.useFakeTimers({ now: Date.UTC(2027, 2, 1, 15) }));
	afterEach(() => jest.useRealTimers());
	const isExpired = (expirationDate: unknown, expireAt?: unknown) =>
		answersFromId({ expirationDate, expireAt }, { name: '' }).isExpired;

	test.each([
		['2027-02-27', 'yes'],
		['2027-02-28', 'unknown'],
		['2027-03-01', 'unknown'],
		['2027-03-02', 'unknown'],
		['2027-03-03', 'no'],
		['2020-12-31', 'yes'],
		['2099-12-31', 'no'],
		['2026', 'yes'],
		['2027', 'no'],
		['2099', 'no'],
		['2099-01-01', 'no'],
		['2057-02-28', 'no'],
		['9999-01-01', 'no'],
		['2030/12/31', 'no'],
		['2030.12.31', 'no'],
		['20301231', 'no'],
		['2030-1-5', 'no'],
		[' 2030-12-31 ', 'no'],
		['2030-12-31T23:59:59.999Z', 'no'],
		['2020-12-31 00:00:00', 'yes'],
		[2099, 'no'],
	])('that is valid through %j has expired: %s', (date, answer) => {
		expect(isExpired(date)).toBe(answer);
		expect(isExpired('', date)).toBe(answer);
		expect(isExpired(null, date)).toBe(answer);
		expect(isExpired(date, date)).toBe(answer);
	});

	test('that is valid through a year has not expired until a day after its last day', () => {
		jest.setSystemTime(Date.UTC(2027, 11, 29, 15));
		expect(isExpired('2027')).toBe('no');
		jest.setSystemTime(Date.UTC(2027, 11, 31, 15));
		expect(isExpired('2027')).toBe('unknown');
		jest.setSystemTime(Date.UTC(2028, 0, 2, 15));
		expect(isExpired('2027')).toBe('yes');
	});

	test.each([
		[''],
		[' '],
		[null],
		[undefined],
		['PERMANENTE'],
		['31/12/2030'],
		['12/31/2020'],
		['31-12-20'],
		['301231'],
		['2030-12'],
		['2030-02-30'],
		['2030-31-12'],
		['0000-00-00'],
		['0001-01-01'],
		['0000'],
		// Thailand's 2022, Nepal's 2023, and more than 30 years ahead
		['2565-01-01'],
		['2080-05-05'],
		['2057-04-20'],
		['1900-01-01'],
		['1970-01-01'],
		['1405-05-05'],
		['2030-12-31 o 2040'],
		['2020-12-31'.repeat(100)],
		[1_924_905_600_000],
		['1924905600000'],
		[0],
		['0'],
		[{}],
		[['2030-12-31']],
		[true],
	])('whose date of expiry is %j may or may not have expired', (date) => {
		expect(isExpired(date)).toBe('unknown');
		expect(isExpired('', date)).toBe('unknown');
	});

	test.each([
		['2030-12-31', '2031-12-31', 'unknown'],
		['2030-12-31', '2020', 'unknown'],
		['2020-12-31', '2021-12-31', 'unknown'],
		['2030-12-31', '31/12/2020', 'unknown'],
		['31/12/2030', '2030', 'unknown'],
		['2030-12-31', 'PERMANENTE', 'unknown'],
		['2030-12-31', {}, 'unknown'],
		// The day has passed, but not the year.
		['2027-01-31', '2027', 'unknown'],
		['2099-12-31', '2099', 'no'],
		['2030-06-15', '2030', 'no'],
		['2020', '2020-06-15', 'yes'],
		['2030/12/31', '2030-12-31', 'no'],
	])('with the dates of expiry %j and %j has expired: %s', (one, other, answer) => {
		expect(isExpired(one, other)).toBe(answer);
		expect(isExpired(other, one)).toBe(answer);
	});
});

describe('A date of birth', () => {
	beforeEach(() => jest.useFakeTimers({ now: Date.UTC(2027, 2, 1, 15) }));
	afterEach(() => jest.useRealTimers());
	const matches = (birthDate: string, onId: unknown) =>
		answersFromId({ birthDate: onId }, { name: '', birthDate }).birthDateMatches;
	const hourMs = 3_600_000;

	test.each([
		['1990-03-13'],
		['1990/3/13'],
		['19900313'],
		['1990.03.13'],
		['1990\u201103\u201113'],
		[' 1990-03-13 '],
		['13/03/1990'],
		['13.3.1990'],
		['03-13-1990'],
		['1990-03-13T00:00:00.000Z'],
		['1990-03-13T00:00:00.000+13:00'],
		['1990-03-13 00:00:00'],
		// Midnight in Madrid, and in Mexico City
		['1990-03-12T23:00:00.000Z'],
		['1990-03-13T06:00:00.000Z'],
	])('entered as %j is compared with the one on the ID', (entered) => {
		const day = Date.UTC(1990, 2, 13);
		for (const zoneHours of [-9, -6, 0, 1, 8, 11]) {
			expect(matches(entered, day - zoneHours * hourMs)).toBe('yes');
			for (const years of [-1, 1]) {
				const other = Date.UTC(1990 + years, 2, 13);
				expect(matches(entered, other - zoneHours * hourMs)).toBe('unknown');
			}
		}
		expect(matches(entered, new Date(day).toISOString())).toBe('yes');
		expect(matches(entered, Date.UTC(1990, 2, 12))).toBe('unknown');
		expect(matches(entered, Date.UTC(1990, 2, 14))).toBe('unknown');
		// Midnight in Honolulu, or of the next day in Auckland
		expect(matches(entered, day + 11 * hourMs)).toBe('unknown');
		expect(matches(entered, day - 13 * hourMs)).toBe('unknown');
	});

	test('whose day and month are the same number has a certain order', () => {
		expect(matches('03/03/1990', Date.UTC(1990, 2, 3))).toBe('yes');
		expect(matches('03/03/1990', Date.UTC(1985, 2, 3))).toBe('unknown');
	});

	test.each([
		['03/04/1990'],
		['3.4.1990'],
		['13 de marzo de 1990'],
		['March 13, 1990'],
		['13/03/90'],
		['1990'],
		['1990-02-30'],
		['31/04/1990'],
		['0000-00-00'],
		['1990-03-13T11:00:00Z'],
		['1990-03-13 15:30'],
		['32945'],
		['637286400000'],
		// In the calendars of Thailand, Nepal and Iran
		['2533-03-13'],
		['2046-11-30'],
		['1368-12-22'],
		['x'.repeat(1_000_000)],
		[''],
	])('entered as %j may be any day', (entered) => {
		expect(matches(entered, Date.UTC(1990, 2, 13))).toBe('unknown');
		expect(matches(entered, Date.UTC(1990, 3, 3))).toBe('unknown');
		expect(matches(entered, Date.UTC(1960, 0, 1))).toBe('unknown');
	});

	test.each([[0], [-1], [''], [null], [undefined], ['13/03/1990'], [637_286_400], [{}]])(
		'is unknown if the one on the ID is %j',
		(onId) => {
			expect(matches('1990-03-13', onId)).toBe('unknown');
			expect(matches('1970-01-01', onId)).toBe('unknown');
		},
	);

	test('of different people never matches, wherever the ID comes from', () => {
		const day = fc.integer({ min: -20_000, max: 20_000 });
		// The zones whose midnight is the nearest to midnight UTC, and those beyond
		const zoneHours = fc.integer({ min: -24, max: 28 }).map((halfHours) => halfHours / 2);
		const text = (dayNumber: number, isTurned: boolean) => {
			const iso = new Date(dayNumber * dayMs).toISOString().slice(0, 10);
			return isTurned ? iso.split('-').reverse().join('/') : iso;
		};
		let yesCount = 0;
		fc.assert(
			fc.property(
				day,
				fc.oneof(day, fc.integer({ min: -40, max: 40 })),
				zoneHours,
				fc.boolean(),
				(one, difference, hours, isTurned) => {
					const other = Math.abs(difference) <= 40 ? one + difference : difference;
					const answer = matches(text(one, isTurned), other * dayMs - hours * hourMs);
					if (one !== other) expect([one, other, hours, answer]).not.toContain('yes');
					if (answer === 'yes') yesCount++;
				},
			),
			{ numRuns: 3000, seed: 1 },
		);
		expect(yesCount).toBeGreaterThan(10);
	});
});

describe('A document number', () => {
	const matches = (documentNumber: string, ocr: object) =>
		answersFromId(ocr, { name: '', documentNumber }).documentNumberMatches;
	const curp = 'PEPJ850312HDFXXN09';

	test.each([
		['X1234567', { documentNumber: 'X1234567' }],
		['X12345678', { documentNumber: 'X1234567', documentNumberCheckDigit: '8' }],
		['GLRZAN90010109M100', { claveDeElector: 'GLRZAN90010109M100' }],
		['IDMEX123456789', { cic: 'IDMEX123456789' }],
		['0123456789012', { ocr: '0123456789012', documentNumber: 'X1' }],
		['x-123 4567', { documentNumber: 'X1234567' }],
		['X1234567', { documentNumber: ' x 1.234.567 ' }],
		['Ｘ１２３４５６７', { documentNumber: 'X1234567' }],
		['00123', { documentNumber: '00123' }],
		['00123', { documentNumber: 'A1', curp: '00123' }],
		[curp, { documentNumber: 'X1234567', curp }],
		[curp.toLowerCase(), { documentNumber: '', curp }],
		[curp, { documentNumber: curp, curp: '' }],
		['1234567', { documentNumber: 1_234_567 }],
		['SAMPLE-0000', { documentNumber: 'SAMPLE-0000' }],
		['ЕА 123456', { documentNumber: 'еа123456' }],
	])('%j is on the ID with %j', (expected, ocr) => {
		expect(matches(expected, ocr)).toBe('yes');
	});

	test.each([
		['X1234568', { documentNumber: 'X1234567' }],
		['X1234567', { documentNumber: 'Y7654321', curp }],
		['1234567', { documentNumber: 'X1234567' }],
		['X123456', { documentNumber: 'X1234567' }],
		['X12345678', { documentNumber: 'X1234567' }],
		['123', { documentNumber: '00123' }],
		['PEPJ850312', { documentNumber: 'X1234567', curp }],
		['PEPJ850312HDFXXN08', { documentNumber: 'X1234567', curp }],
		['110105199001011234', { documentNumber: '110105198503123456' }],
	])('%j may not be on the ID with %j, because a part proves nothing', (expected, ocr) => {
		expect(matches(expected, ocr)).toBe('unknown');
	});

	test.each([
		['X1234567', {}],
		['X1234567', { documentNumber: '' }],
		['X1234567', { documentNumber: null, curp }],
		['X1234567', { documentNumber: ['X1234567'] }],
		['X1234567', { documentNumber: 'X'.repeat(1_000_000) }],
		['X1234567', { documentNumber: 'N/A' }],
		['X1234567', { documentNumber: '000000000' }],
		// The ID contains no CURP to compare this one with.
		[curp, { documentNumber: 'X1234567', curp: '' }],
		// What stands for a missing number isn't a number.
		['N/A', { documentNumber: 'N/A' }],
		['NOAPLICA', { claveDeElector: 'NO APLICA' }],
		['8', { documentNumber: '', documentNumberCheckDigit: '8' }],
		['NOAPLICA8', { documentNumber: 'NO APLICA', documentNumberCheckDigit: '8' }],
		['0000000008', { documentNumber: '000000000', documentNumberCheckDigit: '8' }],
		['000000000', { documentNumber: '000000000' }],
		['-', { documentNumber: '-' }],
		['', { documentNumber: '' }],
		['0', { documentNumber: '0', curp: '0' }],
		// Cyrillic letters that look like Latin ones
		['\u0410\u0412123456', { documentNumber: 'AB123456' }],
	])('%j may or may not be on the ID with %j', (expected, ocr) => {
		expect(matches(expected, ocr)).toBe('unknown');
	});

	test('of different people never matches, as a whole or as a part', () => {
		const number = fc.stringMatching(/^[A-Za-z0-9 ./-]{1,20}$/);
		const characters = (text: string) => text.toUpperCase().replace(/[^A-Z0-9]/g, '');
		fc.assert(
			fc.property(number, number, number, fc.nat(20), (one, other, third, length) => {
				for (const ocr of [
					{ documentNumber: other, curp: third },
					{ documentNumber: one + other, curp: third },
					{ documentNumber: one.slice(0, length), curp: other + one },
				]) {
					const onId = Object.values(ocr).map(characters);
					const answer = matches(one, ocr);
					if (answer === 'yes') expect(onId).toContain(characters(one));
				}
			}),
			{ numRuns: 2000, seed: 1 },
		);
	});
});

test('What nothing is expected of has no answer', () => {
	const ocr = { birthDate: Date.UTC(1990, 0, 1), documentNumber: 'X1234567' };
	const answers = answersFromId(ocr, { name: '', minimumAge: 18 });
	expect(Object.keys(answers)).toEqual(['nameMatches', 'isOfAge', 'isExpired']);
});

describe('The day of birth', () => {
	test.each([
		['midnight in UTC', '1990-03-01T00:00:00Z', '1990-03-01'],
		['midnight in Madrid in winter', '1990-02-28T23:00:00Z', '1990-03-01'],
		['midnight in Madrid in summer', '1990-06-30T22:00:00Z', '1990-07-01'],
		['midnight in Mexico City', '1990-03-01T06:00:00Z', '1990-03-01'],
		['midnight in Tokyo', '1990-02-28T15:00:00Z', '1990-03-01'],
		['noon in UTC', '1990-03-01T12:00:00Z', '1990-03-01'],
		['a moment after noon', '1990-03-01T12:00:00.001Z', '1990-03-02'],
		['midnight in Madrid before 1970', '1955-12-31T23:00:00Z', '1956-01-01'],
		['noon before 1970', '1955-12-31T12:00:00Z', '1955-12-31'],
	])('is the day of %s', (_what, moment, day) => {
		expect(birthDay(Date.parse(moment))).toBe(day);
		expect(birthDay(String(Date.parse(moment)))).toBe(day);
		expect(birthDay(moment)).toBe(day);
	});

	test.each([
		[0],
		['0'],
		[-1],
		[''],
		[null],
		[undefined],
		[[631_152_000_000]],
		['01/03/1990'],
		[Number.NaN],
		[-62_135_596_800_000],
		[Date.now() + 3 * dayMs],
	])('is missing if the service sends %j', (value) => {
		expect(birthDay(value)).toBeUndefined();
	});
});

describe('A person', () => {
	const now = Date.UTC(2027, 2, 1, 15);
	beforeEach(() => jest.useFakeTimers({ now }));
	afterEach(() => jest.useRealTimers());
	const ofAge = (birthDate: unknown, minimumAge = 18) =>
		answersFromId({ birthDate }, { name: '', minimumAge }).isOfAge;

	test.each([
		['2009-02-27', 'yes'],
		['2009-02-28', 'unknown'],
		['2009-03-01', 'unknown'],
		['2009-03-02', 'unknown'],
		['2009-03-03', 'no'],
		['1909-03-03', 'yes'],
		['2027-02-28', 'no'],
	])('born on %s is of age at 18: %s', (day, answer) => {
		expect(ofAge(Date.parse(day))).toBe(answer);
		// The same day, as midnight in Madrid
		expect(ofAge(Date.parse(day) - 3_600_000)).toBe(answer);
	});

	test('is of age from the age limit that the form states', () => {
		expect(ofAge(Date.UTC(2007, 0, 1), 21)).toBe('no');
		expect(ofAge(Date.UTC(2007, 0, 1), 20)).toBe('yes');
		expect(ofAge(Date.UTC(2007, 0, 1), 16)).toBe('yes');
	});

	test('born on February 29 comes of age on March 1', () => {
		jest.setSystemTime(Date.UTC(2026, 1, 27, 15));
		expect(ofAge(Date.UTC(2008, 1, 29))).toBe('no');
		jest.setSystemTime(Date.UTC(2026, 1, 28, 15));
		expect(ofAge(Date.UTC(2008, 1, 29))).toBe('unknown');
		jest.setSystemTime(Date.UTC(2026, 2, 3, 15));
		expect(ofAge(Date.UTC(2008, 1, 29))).toBe('yes');
	});

	test.each([
		['seconds', 1_431_388_800],
		['seconds before 1970', -315_619_200],
		['a year', 2015],
		['a year as text', '2015'],
		['digits', 20_150_512],
		['digits as text', '20150512'],
		['digits, the day first', 12_052_015],
		['days', 16_567],
		['minutes', 23_856_480],
		['days in a spreadsheet', 42_136],
		['the smallest second before 1970', -2_208_988_800],
		['seconds in the farthest future', 2_592_000_000],
	])('whose date of birth is given as %s may or may not be of age', (_what, birthDate) => {
		expect(birthDay(birthDate)).toBeUndefined();
		for (const minimumAge of [1, 18, 65, 120]) expect(ofAge(birthDate, minimumAge)).toBe('unknown');
	});

	test.each([
		['1969-11-30', 'yes'],
		['1969-12-01', 'unknown'],
		['1970-01-01', 'unknown'],
		['1970-01-15', 'unknown'],
		['1970-02-01', 'unknown'],
		['1970-02-02', 'yes'],
	])('born on %s, with the date in milliseconds, is of age: %s', (day, answer) => {
		for (const timeZoneMs of [0, -3_600_000, 6 * 3_600_000]) {
			expect(ofAge(Date.parse(day) + timeZoneMs)).toBe(answer);
			// People born in these two months are never too young.
			expect(ofAge(Date.parse(day) + timeZoneMs, 65)).toBe(answer === 'yes' ? 'no' : answer);
		}
	});

	test.each([[undefined], [0], ['none'], [{}]])(
		'whose date of birth is %j may or may not be of age',
		(birthDate) => {
			expect(ofAge(birthDate)).toBe('unknown');
		},
	);

	test('whom the workflow no longer knows gets no answer', () => {
		const ocr = { name: { fullName: 'ANA GIL' }, birthDate: Date.UTC(1990, 0, 1) };
		expect(answersFromId(ocr, { name: '' })).toEqual({
			nameMatches: 'unknown',
			isOfAge: 'unknown',
			isExpired: 'unknown',
		});
	});
});
