/**
 * The maximum nesting depth of values. n8n fails to copy or store data that is nested a few thousand levels
 * deep.
 */
export const maxJsonDepth = 100;

/**
 * Matches a string, so that numbers inside strings are skipped, or an integer of 16 to 1,000 digits. Matching
 * more digits would overflow the stack, and no ID is that long.
 */
const textOrLongInteger = /"(?:[^"\\]|\\[^])*"?|(?<![\w.+-])-?[1-9]\d{15,999}(?![\w.+-])/g;

/**
 * Prepares untrusted JSON for parsing. Integers beyond 2^53 become strings, because parsing would round them,
 * which would turn an ID into a different ID.
 * @param json The string to prepare, which may be invalid JSON.
 * @returns The string to parse; undefined if values nest more than {@link maxJsonDepth} levels deep.
 */
export function prepareJson(json: string): string | undefined {
	if (isTooDeep(json)) return undefined;
	return json.replace(textOrLongInteger, (match) =>
		match.startsWith('"') || Number.isSafeInteger(Number(match)) ? match : `"${match}"`,
	);
}

/** Counts brackets before anything is parsed, because parsing millions of levels takes seconds. */
function isTooDeep(json: string): boolean {
	let depth = 0;
	let isInText = false;
	for (let index = 0; index < json.length; index++) {
		const character = json[index];
		// A backslash escapes the next character, which may be a quotation mark.
		if (isInText && character === '\\') index++;
		else if (character === '"') isInText = !isInText;
		else if (!isInText && (character === '[' || character === '{')) {
			if (++depth > maxJsonDepth) return true;
		} else if (!isInText && (character === ']' || character === '}')) depth--;
	}
	return false;
}
