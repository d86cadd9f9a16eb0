import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createRequire } from 'node:module';

import { root } from '../../../scripts/tools';
import { ensureHost } from '../../../host/install.cjs';

// Files like the ones that people really upload to examples/bulk-send-from-spreadsheet.json.
const header = ['Contract number', 'Employee name', 'Email', 'Job title', 'Start date'];

const csv = (text: string | Buffer, name = 'people.csv') =>
	new File([typeof text === 'string' ? text : new Uint8Array(text)], name, { type: 'text/csv' });
const person = (number: string, name = `Person ${number}`, start = '2027-01-01') =>
	`${number},${name},${number.toLowerCase()}@example.com,Cook,${start}`;
const list = (...rows: string[]) => [header.join(','), ...rows].join('\n');
const sheet = (...rows: string[]) => csv(list(...rows));

/** The functions of n8n's spreadsheet library that the tests use. */
interface Library {
	utils: {
		aoa_to_sheet(rows: unknown[][], options: object): object;
		book_new(): object;
		book_append_sheet(book: object, sheet: object): void;
	};
	write(book: object, options: object): Buffer;
}

/** An XLSX file that contains these rows in one sheet. A Date becomes a date cell. */
async function xlsx(...rows: unknown[][]): Promise<File> {
	const { n8n } = await ensureHost({ log: () => undefined });
	const { utils, write } = createRequire(n8n)('@e965/xlsx') as Library;
	const book = utils.book_new();
	utils.book_append_sheet(book, utils.aoa_to_sheet(rows, { UTC: true }));
	return new File([new Uint8Array(write(book, { type: 'buffer', bookType: 'xlsx' }))], 'p.XLSX');
}

const expected = (...numbers: string[]) =>
	numbers.map((n) => `Person ${n} ${n.toLowerCase()}@example.com 2027-01-01`);

/**
 * Files that the example accepts: a description, the file, and the recipient and start date of each contract.
 */
export const good: Array<[string, () => File | Promise<File>, string[]]> = [
	[
		'semicolons and different capitalization in the header',
		() => csv(list(person('C-1'), person('C-2')).replaceAll(',', ';').replace('Email', 'EMAIL')),
		expected('C-1', 'C-2'),
	],
	[
		'columns in a different order, additional columns, and empty rows',
		() =>
			csv(
				`Team,Start date,Job title,Email,Employee name,Contract number\n\nKitchen,2027-01-01,Cook,e-1@example.com,Person E-1,E-1\n,,,,,\n`,
			),
		expected('E-1'),
	],
	[
		'quotation marks',
		() => sheet(person('N-1', '"Roe, ""J"" Jane"'), person('N-2', 'Hal "Hat" Jay')),
		['Hal "Hat" Jay n-2@example.com 2027-01-01', 'Roe, "J" Jane n-1@example.com 2027-01-01'],
	],
	...(['latin1', 'utf16le'] as const).map((encoding): [string, () => File, string[]] => [
		`accented letters in ${encoding}`,
		() =>
			csv(
				Buffer.from(
					`${encoding === 'utf16le' ? '\uFEFF' : ''}${list(person(`H-${encoding}`, 'José Núñez'))}`,
					encoding,
				),
			),
		[`José Núñez h-${encoding}@example.com 2027-01-01`],
	]),
	[
		'CSV content, an .xlsx extension, and a number with a leading zero',
		() => csv(list(person('007')), 'people.xlsx'),
		['Person 007 007@example.com 2027-01-01'],
	],
	[
		'an empty first row, a date with a time, and a number in XLSX',
		async () =>
			await xlsx([], header, [
				4711,
				'Zoë Ünal',
				'zoe@example.com',
				'Cook',
				new Date('2027-01-31T18:00:00Z'),
			]),
		['Zoë Ünal zoe@example.com 2027-01-31'],
	],
	[
		'the list from examples/data',
		async () => csv(await readFile(path.join(root, 'examples/data/contracts.csv'))),
		[
			'Ana Gil ana@example.com 2027-01-01',
			'Ray, Ben ben@example.com 2027-01-01',
			'Zoë Müller zoe@example.com 2027-02-01',
		],
	],
];

