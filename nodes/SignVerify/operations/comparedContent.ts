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
 * Returns the values that `Prepared` compares. They follow from the body, so that two items which would send
 * different things are never taken for the same, whatever a body may contain one day.
 * @param body The body for the real people, with addresses as `comparedEmail` returns them.
 * @param fields The values of the template's fields, if there are any. They aren't part of `body`.
 */
export function comparedContentOf(
	body: object,
	fields: Record<string, string> = {},
): ComparedContent {
	const others = Object.entries(body).map(([key, value]: [string, unknown]) => [
		key,
		typeof value === 'string' ? value : JSON.stringify(value),
	]);
	return { fields, others: Object.fromEntries(others) as Record<string, string> };
}
