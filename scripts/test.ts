import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';

import { startBrowser } from '../host/browser';
import { ensureHost, n8nVersions } from '../host/install.cjs';
import { makeNewN8n } from '../host/newN8n';
import { groupsOf } from '../test/e2e/groups.cjs';
import { notFound, readArguments, UsageError, type Command } from './arguments';
import { runJest } from './jest';
import { buildPackage, builtVariable, runSteps, runTool, type Step } from './tools';

// The npm scripts pass the name of a suite (see `suites`), followed by arguments for Jest.
const [suite = '', ...given] = process.argv.slice(2);

/** Removes an option and its value from the arguments. @returns The value, if the option was given. */
function takeValue(option: string): string | undefined {
	const at = given.indexOf(option);
	if (at < 0) return undefined;
	const [, value = ''] = given.splice(at, 2);
	return value;
}

/** `--n8n 2.41.3` runs the tests in this version of n8n instead of the pinned one. */
function takeVersion(): void {
	const version = takeValue('--n8n');
	if (version === undefined) return;
	if (version === '' || version.startsWith('-'))
		throw new UsageError(`Enter a version after --n8n. Choose from: ${n8nVersions().join(', ')}.`);
	process.env.SIGNVERIFY_N8N_VERSION = version;
}

/**
 * `--nightly` runs everything: the test files that run only every night (`*.nightly.test.ts`), and all cases of the
 * tests that otherwise check a sample. A file that runs only every night can also be named. `--seed 178` chooses the
 * same samples as an earlier execution.
 */
function takeExtent(): void {
	const seed =
		takeValue('--seed') ?? process.env.SIGNVERIFY_SEED ?? String(randomInt(1, 1_000_000));
	if (!/^[1-9]\d{0,8}$/.test(seed))
		throw new UsageError(`--seed must be a whole number from 1 on, not "${seed}".`);
	process.env.SIGNVERIFY_SEED = seed;
	const at = given.indexOf('--nightly');
	if (at >= 0) given.splice(at, 1);
	if (at >= 0 || given.some((argument) => argument.includes('.nightly.test')))
		process.env.SIGNVERIFY_NIGHTLY = '1';
}

try {
	takeVersion();
	takeExtent();
} catch (error) {
	console.error(error instanceof Error ? error.message : error);
	process.exit(1);
}

/** The suites whose arguments are not passed to Jest. */
const checkCommands: Record<string, Command> = {
	lint: {
		name: 'npm run lint',
		options: { fix: 'flag' },
		example: 'npm run lint -- --fix',
		usage: `Usage: npm run lint [-- --fix]

Checks lint, formatting, and types. With --fix, fixes everything that can be fixed automatically.`,
	},
	types: { name: 'npm run typecheck', usage: 'Usage: npm run typecheck\n\nChecks the types.' },
	format: { name: 'npm run format', usage: 'Usage: npm run format\n\nFormats all files.' },
};

/** What ships, and so has to follow n8n's rules. */
const shipped = ['nodes', 'credentials', 'package.json'];

/**
 * Runs ESLint with n8n's rules on what ships, and with the project's own rules on everything. Warnings are
 * treated as errors.
 * @param isCached Whether to skip unchanged files. If they are skipped, rules that use types can miss a
 * mistake caused by a change in another file. That is why `npm test` checks every file.
 */
const lint = async (fix: boolean, isCached = false) => {
	const check = async (name: string, patterns: string[]) =>
		await runTool('eslint/bin/eslint.js', [
			...patterns,
			`--config=${name}`,
			'--max-warnings=0',
			...(isCached
				? ['--cache', '--cache-strategy=content', `--cache-location=.run/eslint/${name}/`]
				: []),
			...(fix ? ['--fix'] : []),
		]);
	const ofN8n = await check('eslint.config.mjs', shipped);
	return Math.max(ofN8n, await check('eslint.project.mjs', ['.']));
};

const format = async (fix: boolean, patterns = ['.']) =>
	await runTool('prettier/bin/prettier.cjs', [
		fix ? '--write' : '--check',
		'--log-level=warn',
		...patterns,
	]);

/** Runs the TypeScript compiler on all files, including tests. */
const types = async () => await runTool('typescript/bin/tsc', ['--noEmit', '-p', 'tsconfig.json']);

/** Runs the checks in parallel. Their output remains readable, because they print nothing but mistakes. */
const checks = (isCached: boolean): Step => ({
	name: 'Lint, format, and types',
	run: async () =>
		Math.max(...(await Promise.all([lint(false, isCached), format(false), types()]))),
});

/** The test files among the arguments for Jest. Someone who runs only these shouldn't find their warnings later. */
const namedFiles = given.filter((argument) => argument.endsWith('.ts') && existsSync(argument));

const checksOfNamedFiles: Step = {
	name: 'Lint and format of these files',
	run: async () =>
		Math.max(
			await runTool('eslint/bin/eslint.js', [
				...namedFiles,
				'--config=eslint.project.mjs',
				'--max-warnings=0',
			]),
			await format(false, namedFiles),
		),
};

/**
 * Applies the fixes of ESLint and then those of Prettier. They can't run in parallel, because both write the
 * same files.
 */
