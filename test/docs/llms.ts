import path from 'node:path';

import { manifest, textOfFile } from '../support/files';

/** The page that lists all pages, and gives them their order here. */
const index = 'docs/README.md';

/** The list of pages, as the convention of llms.txt has it. */
export const listFile = 'llms.txt';

interface Entry {
	title: string;
	/** From the repository's folder. */
	file: string;
	about: string;
}

/** llms.txt: title, summary, and a line for each page. */
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
	return `- [${title}](${file}): ${about}`;
}

function sectionsOfIndex(): Array<{ heading: string; entries: Entry[] }> {
	const [, ...sections] = textOfFile(index).split(/^## /m);
	const listed = sections.map((section) => ({
		heading: section.split('\n')[0] ?? '',
		entries: section.split('\n').flatMap(entriesOf),
	}));
	return listed.filter(({ entries }) => entries.length > 0);
}

/** The page that a line of the index is about. A line that links to a heading is not one. */
function entriesOf(line: string): Entry[] {
	const [, title = '', target, about = ''] =
		/^- \[([^\]]+)\]\(([^)#]+\.md)\): (.+)$/.exec(line) ?? [];
	if (target === undefined) return [];
	return [{ title, file: path.posix.join(path.posix.dirname(index), target), about }];
}

/** The first text below the title that is neither picture, table nor list. */
function firstParagraph(page: string): string {
	const found = page.split(/\n{2,}/).find((part) => /^[\p{L}*"`[]/u.test(part)) ?? '';
	return withoutMarkup(found);
}

/** Without links and bold type, on one line. */
function withoutMarkup(text: string): string {
	return text
		.replace(/\[([^\]]+)\]\([^)]+\)/g, '$1')
		.replaceAll('**', '')
		.replace(/\s+/g, ' ')
		.trim();
}
