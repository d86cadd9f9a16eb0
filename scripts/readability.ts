import { readFileSync } from 'node:fs';
import path from 'node:path';

import { measureProse, type Prose } from '../test/docs/prose';
import { readPages } from '../test/docs/markdown';
import { root } from './tools';

/**
 * What a page may have at most: the best of the pages that were measured, rounded up
 * (CONTRIBUTING.md#readability).
 */
const limits = { hard: 0.1, long: 0.06, words: 15 };

/**
 * Pages that are above a limit and are still to be rewritten. A page that is below all limits must
 * leave this list.
 */
const unfinished = [
	'CHANGELOG.md',
	'docs/benchmarks.md',
	'docs/errors.md',
	'docs/examples.md',
	'docs/production.md',
	'docs/sandbox.md',
	'docs/send-a-contract.md',
	'docs/trigger.md',
];

/** In a short page one sentence of each kind is not yet a habit. */
function isWithin(prose: Prose): boolean {
	const allowed = (share: number) => Math.max(1, Math.floor(share * prose.sentences));
	return (
		prose.hard.length <= allowed(limits.hard) &&
		prose.long.length <= allowed(limits.long) &&
		prose.words <= limits.words
	);
}

function row(file: string, { sentences, hard, long, words }: Prose): string {
	const percent = (list: string[]) =>
		`${((100 * list.length) / sentences).toFixed(1)} %`.padStart(7);
	return [file.padEnd(32), percent(hard), percent(long), words.toFixed(1).padStart(6)].join('  ');
}

/** Measures all pages, or the named files with the sentences to change. */
async function main(files: string[]): Promise<void> {
	const pages = files.length ? files : readPages().map(({ file }) => file);
	console.log(`${'page'.padEnd(32)}     hard     long   words`);
	for (const file of pages) {
		const prose = await measureProse(readFileSync(path.resolve(root, file), 'utf8'));
		const isUnfinished = unfinished.includes(file);
		const isFine = isWithin(prose);
		console.log(row(file, prose) + (isFine ? '' : '  above a limit'));
		if (isFine === isUnfinished) process.exitCode = 1;
		if (isFine && isUnfinished) console.log('  Remove it from the list in scripts/readability.ts.');
		if (files.length === 0 && (isFine || isUnfinished)) continue;
		for (const sentence of prose.hard) console.log(`  hard: ${sentence}`);
		for (const sentence of prose.long) console.log(`  long: ${sentence}`);
	}
}

void main(process.argv.slice(2));
