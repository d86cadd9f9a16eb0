import { readPage } from '../../docs/markdown';
import {
	bool,
	each,
	epochMs,
	type FieldRows,
	integer,
	isoTime,
	list,
	nothing,
	oneOf,
	optional,
	type Shape,
	text,
} from './shapes';

/** The page that the service is held to. */
export const SERVICE_PAGE = 'docs/dev/service.md';

/** Tables whose rows are told apart by their first two cells. */
const TWO_CELLS = new Set(['States']);

/** The heading after which the page says what is not documented. */
const END = 'Errors';

/** A row of a table of the page. */
interface PageRow {
	heading: string;
	/** Without the backticks. */
	cells: string[];
}

/** Every row of every table of the documented part. */
function pageRows(): PageRow[] {
	const rows: PageRow[] = [];
	let heading = '';
	let inTable = false;
	for (const line of readPage(SERVICE_PAGE).prose.split('\n')) {
		heading = /^#+\s+(.*?)\s*$/.exec(line)?.[1] ?? heading;
		if (heading === END) break;
		if (!line.startsWith('|')) inTable = false;
		else if (/^\|[-|\s]+\|$/.test(line)) inTable = true;
		else if (inTable) {
			const cells = line.split('|').map((cell) => cell.replaceAll('`', '').trim());
			rows.push({ heading, cells: cells.slice(1) });
		}
	}
	return rows;
}

/** The same, as `heading: first cell`. */
export function tableRows(): string[] {
	return pageRows().map(
		({ heading, cells }) =>
			`${heading}: ${cells.slice(0, TWO_CELLS.has(heading) ? 2 : 1).join(' | ')}`,
	);
}

/**
 * The rows of a resource's table: what it says of type and values is what the fields are held to.
 * @param special Shapes of which a cell says less than is known, by the row's first cell.
 */
export function resourceTable(resource: string, special: Record<string, Shape>): FieldRows {
	return pageRows()
		.filter(({ heading }) => heading === resource)
		.map(({ cells: [row = '', type = '', meaning = ''] }) => [
			row,
			each(row, special[row] ?? shapeSaid(type, meaning)),
		]);
}

/** @throws Error if the page says nothing that a value could be held to. */
function shapeSaid(type: string, meaning: string): Shape {
	const [, values] = /^Seen: ([^.]+)\./.exec(meaning) ?? [];
	const byType: Record<string, Shape> = {
		string: meaning === 'ISO 8601.' ? isoTime : text,
		boolean: bool,
		integer: meaning === 'epoch-ms.' ? epochMs : integer,
		array: list(),
		null: nothing,
	};
	const said =
		values && type === 'string' && /^[A-Za-z_, ]+$/.test(values)
			? oneOf(...values.split(', '))
			: byType[type];
	if (!said)
		throw new Error(`${SERVICE_PAGE}: a row of the type "${type}" needs a shape of its own`);
	return meaning.startsWith('Some notifications have') ? optional(said) : said;
}
