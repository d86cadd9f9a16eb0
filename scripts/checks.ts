import { runTool, type Step } from './tools';

/** ESLint with n8n's two rule sets and the project's own; a warning counts as a failure. */
export const lint: Step = {
	name: 'Lint',
	run: async () => await runTool('eslint/bin/eslint.js', ['.', '--max-warnings=0']),
};

/** Prettier, without changing anything. */
export const format: Step = {
	name: 'Format',
	run: async () => await runTool('prettier/bin/prettier.cjs', ['--check', '--log-level=warn', '.']),
};

/** The TypeScript compiler over everything, tests included. */
export const types: Step = {
	name: 'Types',
	run: async () => await runTool('typescript/bin/tsc', ['--noEmit', '-p', 'tsconfig.json']),
};
