import { createRequire } from 'node:module';

import { ensureHost } from '../../../host/install';

/** What the tests use of the library that n8n itself reads spreadsheets with. */
interface Library {
	utils: {
		aoa_to_sheet(rows: unknown[][], options: object): object;
		book_new(): object;
		book_append_sheet(book: object, sheet: object): void;
	};
	write(book: object, options: object): Buffer;
}

/** An XLSX file with a sheet of these rows; a Date is a date in it. */
export async function spreadsheet(rows: unknown[][], name: string): Promise<File> {
	const { n8n } = await ensureHost({ log: () => undefined });
	const { utils, write } = createRequire(n8n)('@e965/xlsx') as Library;
	const book = utils.book_new();
	utils.book_append_sheet(book, utils.aoa_to_sheet(rows, { UTC: true }));
	return new File([new Uint8Array(write(book, { type: 'buffer', bookType: 'xlsx' }))], name);
}
