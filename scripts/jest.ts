import { existsSync } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { resolve } from 'node:path';

import { leaksIn, readSecrets, secretsVariable } from '../test/support/secrets';
import { root, runTool } from './tools';

const countsReporter = resolve(root, 'scripts/countsReporter.cjs');

/**
 * Runs Jest on some of the projects in jest.config.js and prints the totals on a separate line. The counts
 * are stored in `.run/results/<name>.json` for `.ci/run`. The run also fails if its output contains a key, a
 * token or a webhook secret from the tests.
 * @param args Additional arguments for Jest, for example the name of a single file.
 */
export async function runJest(name: string, projects: string[], args: string[]): Promise<number> {
	const folder = resolve(root, '.run/results');
	await mkdir(folder, { recursive: true });
	const file = resolve(folder, `${name}.json`);
	const secretsFile = resolve(folder, `${name}.secrets`);
	for (const old of [file, secretsFile]) await rm(old, { force: true });
	const printed = { stdout: '', stderr: '' };
	const code = await runTool(
		'jest/bin/jest.js',
		// Everything that follows an option with several values belongs to it, so these options come last.
		[
			...args,
			'--reporters=default',
			`--reporters=${countsReporter}`,
			'--selectProjects',
			...projects,
		],
		{
			env: { [secretsVariable]: secretsFile, SIGNVERIFY_TEST_COUNTS: file },
			onOutput: (stream, text) => (printed[stream] += text),
		},
	);
	// The reporter does not write any counts if Jest was interrupted or could not start.
	if (!existsSync(file)) return code || 1;
	const { numPassedTests, numFailedTests } = JSON.parse(await readFile(file, 'utf8')) as {
		numPassedTests: number;
		numFailedTests: number;
	};
	console.log(`\n${numPassedTests} passed, ${numFailedTests} failed`);
	const seed = process.env.SIGNVERIFY_SEED;
	if (seed) console.log(`To choose the same samples again, add: --seed ${seed}`);

	const secrets = readSecrets(secretsFile);
	await rm(secretsFile, { force: true });
	const leaks = Object.entries(printed).flatMap(([stream, text]) => leaksIn(stream, text, secrets));
	for (const leak of leaks) {
		console.error(
			`The tests' output contains a secret (${leak}). Find out what printed it, because secrets must never reach an output or a log.`,
		);
	}
	if (leaks.length === 0)
		console.log(
			`The output doesn't contain any of the ${secrets.length} secrets used in the tests`,
		);
	return code || (leaks.length > 0 ? 1 : 0);
}
