const { availableParallelism } = require('node:os');

const { groupsOf } = require('./test/e2e/groups.cjs');

/** `--nightly` sets this variable (scripts/test.ts). */
const isNightly = process.env.SIGNVERIFY_NIGHTLY === '1';

/** @type {import('jest').Config} */
const project = (name) => ({
	displayName: name,
	rootDir: __dirname,
	testEnvironment: 'node',
	transform: {
		'^.+\\.ts$': [
			'@swc/jest',
			{ jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'commonjs' } },
		],
	},
	setupFiles: ['<rootDir>/test/support/noteSecrets.ts'],
	// These tests take long and run only every night.
	testPathIgnorePatterns: isNightly ? [] : ['\\.nightly\\.test\\.ts$'],
	modulePathIgnorePatterns: ['<rootDir>/.run/', '<rootDir>/dist/', '<rootDir>/host/n8n[^/]*/'],
});

/** A project whose tests run the nodes in their own process. */
const projectWithNodes = (name) => ({
	...project(name),
	setupFilesAfterEnv: ['<rootDir>/test/support/newProcess.ts'],
});

/** A project whose tests start a real n8n, which takes a while. */
const projectWithN8n = (name) => ({
	...project(name),
	setupFilesAfterEnv: ['<rootDir>/test/support/longLimit.ts'],
});

const e2eFile = '<rootDir>/test/e2e/**/*.test.ts';
const groups = groupsOf(isNightly);

module.exports = {
	projects: [
		{ ...projectWithNodes('unit'), testMatch: ['<rootDir>/test/unit/**/*.test.ts'] },
		{ ...projectWithNodes('integration'), testMatch: ['<rootDir>/test/integration/**/*.test.ts'] },
		{ ...project('repository'), testMatch: ['<rootDir>/test/repository/**/*.test.ts'] },
		{ ...project('docs'), testMatch: ['<rootDir>/test/docs/**/*.test.ts'] },
		{ ...project('sandbox'), testMatch: ['<rootDir>/test/sandbox/**/*.test.ts'] },
		{ ...projectWithN8n('queue'), testMatch: ['<rootDir>/test/queue/**/*.test.ts'] },
		// Each file has an n8n of its own, which is quicker for a single file.
		{ ...projectWithN8n('e2e'), testMatch: [e2eFile] },
		// All files: each group shares one n8n, and the others have their own.
		...groups.map(({ name, files }) => ({
			...projectWithN8n(name),
			testMatch: ['<rootDir>/test/e2e/group.ts'],
			globals: { group: { name, files } },
		})),
		{
			...projectWithN8n('e2e: alone'),
			testMatch: [
				e2eFile,
				...groups.flatMap(({ files }) => files.map((file) => `!**/test/e2e/${file}`)),
			],
		},
	],
	// This is far more time than any test needs, because tests take ten times as long on a busy machine.
	testTimeout: 180_000,
	// Many tests spend most of their time waiting, so running one more worker than there are cores finishes
	// sooner.
	maxWorkers: availableParallelism() + 1,
	// A worker's memory grows with each test file. A worker with more than 1 GB takes so long to exit that Jest
	// reports it as a leak.
	workerIdleMemoryLimit: '500MB',
	// With `--coverage`, which the nightly npm test sets, only the code that ships is measured.
	collectCoverageFrom: ['nodes/**/*.ts', 'credentials/**/*.ts'],
	coverageDirectory: '<rootDir>/.run/coverage',
	coverageReporters: ['text-summary', 'json'],
	coverageThreshold: { global: { lines: 95, branches: 90 } },
};
