/** How many nodes JSON may have (objects, lists and their further members), and how deep they may lie. */
export interface StructureLimits {
	nodes: number;
	depth: number;
}

const [quote, backslash, comma] = bytesOf('"\\,');
const [openObject, openList, closeObject, closeList] = bytesOf('{[}]');

/**
 * Whether JSON has so little structure that it can be parsed. A few bytes with many members cost a
 * hundred times their size in memory, and n8n does nothing else while they are parsed. It looks at each
 * byte once, and stops at the first one that is too much.
 * @param bytes As UTF-8. What is no JSON is counted in the same way.
 */
export function checkStructure(bytes: Uint8Array, { nodes, depth }: StructureLimits): boolean {
	let count = 0;
	let level = 0;
	let inText = false;
	for (let at = 0; at < bytes.length; at++) {
		const byte = bytes[at];
		if (byte === quote) inText = !inText;
		else if (inText) {
			// What follows is escaped, also a quotation mark.
			if (byte === backslash) at++;
		} else if (byte === openObject || byte === openList) {
			if (++count > nodes || ++level > depth) return false;
		} else if (byte === comma) {
			if (++count > nodes) return false;
		} else if (byte === closeObject || byte === closeList) level--;
	}
	return true;
}

function bytesOf(text: string): Uint8Array {
	return new TextEncoder().encode(text);
}
