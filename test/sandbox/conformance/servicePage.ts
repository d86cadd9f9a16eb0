import { CONTRACT, type EndpointName } from '../../../sandbox/contract/endpoints';
import { anchorsOf, readPage } from '../../docs/markdown';
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
	/** As written. */
	line: string;
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
			rows.push({ heading, cells: cells.slice(1), line });
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

/** What the page says of an endpoint. */
export interface EndpointSection {
	heading: string;
	/** `GET {base_url}/templates` */
	call: string;
	/** `message` of the answer; undefined if there is none, or the page does not say. */
	message: string | undefined;
	/** Whether the page says what the answer is. */
	isDocumented: boolean;
	/** The names that a row gives to values, with their types: `url: string`; undefined without the row. */
	named(part: string): string[] | undefined;
}

/** Every heading of the page that has a call. */
export function endpointSections(): EndpointSection[] {
	const rows = pageRows();
	return rows
		.filter(({ cells: [part] }) => part === 'Call')
		.map(({ heading, cells: [, call = ''] }) => {
			const own = rows.filter((each) => each.heading === heading);
			const lineOf = (part: string) => own.find(({ cells }) => cells[0] === part)?.line;
			const answer = lineOf('Answer') ?? '';
			return {
				heading,
				call,
				message: /`message`: `([^`]+)`/.exec(answer)?.[1],
				isDocumented: !answer.includes('not documented'),
				named(part) {
					// What is in an element of a list has no type of its own.
					const names = lineOf(part)?.matchAll(/`(\w+)` \((\w+)/g);
					return names && [...names].map(([, name, type]) => `${name}: ${type}`);
				},
			};
		});
}

/** @throws Error if the page has no such heading with a call. */
export function sectionOf(name: EndpointName): EndpointSection {
	const { anchor } = CONTRACT[name];
	const isMeant = ({ heading }: EndpointSection) =>
		anchorsOf({ file: SERVICE_PAGE, prose: `# ${heading}`, blocks: [] })[0] === anchor;
	const found = endpointSections().find(isMeant);
	if (found) return found;
	throw new Error(
		`${SERVICE_PAGE} has no heading #${anchor} with a row "Call": add it for ${name}`,
	);
}

/**
 * The headers that the page's table "Authentication" wants of a call, in lower case.
 * @throws Error if the table says it in words that nobody has foreseen here.
 */
export function headersSaid(name: EndpointName): string[] {
	const isToken = CONTRACT[name].anchor === 'token';
	const { call } = sectionOf(name);
	return pageRows()
		.filter(({ heading }) => heading === 'Authentication')
		.filter(({ cells: [header, , sentWith = ''] }) => {
			if (sentWith === 'every call') return true;
			if (sentWith === '[Token](#token) and nothing else') return isToken;
			if (sentWith === 'every call except [Token](#token)') return !isToken;
			const [, path] = /^the endpoints below (\/\w+), in addition to token$/.exec(sentWith) ?? [];
			if (path) return new RegExp(`\\}${path}(/|$)`).test(call);
			throw new Error(
				`${SERVICE_PAGE} says that ${header} goes with "${sentWith}": read this in headersSaid (test/sandbox/conformance/servicePage.ts)`,
			);
		})
		.map(({ cells: [header = ''] }) => header.toLowerCase());
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
