import fc from 'fast-check';

import { isProvenName } from '../../nodes/SignVerify/api/nameOnId';
import { expectLinear } from '../support/growth';
import realValues from './realValues.json';
import sameNames from './sameNames.json';

const isInFull = (expected: string, fullName: string) =>
	isProvenName(expected, { fullName, given: '', families: ['', ' '] });
const isInParts = (expected: string, given: string, family: string) =>
	isProvenName(expected, { fullName: '', given, families: [family] });

const samePeople = Object.values(sameNames) as Array<[string, string]>[];
const realNames = Object.values(realValues).flatMap((country) => country.names);

/** Returns each given and family name that a name on an ID may consist of. */
function partsOf(onId: string): Array<[given: string, family: string]> {
	const words = onId.split(' ').filter((word) => /[\p{L}\p{N}]/u.test(word));
	return words.slice(1).flatMap((_, index): Array<[string, string]> => {
		const [start, rest] = [words.slice(0, index + 1).join(' '), words.slice(index + 1).join(' ')];
		return [
			[start, rest],
			[rest, start],
		];
	});
}
const isInAnyParts = (expected: string, onId: string) =>
	partsOf(onId).some(([given, family]) => isInParts(expected, given, family));

test('A name that is romanized in another way is proven only by the same letters', () => {
	const proven = samePeople.flat().filter(([expected, onId]) => isInFull(expected, onId));
	expect(proven.map(([expected]) => expected)).toEqual([
		...['Nguyễn Văn Đức', 'Ngô Bảo Châu', 'Nguyễn Thị Ánh Đào', 'Lê Thuỳ Linh'],
		...['Hans Jürgen Voß', 'Kjell Åge', 'Von Weizsäcker', 'Bin Ali', 'Bat El'],
	]);
});

const countryCount = Object.keys(realValues).length;

/** Every name, with every other name as the one on an ID: in full, and in every given and family name. */
function wronglyProven(pairs: Array<readonly [name: string, onId: string]>) {
	return pairs.filter(([name, onId]) => isInFull(name, onId) || isInAnyParts(name, onId));
}

test(`No name is proven by the ID of someone else, from ${countryCount} countries`, () => {
	const pairs = realNames
		.flatMap((one) => realNames.map((other) => [one, other] as const))
		.filter(([one, other]) => one !== other);
	expect(pairs.length).toBeGreaterThan(8_000);
	expect(wronglyProven(pairs)).toEqual([]);
});

test('No name is proven by the ID of someone else with the same first language', () => {
	const pairs = samePeople.flatMap((people) =>
		people.flatMap(([name]) =>
			people.filter(([other]) => other !== name).map(([, onId]) => [name, onId] as const),
		),
	);
	expect(pairs.length).toBeGreaterThan(7_000);
	expect(wronglyProven(pairs)).toEqual([]);
});

test("Everyone's own ID proves their name, whichever name comes first", () => {
	const unproven = realNames.filter((name) => {
		const words = name.split(' ');
		const turned = [...words.slice(1), ...words.slice(0, 1)].join(' ');
		return (
			!isInFull(name, name) ||
			!isInFull(turned, name.toUpperCase()) ||
			!partsOf(name.toUpperCase()).every(([given, family]) => isInParts(name, given, family))
		);
	});
	expect(unproven).toEqual([]);
});

