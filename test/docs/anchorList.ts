import { idsOf, readPage } from './markdown';

/** The generated file with the anchors that errors can link to. */
export const anchorsFile = 'nodes/SignVerify/http/docsAnchors.ts';

/** The text of the generated file: all anchors in docs/troubleshooting.md, in page order. */
export function anchorList(): string {
	const lines = idsOf(readPage('docs/troubleshooting.md')).map((id) => `\n\t| '${id}'`);
	return `// Written by \`npm run generate -- anchors\` from docs/troubleshooting.md.

/**
 * The anchor of a section in docs/troubleshooting.md that errors can link to. The page has an \`<a id="…">\` in the
 * heading of each section, so the links still work after a message or a heading is reworded.
 */
export type DocsAnchor =${lines.join('')};
`;
}
