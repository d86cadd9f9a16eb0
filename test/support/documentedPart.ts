import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { root } from '../../scripts/tools';

/** A part of a page that is generated from a test's data. */
export class DocumentedPart {
	private readonly page: string;
	private readonly marks: [string, string];

	/**
	 * @param file The path of the page in the repository.
	 * @param name The name in the two comments that surround the part.
	 */
	constructor(file: string, name: string) {
		this.page = path.join(root, file);
		this.marks = [`<!-- ${name}: begin -->`, `<!-- ${name}: end -->`];
	}

	/**
	 * Expects the page to contain this part. If `UPDATE_DOCS` is set, writes the part first.
	 * @param step The step of `npm run generate` that writes the part.
	 * @throws Error with the lines that differ, and the command that updates the page.
	 */
	async expectToBe(part: string, step: string): Promise<void> {
		const [before, , after] = await this.split();
		if (process.env.UPDATE_DOCS) await writeFile(this.page, `${before}\n\n${part}\n\n${after}`);
		const shown = (await this.split())[1].trim();
		if (shown === part) return;
		const name = path.relative(root, this.page);
		const [has, needs] = [shown, part].map((text) => text.split('\n')) as [string[], string[]];
		const differing = [
			...has.filter((line) => !needs.includes(line)).map((line) => `- ${line}`),
			...needs.filter((line) => !has.includes(line)).map((line) => `+ ${line}`),
		];
		throw new Error(
			`${name} shows something else. To write it: npm run generate -- ${step}\n${differing.join('\n')}`,
		);
	}

	/** Splits the page into the text before the part, the part, and the text after it. */
	private async split(): Promise<[string, string, string]> {
		const text = await readFile(this.page, 'utf8');
		const begin = text.indexOf(this.marks[0]) + this.marks[0].length;
		const end = text.indexOf(this.marks[1]);
		// Without the marks, writing the part would overwrite the page.
		if (!this.marks.every((mark) => text.includes(mark))) {
			throw new Error(`${path.relative(root, this.page)} has no ${this.marks.join(' … ')}`);
		}
		return [text.slice(0, begin), text.slice(begin, end), text.slice(end)];
	}
}

/** Formats a Markdown table so that Prettier leaves it unchanged. */
export function tableOf(head: string[], rows: string[][]): string {
	const cells = rows.map((row) => row.map((text) => text.replaceAll('|', '\\|')));
	const widths = head.map((_, column) =>
		Math.max(...[head, ...cells].map((row) => row[column]?.length ?? 0)),
	);
	const line = (row: string[]) =>
		`| ${row.map((text, column) => text.padEnd(widths[column] ?? 0)).join(' | ')} |`;
	const rule = line(widths.map((width) => '-'.repeat(width)));
	return [line(head), rule, ...cells.map(line)].join('\n');
}

/**
 * Merges rows with the same results into one row. A case that occurs several times appears only once.
 * @param rows The cases, each with its results in one or more cells.
 */
export function mergeByResult(rows: Array<[what: string, ...ends: string[]]>): string[][] {
	const found = new Map<string, { whats: string[]; ends: string[] }>();
	for (const [what, ...ends] of rows) {
		const row = found.get(ends.join()) ?? { whats: [], ends };
		if (!row.whats.includes(what)) row.whats.push(what);
		found.set(ends.join(), row);
	}
	return [...found.values()].map(({ whats, ends }) => [whats.join('; '), ...ends]);
}
