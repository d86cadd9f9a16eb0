import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A sheet and a storage for files, which answer as the nodes of Google do. */
export interface SheetServer<Row> {
	url: string;
	/** The rows below the header, from row 2 on. */
	rows: Row[];
	stored: Buffer[];
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
	const sheet: SheetServer<Row> = {
		url: '',
		rows: [],
		stored: [],
		isFull: false,
		close: async () => await new Promise<void>((resolve) => server.close(() => resolve())),
	};
	const server = createServer((request, response) => {
		void (async () => {
			const body = await bodyOf(request);
			const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
			const query = Object.fromEntries(searchParams);
			if (pathname === '/files' && sheet.isFull) return void response.writeHead(507).end();
			const answer =
				pathname === '/files'
					? { webViewLink: `https://drive.example.com/${sheet.stored.push(body)}` }
					: request.method === 'GET'
						? read(query)
						: update(query.match ?? '', JSON.parse(body.toString()) as Record<string, string>);
			response.setHeader('content-type', 'application/json');
			response.end(JSON.stringify(answer));
		})().catch((error: unknown) => response.writeHead(400).end(String(error)));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	sheet.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	return sheet;

	function read({ column, value, first }: Record<string, string>): object[] {
		const found = sheet.rows
			.map((row, index) => ({ row_number: index + 2, ...row }))
			.filter((row) => column === undefined || row[column] === value);
		return first ? found.slice(0, 1) : found;
	}

	function update(match: string, values: Record<string, string>): object {
		const key = values[match] ?? '';
		if (key === '') throw new Error(`No value for ${match}`);
		const { row_number: number, ...cells } = values;
		const row =
			match === 'row_number'
				? sheet.rows[Number(number) - 2]
				: sheet.rows.find((each) => each[match] === key);
		if (row) Object.assign(row, cells);
		return values;
	}
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	return Buffer.concat(chunks);
}
