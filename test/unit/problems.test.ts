import { readNumber } from '../../nodes/SignVerify/operations/parameters';
import { ServiceError } from '../../nodes/SignVerify/http/errors';
import {
	InputError,
	Problems,
	readAll,
	readEach,
} from '../../nodes/SignVerify/operations/inputError';

const wrong = (field: string) => () => {
	throw new InputError(field, 'it is empty', `Enter ${field}.`);
};
const broken = new ServiceError({ message: 'It failed', description: 'Wait.' });
const thrownBy = (work: () => unknown): unknown => {
	try {
		work();
	} catch (error) {
		return error;
	}
	return undefined;
};

test('what is right is given, undefined included', () => {
	const problems = new Problems();
	const values = { a: problems.collect(() => 1), b: problems.collect(() => undefined) };
	expect(problems.values(values)).toEqual({ a: 1, b: undefined });
	expect(() => problems.throwIfAny()).not.toThrow();
	expect(readAll<{ a: number; b: string }>({ a: () => 1, b: () => 'x' })).toEqual({
		a: 1,
		b: 'x',
	});
	expect(readEach(['a', 'b'], (entry, index) => entry + String(index))).toEqual(['a0', 'b1']);
});

test('all wrong values are told in one error, those of lists among them', async () => {
	const problems = new Problems();
	expect(problems.collect(wrong('A'))).toBeUndefined();
	problems.collect(() => readEach(['B', 'C'], (field) => wrong(field)()));
	expect(await problems.collectLater(async () => wrong('D')())).toBeUndefined();
	expect(thrownBy(() => problems.values({}))).toMatchObject({
		message:
			'4 fields are missing or wrong: (1) A: it is empty (2) B: it is empty (3) C: it is empty (4) D: it is empty',
		description: '(1) Enter A. (2) Enter B. (3) Enter C. (4) Enter D.',
	});
});

test('what is known to be wrong is said before a service that fails', async () => {
	const problems = new Problems();
	problems.collect(wrong('A'));
	await expect(
		problems.collectLater(async () => await Promise.reject(broken)),
	).rejects.toMatchObject({ message: 'A: it is empty' });
});

describe('a number', () => {
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
		['', { min: 0 }, 'a number of at least 0'],
		['  ', { min: 0 }, 'a number of at least 0'],
		[undefined, {}, 'a number above 0'],
		[null, { min: 0 }, 'a number of at least 0'],
		['wide', {}, 'a number above 0'],
		[0.5, { min: 1, max: 40 }, 'a number of at least 1 and at most 40'],
		[41, { min: 1, max: 40 }, 'a number of at least 1 and at most 40'],
		[1.5, { isWhole: true }, 'a whole number above 0'],
		[Infinity, {}, 'a number above 0'],
	])('%j in %j is refused', (value, range, words) => {
		expect(thrownBy(() => readNumber(value, 'Width', range, 'files'))).toMatchObject({
			message: `Width: it must be ${words}`,
			description: 'Enter such a number.',
			docsAnchor: 'files',
		});
	});
});
