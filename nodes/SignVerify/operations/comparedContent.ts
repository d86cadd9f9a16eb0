import { comparedText } from '../util/text';

/** Returns a body in which each text is the same if a person sees no difference. */
export function comparedBody<Body extends object>(body: Body): Body {
	return JSON.parse(JSON.stringify(body), (_key, value: unknown) =>
		typeof value === 'string' ? comparedText(value) : value,
	) as Body;
}

/**
 * Returns the values that `Prepared` compares. They follow from the body, so that two items which would send
 * different things are never taken for the same, whatever a body may contain one day.
 * @param body The body for the real people, with addresses as `comparedEmail` returns them.
 * @param names The names that the body's keys have in the form. Any other key keeps its own name.
 */
export function comparedContentOf(
	body: object,
	names: Record<string, string>,
): Record<string, string> {
	return Object.fromEntries(
		Object.entries(body).map(([key, value]: [string, unknown]) => [
			names[key] ?? key,
			typeof value === 'string' ? value : JSON.stringify(value),
		]),
	);
}
