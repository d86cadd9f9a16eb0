import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';

import { ensureHost } from '../../../host/install.cjs';
import { contentProblems } from '../../../nodes/SignVerify/text/contentMistakes';
import { keyProblems } from '../../../nodes/SignVerify/operations/sendingProblems';
import { columnProblems } from '../../../nodes/SignVerify/columns/columnProblems';
import { root } from '../../../scripts/tools';

// Files like the ones that people really upload to examples/send-a-list.json.
const columns = ['Employee name', 'Employee email', 'role', 'start_date', 'employer', 'workplace'];
const header = ['Contract number', ...columns].join(',');

const csv = (content: string | Buffer, name = 'people.csv') =>
	new File([typeof content === 'string' ? content : new Uint8Array(content)], name, {
		type: 'text/csv',
	});
const row = (key: string, name = `Person ${key}`, start = '2027-01-01', job = 'Cook') =>
	`${key},${name},${key.toLowerCase()}@example.com,${job},${start},Acme,Main office`;
const list = (...rows: string[]) => [header, ...rows].join('\r\n');

/** What the service receives for a row: the person, and the values of the fields. */
const contract = (key: string, name = `Person ${key}`, job = 'Cook', start = 'January 1, 2027') =>
	`${name} <${key.toLowerCase()}@example.com> ${name} | ${job} | ${start} | Acme | Main office`;

/** The bytes that Windows-1252 has for characters that Latin-1 lacks. */
const windows1252 = (text: string) =>
	Buffer.from(
		text.replaceAll('€', '\x80').replaceAll('’', '\x92').replaceAll('ž', '\x9E'),
		'latin1',
	);
const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le');

/** The functions of n8n's spreadsheet library that the tests use. */
interface Library {
	utils: {
		aoa_to_sheet(rows: unknown[][], options: object): object;
		book_new(): object;
		book_append_sheet(book: object, sheet: object): void;
	};
	write(book: object, options: object): Buffer;
}

/**
 * A workbook with two sheets, whose first sheet has a date, a number with leading zeros, and an empty row.
 * @param date1904 Whether the workbook counts days from 1904.
 * @param bookType The library's name for the format, such as "biff8", which is Excel 97's.
 */
async function workbook(date1904: boolean, name: string, bookType = 'xlsx'): Promise<File> {
	const { n8n } = await ensureHost({ log: () => undefined });
	const { utils, write } = createRequire(n8n)('@e965/xlsx') as Library;
	const book = utils.book_new() as { Workbook?: object };
	const rows = [
		header.split(','),
		[],
		[7, 'Ann Lee', 'ann@example.com', 'Cook', new Date('2027-02-01T00:00:00Z'), 'Acme', 'Office'],
	];
	utils.book_append_sheet(book, utils.aoa_to_sheet(rows, { UTC: true }));
	utils.book_append_sheet(book, utils.aoa_to_sheet(rows, { UTC: true }));
	book.Workbook = { WBProps: { date1904 } };
	return new File([new Uint8Array(write(book, { type: 'buffer', bookType }))], name);
}

/** Files that the example sends: a description, the file, and each contract. */
export const acceptedFiles: Array<[string, () => File | Promise<File>, string[]]> = [
	[
		'commas, in UTF-8 without a byte order mark',
		() => csv(list(row('A-1', 'José Núñez'), row('A-2', '"Roe, ""J"" Jane"'))),
		[contract('A-1', 'José Núñez'), contract('A-2', 'Roe, "J" Jane')],
	],
	[
		'semicolons, in UTF-8 with a byte order mark, as Excel writes it in Germany',
		() => csv(`\uFEFF${list(row('B-1', 'Zoë Müller'), row('B-2')).replaceAll(',', ';')}\r\n`),
		[contract('B-1', 'Zoë Müller'), contract('B-2')],
	],
	[
		'semicolons, and names of columns that contain commas',
		() =>
			csv(
				list(row('B-3'))
					.replaceAll(',', ';')
					.replace(/^/, 'Rent, monthly;Deposit, monthly;')
					.replace('\n', '\n500;1000;'),
			),
		[contract('B-3')],
	],
	[
		'commas, and the name of a column that contains a semicolon',
		() => csv(list(row('B-4')).replace(/^/, '"Notes; internal",').replace('\n', '\nnone,')),
		[contract('B-4')],
	],
	[
		'tabs, and an extension that is not .csv',
		() => csv(list(row('C-1'), row('C-2')).replaceAll(',', '\t'), 'people.TXT'),
		[contract('C-1'), contract('C-2')],
	],
	[
		'tabs in UTF-16, as Excel writes Unicode text',
		() => csv(utf16(list(row('E-1', 'Łucja Żółć')).replaceAll(',', '\t')), 'people.txt'),
		[contract('E-1', 'Łucja Żółć')],
	],
	[
		'a line break inside quotation marks',
		() => csv(list(row('F-1', undefined, undefined, '"Cook,\nnight shift"'), row('F-2'))),
		[contract('F-1', undefined, 'Cook,\nnight shift'), contract('F-2')],
	],
	[
		'empty lines and empty rows',
		() => csv(`\r\n${list(row('G-1'), '', ',,,,,,', row('G-2'), ',,,,,,', '')}`),
		[contract('G-1'), contract('G-2')],
	],
	[
		'tabs, and 1,500 empty rows at the end, as Excel writes them below the rows of a list',
		() =>
			csv(
				list(row('G-3'), ...Array<string>(1500).fill(',,,,,,')).replaceAll(',', '\t'),
				'people.txt',
			),
		[contract('G-3')],
	],
	[
		'columns in another order, named after the labels, and one more column',
		() =>
			csv(
				'Team,START DATE,Job title,Employee email,Employee name,Contract number,Employer,Workplace\nKitchen,1 January 2027,Cook,h-1@example.com,Person H-1,H-1,Acme,Main office',
			),
		[contract('H-1', undefined, undefined, '1 January 2027')],
	],
	[
		'a misspelled column of an optional field, which stays empty, and the columns that the form shows',
		() =>
			csv(list(row('H-2')).replaceAll('Employee', 'employee').replace('workplace', 'work palce')),
		[contract('H-2').replace('Main office', '')],
	],
	[
		'numbers with leading zeros',
		() => csv(list(row('007', undefined, undefined, '0042'))),
		[contract('007', undefined, '0042')],
	],
	[
		'the content of examples/data/contracts.csv',
		async () => csv(await readFile(path.join(root, 'examples/data/contracts.csv'))),
		[
			'Ana Gil <ana@example.com> Ana Gil | Cook | January 1, 2027 | Example Company | Main office',
			'Ray, Ben <ben@example.com> Ray, Ben | Waiter | January 1, 2027 | Example Company | Main office',
			'Zoë Müller <zoe@example.com> Zoë Müller | Manager | February 1, 2027 | Example Company | Beach bar',
		],
	],
];

