/** Values may nest this deep. n8n fails to copy or store data with some thousand levels. */
const maxDepth = 100;

/** JavaScript keeps every whole number with fewer digits exactly. */
const minUnsafeDigits = 16;

const [quote, backslash, openObject, openList, closeObject, closeList] = codesOf('"\\{[}]');
const numberCodes = new Set(codesOf('0123456789+-.eE'));

/**
 * Prepares JSON from outside for parsing, in one pass. Whole numbers beyond 2^53 become texts: as numbers they would
 * be rounded, and an ID would turn into another ID.
 * @param json The text. It need not be valid JSON.
 * @returns The text to parse; undefined if values nest more than 100 levels deep.
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
			if (depth > maxDepth) return undefined;
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

/** Two patterns are used, because a single one for all digits would overflow the stack in a number of millions of digits. */
function isWholeNumber(number: string): boolean {
	return /^-?[1-9]/.test(number) && !/\D/.test(number.slice(1));
}

/** Returns the position of the quotation mark that ends a text, or the length of the JSON if the mark is missing. */
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
