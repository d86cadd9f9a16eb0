import { readdirSync } from 'node:fs';
import path from 'node:path';

import { root } from '../../scripts/tools';
import { textOfFile } from '../support/files';

export interface Block {
	language: string;
	text: string;
}

export interface Page {
	/** The path from the root of the repository, such as `docs/trigger.md`. */
	file: string;
	/** The text without the fenced blocks. */
	prose: string;
	blocks: Block[];
}

/** Reads README.md, the pages in docs, and the other pages of the repository. */
export function readPages(): Page[] {
	const files = ['.', 'docs', 'docs/dev', '.github', 'examples', 'examples/builders'].flatMap(
		(folder) => readdirSync(path.join(root, folder)).map((name) => path.join(folder, name)),
	);
	return files.filter((file) => file.endsWith('.md')).map(readPage);
}

/** @param file The path from the root of the repository. */
export function readPage(file: string): Page {
	const blocks: Block[] = [];
	const prose = textOfFile(file).replace(
		/^( *)```(\w*)\n([\s\S]*?)^ *```$/gm,
		(_whole, indent: string, language: string, text: string) => {
			// A block within a list item has the same indentation as the item's text.
			blocks.push({ language, text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), '') });
			return '';
		},
	);
	return { file, prose, blocks };
}

/**
 * Expects a page to contain each of these strings. Line breaks in the page do not matter.
 * @throws Error that lists only the missing strings, because Jest's own error would contain the entire page.
 */
export function expectToSay(file: string, ...texts: string[]): void {
	const prose = readPage(file).prose.replace(/\s+/g, ' ');
	const missing = texts.filter((text) => !prose.includes(text));
	if (missing.length > 0) throw new Error([`${file} has to say:`, ...missing].join('\n'));
}

/** The blocks in these languages, each with the path of its page. */
export function blocksOf(pages: Page[], ...languages: string[]): Array<Block & { file: string }> {
	return pages.flatMap(({ file, blocks }) =>
		blocks
			.filter((block) => languages.includes(block.language))
			.map((block) => ({ file, ...block })),
	);
}

/** The targets of all links, images (including those in `srcset`), and reference links on a page, as written. */
export function targetsOf({ prose }: Page): string[] {
	const patterns = [
		/\]\(([^)\s]+)\)/g,
		/<(?:img|source)[^>]* src(?:set)?="([^"]+)"/g,
		/^\[[^\]]+\]:\s*(\S+)/gm,
	];
	const text = prose.replace(/`[^`\n]*`/g, '');
	return patterns.flatMap((pattern) =>
		[...text.matchAll(pattern)].map(([, target = '']) => target),
	);
}

/** The anchors that a page sets itself with `<a id="…">`. */
export function idsOf({ prose }: Page): string[] {
	return [...prose.matchAll(/<a id="([^"]+)"><\/a>/g)].map(([, id = '']) => id);
}

/** A page's headings, without the anchors in them. */
function headingsOf({ prose }: Page): string[] {
	return [...prose.matchAll(/^#+ (?:<a id="[^"]+"><\/a>)*(.+)$/gm)].map(([, title = '']) => title);
}

/** All anchors on a page: those that the page sets, and those that GitHub and npm create from headings. */
export function anchorsOf(page: Page): string[] {
	const ofHeadings = headingsOf(page).map((title) =>
		title
			.trim()
			.toLowerCase()
			.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
			.replace(/[^\p{L}\p{N}\s_-]/gu, '')
			.replace(/\s/g, '-'),
	);
	return [...idsOf(page), ...ofHeadings];
}

/** The code in the running text, between single backticks. */
export function spansOf({ prose }: Page): string[] {
	return [...prose.matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text);
}
