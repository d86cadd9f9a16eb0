import type { IDataObject, INode } from 'n8n-workflow';

import { mistakeInField } from '../../nodes/SignVerify/text/contentMistakes';
import { textOfDate } from '../../nodes/SignVerify/text/dates';
import { dayMs } from '../../nodes/SignVerify/util/times';
import { listOf, objectOf } from '../../nodes/SignVerify/util/values';
import { textsIn } from '../support/errors';
import { allExamples } from '../support/exampleFiles';
import { textOfFile } from '../support/files';
import { evaluate } from '../support/parameters';
import { sampled } from '../support/sample';
import { blocksOf, readPages, spansOf } from './markdown';

// Users paste these expressions into n8n, so each of them has to return what its page or note promises.

interface Shown {
	/** The page or the example. */
	at: string;
	body: string;
}

const expressionsIn = (at: string, texts: string[]): Shown[] =>
	texts
		.flatMap((text) => [...text.matchAll(/\{\{(.*?)\}\}/gs)])
		// In a cell of a table, a page has to escape this character.
		.map(([, body = '']) => ({ at, body: body.trim().replaceAll('\\|', '|') }));
/** Text in braces that isn't an expression, such as a placeholder in a template, reads nothing. */
const isExpression = ({ body }: Shown) => /\$|DateTime/.test(body);
const contentOf = (nodes: INode[]) => nodes.map(({ parameters }) => String(parameters.content));

const pages = readPages().filter(({ file }) => /^(README|docs\/[\w-]+)\.md$/.test(file));
const onPages = pages.flatMap((page) =>
	expressionsIn(page.file, [...spansOf(page), ...blocksOf([page], 'text').map(({ text }) => text)]),
);
const inNotes = allExamples.flatMap(({ name, workflow }) =>
	expressionsIn(name, contentOf(workflow.nodes.filter(({ type }) => /stickyNote/.test(type)))),
);
const shown = [...onPages, ...inNotes].filter(isExpression);

/** Every node has the same item here, so a reference to another node can be replaced with `$json`. */
const evaluated = (body: string, json: IDataObject) =>
	evaluate(`={{ ${body.replaceAll(/\$\('[^']*'\)\.(?:item|first\(\))\.json/g, '$json')} }}`, json, {
		document: { data: '', mimeType: 'application/pdf' },
	});

/** An item with every field that the pages and the notes read. */
const item: IDataObject = {
	...Object.fromEntries(
		[
			...[
				'eventId',
				'rowId',
				'event',
				'title',
				'email',
				'url',
				'documentId',
				'validationId',
				'person',
			],
			...['equipment', 'workplace', 'name', 'first', 'last', 'First', 'Last', 'part', 'note'],
			...['Full name', 'Employee name', 'Contract number', 'firstParty', 'signatoryEmails'],
			'attachmentFields',
			'sentBy',
		].map((name) => [name, `The ${name}`]),
	),
	...{ passed: true, outcome: 'completed', nameMatches: 'yes', isExpired: 'no', wanted: 'yes' },
	input: { contractNumber: 'C-1', 'Contract number': 'C-1' },
	address: { city: 'Springfield' },
	...{ company: [7, 'Acme'], client: [{ plain_text: 'Acme' }] },
	...{ options: ['Blue', 'Red'], phone: '+1 555 0100' },
	body: { name: 'Ada', salary: '$52,000' },
	warnings: ['A warning'],
	'Start date': '2027-02-28',
	...{ next: '2027-02-28', from: '2027-02-28', lasts: { months: 12 } },
};

test('the pages and the notes contain expressions', () => {
	expect(onPages.filter(isExpression).length).toBeGreaterThan(30);
	expect(inNotes.filter(isExpression).length).toBeGreaterThan(5);
});

function isOfDate({ body }: Shown): boolean {
	return /\['Start date'\]/.test(body);
}

function isOfAmount({ body }: Shown): boolean {
	return body.includes("['Salary']");
}

