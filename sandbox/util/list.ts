/** Rows on one page of a list. */
const PAGE_ROWS = 50;

/** One page of a list, as `ListPage` in lists.ts but for the list's name. */
export interface Page<Row> {
	rows: Row[];
	total: number;
	found: number;
	page: number;
	pages: number;
	search: string;
}

/** What a list is made from. */
export interface Source<T, Row> {
	/** Oldest first. */
	all(): T[];
	row(record: T): Row;
	/** What a search looks at. */
	texts(record: T): string[];
}

/** A long list that is shown in part. */
export interface List<Row> {
	/** The newest rows, newest first. */
	newest(count: number): Row[];
	/** One page, newest first, of what is found; a page that there is not gives the nearest one. */
	page(query: { search: string; page: number }): Page<Row>;
}

/** Makes a list of records. Rows are made only of what is shown. */
export function listOf<T, Row>(source: Source<T, Row>): List<Row> {
	const rows = (records: T[]) => records.map((record) => source.row(record)).reverse();
	return {
		newest: (count) => rows(source.all().slice(-count)),
		page(query) {
			const all = source.all();
			const search = query.search.trim();
			const words = search.toLowerCase().split(/\s+/).filter(Boolean);
			const found =
				words.length === 0 ? all : all.filter((one) => matches(source.texts(one), words));
			const pages = Math.max(1, Math.ceil(found.length / PAGE_ROWS));
			const page = Math.min(Math.max(1, Math.trunc(query.page) || 1), pages);
			const end = found.length - (page - 1) * PAGE_ROWS;
			return {
				rows: rows(found.slice(Math.max(0, end - PAGE_ROWS), end)),
				total: all.length,
				found: found.length,
				page,
				pages,
				search,
			};
		},
	};
}

/** Says whether each word is somewhere in the texts. */
function matches(texts: string[], words: string[]): boolean {
	const text = texts.join('\n').toLowerCase();
	return words.every((word) => text.includes(word));
}