const pdf = (name: string) =>
	csv(Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.from([0xe2, 0xe3, 0, 0xd3])]), name);
/** What the email advises the person who saved the file. */
const saveAsCsv = 'CSV UTF-8';
const noNumber = 'No contract number, ';

const noStart = columnProblems.noneForField(
	header.replace('start_date', 'start dte').replaceAll(',', ', '),
).problem;

const twoPeople = keyProblems.otherContent('O-1', 2, [
	'Signatories (Ann One (o-1@example.com) and Ben Two (o-1@example.com))',
]).problem;

/** Files that the example refuses: a description, the file, and parts of the email. */
export const refusedFiles: Array<[string, () => File | Promise<File>, ...string[]]> = [
	['a PDF', () => pdf('people.pdf'), 'people.pdf', saveAsCsv],
	['a workbook', async () => await workbook(false, 'people.xlsx'), 'people.xlsx', saveAsCsv],
	['a workbook from a Mac, named .csv', async () => await workbook(true, 'p.csv'), saveAsCsv],
	['a workbook of Excel 97', async () => await workbook(false, 'p.xls', 'biff8'), saveAsCsv],
	['UTF-16 without a byte order mark', () => csv(utf16(list(row('I-1'))).subarray(2)), saveAsCsv],
	[
		'€, ’ and ü in Windows-1252',
		() =>
			csv(
				windows1252(list(row('D-1', 'Jürgen O’Neil', '2027-01-01', '"Chef, 20 €/h"'), row('D-2'))),
			),
		'1 row needs a correction',
		saveAsCsv,
	],
	[
		'a name of a column with a line break, and semicolons',
		() =>
			csv(list(row('I-3')).replaceAll(',', ';').replace('Contract number', '"Contract\nnumber"')),
		saveAsCsv,
		'the name of a column has a line break',
	],
	[
		'no column for the number',
		() => csv(list(row('J-1')).replace('Contract number', 'Number')),
		`${noNumber}Person J-1: `,
		'no column "Contract number". The columns are Number, Employee name, Employee email, role, start_date, employer, workplace',
	],
	[
		'a misspelled column of a required field',
		() => csv(list(row('J-2'), row('J-3')).replace('start_date', 'start dte')),
		'2 rows need a correction',
		`J-2, Person J-2: Start date: ${noStart}`,
		`J-3, Person J-3: Start date: ${noStart}`,
	],
	[
		'two columns that fit one field',
		() => csv(`${header},EMPLOYEE EMAIL\n${row('J-5')},manager@example.com`),
		'several columns match',
	],
	[
		'one cell too many',
		() => csv(list(row('K-1'), row('K-2', 'Roe, Jane'), row('K-3'))),
		'Invalid Record Length: columns length is 7, got 8 on line 3',
		"there's one quotation mark or comma too many",
	],
	[
		'a quotation mark that is never closed',
		() => csv(list(row('L-1'), row('L-2', '"Ann Lee'), row('L-3'))),
		'Quote Not Closed',
		"there's one quotation mark or comma too many",
	],
	[
		'six kinds of wrong rows, and an empty row',
		() =>
			csv(
				list(
					row('N-1'),
					row('N-2', 'Ann Lee').replace('n-2@example.com', 'n-2@office'),
					',,,,,,',
					row('N-3', '#REF!'),
					row('N-4', 'Ben undefined'),
					row('N-5', 'Cy Three', '2027-02-30'),
					row('N-6', 'Di Four', '46447'),
					',Ed Five,ed@example.com,Cook,2027-01-01,,',
				),
			),
		'Nothing was sent, because 6 rows need a correction. Correct the rows below, ',
		'N-2, Ann Lee: Email (employee): "n-2@office"',
		'N-3, #REF!: ',
		contentProblems.spreadsheetError.problem('#REF!'),
		'N-4, Ben undefined: ',
		`N-5, Cy Three: Start date: ${contentProblems.missingDay.problem('2027-02-30')}`,
		`N-6, Di Four: Start date: ${contentProblems.spreadsheetDate.problem('46447')}`,
		`${noNumber}Ed Five: `,
		'option Send Despite Warnings, nodes Check the list and Send the contracts',
	],
	[
		'two people with one number',
		() => csv(list(row('O-1', 'Ann One'), row('O-2'), row('O-1', 'Ben Two'))),
		'2 rows need a correction',
		`O-1, Ann One: ${twoPeople}`,
		'O-1, Ben Two: "O-1" ',
	],
];