const fixes: Step = {
	name: 'Lint and format, with fixes',
	run: async () => Math.max(await lint(true), await format(true)),
};

/**
 * Returns how many minutes a suite takes, in words. If the user passed arguments for Jest, the time is
 * unknown.
 */
const estimate = (minutes: number) => (given.length > 0 ? undefined : `about ${minutes} minutes`);

const projects = ['unit', 'integration', 'repository', 'docs', 'sandbox'];
// Counting what the tests cover makes them take half as long again, so only the nightly run does it. It means nothing
// if only some test files run.
const coverage = process.env.SIGNVERIFY_NIGHTLY === '1' && given.length === 0 ? ['--coverage'] : [];
const tests: Step = {
	name: 'Unit, integration, repository, documentation, and sandbox tests',
	estimate: estimate(4),
	run: async () => await runJest('test', projects, [...given, ...coverage]),
};

/** Installs the n8n that the tests run in, if it is missing. */
const realN8n: Step = {
	name: 'Install n8n',
	run: async () => {
		const { n8nVersion } = await ensureHost({ log: (line) => console.log(line) });
		console.log(`n8n ${n8nVersion}`);
		return 0;
	},
};

/** Builds the package that the tests install into n8n. */
const packageBuild: Step = {
	name: 'Build the package',
	run: async () => {
		await buildPackage();
		process.env[builtVariable] = '1';
		return 0;
	},
};

/** Creates the n8n folder that is copied for each test file. */
const newN8n: Step = {
	name: 'Prepare a new n8n instance',
	run: async () => {
		await makeNewN8n();
		return 0;
	},
};

/**
 * Starts the browser once, because the first start after an installation fills caches and takes far longer
 * than a test may take.
 */
const browser: Step = {
	name: 'Start the browser',
	run: async () => {
		const started = await startBrowser();
		const page = await started.newPage();
		await page.setContent('<h1>Łucja</h1><button>Sign</button>');
		await page.getByRole('button').click({ timeout: 120_000 });
		await page.screenshot({ timeout: 120_000 });
		await started.close();
		return 0;
	},
};

/**
 * Runs the given tests one after another, each file in an n8n of its own. If no tests are given, runs all of them in
 * four workers, because they spend much of their time waiting for n8n, and each group of files in one n8n.
 */
async function runE2e(): Promise<number> {
	if (given.length > 0) return await runJest('e2e', ['e2e'], ['--runInBand', ...given]);
	const groups = groupsOf(process.env.SIGNVERIFY_NIGHTLY === '1');
	const names = [...groups.map(({ name }) => name), 'e2e: alone'];
	const order = '--testSequencer=<rootDir>/test/e2e/largestFirst.cjs';
	return await runJest('e2e', names, ['--maxWorkers=4', order]);
}

const endToEnd: Step = { name: 'End-to-end tests', estimate: estimate(14), run: runE2e };

const queue: Step = {
	name: 'Queue mode tests',
	estimate: estimate(30),
	run: async () => await runJest('queue', ['queue'], ['--runInBand', ...given]),
};

const suites: Record<string, Step[]> = {
	lint: [given.includes('--fix') ? fixes : checks(true)],
	types: [{ name: 'Types', run: types }],
	format: [{ name: 'Format, with fixes', run: async () => await format(true) }],
	all:
		given.length === 0
			? [checks(false), tests]
			: [tests, ...(namedFiles.length > 0 ? [checksOfNamedFiles] : [])],
	// .ci/run calls this to install n8n while other tests run.
	host: [realN8n],
	e2e: [realN8n, packageBuild, newN8n, browser, endToEnd],
	queue: [realN8n, queue],
};

const n8nOption = `  --n8n <version>  Use another version of n8n: ${n8nVersions().join(', ')}
`;
const helpFor = (
	command: string,
	about: string,
	{ more = '', checked = '' } = {},
) => `Usage: ${command} [-- file…]

${about} With files, runs only their tests${checked}.

Options:

${more}  --nightly        Run all cases, and the files that otherwise run only every night
  --seed <number>  Choose the same samples as an earlier execution, which printed this number

All other arguments are passed to Jest.`;

/** The help of the suites whose arguments are passed to Jest. */
const testHelp: Record<string, string> = {
	all: helpFor(
		'npm test',
		"Checks lint, formatting, and types, and runs all tests that don't need n8n.",
		{ checked: ', and checks the lint and format of these files' },
	),
	e2e: helpFor(
		'npm run test:e2e',
		'Tests the package in a real n8n instance and a real browser. You need Chromium.',
		{ more: n8nOption },
	),
	queue: helpFor(
		'npm run test:queue',
		'Tests the package in queue mode. You need PostgreSQL, Redis, and Caddy.',
		{ more: n8nOption },
	),
};

try {
	const steps = suites[suite];
	if (!steps) throw notFound('Suite', suite, Object.keys(suites));
	const command = checkCommands[suite];
	const help = given.includes('--help') && testHelp[suite];
	if (help) console.log(help);
	else if (!command || readArguments(command, given)) void runSteps(steps);
} catch (error) {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
}
