import fc from 'fast-check';

import { compareNames, isShortenedName } from '../../nodes/SignVerify/util/personName';
import { processorTimeOf } from '../support/processorTime';
import realValues from './realValues.json';
import sameNames from './sameNames.json';

const samePeople = Object.values(sameNames) as Array<[string, string]>[];

describe('A name that is romanized in another way is never refused', () => {
	test.each(samePeople.flat())('%s is %s', (expected, onId) => {
		expect(compareNames(expected, onId)).not.toBe('no');
		expect(compareNames(onId, expected)).not.toBe('no');
	});
});

test('The names of different people from 42 countries are told apart as often as before words were joined', () => {
	const names = Object.values(realValues).flatMap((country) => country.names);
	const pairs = names.flatMap((one) => names.map((other) => [one, other] as const));
	const answers = pairs
		.filter(([one, other]) => one !== other)
		.map(([one, other]) => compareNames(one, other));
	expect(answers).toHaveLength(8556);
	expect(answers).not.toContain('yes');
	expect(answers.filter((answer) => answer === 'no').length).toBeGreaterThanOrEqual(3926);
});

test('The names of different people with the same first language are told apart', () => {
	const answers = samePeople.flatMap((people) =>
		people.flatMap(([name], index) =>
			people
				.filter((_, otherIndex) => otherIndex !== index)
				.map(([, other]) => compareNames(name, other)),
		),
	);
	expect(answers).not.toContain('yes');
	expect(answers.filter((answer) => answer === 'no').length).toBeGreaterThan(0.9 * answers.length);
});

const without = (words: string[], start: number, count: number) =>
	words.filter((_, index) => index < start || index >= start + count);

/**
 * Whether the letters of each word of a name are on the ID, unchanged, in one word or in several. An
 * independent and more generous copy of the rule for `yes`: it accepts words in any order.
 */
function isExact([word, ...others]: string[], onId: string[]): boolean {
	if (word === undefined) return true;
	const runs = onId.flatMap((_, start) => onId.slice(start).map((__, count) => [start, count + 1]));
	const isInSeveral = runs.some(([start = 0, count = 0]) => {
		if (onId.slice(start, start + count).join('') !== word) return false;
		return isExact(others, without(onId, start, count));
	});
	if (isInSeveral) return true;
	const subsets = others.reduce<string[][]>(
		(known, other) => [...known, ...known.map((subset) => [...subset, other])],
		[[word]],
	);
	return subsets.some((subset) => {
		const place = onId.indexOf(subset.join(''));
		if (place === -1) return false;
		return isExact(
			others.filter((other) => !subset.includes(other)),
			without(onId, place, 1),
		);
	});
}

/** Names in plain letters, so that only the letters themselves decide. */
const plainWords = samePeople
	.flat(2)
	.flatMap((name) => name.toLowerCase().match(/[a-z]+/g) ?? [])
	.filter((word) => !/aa|ae|oe|ue/.test(word));

/** A word, or a word with a letter added, removed or replaced. */
const spelling = fc
	.tuple(
		fc.constantFrom(...plainWords),
		fc.nat(8),
		fc.constantFrom('', 'h', 'i'),
		fc.nat(1),
		fc.boolean(),
	)
	.map(([word, place, letter, removed, isChanged]) =>
		isChanged ? word.slice(0, place) + letter + word.slice(place + removed) : word,
	)
	.filter((word) => word !== '' && !/aa|ae|oe|ue/.test(word));

test('Only a name whose letters are all on the ID is the one on the ID, never one that resembles it', () => {
	const name = fc.uniqueArray(spelling, { minLength: 1, maxLength: 4 });
	const isJoined = fc.array(fc.boolean(), { minLength: 4, maxLength: 4 });
	const onId = fc.tuple(name, name, isJoined, isJoined);
	let yesCount = 0;
	fc.assert(
		fc.property(name, onId, (expected, [otherWords, furtherWords, isChosen, isGlued]) => {
			const chosen = expected.map((word, index) =>
				isChosen[index] ? word : (otherWords[index] ?? word),
			);
			// Words are glued together at random, so that one name has in one word what the other has in several.
			const text = [...chosen, ...furtherWords.slice(0, 1)]
				.map((word, index) => (isGlued[index] ? word : `${word} `))
				.join('')
				.trim();
			if (compareNames(expected.join(' '), text) !== 'yes') return;
			yesCount++;
			expect([expected, text, isExact(expected, text.split(' '))]).toEqual([expected, text, true]);
		}),
		{ numRuns: 2000, seed: 1 },
	);
	expect(yesCount).toBeGreaterThan(100);
});

