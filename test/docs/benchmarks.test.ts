import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { judge, type FloorName } from '../../bench/floors';
import { toMarkdown, type Results } from '../../bench/report';
import { root } from '../../scripts/tools';
import { readPage } from './markdown';

const folder = path.join(root, 'bench/results');
const newest = readdirSync(folder).sort().at(-1) ?? '';
const results = JSON.parse(readFileSync(path.join(folder, newest), 'utf8')) as Results;
const ratio = (name: FloorName) => results.ratios.find((each) => each.name === name)?.value ?? NaN;

/** The rows of all tables in a text, without the spaces that align them. */
function rowsOf(text: string): string[] {
	return text
		.split('\n')
		.filter((line) => /^\|(?! ?-+:? )/.test(line))
		.map((line) => line.replaceAll(/\s+/g, ' '));
}

test('the newest results are complete, and every floor holds in them', () => {
	expect(results.failures).toEqual([]);
	const ratios = results.ratios.map(({ name, value }) => judge(name, value));
	expect(ratios.filter(({ holds }) => !holds)).toEqual([]);
	expect(results.tables.length).toBeGreaterThan(7);
});

test('the tables of the page are those of the newest results', () => {
	const page = rowsOf(readPage('docs/benchmarks.md').prose);
	const missing = rowsOf(toMarkdown(results)).filter((row) => !page.includes(row));
	expect(missing).toEqual([]);
});

test('the figures in the README are those of the newest results', () => {
	const { prose } = readPage('README.md');
	const rows = rowsOf(prose);
	const counts = results.tables
		.find(({ id }) => id === 'rateLimit')
		?.rows.map(({ created, twice, lost }) => [Number(created) - Number(twice), twice, lost]);
	expect(counts).toHaveLength(4);
	for (const each of counts ?? []) {
		expect(rows.filter((row) => row.endsWith(` | ${each.join(' | ')} |`))).toHaveLength(1);
	}
	expect(prose).toContain(`${ratio('sequential').toFixed(1)} times as fast`);
	expect(prose).toContain(`${ratio('create10').toFixed(2)} times as long as a bare client`);
});
