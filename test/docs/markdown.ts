import { readdirSync } from 'node:fs';
import path from 'node:path';

import { root } from '../../scripts/tools';
import { textOfFile } from '../support/files';

/** A block of code between fences. */
export interface Block {
	language: string;
	text: string;
}

/** A page of the documentation. */
export interface Page {
	/** From the repository's folder: `docs/trigger.md`. */
	file: string;
	/** Without the fenced blocks. */
	prose: string;
	blocks: Block[];
}

/** README, docs and the other pages of the repository. */
export function readPages(): Page[] {
	const files = ['.', 'docs', 'docs/dev', '.github', 'examples', 'examples/hardened'].flatMap(
		(folder) => readdirSync(path.join(root, folder)).map((name) => path.join(folder, name)),
	);
	return files.filter((file) => file.endsWith('.md')).map(readPage);
}

/** @param file From the repository's folder. */
export function readPage(file: string): Page {
	const blocks: Block[] = [];
	const prose = textOfFile(file).replace(
		/^( *)```(\w*)\n([\s\S]*?)^ *```$/gm,
		(_whole, indent: string, language: string, text: string) => {
			// Within a step of a list, a block stands as far to the right as the step's text.
			blocks.push({ language, text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), '') });
			return '';
		},
	);
	return { file, prose, blocks };
}

/**
 * Expects that a page has each of these texts, wherever its lines end.
 * @throws Error with those that it lacks: Jest itself would print the whole page in place of them.
 */
export function expectToSay(file: string, ...texts: string[]): void {
	const prose = readPage(file).prose.replace(/\s+/g, ' ');
	const missing = texts.filter((text) => !prose.includes(text));
	if (missing.length > 0) throw new Error([`${file} has to say:`, ...missing].join('\n'));
}

/** The blocks of some languages, each with its page. */
export function blocksOf(pages: Page[], ...languages: string[]): Array<Block & { file: string }> {
	return pages.flatMap(({ file, blocks }) =>
		blocks
			.filter((block) => languages.includes(block.language))
			.map((block) => ({ file, ...block })),
	);
}

/** Where a page's links, images and reference links lead, as written. */
export function targetsOf({ prose }: Page): string[] {
	const patterns = [/\]\(([^)\s]+)\)/g, /<img[^>]* src="([^"]+)"/g, /^\[[^\]]+\]:\s*(\S+)/gm];
	const text = prose.replace(/`[^`\n]*`/g, '');
	return patterns.flatMap((pattern) =>
		[...text.matchAll(pattern)].map(([, target = '']) => target),
	);
}

/** The places that a page names itself: `<a id="…">`. */
export function idsOf({ prose }: Page): string[] {
	return [...prose.matchAll(/<a id="([^"]+)"><\/a>/g)].map(([, id = '']) => id);
}

/** The words of a page's headings, without the places that they name. */
export function headingsOf({ prose }: Page): string[] {
	return [...prose.matchAll(/^#+ (?:<a id="[^"]+"><\/a>)*(.+)$/gm)].map(([, title = '']) => title);
}

/** The names by which places of a page can be linked to: its own, and those that GitHub and npm make. */
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

/** Code in the running text, between single backticks. */
export function spansOf({ prose }: Page): string[] {
	return [...prose.matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text);
}
