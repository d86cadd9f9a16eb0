import type { IDataObject, INode } from 'n8n-workflow';

import { textOfDate } from '../../nodes/SignVerify/text/dates';
import { dayMs } from '../../nodes/SignVerify/util/values';
import { textsIn } from '../support/errors';
import { allExamples } from '../support/exampleFiles';
import { evaluate } from '../support/parameters';
import { blocksOf, readPages, spansOf } from './markdown';

// Users paste these expressions into n8n, so each of them has to return what its page or note says.

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
	...{ next: '2027-02-28', lasts: { months: 12 } },
};

test('the pages and the notes contain expressions', () => {
	expect(onPages.filter(isExpression).length).toBeGreaterThan(30);
	expect(inNotes.filter(isExpression).length).toBeGreaterThan(5);
});

function isOfDate({ body }: Shown): boolean {
	return /\['Start date'\]/.test(body);
}

// n8n has an execution only when a workflow runs, and the last one is empty if the item has a file.
test.each(shown.filter((one) => !/\$execution|\$binary/.test(one.body) && !isOfDate(one)))(
	'$at: {{ $body }} returns a value',
	({ body }) => {
		const value = sentText(evaluated(body, item));
		expect(['number', 'string', 'boolean']).toContain(typeof value);
		expect(String(value)).not.toMatch(/^$|undefined|Invalid/);
	},
);

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

test.each([
	['2026-03-01', '2027-02-28'],
	['2027-03-01', '2028-02-29'],
	['2026-02-01', '2026-02-28'],
	['2026-01-31', '2026-07-30'],
	['2026-03-01', '2026-05-31'],
	['2025-08-31', '2026-02-28'],
])(
	'the end date in the note of renew-contracts-next is the one in the row, for a contract from %s to %s',
	(start, end) => {
		const example = allExamples.find(({ name }) => name === 'renew-contracts-next');
		const texts = (example?.workflow.nodes ?? []).flatMap(({ parameters }) => textsIn(parameters));
		const expression = (part: string) =>
			expressionsIn('', texts).find(({ body }) => body.includes(part))?.body ?? '';
		const next = evaluated(expression('plus({ day: 1 })'), { end });
		const lasts = evaluated(expression('diffTo('), { start, end });
		const row = { next, lasts } as IDataObject;
		const stored = evaluated(expression('.plus($json.input.lasts)'), { input: row });
		const inContract = expression('.plus($json.lasts)');
		expect(sentText(evaluated(inContract, { next: null, lasts: {} }))).toBe('Invalid DateTime');
		expect(sentText(evaluated(inContract, row))).toBe(stored);
	},
);

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
