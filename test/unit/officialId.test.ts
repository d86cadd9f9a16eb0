import { answersFromId, birthDay } from '../../nodes/SignVerify/api/officialId';
import { dayMs } from '../../nodes/SignVerify/util/values';
import { processorTimeOf } from '../support/processorTime';

const nameAnswer = (expected: string, name: unknown) =>
	answersFromId({ name }, { name: expected, minimumAge: 18 }).nameMatches;

describe('A name is the one on the ID', () => {
	test.each([
		// The order of the words, case, accents and further names
		['Ana Gil', 'ANA GIL'],
		['Ana Gil', 'GIL ANA'],
		['Ana Gil', 'GIL LOPEZ ANA MARIA'],
		['Gil López, Ana', 'ANA GIL LÓPEZ'],
		['josé antonio muñoz', 'MUÑOZ RUIZ JOSE ANTONIO'],
		['João da Silva', 'JOAO PEDRO DA SILVA SANTOS'],
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
		['Иван Петров', 'ПЕТРОВ ИВАН СЕРГЕЕВИЧ'],
		['Γιώργος Παπαδόπουλος', 'ΠΑΠΑΔΟΠΟΥΛΟΣ ΓΙΩΡΓΟΣ'],
		['王小明', '王小明'],
		['王 小明', '王小明'],
		['محمد علي', 'علي محمد'],
		['יוסי כהן', 'כהן יוסי'],
		['प्रिया शर्मा', 'शर्मा प्रिया'],
		['Suharto', 'SUHARTO'],
	])('if the expected name is %j and the ID says %j', (expected, fullName) => {
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
	])('if the ID has %s', (_what, name) => {
		expect(nameAnswer('Ana Gil López', name)).toBe('yes');
	});
});

describe('A name is not the one on the ID', () => {
	test.each([
		['Ana Gil', 'LUIS FERNANDO PEREZ SOTO'],
		['Ada Lovelace', 'SAMPLE PERSON FICTITIOUS'],
		['Jürgen Müller', 'SCHMIDT PETRA'],
		['Nguyễn Văn An', 'TRAN THI HOA'],
		['Wang Fang', 'LIU XIAOMING'],
		['Иван Петров', 'СИДОРОВА АННА'],
		['Γιώργος Παπαδόπουλος', 'ΜΑΡΙΑ ΝΙΚΟΛΑΪΔΗ'],
		['Mohammed Al-Farsi', 'JOHN SMITH'],
		['Ana Gil y Gómez', 'PETER SCHULZE'],
	])('if the expected name is %j and the ID says %j', (expected, fullName) => {
		expect(nameAnswer(expected, { fullName })).toBe('no');
	});
});

describe('It is unknown whether a name is the one on the ID', () => {
	test.each([
		['nothing is expected', '', 'ANA GIL'],
		['the expected name has no letter', ' -.– ', 'ANA GIL'],
		['only a first name is expected', 'Ana', 'ANA GIL'],
		['only a last name is expected', 'García', 'GARCIA LOPEZ JUAN'],
		['a last name is expected twice', 'Juan García García', 'JUAN GARCIA LOPEZ'],
		['a relative has the same last name', 'Ana Gil', 'LUIS GIL'],
		['the person has married', 'Ana Gil', 'ANA PEREZ'],
		['the ID lacks a name', 'Ana María Gil López', 'ANA GIL'],
		['there is a title', 'Dr. Ana Gil', 'ANA GIL'],
		['there is a nickname', 'Bob Smith', 'ROBERT SMITH'],
		['there is an initial', 'J. Smith', 'JOHN SMITH'],
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

	test("if one form of the ID's name resembles it", () => {
		const name = { fullName: 'X Y', firstName: 'ANNA', lastName: 'GILL' };
		expect(nameAnswer('Ana Gil', name)).toBe('unknown');
	});
});

test.each([
	['letters', 'x'],
	['words', 'x '],
	['accents', 'e\u0301'],
	['apostrophes', "x'"],
])('A megabyte of %s as a name takes less than a second to compare', (_what, part) => {
	const name = part.repeat(1_000_000 / part.length);
	const time = processorTimeOf(() => {
		nameAnswer(name, { fullName: name, firstName: name, lastName: name });
		nameAnswer('Ana Gil', { fullName: part.repeat(300 / part.length) });
	});
	expect(time).toBeLessThan(1000);
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
		expect(answersFromId(ocr, undefined)).toEqual({ nameMatches: 'unknown', isOfAge: 'unknown' });
	});
});
