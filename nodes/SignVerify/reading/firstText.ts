import { textOf } from '../transport/text';

/** The first of the values that says something, as text; fields of a document may be empty. */
export function firstText(...values: unknown[]): string | undefined {
	return values.map(textOf).find((text) => text !== '');
}
