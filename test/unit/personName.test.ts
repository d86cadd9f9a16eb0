import fc from 'fast-check';

import { compareNames } from '../../nodes/SignVerify/util/personName';
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

test('Two names of the greatest length take less than a second to compare', () => {
	const name = (letters: string) => Array(30).fill(letters).join(' ').slice(0, 300);
	const time = processorTimeOf(() => {
		expect(compareNames(name('abcdefghi'), name('klmnopqrs'))).toBe('no');
	});
	expect(time).toBeLessThan(1000);
});
