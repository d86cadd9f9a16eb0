import { readFile } from 'node:fs/promises';
import path from 'node:path';

import type { INodeParameters } from 'n8n-workflow';

import { root } from '../../../scripts/tools';
import { onVersion1, until } from '../support/stage';
import { spreadsheet } from '../support/spreadsheet';
import { allExecutions } from '../support/trigger';
import { own } from './runStage';

// examples/bulk-send-from-spreadsheet.json, with the files that people really upload.
const { stage } = own;
const staff = 'people@example.com';
const header = ['Contract number', 'Full name', 'E-mail', 'Role', 'Start date'];
let workflow: string;

const csv = (text: string, name = 'people.csv') => new File([text], name, { type: 'text/csv' });
const person = (number: string, name = `Person ${number}`) =>
	`${number},${name},${number.toLowerCase()}@example.com,Cook,2027-01-01`;
const sheet = (...rows: string[]) => csv([header.join(','), ...rows].join('\n'));

/** The reports so far, oldest first. */
const reports = () =>
	own.mailsTo(staff).filter(({ subject }) => subject.includes(' contracts sent, '));

/** Uploads a file; gives the report about it and who got a contract. */
async function upload(file: File) {
	const [before, documents] = [reports().length, stage.sandbox.documents().length];
	await own.send('bulk-send', [file]);
	await until('the report', () => reports().length > before);
	const mail = reports().at(-1);
	return {
		subject: mail?.subject,
		text: mail?.text.replaceAll('\r', '') ?? '',
		people: stage.sandbox
			.documents()
			.slice(documents)
			.map(({ signatory }) => signatory.map(({ name, emailID }) => `${name} ${emailID}`).join())
			.sort(),
	};
}

const counts = (sent: number, failed: number, uncertain = 0, before = 0) =>
	`${sent} contracts sent, ${failed} not sent, ${uncertain} uncertain, ${before} sent before`;
const everybody = (prefix: string) =>
	[1, 2].map((n) => `Person ${prefix}-${n} ${prefix.toLowerCase()}-${n}@example.com`);

