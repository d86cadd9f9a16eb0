import path from 'node:path';

import { manifest, textOfFile } from '../support/files';

/** The page that lists all pages. llms.txt uses the same order. */
const index = 'docs/README.md';

/** The file for AI tools that lists the pages, as the llms.txt convention describes. */
export const listFile = 'llms.txt';

interface Entry {
	title: string;
	/** The path from the repository's root. */
	file: string;
	/** What the title doesn't name, after a colon. Empty if the title is enough. */
	about: string;
}

/** The text of llms.txt: a title, a summary, and a line for each page. */
export function llmsList(): string {
	const sections = sectionsOfIndex().map(({ heading, entries }) =>
		[`## ${heading}`, '', ...entries.map(lineOf)].join('\n'),
	);
	return [
		`# ${manifest.name}`,
		`> ${firstParagraph(textOfFile('README.md'))}`,
		'To start, read [README.md](README.md).',
		...sections,
	]
		.join('\n\n')
		.concat('\n');
}

function lineOf({ title, file, about }: Entry): string {
	return `- [${title}](${file})${about}`;
}

function sectionsOfIndex(): Array<{ heading: string; entries: Entry[] }> {
	const [, ...sections] = textOfFile(index).split(/^## /m);
	const listed = sections.map((section) => ({
		heading: section.split('\n')[0] ?? '',
		entries: section.split('\n').flatMap(entriesOf),
	}));
	return listed.filter(({ entries }) => entries.length > 0);
}

/**
 * The page that a line of the index describes, if any. A line that links to a heading does not describe a
 * page.
 */
function entriesOf(line: string): Entry[] {
	const [, title = '', target, about = ''] =
		/^- \[([^\]]+)\]\(([^)#]+\.md)\)(|: .+)$/.exec(line) ?? [];
	if (target === undefined) return [];
	return [{ title, file: path.posix.join(path.posix.dirname(index), target), about }];
}

/** A page's first paragraph that is not a picture, a table or a list. */
function firstParagraph(page: string): string {
	const found = page.split(/\n{2,}/).find((part) => /^[\p{L}*"`[]/u.test(part)) ?? '';
	return withoutMarkup(found);
}

/** Text on one line, without links and bold type. */
function withoutMarkup(text: string): string {
	return text
		.replace(/\[([^\]]+)\]\([^)]+\)/g, '$1')
		.replaceAll('**', '')
		.replace(/\s+/g, ' ')
		.trim();
}
