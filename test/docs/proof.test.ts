import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { shortRetryTimeMs } from '../../nodes/SignVerify/http/client';
import {
	firstPauseMs,
	maxPauseMs,
	maxRetryAfterMs,
	refusalsToDouble,
} from '../../nodes/SignVerify/http/rateLimit';
import { firstRetryPauseMs, maxTries } from '../../nodes/SignVerify/http/retry';
import { maxRetryTimeMs } from '../../nodes/SignVerify/operations/run';
import { callRetryTimeMs } from '../../nodes/SignVerify/trigger/lifecycle';
import { compositionPart } from '../e2e/composition/rows';
import { DocumentedPart, tableOf } from '../support/documentedPart';
import { kindsOfAnswers, outcomes } from '../support/verdicts';
import { plantedFaults } from '../simulation/planted/faults';
import { promiseNames } from '../simulation/promises/broken';
import { expectToSay, readPage } from './markdown';
import { judge } from '../../bench/floors';
import { partOfPage, type Results } from '../../bench/report';
import { root } from '../../scripts/tools';

const seconds = (ms: number) => String(ms / 1000);
const mostTries = Math.max(...Object.values(maxTries).map(({ didNothing }) => didNothing));
/** The pauses in seconds between the tries, for the kind of call that is tried most often. */
const pauses = Array.from({ length: mostTries - 1 }, (_, at) =>
	seconds(firstRetryPauseMs * 2 ** at),
);
const words = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'];

test.each([
	[
		'the pauses between tries',
		`about ${pauses.slice(0, -1).join(', ')}, and ${pauses.at(-1)} seconds`,
	],
	['the time limit for an execution', `at most ${maxRetryTimeMs / 60_000} minutes`],
	['the time limit for loading a list', `after ${seconds(shortRetryTimeMs)} seconds`],
	['the time limit for publishing', `after ${seconds(callRetryTimeMs)} seconds`],
	['the longest Retry-After', `After at most ${{ 3_600_000: 'an hour' }[maxRetryAfterMs]}`],
	['the first pause', `about ${{ 250: 'a quarter of a second' }[firstPauseMs]}`],
	[
		'the number of rejections before pauses grow',
		`From the ${words[refusalsToDouble]} rejection in a row`,
	],
	['the longest pause', `up to ${seconds(maxPauseMs)} seconds`],
])('docs/dev/proof.md agrees with the code on %s', (_what, words) => {
	expectToSay('docs/dev/proof.md', words);
});

test('docs/dev/proof.md shows the table of compositions', async () => {
	const part = new DocumentedPart('docs/dev/proof.md', 'composition');
	await part.expectToBe(compositionPart(), 'matrix');
});

test('docs/dev/proof.md shows the table of guarantees that the simulation checks', async () => {
	const rows = Object.entries(promiseNames).map(([name, sentence]) => [name, sentence]);
	const part = new DocumentedPart('docs/dev/proof.md', 'promises');
	await part.expectToBe(tableOf(['Guarantee', 'What it means'], rows), 'matrix');
});

test('docs/dev/proof.md shows the table that explains each kind of response', async () => {
	const rows = kindsOfAnswers.map(({ says, expected }) => [
		says,
		...expected.map((outcome) => outcomes[outcome]),
	]);
	const table = tableOf(['Body of the response', 'Creating', 'Reading', 'Deleting'], rows);
	const part = new DocumentedPart('docs/dev/proof.md', 'answers');
	await part.expectToBe(table, 'matrix');
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

test('the latest results meet every threshold', () => {
	const ratios = judge(results.ratios);
	expect(ratios.length).toBeGreaterThan(4);
	expect(ratios.filter(({ holds }) => !holds)).toEqual([]);
});

test('docs/dev/benchmarks.md shows the tables from the latest results', () => {
	const page = rowsOf(readPage('docs/dev/benchmarks.md').prose);
	const missing = rowsOf(partOfPage(results)).filter((row) => !page.includes(row));
	expect(missing).toEqual([]);
});

test('README.md shows the figures from the latest results', () => {
	const { rows = [] } = results.tables.find(({ id }) => id === 'rateLimit') ?? {};
	const [own, bare, inBatches] = rows.map(({ created, twice, lost }) => ({
		once: Number(created) - Number(twice),
		several: Number(twice),
		all: Number(created) + Number(lost),
	}));
	expect(own?.several).toBe(0);
	const { prose } = readPage('README.md');
	const claim = prose.split('\n').find((line) => line.includes('(docs/dev/benchmarks.md)'));
	const numbers = [...(claim ?? '').matchAll(/\b\d+\b/g)].map(([number]) => Number(number));
	// These are the number of people, the calls per second that the service accepts, and the documents that
	// each side created once.
	expect(numbers).toEqual([own?.all, 50, own?.once, bare?.once, inBatches?.once]);
});