describe('A name with a title or a short form', () => {
	const givenNames = [
		...['María', 'Mario', 'Marta', 'José', 'Josefa', 'Ana', 'Ángel', 'Guadalupe', 'Luis', 'Luz'],
		...['Francisco', 'Fernanda', 'Javier', 'Carmen', 'Carlos', 'Jürgen', 'Jørgen', 'Li', 'Na'],
	];
	const familyNames = [
		...['Gil', 'Ruiz', 'Martínez', 'Martín', 'Gómez', 'García', 'De la Cruz', 'López'],
		...['Müller', 'Wang', 'Wu', 'Hernández', 'Fernández'],
	];
	const person = fc.record({
		given: fc.uniqueArray(fc.constantFrom(...givenNames), { minLength: 1, maxLength: 3 }),
		family: fc.uniqueArray(fc.constantFrom(...familyNames), { minLength: 1, maxLength: 2 }),
	});
	/** Cuts off a name, or leaves out letters inside it. */
	const shortened = (name: string, isContracted: boolean, length: number) =>
		isContracted ? `${name.slice(0, length)}${name.slice(-1)}.` : `${name.slice(0, length + 1)}.`;
	const plain = (name: string) => name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

	test('is never the name of someone else', () => {
		let yesCount = 0;
		fc.assert(
			fc.property(
				person,
				person,
				fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }),
				fc.tuple(fc.nat(5), fc.boolean(), fc.integer({ min: 1, max: 3 }), fc.boolean()),
				(one, other, isShared, [place, isContracted, length, isFamilyFirst]) => {
					const given = one.given.map((name, index) =>
						isShared[index] ? name : (other.given[index] ?? name),
					);
					const family = one.family.map((name, index) =>
						isShared[index + 3] ? name : (other.family[index] ?? name),
					);
					const own = isFamilyFirst ? [...one.family, ...one.given] : [...one.given, ...one.family];
					const index = place % own.length;
					const name = own[index] ?? '';
					const short = shortened(name, isContracted, length);
					const expected = own.map((word) => (word === name ? short : word)).join(' ');
					if (new Set(given).size < given.length || new Set(family).size < family.length) return;
					if (!isShortenedName(expected, given.join(' '), family.join(' '))) return;
					yesCount++;
					const onId = [...given, ...family].map(plain);
					const others = own.filter((_, otherIndex) => otherIndex !== index).map(plain);
					// A title looks the same as a name that the ID lacks.
					const canBeTitle =
						index === 0 &&
						!isFamilyFirst &&
						given.map(plain).every((word) => others.includes(word));
					// Whether Ma. stands for María or Mario isn't known, but it can't stand for José.
					const isOnId = onId.some(
						(word) =>
							word.startsWith(plain(short.slice(0, -1))) ||
							(word.startsWith(plain(short.slice(0, 1))) &&
								word.endsWith(plain(short.at(-2) ?? ''))),
					);
					expect([
						expected,
						onId,
						others.every((word) => onId.includes(word)) && (isOnId || canBeTitle),
					]).toEqual([expected, onId, true]);
				},
			),
			{ numRuns: 3000, seed: 1 },
		);
		expect(yesCount).toBeGreaterThan(50);
	});

	test("is told apart from 42 countries' other names", () => {
		const names = Object.values(realValues).flatMap((country) => country.names);
		const answers = names.flatMap((one) =>
			names
				.filter((other) => other !== one)
				.flatMap((other) => {
					const words = other.split(' ');
					return [1, words.length - 1].map((count) =>
						isShortenedName(
							`Lic. ${one}`,
							words.slice(0, count).join(' '),
							words.slice(count).join(' '),
						),
					);
				}),
		);
		expect(answers).not.toContain(true);
	});
});

test('Two names of the greatest length take less than a second to compare', () => {
	const name = (letters: string) => Array(30).fill(letters).join(' ').slice(0, 300);
	const time = processorTimeOf(() => {
		expect(compareNames(name('abcdefghi'), name('klmnopqrs'))).toBe('no');
	});
	expect(time).toBeLessThan(1000);
});
