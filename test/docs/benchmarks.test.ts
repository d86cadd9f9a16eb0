import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { judge } from '../../bench/floors';
import { partOfPage, type Results } from '../../bench/report';
import { root } from '../../scripts/tools';
import { readPage } from './markdown';

const folder = path.join(root, 'bench/results');
const newest = readdirSync(folder).sort().at(-1) ?? '';
const results = JSON.parse(readFileSync(path.join(folder, newest), 'utf8')) as Results;

/** The rows of all tables in a text, without the spaces that align them. */
function rowsOf(text: string): string[] {
	return text
		.split('\n')
		.filter((line) => /^\|(?! ?-+:? )/.test(line))
		.map((line) => line.replaceAll(/\s+/g, ' '));
}

test('the newest results are complete, and every floor holds in them', () => {
	expect(results.failures).toEqual([]);
	const ratios = judge(results.ratios);
	expect(ratios.length).toBeGreaterThan(4);
	expect(ratios.filter(({ holds }) => !holds)).toEqual([]);
	const measured = results.tables.map(({ id }) => id);
	expect(measured).toEqual(
		expect.arrayContaining(['create', 'scale', 'rateLimit', 'tokens', 'trigger']),
	);
});

test('the tables of the page are those of the newest results', () => {
	const page = rowsOf(readPage('docs/dev/benchmarks.md').prose);
	const missing = rowsOf(partOfPage(results)).filter((row) => !page.includes(row));
	expect(missing).toEqual([]);
});

test('the figures in the README are those of the newest results', () => {
	const { prose } = readPage('README.md');
	const { rows = [] } = results.tables.find(({ id }) => id === 'rateLimit') ?? {};
	const [own, bare] = rows.map(({ created, twice, lost }) => ({
		once: Number(created) - Number(twice),
		several: Number(twice),
		all: Number(created) + Number(lost),
	}));
	expect(own?.several).toBe(0);
	expect(prose).toContain(`all ${own?.once} of ${own?.all} people get their document`);
	expect(prose).toContain(`With n8n's HTTP Request node, ${bare?.once} did`);
});
