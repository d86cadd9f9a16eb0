import { readPage } from '../../docs/markdown';

/** The page that the service is held to. */
export const SERVICE_PAGE = 'docs/dev/service.md';

/** Tables whose rows are told apart by their first two cells. */
const TWO_CELLS = new Set(['States']);

/** The heading after which the page says what is not documented. */
const END = 'Errors';

/** Every row of every table of the documented part, as `heading: first cell`. */
export function tableRows(): string[] {
	const rows: string[] = [];
	let heading = '';
	let inTable = false;
	for (const line of readPage(SERVICE_PAGE).prose.split('\n')) {
		heading = /^#+\s+(.*?)\s*$/.exec(line)?.[1] ?? heading;
		if (heading === END) break;
		if (!line.startsWith('|')) inTable = false;
		else if (/^\|[-|\s]+\|$/.test(line)) inTable = true;
		else if (inTable) {
			const cells = line.split('|').map((cell) => cell.replaceAll('`', '').trim());
			rows.push(`${heading}: ${cells.slice(1, TWO_CELLS.has(heading) ? 3 : 2).join(' | ')}`);
		}
	}
	return rows;
}
