import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { judge, thresholds } from '../../bench/thresholds';
import { partOfPage, type Results } from '../../bench/report';
import { root } from '../../scripts/tools';
import { readPage } from './markdown';

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
	const verdicts = judge(results);
	expect(verdicts.length).toBeGreaterThan(4);
	expect(verdicts.filter(({ holds }) => !holds)).toEqual([]);
});

test('an absolute value is judged only if the machine was not busy', () => {
	const slow = { ratios: { largestList: 99, create10: 99 } };
	const verdicts = (isBusy: boolean) =>
		judge({ ...slow, isBusy }).map(({ threshold, holds }) => [threshold, holds]);
	const { atMost: ratio } = thresholds.create10;
	const { atMost: seconds } = thresholds.largestList;
	expect(verdicts(false)).toEqual([
		[`≤ ${seconds}`, false],
		[`≤ ${ratio}`, false],
	]);
	expect(verdicts(true)).toEqual([
		[`≤ ${seconds} (not judged)`, true],
		[`≤ ${ratio}`, false],
	]);
});

test('docs/dev/benchmarks.md shows the tables from the latest benchmark results', () => {
	const page = rowsOf(readPage('docs/dev/benchmarks.md').prose);
	const missing = rowsOf(partOfPage(results)).filter((row) => !page.includes(row));
	expect(missing).toEqual([]);
});