// n8n has an execution only when a workflow runs, and the last one is empty if the item has a file.
const ofValue = shown.filter(
	(one) => !/\$execution|\$binary/.test(one.body) && !isOfDate(one) && !isOfAmount(one),
);
test.each(ofValue)('$at: {{ $body }} returns a value', ({ body }) => {
	const value = sentText(evaluated(body, item));
	expect(['number', 'string', 'boolean']).toContain(typeof value);
	expect(String(value)).not.toMatch(/^$|undefined|Invalid/);
});

/** The number that a spreadsheet gives to 1970-01-01. */
const spreadsheetEpoch = 25_569;

/** What the node sends for a value: the day of a date, which Write Dates In then writes out. */
const sentText = (value: unknown) => textOfDate(value)?.text ?? value;

const ofDates = shown.filter(isOfDate);
test.each(ofDates)('$at: {{ $body }} returns each day, and never a wrong one', ({ body }) => {
	const cellOf = (day: string) => {
		if (body.includes('fromSeconds')) return Date.parse(day) / dayMs + spreadsheetEpoch;
		return body.includes('dd/MM/yyyy') ? day.split('-').reverse().join('/') : day;
	};
	const written = (cell: string | number | null | undefined) =>
		sentText(evaluated(body, { 'Start date': cell }));
	for (const day of ['2027-02-28', '2028-02-29', '2027-04-30', '2027-01-31'])
		expect(written(cellOf(day))).toBe(day);
	for (const none of ['', null, undefined])
		expect(written(none)).toBe(body.includes(" : ''") ? '' : 'Invalid DateTime');
	for (const wrong of ['2027-02-29', 'soon', '31/02/2027'])
		expect(written(wrong)).toBe('Invalid DateTime');
});

/** The rows of the table of amounts: what the contract contains, and the expression. */
const amounts = [
	...textOfFile('docs/values.md').matchAll(/^\| (\S.*?) +\| (`.*\['Salary'\].*`)/gm),
].map(([, amount = '', cell = '']) => ({ amount, body: expressionsIn('', [cell])[0]?.body ?? '' }));

test('docs/values.md shows an expression for each of three amounts', () => {
	expect(amounts.map(({ amount }) => amount)).toEqual(['1,234.50', '1.234,50 €', '$48,000']);
	expect(amounts.map(({ body }) => body)).toEqual(shown.filter(isOfAmount).map(({ body }) => body));
});

describe.each(amounts)('docs/values.md: {{ $body }}', ({ amount, body }) => {
	// Between a number and a currency, JavaScript writes a no-break space.
	const written = (cell: unknown) =>
		String(evaluated(body, { Salary: cell as string })).replaceAll('\u00A0', ' ');

	test(`writes a number, and a text, as ${amount}`, () => {
		const number = amount === '$48,000' ? 48_000 : 1234.5;
		for (const cell of [number, String(number), `${number.toFixed(2)} `])
			expect(written(cell)).toBe(amount);
	});

	test('never writes another amount', () => {
		expect(written(48_000.5).replaceAll(/\D/g, '')).toBe('4800050');
		expect(written(0)).toMatch(/^\$?0/);
		for (const other of [
			'1,234.50',
			'1.234,50',
			'1.234',
			'$48,000',
			'soon',
			'',
			' ',
			null,
			undefined,
		])
			expect(mistakeInField(written(other))?.severity).toBe('wrong');
	});
});

