import { createHash } from 'crypto';

/**
 * n8n's de-duplication store keeps a hash of each text that it is given, and tells no more of a text
 * than whether it has it. So an ID is kept as its characters with their places ("0:6", "1:5", …), and
 * read by asking for each character in each place. Characters at the end are made from the ID itself:
 * they tell an ID from what an interrupted reading leaves behind.
 */

/** IDs that can be kept: of letters, digits and the like, as services give them. */
const keepable = /^[\w.:~+/=-]{1,64}$/;
const alphabet = [
	...'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
	...'abcdefghijklmnopqrstuvwxyz',
	...'0123456789_.:~+/=-',
];
const checkLength = 6;

function checkOf(id: string): string {
	return createHash('sha256').update(id).digest('base64url').slice(0, checkLength);
}

/**
 * The texts to keep for an ID.
 * @returns None where the ID has characters, or a length, that cannot be kept.
 */
export function placesOf(id: string): string[] {
	if (!keepable.test(id)) return [];
	return [...`${id}${checkOf(id)}`].map((character, place) => `${place}:${character}`);
}

/**
 * All texts that may be kept for an ID, ordered by place.
 * @param count How many texts are kept.
 */
export function placesToAsk(count: number): string[] {
	return Array.from({ length: count }, (_, place) =>
		alphabet.map((character) => `${place}:${character}`),
	).flat();
}

/** How many texts can be kept for an ID. */
export function isCountOfPlaces(count: number): boolean {
	return count > checkLength && count <= 64 + checkLength;
}

/**
 * The ID that texts were kept for.
 * @param found In the order in which {@link placesToAsk} gives them.
 * @returns undefined when they are not those of an ID.
 */
export function idFrom(found: string[]): string | undefined {
	const text = found.map((each) => each.slice(each.indexOf(':') + 1)).join('');
	const id = text.slice(0, -checkLength);
	const isWhole = found.every((each, place) => each.startsWith(`${place}:`));
	return isWhole && id !== '' && checkOf(id) === text.slice(-checkLength) ? id : undefined;
}
