import { json, Stub } from '../../support/stub';

/** A sheet and a storage for files, which answer as the nodes of Google do. */
export interface SheetServer<Row> {
	url: string;
	/** The rows below the header, from row 2 on. */
	rows: Row[];
	/** The files. */
	stored: string[];
	/** Whether the storage takes no more files. */
	isFull: boolean;
	close(): Promise<void>;
}

/**
 * Starts a sheet with no rows. It does what n8n's Google Sheets node does (version 4.7):
 * - `GET /rows` gives each row with its `row_number`. With `column` and `value`, it gives the rows that
 *   have this value, and only the first of them with `first`.
 * - `POST /rows?match=…` changes one row: the one with this `row_number`, or the first one that has the
 *   same value in the column. If no row has it, nothing happens. Columns that are not named stay.
 *
 * `POST /files` stores a file and gives the link to it.
 */
export async function sheetServer<Row extends Record<string, string>>(): Promise<SheetServer<Row>> {
	const server = await new Stub().start();
	const sheet: SheetServer<Row> = {
		url: server.url,
		rows: [],
		stored: [],
		isFull: false,
		close: async () => await server.close(),
	};
	server.answer = (response, { method, path, url = '', body }) => {
		const { searchParams } = new URL(url, server.url);
		const query = Object.fromEntries(searchParams);
		if (path === '/files' && sheet.isFull) return void response.writeHead(507).end();
		const answer =
			path === '/files'
				? { webViewLink: `https://drive.example.com/${sheet.stored.push(body)}` }
				: method === 'GET'
					? read(query)
					: update(query.match ?? '', JSON.parse(body) as Record<string, string>);
		response.writeHead(answer ? 200 : 400, json).end(JSON.stringify(answer));
	};
	return sheet;

	function read({ column, value, first }: Record<string, string>): object[] {
		const found = sheet.rows
			.map((row, index) => ({ row_number: index + 2, ...row }))
			.filter((row) => column === undefined || row[column] === value);
		return first ? found.slice(0, 1) : found;
	}

	function update(match: string, values: Record<string, string>): object | undefined {
		const key = values[match] ?? '';
		if (key === '') return undefined;
		const { row_number: number, ...cells } = values;
		const row =
			match === 'row_number'
				? sheet.rows[Number(number) - 2]
				: sheet.rows.find((other) => other[match] === key);
		if (row) Object.assign(row, cells);
		return values;
	}
}
