import { isDocumentEvent } from '../../../sandbox/schemas';
import type { Call, Live, Row } from './live';
import { type PageRow, pageRows } from './servicePage';

type Json = Record<string, unknown>;

/** The `responseData` of a response. */
export function dataOf<T = Json>({ body }: Call): T {
	return body.responseData as T;
}

const resultsOf = ({ calls }: Live) =>
	dataOf<{ results: { score: Json; ocr: Json } }>(calls['GET /identity/session/results/:sessionId'])
		.results;

/** Every Document that the client has seen in responses and notifications. */
function documentsOf({ calls, notifications }: Live): Json[] {
	return [
		...Object.values(calls)
			.map((call) => dataOf(call))
			.filter((data) => 'documentID' in data),
		...Object.values(notifications).flatMap((bodies) =>
			bodies.flatMap(({ Document }) => (Document ? [Document as Json] : [])),
		),
	];
}

const partsOfDocuments =
	(name: string) =>
	(live: Live): Json[] =>
		documentsOf(live).flatMap((document) => document[name] as Json[]);

const templatesOf = (call: Call) => dataOf<{ templates: Json[] }>(call).templates;

/**
 * Functions that return all objects of a resource that the client has seen. Each key consists of the heading
 * and the first column of the resource's table.
 */
const resources: Record<string, (live: Live) => Json[]> = {
	'Response envelope, Field': ({ calls }) => Object.values(calls).map(({ body }) => body),
	'Webhook registration, Field': ({ calls }) => [
		dataOf(calls['POST /webhooks']),
		dataOf(calls['POST /webhooks/verify']),
		...dataOf<Json[]>(calls['GET /webhooks']),
	],
	'Document, Field': documentsOf,
	'Signatory, Field': partsOfDocuments('signatory'),
	'LogEntry, Field': partsOfDocuments('logsStatus'),
	'Template, version 1, Field': ({ calls }) => templatesOf(calls['GET /templates']),
	'Template, version 2, Field': ({ calls }) => templatesOf(calls['GET /templates/v2']),
	'Identity verification request, Field': ({ calls }) => [
		dataOf(calls['GET /identity/validation/request/:validationId']),
	],
	'Identity verification results, Check': (live) => [resultsOf(live).score],
	'Identity verification results, Field': (live) => [resultsOf(live).ocr],
	'Notification body, Field': ({ notifications }) =>
		Object.entries(notifications)
			.filter(([type]) => isDocumentEvent(type))
			.flatMap(([, bodies]) => bodies),
};

/** Whether a time (ms) is within a year of now. A time in seconds fails this check. */
const isAroundNow = (time: number) => Math.abs(time - Date.now()) < 366 * 24 * 60 * 60 * 1000;

const isObject = (value: unknown): value is Json =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** For each type name on the page, a function that checks whether a value has that type. */
const testsByType: Record<string, (value: unknown) => boolean> = {
	string: (value) => typeof value === 'string',
	boolean: (value) => typeof value === 'boolean',
	number: Number.isFinite,
	integer: Number.isInteger,
	array: Array.isArray,
	object: isObject,
	'object or array': (value) => isObject(value) || Array.isArray(value),
	null: (value) => value === null,
	'epoch-ms': (value) => Number.isInteger(value) && isAroundNow(Number(value)),
	'ISO 8601': (value) =>
		/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(String(value)) && isAroundNow(Date.parse(String(value))),
	link: (value) => URL.canParse(String(value)) && String(value).startsWith('http'),
	ID: (value) => typeof value === 'string' && value !== '',
};

/**
 * Patterns for the beginning of a description, each with a type that is more specific than the one in the
 * type column.
 */
const beginnings: Array<[RegExp, type: string]> = [
	[/^epoch-ms(?!\. Negative)/, 'epoch-ms'],
	[/^ISO 8601/, 'ISO 8601'],
	[/^(The link|Links to|Where the notifications go)/, 'link'],
	[/^(The IDs? |IDs of |The event type)/, 'ID'],
];

/**
 * The one resource whose values may differ from those that the page lists as seen, because some of the
 * sandbox's templates are deliberately inactive.
 */
const notOnlySeen = 'Template, version 2';

/** Whether the page lists this value as seen. `<PROVIDER>` matches any name. */
function isSeen(value: unknown, seen: string): boolean {
	return seen
		.split(', ')
		.some((one) => new RegExp(`^${one.replace('<PROVIDER>', '\\w+')}$`).test(String(value)));
}

