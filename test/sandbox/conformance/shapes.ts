import type { Live } from './live';

/** What a value has to be: gives the problems, each with the place where it is. */
export type Shape = (value: unknown, at: string) => string[];

function shape(what: string, fits: (value: unknown) => boolean): Shape {
	return (value, at) => (fits(value) ? [] : [`${at} is ${JSON.stringify(value)}, not ${what}`]);
}

/** Half a year back to a year ahead: seconds in place of milliseconds are found out by this. */
const aroundNow = (time: number) => Math.abs(time - Date.now()) < 366 * 24 * 60 * 60 * 1000;

export const text = shape('a string', (value) => typeof value === 'string');
export const filled = shape('a string that is not empty', (value) =>
	Boolean(value && text(value, '').length === 0),
);
export const bool = shape('a boolean', (value) => typeof value === 'boolean');
export const integer = shape('an integer', Number.isInteger);
export const number = shape('a number', (value) => Number.isFinite(value));
export const nothing = shape('null', (value) => value === null);
export const epochMs = shape(
	'a time in epoch-ms',
	(value) => Number.isInteger(value) && aroundNow(Number(value)),
);
export const isoTime = shape(
	'an ISO 8601 time',
	(value) =>
		typeof value === 'string' &&
		/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(value) &&
		aroundNow(Date.parse(value)),
);
export const webAddress = shape(
	'a web address',
	(value) => typeof value === 'string' && URL.canParse(value) && value.startsWith('http'),
);
export const anything: Shape = () => [];

/** Exactly one of these values. */
export const oneOf = (...values: unknown[]): Shape =>
	shape(`one of ${JSON.stringify(values)}`, (value) => values.includes(value));

/** Fits one of the shapes. */
export const either =
	(...shapes: Shape[]): Shape =>
	(value, at) => {
		const problems = shapes.map((one) => one(value, at));
		return problems.some((one) => one.length === 0) ? [] : problems.flat();
	};

/** May be left out. */
export const optional =
	(one: Shape): Shape =>
	(value, at) =>
		value === undefined ? [] : one(value, at);

/** Must not be there. */
export const absent = shape('absent', (value) => value === undefined);

/** An array of this. */
export const list =
	(of: Shape = anything): Shape =>
	(value, at) =>
		Array.isArray(value)
			? value.flatMap((one, index) => of(one, `${at}[${index}]`))
			: [`${at} is no array`];

/** An object of exactly these fields. */
export const object =
	(fields: Record<string, Shape>): Shape =>
	(value, at) => {
		if (typeof value !== 'object' || value === null || Array.isArray(value))
			return [`${at} is no object`];
		const extra = Object.keys(value).filter((name) => !Object.hasOwn(fields, name));
		return [
			...extra.map((name) => `${at}.${name} is not in docs/dev/service.md`),
			...partOf(fields)(value, at),
		];
	};

/** An object that has at least these fields. */
export const partOf =
	(fields: Record<string, Shape>): Shape =>
	(value, at) =>
		Object.entries(fields).flatMap(([name, one]) =>
			one((value as Record<string, unknown> | null)?.[name], `${at}.${name}`),
		);

/** The same shape for each of the names, which are separated by commas as on the page. */
export function each(names: string, one: Shape): Record<string, Shape> {
	return Object.fromEntries(names.split(', ').map((name) => [name, one]));
}

/** One table row of docs/dev/service.md, and how the sandbox is held to it. */
export interface Row {
	/** The heading above the table. */
	table: string;
	/** The row's first cell; where several rows begin alike, the second one as well. */
	row: string;
	/** Throws if the sandbox does not keep to the row. */
	check(live: Live): void | Promise<void>;
}

/** Fields of a resource, row by row: the first cell and the shapes of the fields that it names. */
export type FieldRows = Array<[row: string, fields: Record<string, Shape>]>;

/**
 * Rows that list fields: each is checked on each of the resources.
 * @param of All resources of the kind that the client has seen.
 */
export function fieldRows(table: string, of: (live: Live) => unknown[], rows: FieldRows): Row[] {
	return rows.map(([row, fields]) => ({
		table,
		row,
		check: (live) => {
			const resources = of(live);
			expect(resources.length).toBeGreaterThan(0);
			expect(problems(partOf(fields), resources)).toEqual([]);
		},
	}));
}

/** All fields of the rows as one exact shape: what is beyond them is a problem. */
export function exactShape(rows: FieldRows): Shape {
	return object(Object.assign({}, ...rows.map(([, fields]) => fields)) as Record<string, Shape>);
}

/** What is wrong with values of a shape. */
export function problems(shape: Shape, values: unknown[]): string[] {
	return values.flatMap((value, index) => shape(value, `#${index}`));
}
