import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { compositionPart } from '../e2e/composition/rows';
import { DocumentedPart, tableOf } from '../support/documentedPart';
import { plantedFaults } from '../simulation/planted/faults';
import { promiseNames } from '../simulation/promises/broken';
import { readPage } from './markdown';
import { judge } from '../../bench/floors';
import { partOfPage, type Results } from '../../bench/report';
import { root } from '../../scripts/tools';

test('docs/dev/proof.md shows the table of compositions', async () => {
	const part = new DocumentedPart('docs/dev/proof.md', 'composition');
	await part.expectToBe(compositionPart(), 'matrix');
});

test('docs/dev/proof.md shows the table of guarantees that the simulation checks', async () => {
	const rows = Object.entries(promiseNames).map(([name, sentence]) => [name, sentence]);
	const part = new DocumentedPart('docs/dev/proof.md', 'promises');
	await part.expectToBe(tableOf(['Guarantee', 'What it means'], rows), 'matrix');
});

test('each guarantee has a planted bug that breaks it', () => {
	const planted = new Set(plantedFaults.map(({ promise }) => promise));
	expect([...planted].sort()).toEqual(Object.keys(promiseNames).sort());
});

const folder = path.join(root, 'bench/results');
const newest = readdirSync(folder).sort().at(-1) ?? '';
const results = JSON.parse(readFileSync(path.join(folder, newest), 'utf8')) as Results;

/** The rows of all tables, without the spaces that align the cells. */
function rowsOf(text: string): string[] {
	return text
		.split('\n')
		.filter((line) => /^\|(?! ?-+:? )/.test(line))
		.map((line) => line.replaceAll(/\s+/g, ' '));
}

test('the latest benchmark results meet every threshold', () => {
	const ratios = judge(results.ratios);
	expect(ratios.length).toBeGreaterThan(4);
	expect(ratios.filter(({ holds }) => !holds)).toEqual([]);
});

test('docs/dev/benchmarks.md shows the tables from the latest benchmark results', () => {
	const page = rowsOf(readPage('docs/dev/benchmarks.md').prose);
	const missing = rowsOf(partOfPage(results)).filter((row) => !page.includes(row));
	expect(missing).toEqual([]);
});
