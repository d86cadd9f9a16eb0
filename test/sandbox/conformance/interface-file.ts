import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where the interface's text is looked for; it is not part of the repository. */
const PLACES = [
	process.env.SIGNVERIFY_INTERFACE,
	join(__dirname, '..', '..', '..', '..', 'shared', 'service-interface.md'),
];

/** The interface's text, where it is at hand. */
export function interfaceText(): string | undefined {
	const path = PLACES.find((one) => one && existsSync(one));
	return path && readFileSync(path, 'utf8');
}

/** Tables whose rows are told apart by their first two cells. */
const TWO_CELLS = new Set(['States and transitions']);

/** Every row of every table of the text, as `heading: first cell`. */
export function tableRows(text: string): string[] {
	const rows: string[] = [];
	let heading = '';
	let inTable = false;
	for (const line of text.split('\n')) {
		heading = /^#+\s+(.*?)\s*$/.exec(line)?.[1] ?? heading;
		if (!line.startsWith('|')) inTable = false;
		else if (/^\|[-|\s]+\|$/.test(line)) inTable = true;
		else if (inTable) {
			const cells = line.split('|').map((cell) => cell.trim());
			rows.push(`${heading}: ${cells.slice(1, TWO_CELLS.has(heading) ? 3 : 2).join(' | ')}`);
		}
	}
	return rows;
}
