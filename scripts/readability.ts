import { readFileSync } from 'node:fs';
import path from 'node:path';

import { measureProse, type Prose } from '../test/docs/prose';
import { readPages } from '../test/docs/markdown';
import { root } from './tools';

/**
 * What a page may have at most: the figures of the best pages that were measured
 * (CONTRIBUTING.md#words).
 */
const limits = { hard: 0.1, long: 0.06, words: 15 };

/** Rounded up: in a short page one sentence of each kind is not yet a habit. */
function isWithin(prose: Prose): boolean {
	const allowed = (share: number) => Math.ceil(share * prose.sentences);
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

/** Measures all pages, or the named files and shows the sentences to change. */
async function main(files: string[]): Promise<void> {
	const pages = files.length ? files : readPages().map(({ file }) => file);
	const tooHard: string[] = [];
	console.log(`${'page'.padEnd(32)}     hard     long   words`);
	for (const file of pages) {
		const prose = await measureProse(readFileSync(path.resolve(root, file), 'utf8'));
		console.log(row(file, prose));
		if (!isWithin(prose)) tooHard.push(file);
		if (files.length === 0) continue;
		for (const sentence of prose.hard) console.log(`  hard: ${sentence}`);
		for (const sentence of prose.long) console.log(`  long: ${sentence}`);
	}
	for (const file of tooHard) {
		console.error(`${file} is above a limit: npm run readability -- ${file}`);
	}
	process.exitCode = tooHard.length ? 1 : 0;
}

void main(process.argv.slice(2));
