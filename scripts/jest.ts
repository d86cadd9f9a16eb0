import { mkdir, readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

import { root, runTool } from './tools';

/**
 * Runs Jest on some of the projects in jest.config.js and prints the sum on a line of its own.
 * The counts are kept in `.run/results/<name>.json` for `.ci/run`.
 * @param args More arguments for Jest, e.g. a file name to run alone.
 */
export async function runJest(name: string, projects: string[], args: string[]): Promise<number> {
	const folder = resolve(root, '.run/results');
	await mkdir(folder, { recursive: true });
	const file = resolve(folder, `${name}.json`);
	const code = await runTool('jest/bin/jest.js', [
		'--selectProjects',
		...projects,
		'--json',
		`--outputFile=${file}`,
		...args,
	]);
	const { numPassedTests, numFailedTests } = JSON.parse(await readFile(file, 'utf8')) as {
		numPassedTests: number;
		numFailedTests: number;
	};
	console.log(`\n${numPassedTests} passed, ${numFailedTests} failed`);
	return code;
}
