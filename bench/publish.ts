import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import prettier from 'prettier';

import { root } from '../scripts/tools';
import { drawCharts } from './chart';
import { summaryOf, type Results } from './report';

const page = path.join(root, 'docs/dev/benchmarks.md');
/** What the charts show, for those who cannot see them. */
const captions: Record<string, string> = {
	'bench-create.svg': 'Creating documents: how much faster than one after another',
	'bench-rate-limit.svg': 'A service with a rate limit: who got a document',
};
const marks = ['<!-- bench: begin -->', '<!-- bench: end -->'] as const;

/**
 * Writes what a complete run found where it is read: `bench/results/<date>.json`, the charts, and
 * the table of `docs/dev/benchmarks.md`.
 * @returns the files, relative to the project
 */
export async function publish(results: Results): Promise<string[]> {
	const written: string[] = [];
	const write = async (file: string, content: string): Promise<void> => {
		await mkdir(path.dirname(path.join(root, file)), { recursive: true });
		await writeFile(path.join(root, file), content);
		written.push(file);
	};
	const day = results.date.slice(0, 10);
	await write(`bench/results/${day}.json`, `${JSON.stringify(results, null, '\t')}\n`);
	const pictures: string[] = [];
	for (const [name, svg] of Object.entries(drawCharts(results.tables))) {
		await write(`docs/images/${name}`, `${svg}\n`);
		pictures.push(`![${captions[name] ?? name}](../images/${name})`);
	}
	const section = [...pictures, summaryOf(results)].join('\n\n');
	await write('docs/dev/benchmarks.md', await withTables(section));
	return written;
}

/** The page with other charts and another table between its marks. */
async function withTables(section: string): Promise<string> {
	const text = await readFile(page, 'utf8');
	const [begin, end] = marks.map((mark) => text.indexOf(mark)) as [number, number];
	if (begin < 0 || end < begin) throw new Error(`${page} lacks its marks ${marks.join(' and ')}.`);
	const whole = `${text.slice(0, begin + marks[0].length)}\n\n${section}\n\n${text.slice(end)}`;
	const config = await prettier.resolveConfig(page);
	return await prettier.format(whole, { ...config, filepath: page });
}