function problemsOf(
	value: unknown,
	{ heading, columns, cells: [name, type = '', meaning = ''] }: PageRow,
): string[] {
	// `customerId` is null until the person has finished (docs/dev/service.md#seen-identity).
	if (name === 'customerId' && value === null) return [];
	// The table of scores has no column for the type.
	const hasType = columns.includes('Type');
	const types = [hasType ? type : 'object'];
	const says = hasType ? meaning : type;
	if (hasType && !(type in testsByType)) {
		return [
			`has the type "${type}" on the page: write one of ${Object.keys(testsByType).join(', ')}`,
		];
	}
	types.push(...beginnings.filter(([begins]) => begins.test(says)).map(([, more]) => more));
	const [, seen] = /^Seen: ([^. ]+(?:, [^. ]+)*)\.$/.exec(says) ?? [];
	const isUnseen = seen && heading !== notOnlySeen && !isSeen(value, seen);
	// If the row links to another table, that table describes the parts.
	const isElsewhere = says.includes('](#') || says.includes('not documented');
	const parts = isElsewhere ? [] : [value].flat().flatMap(partsWithin);
	return [
		...types
			.filter((one) => !testsByType[one]?.(value))
			.map((one) => `is not of the type "${one}"`),
		...(isUnseen ? [`is ${String(value)}, which was not seen`] : []),
		...parts.flatMap(([part, within]) => problemsOfPart(part, within, says)),
	];
}

/** All names and values within an object, at any depth. */
function partsWithin(value: unknown): Array<[name: string, value: unknown]> {
	if (!isObject(value)) return [];
	return Object.entries(value).flatMap(([name, part]) => [
		[name, part] as [string, unknown],
		...partsWithin(part),
	]);
}

/**
 * The ways in which a part differs from its row, which contains text such as "`left`, `top` (numbers); `url`
 * (string or null)".
 */
function problemsOfPart(name: string, value: unknown, says: string): string[] {
	if (!new RegExp(`\\b${name}\\b`).test(says)) return [`has ${name}, which the row does not name`];
	const names = `\\b${name}(?:(?:,| and) \\w+)*`;
	const [, type = '', orNull] =
		new RegExp(`${names} \\((epoch-ms|[a-z]+?)s?\\b( or null)?`).exec(says) ?? [];
	if (!(type in testsByType) || testsByType[type]?.(value) || (orNull && value === null)) return [];
	return [`has ${name}, which is not of the type "${type}"`];
}

/** The value at `name`, or at `name.part`. */
const valueAt = (resource: Json, name: string) =>
	name.split('.').reduce<unknown>((value, step) => (value as Json | undefined)?.[step], resource);

const namesOf = (row: PageRow) => row.cells[0]?.split(', ') ?? [];

/** The rows of the resource tables. Each row checks its field wherever the client has seen it. */
export const resourceRows: Row[] = pageRows().flatMap((row) => {
	const seenIn = resources[`${row.heading}, ${row.columns[0]}`];
	if (!seenIn) return [];
	const isOptional = /\bPresent in\b|\bhave (it|them|no `)/.test(row.line);
	const check = (live: Live) => {
		const resources = seenIn(live);
		expect(resources.length).toBeGreaterThan(0);
		const wrong = resources.flatMap((resource) =>
			namesOf(row)
				.map((name) => ({ name, value: valueAt(resource, name) }))
				.filter(({ value }) => !(isOptional && value === undefined))
				.flatMap(({ name, value }) => problemsOf(value, row).map((what) => `${name} ${what}`)),
		);
		expect([...new Set(wrong)]).toEqual([]);
	};
	return [{ table: row.heading, row: row.cells[0] ?? '', check }];
});

/** The resource fields that the client has seen but the page does not list. */
export function unlistedFields(live: Live): string[] {
	return Object.entries(resources).flatMap(([table, seenIn]) => {
		const rows = pageRows().filter(({ heading, columns }) => `${heading}, ${columns[0]}` === table);
		const listed = rows.flatMap(namesOf).map((name) => name.split('.')[0]);
		return seenIn(live)
			.flatMap((resource) => Object.keys(resource))
			.filter((name) => !listed.includes(name))
			.map((name) => `${table}: ${name}`);
	});
}

/** The rows of the table "States". Each row checks that the client has seen exactly the listed values. */
export const stateRows: Row[] = pageRows()
	.filter(({ heading }) => heading === 'States')
	.map(({ cells: [resource = '', field = '', seen = ''] }) => ({
		table: 'States',
		row: `${resource} | ${field}`,
		check: (live) => {
			const [first = '', second] = field.split('[].');
			const values = (resources[`${resource}, Field`]?.(live) ?? [])
				.flatMap((one) => one[first])
				.map((value) => String(second ? (value as Json)[second] : value))
				.filter((value) => resource !== notOnlySeen || isSeen(value, seen));
			expect(new Set(values).size).toBe(seen.split(', ').length);
			expect(values.filter((value) => !isSeen(value, seen))).toEqual([]);
		},
	}));
