import type { IDataObject, INode } from 'n8n-workflow';

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
		.map(([, body = '']) => ({ at, body: body.trim() }));
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
			...['eventId', 'event', 'title', 'email', 'url', 'documentId', 'validationId', 'person'],
			...['equipment', 'workplace', 'name', 'first', 'last', 'First', 'Last', 'part', 'note'],
			...['Full name', 'Employee name', 'Contract number', 'firstParty', 'signatoryEmails'],
			'attachmentFields',
		].map((name) => [name, `The ${name}`]),
	),
	...{ passed: true, outcome: 'completed', nameMatches: 'yes', isExpired: 'no', wanted: 'yes' },
	input: { contractNumber: 'C-1', 'Contract number': 'C-1' },
	address: { city: 'Springfield' },
	body: { name: 'Ada', salary: '$52,000' },
	warnings: ['A warning'],
	'Start date': '2027-02-28',
	...{ next: '2027-02-28', lasts: { months: 12 } },
};

test('the pages and the notes contain expressions', () => {
	expect(onPages.filter(isExpression).length).toBeGreaterThan(30);
	expect(inNotes.filter(isExpression).length).toBeGreaterThan(10);
});

// n8n has an execution only when a workflow runs, and the last one is empty if the item has a file.
test.each(shown.filter(({ body }) => !/\$execution|\$binary/.test(body)))(
	'$at: {{ $body }} returns a value',
	({ body }) => {
		const value = evaluated(body, item);
		expect(['number', 'string', 'boolean']).toContain(typeof value);
		expect(String(value)).not.toMatch(/^$|undefined|Invalid/);
	},
);

const ofDates = shown.filter(({ body }) =>
	/\['Start date'\]|^DateTime\.fromISO\(\$json\.next\)\.setLocale/.test(body),
);
test.each(ofDates)('$at: {{ $body }} writes out each day, and never a wrong one', ({ body }) => {
	const [, language = 'en'] = /setLocale\('(\w+)'\)/.exec(body) ?? [];
	const written = (day: string | null) => evaluated(body, { 'Start date': day, next: day });
	for (const day of ['2027-02-28', '2028-02-29', '2027-04-30', '2027-01-31'])
		expect(written(day)).toBe(
			new Date(day).toLocaleDateString(language, { dateStyle: 'long', timeZone: 'UTC' }),
		);
	for (const none of ['', null])
		expect(written(none)).toBe(body.includes(" : ''") ? '' : 'Invalid DateTime');
	for (const wrong of ['2027-02-29', 'soon', '31/01/2027'])
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
		expect(evaluated(inContract, { next: null, lasts: {} })).toBe('Invalid DateTime');
		expect(evaluated(inContract, row)).toBe(
			new Date(String(stored)).toLocaleDateString('en', { dateStyle: 'long', timeZone: 'UTC' }),
		);
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