describe('Given and family names on the ID prove a name', () => {
	test.each([
		['Ana Gil', 'ANA MARIA', 'GIL'],
		['Ana Gil López', 'ANA MARIA', 'GIL LOPEZ'],
		['María Gil López', 'ANA MARIA', 'GIL LOPEZ'],
		['Gil López, Ana', 'ANA MARIA', 'GIL LOPEZ'],
		['Juan García García', 'JUAN', 'GARCIA GARCIA'],
		['Jean Luc Picard', 'JEANLUC', 'PICARD'],
		['Jean-Luc Picard', 'JEAN LUC', 'PICARD'],
		["Sinéad O'Connor", 'SINEAD', 'O CONNOR'],
		['Maria de la Cruz', 'MARIA', 'DELACRUZ'],
		['王 小明', '小明', '王'],
		['王小明', '小明', '王'],
		['김민지', '민지', '김'],
		['高橋ガブリエル', 'ガブリエル', '高橋'],
		['マイケルジャクソン', 'マイケル', 'ジャクソン'],
		['Lee Min', 'MIN', 'LEE'],
		['I Min', 'MIN', 'I'],
		['김 민 수', '민 수', '김'],
		['K. R. Narayanan', 'NARAYANAN', 'K R'],
		['Hung Nguyen', 'HƯNG', 'NGUYỄN'],
		// Some programs write Romanian's comma below as a cedilla.
		['Ştefan Ţăran', 'ȘTEFAN', 'ȚĂRAN'],
		['Ștefan Țăran', 'ŞTEFAN', 'ŢĂRAN'],
		// A known limit: these could also be given names and family names of other people with the same words.
		['Thi Nguyen', 'THI LAN', 'NGUYEN'],
		['Md Rahman', 'MD ABDUR', 'RAHMAN'],
		['Luis de la Rosa', 'LUIS DE LA CRUZ', 'ROSA'],
	])('%j is proven by %j %j', (expected, given, family) => {
		expect(isInParts(expected, given, family)).toBe(true);
	});

	test.each([
		['only a given name', 'Ana', 'ANA', 'GIL'],
		['only a family name', 'García', 'JUAN', 'GARCIA LOPEZ'],
		['a part of the family name', 'Ana Gil', 'ANA MARIA', 'GIL LOPEZ'],
		['the second of two family names', 'María López', 'ANA MARIA', 'GIL LOPEZ'],
		['a word of the family name that is also a name', 'Ananya De', 'ANANYA', 'DE SOUZA'],
		['the article of the family name', 'Anh Le', 'ANH', 'LE GOFF'],
		['the preposition of the family name', 'Joseph Van', 'JOSEPH', 'VAN DYKE'],
		['a patronymic part of the family name', 'Sara Ben', 'SARA', 'BEN DAVID'],
		['two family names', 'Gil Ruiz', 'ANA', 'GIL RUIZ'],
		['a name that the ID lacks', 'Ana María Gil', 'ANA', 'GIL'],
		['a family name that the ID lacks', 'Ana Gil Ruiz', 'ANA', 'GIL'],
		['another order', 'María Ana Gil', 'ANA MARIA', 'GIL'],
		['family names between given names', 'Ana Gil María', 'ANA MARIA', 'GIL'],
		['a family name twice', 'Juan García García', 'JUAN', 'GARCIA LOPEZ'],
		['a title', 'Lic. Ana Gil', 'ANA', 'GIL'],
		['a short form', 'Fco. Javier Gil', 'FEDERICO JAVIER', 'GIL'],
		['another short form', 'Ma. José Gil', 'MARIO JOSE', 'GIL'],
		['a nickname', 'Bob Smith', 'ROBERT', 'SMITH'],
		['an initial', 'J. Smith', 'JOHN', 'SMITH'],
		['an initial that the ID has as well', 'J. Smith', 'JOHN J', 'SMITH'],
		['one of two initials', 'J. Smith', 'J R', 'SMITH'],
		['an initial in an alphabet of India', 'க. குமார்', 'க ராம்', 'குமார்'],
		['other letters of the same word', 'Lin A Wang', 'LI NA', 'WANG'],
		['other letters of the same family name', 'Wang Lin A', 'WANG', 'LI NA'],
		['another border', 'Sun An', 'SU', 'NAN'],
		['another border, turned', 'An Sun', 'NSUN', 'A'],
		['another border before a longer name', 'Chang An', 'CHAN', 'GAN'],
		['another border in a script without spaces', '王小 明', '小明', '王'],
		['one word with a letter of a script that needs spaces', '김Min', 'MIN', '김'],
		['one of two names in a script without spaces', '王小明', '小明 安', '王'],
		['other marks', 'Hưng Nguyễn', 'HÙNG', 'NGUYỄN'],
		['other marks on a letter with a stroke', 'Ana Møller', 'ANA', 'MÖLLER'],
		['a cut-off name', 'Eleni Christodoulopoulos', 'ELENI', 'CHRISTODOULOP'],
		['a typo', 'Ana Gracía', 'ANA', 'GARCIA'],
		['another script', 'Ivan Petrov', 'ИВАН', 'ПЕТРОВ'],
		['a letter of another script', 'Ivan P\u0435trov', 'IVAN', 'PETROV'],
		['one word over both parts', 'Anagil', 'ANA', 'GIL'],
		['nothing', ' -.– ', 'ANA', 'GIL'],
	])('%s is no proof: %j, %j %j', (_what, expected, given, family) => {
		expect(isInParts(expected, given, family)).toBe(false);
	});
});