const unclear = 'A cell contains a line break.';
const ok = (number: string, ...rest: unknown[]) => [number, 'Ann Lee', 'ann@example.com', ...rest];
/** Files that the example rejects: a description, the file, and parts of the report. */
export const bad: Array<[string, () => File | Promise<File>, ...string[]]> = [
	['no content', () => csv(''), 'The file is empty'],
	['only a header', () => sheet(), 'The file has no rows below its header.'],
	[
		'a missing column',
		() => csv('Employee name,Email\nAna,ana@example.com'),
		'The file must have exactly one column named "Contract number".',
	],
	[
		'two columns for one field',
		() => csv(`${header.join(',')},E-Mail\n${person('P-1')},boss@example.com`),
		'The file must have exactly one column named "Email".',
	],
	[
		'unclosed quotation marks',
		() => sheet(person('Q-1', '"Ann Lee'), person('Q-2', '"Bob Day'), person('Q-3')),
		`Row 2, Q-1, "Ann Lee,q-1@example.com,Cook,2027-01-01 Q-2,"Bob Day`,
		unclear,
	],
	[
		'a quotation mark that pulls the following rows into one cell',
		() => sheet(person('R-1'), `R-2,Ida,ida@example.com,"Cook,2027-01-01`, person('R-3')),
		`Row 3, R-2, Ida, ida@example.com: ${unclear}`,
	],
	[
		'an additional comma, an empty cell, a missing number, and a repeated number',
		() =>
			sheet(
				person('G-0'),
				person('G-2', 'Roe, Jane'),
				'G-4,,g4@example.com,Cook,2027-01-01',
				',No Number,n@example.com,Cook,2027-01-01',
				person('005'),
				person('5'),
			),
		'Row 3, G-2, Roe, Jane: The row has more cells than the header.',
		'Row 4, G-4, no employee name, g4@example.com: 2 values are missing or wrong: Employee, Name: ',
		'Row 5, no contract number, No Number, n@example.com: Send Once Key: ',
		'Row 6, 005, Person 005, 005@example.com: Row 7 has the same contract number.',
		'Row 7, 5, Person 5, 5@example.com: Row 6 has the same contract number.',
	],
	[
		'invalid dates in CSV',
		() => sheet(...['31/04/2027', '2127-01-01'].map((date, at) => person(`T-${at}`, 'Ann', date))),
		'Row 2, T-0, Ann, t-0@example.com: Fields: Start date: "31/04/2027" isn\'t a day in the calendar',
		'Row 3, T-1, Ann, t-1@example.com: The start date 2127-01-01 is ',
	],
	[
		'spreadsheet, encoding, and expression errors',
		() =>
			csv(
				Buffer.concat([
					Buffer.from(
						`\uFEFF${list(person('L-1', '#REF!'), person('L-2', 'Ann undefined'), person('L-3', 'Jos\uFFFD Gil'), person('L-4', 'Ann Lee', '2027-02-30'), 'L-5,Ann Lee,ann..lee@example.com,Cook,2027-01-01', person('L-6'))}`,
					),
				]),
			),
		'Row 2, L-1, #REF!, l-1@example.com: 2 values',
		'the spreadsheet error "#REF!"',
		'Row 3, L-2, Ann undefined, l-2@example.com: ',
		'U+FFFD',
		'"2027-02-30" isn\'t a day in the calendar',
		'Row 6, L-5, Ann Lee, ann..lee@example.com: ',
	],
	[
		'a year instead of a date, and a date in the other date system, in XLSX',
		async () => await xlsx(header, ok('X-1', 'Cook', 2027), ok('X-2', 'Cook', 44_956)),
		'Row 2, X-1, Ann Lee, ann@example.com: The start date 1905-07-19 is ',
		'Row 3, X-2, Ann Lee, ann@example.com: The start date 2023-01-30 is ',
	],
];
