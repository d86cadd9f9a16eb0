import { readNumber } from '../../nodes/SignVerify/operations/parameters';
import { canBeKey, textOf, isoTime } from '../../nodes/SignVerify/util/values';

test.each([
	['text', 'text'],
	[3, '3'],
	[false, 'false'],
	[null, ''],
	[{}, ''],
	[['a'], ''],
])('%j as text', (value, text) => {
	expect(textOf(value)).toBe(text);
});

test.each([
	[1_767_225_600_000, '2026-01-01T00:00:00.000Z'],
	['1767225600000', '2026-01-01T00:00:00.000Z'],
	['-1', '1969-12-31T23:59:59.999Z'],
	['2026-01-01T01:00+01:00', '2026-01-01T00:00:00.000Z'],
	['2026-01-01', '2026-01-01'],
	['9'.repeat(30), '9'.repeat(30)],
	['soon', 'soon'],
	['', undefined],
	[undefined, undefined],
])('the moment %j', (value, text) => {
	expect(isoTime(value)).toBe(text);
});

test.each(['={{ 1 }}', '=', '__proto__', 'constructor', 'prototype'])(
	'n8n cannot keep %j as a key',
	(key) => {
		expect(canBeKey(key)).toBe(false);
		expect(canBeKey(` ${key}`)).toBe(true);
	},
);

describe('a number of a form', () => {
	test.each([
		[7, {}, 7],
		[' 0.5 ', {}, 0.5],
		[1, { min: 1 }, 1],
		[0, { min: 0 }, 0],
		['40', { max: 40, isWhole: true }, 40],
	])('%j in %j is %d', (value, range, number) => {
		expect(readNumber(value, 'Width', range)).toBe(number);
	});

	test.each<[unknown, { min?: number; max?: number; isWhole?: boolean }, string]>([
		[0, {}, 'a number above 0'],
		['  ', { min: 0 }, 'a number of at least 0'],
		[undefined, {}, 'a number above 0'],
		[null, { min: 0 }, 'a number of at least 0'],
		['wide', {}, 'a number above 0'],
		[0.5, { min: 1, max: 40 }, 'a number of at least 1 and at most 40'],
		[41, { min: 1, max: 40 }, 'a number of at least 1 and at most 40'],
		[1.5, { isWhole: true }, 'a whole number above 0'],
		[Infinity, {}, 'a number above 0'],
	])('%j in %j is refused', (value, range, words) => {
		expect(() => readNumber(value, 'Width', range)).toThrow(`Width: it must be ${words}`);
	});
});
