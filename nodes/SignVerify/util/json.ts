/**
 * The maximum nesting depth of values. n8n fails to copy or store data that is nested a few thousand levels
 * deep.
 */
export const maxJsonDepth = 100;

/** JavaScript can exactly represent any integer with fewer digits than this. */
const minUnsafeDigits = 16;

const [quote, backslash, openObject, openList, closeObject, closeList] = codesOf('"\\{[}]');
const numberCodes = new Set(codesOf('0123456789+-.eE'));

/**
 * Prepares untrusted JSON for parsing. Integers beyond 2^53 become strings, because parsing would round them,
 * which would turn an ID into a different ID. The string is read in a single pass.
 * @param json The string to prepare, which may be invalid JSON.
 * @returns The string to parse; undefined if values nest more than {@link maxJsonDepth} levels deep.
 */
export function prepareJson(json: string): string | undefined {
	let prepared = '';
	let copiedUntil = 0;
	let depth = 0;
	for (let index = 0; index < json.length; index++) {
		const code = json.charCodeAt(index);
		if (code === quote) index = endOfText(json, index);
		else if (code === openObject || code === openList) {
			depth++;
			if (depth > maxJsonDepth) return undefined;
		} else if (code === closeObject || code === closeList) depth--;
		else if (numberCodes.has(code)) {
			const start = index;
			while (numberCodes.has(json.charCodeAt(index + 1))) index++;
			const end = index + 1;
			if (end - start < minUnsafeDigits) continue;
			const number = json.slice(start, end);
			if (!isWholeNumber(number) || Number.isSafeInteger(Number(number))) continue;
			prepared += `${json.slice(copiedUntil, start)}"${number}"`;
			copiedUntil = end;
		}
	}
	return prepared + json.slice(copiedUntil);
}

/**
 * Uses two patterns, because a single pattern would overflow the stack for a number with millions of digits.
 */
function isWholeNumber(number: string): boolean {
	return /^-?[1-9]/.test(number) && !/\D/.test(number.slice(1));
}

/**
 * Returns the position of the quotation mark that ends a string, or the length of the JSON if the mark is
 * missing.
 */
function endOfText(json: string, start: number): number {
	let index = start + 1;
	for (; index < json.length; index++) {
		const code = json.charCodeAt(index);
		if (code === quote) break;
		// A backslash escapes the next character, which may be a quotation mark.
		if (code === backslash) index++;
	}
	return index;
}

function codesOf(text: string): number[] {
	return Array.from(text, (character) => character.charCodeAt(0));
}
