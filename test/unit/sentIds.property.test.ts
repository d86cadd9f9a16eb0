import fc from 'fast-check';

import {
	idFrom,
	isCountOfPlaces,
	placesOf,
	placesToAsk,
} from '../../nodes/SignVerify/operations/sentKeys';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.:~+/=-';
const anyId = fc.string({ unit: fc.constantFrom(...alphabet), minLength: 1, maxLength: 64 });

/** What n8n's store tells: which of the texts that are asked for it has. */
function asked(kept: string[]): string[] {
	const list = new Set(kept);
	return placesToAsk(kept.length).filter((each) => list.has(each));
}

test('an ID is read as it was kept', () => {
	fc.assert(
		fc.property(anyId, (id) => {
			const kept = placesOf(id);
			expect(isCountOfPlaces(kept.length)).toBe(true);
			expect(idFrom(asked(kept))).toBe(id);
		}),
	);
});

test.each(['', 'a b', 'ä', 'a'.repeat(65), '{"a":1}'])('%j is not kept', (id) => {
	expect(placesOf(id)).toEqual([]);
});

test('what an interrupted reading leaves behind is no ID', () => {
	fc.assert(
		fc.property(anyId, (id) => {
			const kept = placesOf(id);
			// n8n records what it is asked for, and drops the oldest.
			const left = placesToAsk(kept.length)
				.filter((each) => !kept.includes(each))
				.slice(-kept.length);
			expect(idFrom(asked(left))).toBeUndefined();
		}),
	);
});

test('an ID of which a character is missing or another one is no ID', () => {
	fc.assert(
		fc.property(anyId, fc.nat(), fc.constantFrom(...alphabet), (id, at, other) => {
			const kept = placesOf(id);
			const place = at % kept.length;
			const less = kept.filter((_, index) => index !== place);
			expect(idFrom(less)).toBeUndefined();
			const wrong = kept.map((each, index) => (index === place ? `${place}:${other}` : each));
			if (wrong[place] === kept[place]) return;
			expect(idFrom(wrong)).toBeUndefined();
		}),
	);
});
