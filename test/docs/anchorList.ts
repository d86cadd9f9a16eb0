import { anchorsOf, readPage } from './markdown';

/** The generated file with the anchors that errors can link to. */
export const anchorsFile = 'nodes/SignVerify/generated/docsAnchors.ts';

/** The text of the generated file: all anchors in docs/troubleshooting.md. */
export function anchorList(): string {
	const lines = anchorsOf(readPage('docs/troubleshooting.md')).map((id) => `\n\t| '${id}'`);
	return `// Written by \`npm run generate -- anchors\` from docs/troubleshooting.md.

/**
 * An anchor in docs/troubleshooting.md that errors can link to: the \`<a id="…">\` of a row, or the anchor
 * that GitHub creates from a heading.
 */
export type DocsAnchor =${lines.join('')};
`;
}
