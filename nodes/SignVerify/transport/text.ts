/**
 * A value as text: a string as it is, a number or truth value as written, '' for everything else
 * (nothing, lists and objects).
 */
export function textOf(value: unknown): string {
	if (typeof value === 'string') return value;
	return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}