// A module that its node Extract From File needs is not in the lock of host/n8n-1x.
const describeHere = onVersion1 ? describe.skip : describe;
describeHere('bulk-send-from-spreadsheet', () => {
	afterAll(own.unpublish);
	beforeAll(async () => {
		workflow = await own.publish('bulk-send-from-spreadsheet');
	});

	const both = (prefix: string) => [person(`${prefix}-1`), person(`${prefix}-2`)];
	test.each([
		['commas', 'A', (rows: string[]) => sheet(...rows)],
		[
			'a BOM',
			'B',
			(rows: string[]) => csv(`\uFEFF${[header.join(','), ...rows].join('\r\n')}\r\n`),
		],
		[
			'semicolons',
			'C',
			(rows: string[]) => csv([header.join(','), ...rows].join('\n').replaceAll(',', ';')),
		],
		[
			'tabs',
			'L',
			(rows: string[]) => csv([header.join(','), ...rows].join('\n').replaceAll(',', '\t')),
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

	test('a contract number of an earlier upload with another person: the report shows whom it skipped', async () => {
		await upload(sheet(person('Q-1')));
		const report = await upload(sheet('Q-1,Another Person,another@example.com,Cook,2027-01-01'));
		expect([report.subject, report.people]).toEqual([counts(0, 0, 0, 1), []]);
		expect(report.text).toMatch(
			/Sent before.*Only the contract number is compared.*\nRow 2, Q-1, Another Person, another@example.com: /,
		);
	});

	test('a creation that answers no ID: sent, and sent before at the next upload', async () => {
		stage.sandbox.settings.set({
			quirks: { ...stage.sandbox.settings.get().quirks, createAnswersOnlySuccess: true },
		});
		const report = await upload(sheet(person('R-1')));
		stage.sandbox.settings.reset();
		expect([report.subject, report.people.length]).toEqual([counts(1, 0), 1]);
		expect(report.text).toContain(
			'Row 2, R-1, Person R-1, r-1@example.com: document without an ID',
		);
		const again = await upload(sheet(person('R-1')));
		expect([again.subject, again.people]).toEqual([counts(0, 0, 0, 1), []]);
	});

	test('a date of an XLSX file is a number, and docs/send-to-many.md says how to read it', async () => {
		const page = await readFile(path.join(root, 'docs/send-to-many.md'), 'utf8');
		const [, number, expression] = /such as (\d+)\. Enter `(\{\{.*?\}\})`/.exec(page) ?? [];
		const node = (
			name: string,
			type: string,
			typeVersion: number,
			parameters: INodeParameters,
		) => ({
			id: name,
			name,
			type: `n8n-nodes-base.${type}`,
			typeVersion,
			position: [0, 0] as [number, number],
			parameters,
		});
		const { id } = await own.n8n.api.createWorkflow({
			name: 'A date of an XLSX file',
			nodes: [
				{
					...node('Form', 'formTrigger', 2.2, {
						formTitle: 'A date',
						formFields: { values: [{ fieldLabel: 'List', fieldType: 'file' }] },
						options: { path: 'xlsx-date' },
					}),
					webhookId: 'a4f2c9d0-6d1e-4f0c-9d53-7e1f6a6f9b11',
				},
				node('Extract', 'extractFromFile', 1, {
					operation: 'xlsx',
					binaryPropertyName: 'List',
					options: {},
				}),
				node('Read', 'set', 3.4, {
					assignments: {
						assignments: [{ id: '1', name: 'date', type: 'string', value: `=${expression}` }],
					},
					includeOtherFields: true,
					options: {},
				}),
			],
			connections: Object.fromEntries(
				[
					['Form', 'Extract'],
					['Extract', 'Read'],
				].map(([from, to = '']) => [
					from,
					{ main: [[{ node: to, type: 'main' as const, index: 0 }]] },
				]),
			),
			settings: { executionOrder: 'v1' },
		});
		await own.n8n.api.activate(id);
		const rows = [
			['Full name', 'Start date'],
			['Ada', new Date('2027-03-01T00:00:00Z')],
		];
		await own.send('xlsx-date', [await spreadsheet(rows, 'list.xlsx')]);
		const [execution] = await allExecutions(own.n8n.api, id, 1);
		const { runData } = await own.n8n.api.execution(execution?.id ?? '');
		expect(runData.Read?.[0]?.data?.main?.[0]?.[0]?.json).toMatchObject({
			'Start date': Number(number),
			date: '2027-03-01',
		});
	});

	test('a refused row, corrected: the whole list again sends only this row', async () => {
		const wrong = await upload(sheet(person('M-1'), person('M-2', 'Al')));
		expect([wrong.subject, wrong.people.length]).toEqual([counts(1, 1), 1]);
		const corrected = await upload(sheet(person('M-1'), person('M-2')));
		expect([corrected.subject, corrected.people]).toEqual([
			counts(1, 0, 0, 1),
			['Person M-2 m-2@example.com'],
		]);
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
		['a header alone', sheet(), 'The file: It has no rows below its header.'],
		[
			'too few columns',
			csv('Full name,E-mail\nAna,ana@example.com'),
			'The file: It has no column Contract number, Role, Start date. Nothing was sent.',
		],
		[
			'an open quotation mark',
			sheet('I-1,"Ana,ana@example.com,Cook,2027'),
			'Row 2, I-1, Ana, ana@example.com: A quotation mark is missing or in the wrong place.',
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
		[
			'something else',
			new File([Buffer.from('PK\u0003\u0004 and no more')], 'people.xlsx'),
			'The file: It ',
		],
	])('a file with %s: nobody gets a contract, and a mail says why', async (_what, file, reason) => {
		const report = await upload(file);
		expect([report.subject, report.people]).toEqual([counts(0, 1), []]);
		expect(report.text).toContain(reason);
	});

	test('an answer that is lost: the row is uncertain now and at the next upload, and never "sent before"', async () => {
		const file = sheet(person('J-1'), person('J-2'), person('J-3'));
		stage.sandbox.faults.set({
			endpoint: 'POST /templates/createDocumentByTemplateV2',
			times: 1,
			reset: 'before',
		});
		const first = await upload(file);
		expect([first.subject, first.people.length]).toEqual([counts(2, 0, 1), 2]);
		expect(first.text).toMatch(
			/Uncertain:[^]*Row \d, J-\d, Person J-\d, j-\d@example.com: .*may have been created/,
		);
		const second = await upload(file);
		expect([second.subject, second.people]).toEqual([counts(0, 0, 1, 2), []]);
		expect(second.text).toMatch(
			/Sent before.*\nRow \d, J-\d, Person J-\d, j-\d@example.com: This key was sent before\nRow/,
		);
		// As the report says, after a look at the service: another contract number.
		const [, lost = ''] = /Row \d, (J-\d), .* may have been created/.exec(first.text) ?? [];
		const third = await upload(
			sheet(...['J-1', 'J-2', 'J-3'].map((each) => person(each === lost ? 'J-4' : each))),
		);
		expect([third.subject, third.people]).toEqual([
			counts(1, 0, 0, 2),
			['Person J-4 j-4@example.com'],
		]);
	});

	test('n8n crashes while it sends: after the next upload each person has one contract or is named as uncertain', async () => {
		const file = sheet(...Array.from({ length: 200 }, (_, index) => person(`K-${index + 1}`)));
		stage.sandbox.faults.set({
			endpoint: 'POST /templates/createDocumentByTemplateV2',
			skip: 60,
			delayMs: 3_000,
		});
		const before = stage.sandbox.documents().length;
		await own.send('bulk-send', [file]);
		await until('some are sent', () => stage.sandbox.documents().length >= before + 60);
		await own.crashAndRetry(workflow);
		await until('the report', () =>
			own
				.subjects(staff)
				.some(
					(subject) =>
						/^\d+ contracts sent, 0 not sent, \d+ uncertain, \d+ sent before$/.test(subject) &&
						!subject.startsWith('0 '),
				),
		);
		const [, sent = '', uncertain = '', skipped = ''] =
			/^(\d+) .* (\d+) uncertain, (\d+)/.exec(reports().at(-1)?.subject ?? '') ?? [];
		expect(Number(sent) + Number(uncertain) + Number(skipped)).toBe(200);
		expect(Number(skipped)).toBeGreaterThanOrEqual(50);
		expect(Number(uncertain)).toBeGreaterThan(0);
		const people = stage.sandbox
			.documents()
			.slice(before)
			.map(({ signatory }) => signatory[0]?.emailID);
		expect(new Set(people).size).toBe(people.length);
		expect(people.length).toBeGreaterThanOrEqual(Number(sent) + Number(skipped));

		const again = await upload(file);
		expect([again.subject, again.people]).toEqual([
			counts(0, 0, Number(uncertain), Number(sent) + Number(skipped)),
			[],
		]);
	});
});
