import { comparedText } from '../util/text';

/** Everything that is compared, as texts. A field's key can be the same as one of the body. */
export interface ComparedContent {
	/** The template's fields, by key. */
	fields: Record<string, string>;
	/** Everything else in the body, by its key there. */
	others: Record<string, string>;
}

/** Where a value is in {@link ComparedContent}. */
export interface ContentKey {
	space: keyof ComparedContent;
	key: string;
}

/**
 * Returns the values that `Prepared` compares, in which each text is the same if a person sees no difference. They follow
 * from the body, so that two items which would send different things are never taken for the same, whatever a body may
 * contain one day.
 * @param body The body for the real people, with addresses as `comparedEmail` returns them.
 * @param fields The values of the template's fields, if there are any. They aren't part of `body`.
 */
export function comparedContentOf(
	body: object,
	fields: Record<string, string> = {},
): ComparedContent {
	const asSeen = (_key: string, value: unknown) =>
		typeof value === 'string' ? comparedText(value) : value;
	const textsIn = (values: object) =>
		Object.fromEntries(
			Object.entries(values).map(([key, value]: [string, unknown]) => [
				key,
				typeof value === 'string' ? comparedText(value) : JSON.stringify(value, asSeen),
			]),
		);
	return { fields: textsIn(fields), others: textsIn(body) };
}
