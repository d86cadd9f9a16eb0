import { checkStructure } from '../../nodes/SignVerify/util/structure';
import { processorTimeOf } from '../support/processorTime';

const check = (text: string | Uint8Array, limits = { nodes: 10, depth: 3 }): boolean =>
	checkStructure(typeof text === 'string' ? Buffer.from(text) : text, limits);

describe('how much structure JSON may have', () => {
	test.each([
		['as many members as the limit', `[${'1,'.repeat(9)}1]`, true],
		['one more', `[${'1,'.repeat(10)}1]`, false],
		['as many objects as the limit', '{}'.repeat(10), true],
		['one object more', '{}'.repeat(11), false],
		['one list more', '[]'.repeat(11), false],
		['as deep as the limit', '{"a":[{}]}', true],
		['an object one deeper', '{"a":[{"a":{}}]}', false],
		['a list one deeper', '[[[[]]]]', false],
		['many, one after another', '[[{}],[{}]]', true],
		['structure inside a text', `["${'{[,'.repeat(50)}"]`, true],
		['a quotation mark inside a text', `["\\"${'{'.repeat(50)}"]`, true],
		['a text that ends with a backslash', `["\\\\",${'{'.repeat(50)}]`, false],
		['an escape at the very end', '["\\', true],
		['nothing', '', true],
		['characters of several bytes', `["${'€😀'.repeat(20)}"]`, true],
	])('%s', (_, text, expected) => {
		expect(check(text)).toBe(expected);
	});

	// A limit in milliseconds would fail where the code is instrumented for coverage.
	test.each(['{', '"', '\\"', '[]', 'a'])(
		'is counted in a time that grows with 8 MB of %j',
		(piece) => {
			const timeOf = (size: number) => {
				const bytes = Buffer.alloc(size, piece);
				const count = () => void check(bytes, { nodes: 1e9, depth: 1e9 });
				return Math.min(...[1, 2, 3].map(() => processorTimeOf(count)));
			};
			// Eight times as many bytes; the square would be 64.
			expect(timeOf(8_000_000)).toBeLessThan(24 * timeOf(1_000_000));
		},
	);
});
