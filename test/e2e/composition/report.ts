import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { root } from '../../../scripts/tools';
import { invariants, type Violation } from './invariants';

/** What came of a cell, or of a row that stands for itself. */
export interface Result {
	name: string;
	/** How often an invariant was checked. */
	checks: number;
	violations: Violation[];
	seconds: number;
}

/** What was found, one line for each violation. */
export function violationsOf(results: Result[]): string[] {
	return results.flatMap(({ name, violations }) =>
		violations.map(({ invariant, seen }) => `${name} | ${invariant} | ${seen}`),
	);
}

/** How much was checked, in one line. */
export function summaryOf(results: Result[], seconds: number): string {
	const checks = results.reduce((sum, each) => sum + each.checks, 0);
	const failed = results.filter((each) => each.violations.length > 0).length;
	return (
		`${results.length} cells, ${Object.keys(invariants).length} invariants checked ${checks} times, ` +
		`${violationsOf(results).length} violations in ${failed} cells, ${seconds.toFixed(0)} s`
	);
}

/** Keeps all of it beside the results of the tests, since Jest cuts long lists. */
export async function keepReport(results: Result[]): Promise<void> {
	const folder = path.join(root, '.run/results');
	await mkdir(folder, { recursive: true });
	const slowest = [...results].sort((left, right) => right.seconds - left.seconds).slice(0, 20);
	const lines = [
		...violationsOf(results),
		'',
		'The slowest:',
		...slowest.map(({ name, seconds }) => `${seconds.toFixed(1)} s ${name}`),
	];
	await writeFile(path.join(folder, 'composition.txt'), lines.join('\n'));
}