const words = [
	'Ana',
	'María',
	'José',
	'Luis',
	'Carmen',
	'Gil',
	'Ruiz',
	'Gómez',
	'Müller',
	'Wang',
	'Cruz',
];

test('Two people whose names differ by a word that both IDs have are never taken for each other', () => {
	const named = fc.uniqueArray(fc.constantFrom(...words), { minLength: 5, maxLength: 5 });
	const counts = fc.tuple(fc.nat(1), fc.nat(1), fc.nat(3), fc.boolean(), fc.boolean());
	let provenCount = 0;
	fc.assert(
		fc.property(named, counts, ([other = '', ...own], [given, family, place, isTurned, isFull]) => {
			const names = [own.slice(0, 1 + given), own.slice(2, 3 + family)] as const;
			const idOf = (id: readonly string[][]) => {
				const [first = '', last = ''] = id.map((part) => part.join(' '));
				return { fullName: `${first} ${last}`, given: isFull ? '' : first, families: [last] };
			};
			const expected = (isTurned ? [...names].reverse() : names).flat();
			expect(isProvenName(expected.join(' '), idOf(names))).toBe(true);
			provenCount++;
			const differing = expected[place % expected.length];
			const others = names.map((part) => part.map((word) => (word === differing ? other : word)));
			expect(isProvenName(expected.join(' '), idOf(others))).toBe(false);
		}),
		{ numRuns: 2000, seed: 1 },
	);
	expect(provenCount).toBe(2000);
});

test('The same letters with another border between two names are never proven', () => {
	const letters = fc.uniqueArray(fc.constantFrom(...'abdehilmnosu'), {
		minLength: 4,
		maxLength: 9,
	});
	const border = fc.integer({ min: 1, max: 8 });
	let otherCount = 0;
	fc.assert(
		fc.property(letters, border, border, fc.boolean(), (text, one, other, isTurned) => {
			const splitAt = (at: number) => {
				const place = 1 + ((at - 1) % (text.length - 1));
				return [text.slice(0, place).join(''), text.slice(place).join('')] as const;
			};
			const [given, family] = splitAt(one);
			const words = [...splitAt(other)];
			const expected = (isTurned ? words.reverse() : words).join(' ');
			const isSame = words.includes(given);
			const onId = { fullName: `${given} ${family}`, given, families: [family] };
			expect([expected, onId, isProvenName(expected, onId)]).toEqual([expected, onId, isSame]);
			expect(isProvenName(words.join(''), onId)).toBe(false);
			if (!isSame) otherCount++;
		}),
		{ numRuns: 1000, seed: 1 },
	);
	expect(otherCount).toBeGreaterThan(500);
});

test.each([
	['letters', 'x'],
	['words', 'x '],
	['accents', 'e\u0301'],
	['apostrophes', "x'"],
])('A name of many %s is compared in linear time', async (_what, part) => {
	await expectLinear(20_000, (size) => {
		const name = part.repeat(size / part.length);
		return () => isProvenName(name, { fullName: name, given: name, families: [name] });
	});
});

test('Names of thirty words are compared without trying every combination, which would never end', () => {
	for (const word of ['a', 'aaaaaaaaa', 'aüüüüüüüa']) {
		const name = Array(29).fill(word).join(' ');
		const onId = { fullName: name, given: name, families: [name, name] };
		expect(isProvenName(`${name} b`, onId)).toBe(false);
	}
});
