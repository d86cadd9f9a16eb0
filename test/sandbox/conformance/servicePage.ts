import { contract, type EndpointName } from '../../../sandbox/contract/endpoints';
import { anchorsOf, readPage } from '../../docs/markdown';

export const servicePage = 'docs/dev/service.md';

/** Tables in which the first cell alone does not identify a row, but the first two cells together do. */
const twoCells = new Set(['States']);

/** The heading of the first section without tables to check. */
const end = 'Errors';

export interface PageRow {
	heading: string;
	/** The cells of the header row, in order. */
	columns: string[];
	/** The cells of the row, without backticks. */
	cells: string[];
	/** The row exactly as written on the page. */
	line: string;
}

/** Every row of every table before the heading `end`. */
export function pageRows(): PageRow[] {
	const rows: PageRow[] = [];
	let heading = '';
	let before: string[] = [];
	let columns: string[] | undefined;
	for (const line of readPage(servicePage).prose.split('\n')) {
		heading = /^#+\s+(.*?)\s*$/.exec(line)?.[1] ?? heading;
		if (heading === end) break;
		const all = line.split('|').map((cell) => cell.replaceAll('`', '').trim());
		const cells = all.slice(1);
		if (!line.startsWith('|')) columns = undefined;
		else if (/^\|[-|\s]+\|$/.test(line)) columns = before;
		else if (columns) rows.push({ heading, columns, cells, line });
		before = cells;
	}
	return rows;
}

/** The names of all rows, in the form `heading: first cell`. */
export function tableRows(): string[] {
	return pageRows().map(
		({ heading, cells }) =>
			`${heading}: ${cells.slice(0, twoCells.has(heading) ? 2 : 1).join(' | ')}`,
	);
}

/** An endpoint's description on the page. */
export interface EndpointSection {
	heading: string;
	/** `GET {base_url}/templates` */
	call: string;
	/** The `message` of the response, or undefined if the page does not mention one. */
	message: string | undefined;
	/** Whether the page documents the response. */
	isDocumented: boolean;
	/** The names that the row Response lists for `responseData`; empty if the row links to a resource. */
	responseNames: string[];
	/** The headers that the row Headers lists, in lowercase, or undefined if there is no such row. */
	headers: string[] | undefined;
	/** Whether the page describes an effect of the call besides the response. */
	hasEffect: boolean;
	/**
	 * The names in a row, each with its type, such as `url: string`, or undefined if there is no such row.
	 */
	named(part: string): string[] | undefined;
}

/** The text between backticks in a line. */
export const codeIn = (line: string) =>
	[...line.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);

/** The description of every endpoint on the page. */
export function endpointSections(): EndpointSection[] {
	const rows = pageRows();
	return rows
		.filter(({ cells: [part] }) => part === 'Call')
		.map(({ heading, cells: [, call = ''] }) => {
			const own = rows.filter((row) => row.heading === heading);
			const lineOf = (part: string) => own.find(({ cells }) => cells[0] === part)?.line;
			const response = lineOf('Response') ?? '';
			const headers = lineOf('Headers');
			return {
				heading,
				call,
				message: /`message`: `([^`]+)`/.exec(response)?.[1],
				isDocumented: !response.includes('not documented'),
				responseNames: codeIn(response.replace(/`message`.*/, ''))
					.map((name) => name.replace(/^responseData\.?/, ''))
					.filter((name) => name !== ''),
				headers:
					headers === undefined
						? undefined
						: codeIn(headers).map((header) => header.replace(/:.*/, '').toLowerCase()),
				hasEffect: lineOf('Effect') !== undefined,
				named(part) {
					// On the page, values inside list elements have no type.
					const names = lineOf(part)?.matchAll(/`(\w+)` \((\w+)/g);
					return names && [...names].map(([, name, type]) => `${name}: ${type}`);
				},
			};
		});
}

/** @throws Error if the page has no section about a call to this endpoint. */
export function sectionOf(name: EndpointName): EndpointSection {
	const { anchor } = contract[name];
	const isMeant = ({ heading }: EndpointSection) =>
		anchorsOf({ file: servicePage, prose: `# ${heading}`, blocks: [] })[0] === anchor;
	const found = endpointSections().find(isMeant);
	if (found) return found;
	throw new Error(`${servicePage} has no heading #${anchor} with a row "Call": add it for ${name}`);
}

/**
 * The headers that the page's table "Authentication" requires for a call, in lowercase.
 * @throws Error if the table uses words that this function does not understand.
 */
export function headersSaid(name: EndpointName): string[] {
	const isToken = contract[name].anchor === 'token';
	const { call } = sectionOf(name);
	return pageRows()
		.filter(({ heading }) => heading === 'Authentication')
		.filter(({ cells: [header, , sentWith = ''] }) => {
			if (sentWith === 'every call') return true;
			if (sentWith === '[Token](#token) and nothing else') return isToken;
			if (sentWith === 'every call except [Token](#token)') return !isToken;
			const [, method] = /^every ([A-Z]+) call$/.exec(sentWith) ?? [];
			if (method) return name.startsWith(`${method} `);
			const [, paths] = /^the endpoints below (\/.+), in addition to token$/.exec(sentWith) ?? [];
			const isBelow = (path: string) => new RegExp(`\\}${path}(/|$)`).test(call);
			if (paths) return paths.split(/, | and /).some(isBelow);
			throw new Error(
				`${servicePage} says that ${header} goes with "${sentWith}". Say it as "every call", "every DELETE call" or "the endpoints below /one and /other, in addition to token", or read it in headersSaid (test/sandbox/conformance/servicePage.ts)`,
			);
		})
		.map(({ cells: [header = ''] }) => header.toLowerCase());
}
