import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createRequire } from 'node:module';

import { root } from '../../../scripts/tools';
import { ensureHost } from '../../../host/install.cjs';
import { counts, csv, everybody, header, person, sheet, upload } from './bulkUpload';
import { own } from './runStage';

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
async function spreadsheet(rows: unknown[][], name: string): Promise<File> {
	const { n8n } = await ensureHost({ log: () => undefined });
	const { utils, write } = createRequire(n8n)('@e965/xlsx') as Library;
	const book = utils.book_new();
	utils.book_append_sheet(book, utils.aoa_to_sheet(rows, { UTC: true }));
	return new File([new Uint8Array(write(book, { type: 'buffer', bookType: 'xlsx' }))], name);
}

// examples/bulk-send-from-spreadsheet.json, with the files that people really upload.
describe('bulk-send-from-spreadsheet, files', () => {
	afterAll(own.unpublish);
	beforeAll(async () => void (await own.publish('bulk-send-from-spreadsheet')));

	const both = (prefix: string) => [person(`${prefix}-1`), person(`${prefix}-2`)];
	test.each([
		[
			'semicolons',
			'C',
			(rows: string[]) => csv([header.join(','), ...rows].join('\n').replaceAll(',', ';')),
		],
		[
			'other spellings',
			'D',
			(rows: string[]) => csv(['CONTRACT NO,name,Email,Job Title,start', ...rows].join('\n')),
		],
		[
			'another order, more columns',
			'E',
			(rows: string[]) =>
				csv(
					[
						'Team,Start date,Role,E-mail,Full name,Contract number',
						...rows.map((row) => ['Kitchen', ...row.split(',').reverse()].join(',')),
						',,,,,',
					].join('\n'),
				),
		],
	] as Array<[string, string, (rows: string[]) => File]>)(
		'CSV with %s',
		async (_what, prefix, make) => {
			const report = await upload(make(both(prefix)));
			expect([report.subject, report.people]).toEqual([counts(2, 0), everybody(prefix)]);
			expect(report.text).toMatch(
				new RegExp(
					`Row 2, ${prefix}-1, Person ${prefix}-1, ${prefix.toLowerCase()}-1@example.com: document \\w+`,
				),
			);
		},
	);

	test('XLSX with an empty first row, a date and a number as a contract number', async () => {
		const rows = [
			[],
			header,
			[4711, 'Zoë Ünal', 'zoe@example.com', 'Cook', new Date('2027-01-31T00:00:00Z')],
			[],
			['F-2', 'Bo Li', 'bo', 'Cook', 'soon'],
		];
		const report = await upload(await spreadsheet(rows, 'people.XLSX'));
		expect([report.subject, report.people]).toEqual([counts(1, 1), ['Zoë Ünal zoe@example.com']]);
		expect(report.text).toContain('Row 3, 4711, Zoë Ünal, zoe@example.com: document ');
		expect(report.text).toMatch(/Row 5, F-2, Bo Li, bo: .*"bo" is not an e-mail address/);
		expect(own.creations().at(-1)?.body).toMatchObject({ inputs: { start_date: '2027-01-31' } });
	});

	test('rows that can be read in two ways are refused, each with its number and reason', async () => {
		const report = await upload(
			sheet(
				person('G-1'),
				'',
				person('G-2', 'Roe, Jane'),
				' , ,',
				person('G-3', '"Roe, ""J"" Jane"'),
				'G-4,,g4@example.com,Cook',
				person('G-1', 'Somebody Else'),
				',No Number,n@example.com,Cook,2027-01-01',
			),
		);
		expect([report.subject, report.people]).toEqual([
			counts(1, 5),
			['Roe, "J" Jane g-3@example.com'],
		]);
		for (const line of [
			'Row 2, G-1, Person G-1, g-1@example.com: Row 8 has the same contract number.',
			'Row 4, G-2, Roe, Jane: It has more cells than the header.',
			'Row 6, G-3, Roe, "J" Jane, g-3@example.com: document ',
			'Row 7, G-4, no name, g4@example.com: Empty: Full name, Start date.',
			'Row 8, G-1, Somebody Else, g-1@example.com: Row 2 has the same contract number.',
			'Row 9, no contract number, No Number, n@example.com: Empty: Contract number.',
		])
			expect(report.text).toContain(line);
	});

	const misplaced = 'A quotation mark is missing or in the wrong place.';
	test('quotation marks that are not closed never make one person of two', async () => {
		const report = await upload(
			sheet(
				'N-1,"Ann Lee,ann@example.com,Cook,2027-01-01',
				'N-2,"Bob Day,bob@example.com,Cook,2027-01-01',
				'N-3,"Cox, Cy",cy@example.com,Cook,2027-01-01',
				'N-4,"Dee" Fox,dee@example.com,Cook,2027-01-01',
				'N-5, "Eve Gray",eve@example.com,Cook,2027-01-01',
				'N-6,Fay Hill",fay@example.com,Cook,2027-01-01',
				'N-7,"Guy',
				'Ives",guy@example.com,Cook,2027-01-01',
				'N-8,Hal "Hat" Jay,hal@example.com,Cook,2027-01-01',
				'N-9,Ida Kay,ida@example.com,"Cook,2027-01-01',
				'N-10,Jo "Jot" Lane,jo@example.com,"Cook",2027-01-01',
			),
		);
		expect([report.subject, report.people]).toEqual([
			counts(3, 7),
			['Cox, Cy cy@example.com', 'Hal "Hat" Jay hal@example.com', 'Jo "Jot" Lane jo@example.com'],
		]);
		for (const line of [
			`Row 2, N-1, Ann Lee, ann@example.com: ${misplaced}`,
			`Row 3, N-2, Bob Day, bob@example.com: ${misplaced}`,
			'Row 4, N-3, Cox, Cy, cy@example.com: document ',
			`Row 5, N-4, Dee Fox, dee@example.com: ${misplaced}`,
			`Row 6, N-5, Eve Gray, eve@example.com: ${misplaced}`,
			`Row 7, N-6, Fay Hill, fay@example.com: ${misplaced}`,
			'Row 8, N-7, Guy Ives, guy@example.com: A quotation mark opens a text that continues in the next line. Lines 8 to 9 of the file are not sent.',
			'Row 9, N-8, Hal "Hat" Jay, hal@example.com: document ',
			`Row 10, N-9, Ida Kay, ida@example.com: ${misplaced}`,
			'Row 11, N-10, Jo "Jot" Lane, jo@example.com: document ',
		])
			expect(report.text).toContain(line);
	});

	test('the list of examples/data', async () => {
		const text = await readFile(path.join(root, 'examples/data/contracts.csv'), 'utf8');
		const report = await upload(csv(text, 'contracts.csv'));
		expect([report.subject, report.people]).toEqual([
			counts(3, 0),
			['Ana Gil ana@example.com', 'Ray, Ben ben@example.com', 'Zoë Müller zoe@example.com'],
		]);
	});

	test('Latin-1: the row with letters that cannot be read is refused, the other is sent', async () => {
		const text = [header.join(','), person('H-1', 'José Núñez'), person('H-2')].join('\n');
		const report = await upload(new File([Buffer.from(text, 'latin1')], 'people.csv'));
		expect([report.subject, report.people]).toEqual([counts(1, 1), ['Person H-2 h-2@example.com']]);
		expect(report.text).toContain(
			'Some letters cannot be read. Save the file as XLSX or as CSV UTF-8.',
		);
	});

	test.each([
		['nothing', csv(''), 'The file: It is empty.'],
		[
			'too few columns',
			csv('Full name,E-mail\nAna,ana@example.com'),
			'The file: It has no column Contract number, Role, Start date. Nothing was sent.',
		],
		[
			'a header that is not closed in its line',
			csv(`"${header.join(',')}\nI-1,"Ana",ana@example.com,Cook,2027`),
			'The header: A quotation mark is missing or in the wrong place.',
		],
		[
			'UTF-16',
			new File(
				[Buffer.from(`\uFEFF${header.join(',')}\n${person('I-2')}`, 'utf16le')],
				'people.csv',
			),
			'The file: It cannot be read. Save it as XLSX or as CSV UTF-8.',
		],
	])('a file with %s: nobody gets a contract, and a mail says why', async (_what, file, reason) => {
		const report = await upload(file);
		expect([report.subject, report.people]).toEqual([counts(0, 1), []]);
		expect(report.text).toContain(reason);
	});
});
