import type { Live } from './live';
import { object, partOf, type Shape } from './shapes';

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
