import { type DocsAnchor, docsLink } from '../../nodes/SignVerify/errors/docs';
import { objectOf } from '../../nodes/SignVerify/util/values';

/**
 * Adds the link to docs/troubleshooting.md, as the nodes do in data, in emails and on pages.
 * @param anchor The row that the error links to. If undefined, the error doesn't have a link.
 */
export function withDocsLink(description: string, anchor?: DocsAnchor): string {
	return anchor ? `${description} ${docsLink(anchor)}` : description;
}

/** Returns all strings in a value, in order. */
export function textsIn(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	return Object.values((value ?? {}) as Record<string, unknown>).flatMap(textsIn);
}

/**
 * Returns all text in a value, including an error's nested causes, so that a test can search the text for
 * secrets.
 * @param leftOut The names of the properties to leave out.
 */
export function allTextOf(error: unknown, leftOut: string[] = []): string {
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

/**
 * Returns the lines of errors and hints in which n8n's editor would render markup. The node's own markup
 * (line breaks and the link to docs/troubleshooting.md) is ignored.
 */
export function markupIn(...shown: unknown[]): string[] {
	const lines = shown.flatMap((one) => {
		const { message, description, context } = objectOf(one);
		return textsIn([message, description, objectOf(context).descriptionTemplate]);
	});
	return lines
		.join('\n')
		.replaceAll('<br>', '\n')
		.replaceAll(
			/<a href="https:\/\/github\.com\/[\w/.#-]+" target="_blank">More about this error<\/a>/g,
			'',
		)
		.split('\n')
		.filter((line) => /<[a-z/!?]/i.test(line));
}
