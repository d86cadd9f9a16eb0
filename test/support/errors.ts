import { docsLink } from '../../nodes/SignVerify/http/docs';
import type { DocsAnchor } from '../../nodes/SignVerify/http/docsAnchors';

/** Adds the link to docs/errors.md that ends every description in data, in emails and on pages. */
export function linked(description: string, anchor: DocsAnchor): string {
	return `${description} ${docsLink(anchor)}`;
}

/** Returns all strings in a value, in their order. */
export function textsIn(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	return Object.values((value ?? {}) as Record<string, unknown>).flatMap(textsIn);
}

/**
 * Returns everything that a value contains as text, including the nested causes of an error, so that a test can
 * search it for secrets.
 * @param leftOut The names of the properties to leave out.
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
