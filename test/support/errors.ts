import { type DocsAnchor, docsLink } from '../../nodes/SignVerify/http/docs';

/** A description as it is in data, mails and pages: it ends with where to read more. */
export function linked(description: string, anchor: DocsAnchor): string {
	return `${description} ${docsLink(anchor)}`;
}

/** All texts in a value, in their order. */
export function textsIn(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	return Object.values((value ?? {}) as Record<string, unknown>).flatMap(textsIn);
}

/**
 * Everything that a value holds, nested causes of an error included, as text; for looking for secrets.
 * @param leftOut Names of properties that are passed over.
 */
export function allOf(error: unknown, leftOut: string[] = []): string {
	const seen = new Set<unknown>();
	const lines: string[] = [];
	const visit = (value: unknown): void => {
		if (typeof value === 'string') lines.push(value);
		if (typeof value !== 'object' || value === null || seen.has(value)) return;
		seen.add(value);
		for (const name of Object.getOwnPropertyNames(value)) {
			if (!leftOut.includes(name)) visit((value as Record<string, unknown>)[name]);
		}
	};
	visit(error);
	return lines.join('\n');
}