describe('the end of the next contract in renew-contracts-next', () => {
	const { nodes = [] } =
		allExamples.find(({ name }) => name === 'renew-contracts-next')?.workflow ?? {};
	const node = (name: string) => nodes.find((one) => one.name === name) as INode;
	/** Adds the fields of an Edit Fields node to an item. */
	const edited = (name: string, json: IDataObject): IDataObject => {
		const added = structuredClone(json);
		for (const field of listOf(objectOf(node(name).parameters.assignments).assignments)) {
			const [, whole = '', part] = /^(\w+)(?:\.(\w+))?$/.exec(String(objectOf(field).name)) ?? [];
			const value = evaluate(String(objectOf(field).value), json) as IDataObject;
			added[whole] = part ? { ...objectOf(added[whole]), [part]: value } : value;
		}
		return added;
	};
	const inNote = expressionsIn('', contentOf([node('Note')])).find(({ body }) =>
		body.includes('$json.lasts'),
	);
	/** Returns the days that the row gets, after comparing the end with the one in the contract. */
	const nextOf = (start: string, end: string): [start: string, end: string] => {
		const first = edited('Work out the next contract', { start, end });
		const input = edited('Work out how long it lasts', first);
		const row = objectOf(objectOf(node('Write the new contract').parameters.columns).value);
		const newEnd = evaluate(String(row.end), { input }) as string;
		expect(sentText(evaluated(inNote?.body ?? '', input))).toBe(newEnd);
		return [evaluate(String(row.start), { input }) as string, newEnd];
	};

	/** The months since year 0. */
	const monthOf = (day: string) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1;
	const lengthOf = (month: number) =>
		new Date(Date.UTC(Math.floor(month / 12), (month % 12) + 1, 0)).getUTCDate();
	/** A day of a month, or the month's last day if it has fewer days. Day 0 is the last day of the month before. */
	const dayIn = (month: number, day: number) => {
		const found = Math.min(day, lengthOf(month));
		return new Date(Date.UTC(Math.floor(month / 12), month % 12, found)).toISOString().slice(0, 10);
	};
	const dayAfter = (day: string) => new Date(Date.parse(day) + dayMs).toISOString().slice(0, 10);

	// The first day and the four last days of months of every length.
	const starts = ['2023-02', '2024-02', '2024-04', '2024-08', '2024-11', '2024-12'].flatMap(
		(month) =>
			[1, -3, -2, -1, 0].map((day) =>
				day > 0 ? `${month}-01` : dayIn(monthOf(month), lengthOf(monthOf(month)) + day),
			),
	);
	test.each(sampled(starts, 4, 'starts'))(
		'stays in its month for 20 years if the first contract began on %s',
		(begin) => {
			for (const months of [1, 2, 3, 6, 11, 12, 24]) {
				const first = dayIn(monthOf(begin) + months, Number(begin.slice(8)) - 1);
				let [start, end] = [begin, first];
				for (let count = 1; count * months <= 240; count++) {
					const month = monthOf(first) + count * months;
					const isLast = Number(end.slice(8)) === lengthOf(monthOf(end));
					const expected = [dayAfter(end), dayIn(month, isLast ? 31 : Number(end.slice(8)))];
					[start, end] = nextOf(start, end);
					expect([months, start, end]).toEqual([months, ...expected]);
				}
			}
		},
	);

	test.each([
		// Whole months and one of the last days, as a program adds them.
		['2026-01-31', '2026-07-30', '2027-01-30'],
		['2025-08-31', '2026-02-27', '2026-08-27'],
		// A month's last day doesn't make the months whole.
		['2026-04-30', '2026-06-30', '2026-09-01'],
		['2026-10-12', '2026-11-30', '2027-01-19'],
		['2026-10-12', '2026-11-25', '2027-01-08'],
		['2026-10-12', '2026-11-12', '2026-12-13'],
		['2026-10-12', '2026-10-18', '2026-10-25'],
		['2026-10-12', '2026-10-12', '2026-10-13'],
	])('for a contract from %s to %s, is %s', (start, end, newEnd) => {
		expect(nextOf(start, end)[1]).toBe(newEnd);
	});

	test('is refused if the end of the old one is missing', () => {
		const input = edited('Work out the next contract', { start: '2026-01-01', end: '' });
		const both = edited('Work out how long it lasts', input);
		expect(sentText(evaluated(inNote?.body ?? '', both))).toBe('Invalid DateTime');
	});
});

test('no page and no example takes an unknown answer about an ID for a certain one', () => {
	const inNodes = allExamples.flatMap(({ name, workflow }) =>
		expressionsIn(
			name,
			workflow.nodes.flatMap(({ parameters }) => textsIn(parameters)),
		),
	);
	const lax = [...shown, ...inNodes].filter(({ body }) =>
		/\b(?:\w+Matches|isOfAge|isExpired) !==? /.test(body),
	);
	expect(lax).toEqual([]);
});
