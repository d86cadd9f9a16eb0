import { runJest } from './jest';
import { runSteps, runTool, type Step } from './tools';

/** ESLint with n8n's two rule sets and the project's own; a warning counts as a failure. */
const lint: Step = {
	name: 'Lint',
	run: async () => await runTool('eslint/bin/eslint.js', ['.', '--max-warnings=0']),
};

/** Prettier, without changing anything. */
const format: Step = {
	name: 'Format',
	run: async () => await runTool('prettier/bin/prettier.cjs', ['--check', '--log-level=warn', '.']),
};

/** The TypeScript compiler over everything, tests included. */
const types: Step = {
	name: 'Types',
	run: async () => await runTool('typescript/bin/tsc', ['--noEmit', '-p', 'tsconfig.json']),
};

const args = process.argv.slice(2);
// With a test file named on the command line only that is run, and coverage says nothing.
const coverage = args.length ? [] : ['--coverage'];
const tests = {
	name: 'Unit and integration tests',
	run: async () =>
		await runJest('test', ['unit', 'integration', 'docs', 'sandbox'], [...args, ...coverage]),
};

void runSteps(args.length ? [tests] : [lint, format, types, tests]);
