/** How deep values may lie in one another. n8n cannot copy or store some thousand levels. */
const maxDepth = 100;

/** Whole numbers with fewer digits are exact. */
const minUnsafeDigits = 16;

const [quote, backslash, openObject, openList, closeObject, closeList] = codesOf('"\\{[}]');
const numberCodes = new Set(codesOf('0123456789+-.eE'));

/**
 * Prepares JSON from outside for parsing. Whole numbers beyond 2^53 become texts, because they would lose
 * digits as numbers: another ID would be read. It looks at each character once.
 * @param json What is not JSON is looked at in the same way.
 * @returns undefined if there are more than 100 values in one another.
 */
export function prepareJson(json: string): string | undefined {
	let prepared = '';
	let done = 0;
	let depth = 0;
	for (let at = 0; at < json.length; at++) {
		const code = json.charCodeAt(at);
		if (code === quote) at = endOfText(json, at);
		else if (code === openObject || code === openList) {
			if (++depth > maxDepth) return undefined;
		} else if (code === closeObject || code === closeList) depth--;
		else if (numberCodes.has(code)) {
			const start = at;
			while (numberCodes.has(json.charCodeAt(at + 1))) at++;
			const digits = at + 1 - start < minUnsafeDigits ? '' : json.slice(start, at + 1);
			// One pattern up to the end would run out of stack in millions of digits.
			const isWhole = /^-?[1-9]/.test(digits) && !/\D/.test(digits.slice(1));
			if (!isWhole || Number.isSafeInteger(Number(digits))) continue;
			prepared += `${json.slice(done, start)}"${digits}"`;
			done = at + 1;
		}
	}
	return prepared + json.slice(done);
}

/** Where a text ends that begins at a quotation mark. */
function endOfText(json: string, start: number): number {
	let at = start + 1;
	for (; at < json.length; at++) {
		const code = json.charCodeAt(at);
		if (code === quote) break;
		// What follows is escaped, also a quotation mark.
		if (code === backslash) at++;
	}
	return at;
}

function codesOf(text: string): number[] {
	return Array.from(text, (character) => character.charCodeAt(0));
}
