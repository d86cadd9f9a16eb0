import { runJest } from './jest';
import { runSteps, runTool, type Step } from './tools';

/** ESLint with n8n's two rule sets and the project's own; a warning counts as a failure. */
const lint = async () => await runTool('eslint/bin/eslint.js', ['.', '--max-warnings=0']);

/** Prettier, without changing anything. */
const format = async () =>
	await runTool('prettier/bin/prettier.cjs', ['--check', '--log-level=warn', '.']);

/** The TypeScript compiler over everything, tests included. */
const types = async () => await runTool('typescript/bin/tsc', ['--noEmit', '-p', 'tsconfig.json']);

/** They print only what is wrong, so they can run side by side. */
const checks: Step = {
	name: 'Lint, format and types',
	run: async () => Math.max(...(await Promise.all([lint(), format(), types()]))),
};

const args = process.argv.slice(2);
// With a test file named on the command line only that is run, and coverage says nothing.
const coverage = args.length ? [] : ['--coverage'];
const tests = {
	name: 'Unit and integration tests',
	run: async () =>
		await runJest('test', ['unit', 'integration', 'docs', 'sandbox'], [...args, ...coverage]),
};

void runSteps(args.length ? [tests] : [checks, tests]);
