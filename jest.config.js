const { availableParallelism } = require('node:os');

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
	modulePathIgnorePatterns: ['<rootDir>/.run/', '<rootDir>/dist/', '<rootDir>/host/n8n/'],
});

module.exports = {
	projects: [
		{ ...project('unit'), testMatch: ['<rootDir>/test/unit/**/*.test.ts'] },
		{ ...project('integration'), testMatch: ['<rootDir>/test/integration/**/*.test.ts'] },
		{ ...project('docs'), testMatch: ['<rootDir>/test/docs/**/*.test.ts'] },
		{ ...project('sandbox'), testMatch: ['<rootDir>/test/sandbox/**/*.test.ts'] },
		{ ...project('queue'), testMatch: ['<rootDir>/test/queue/**/*.test.ts'] },
		{
			...project('e2e'),
			testMatch: ['<rootDir>/test/e2e/**/*.test.ts'],
			setupFilesAfterEnv: ['<rootDir>/test/e2e/support/setUp.ts'],
		},
	],
	testTimeout: 30_000,
	// Many tests wait for time to pass. With one worker more than cores, another test uses that time.
	maxWorkers: availableParallelism() + 1,
	// With `--coverage` (npm test): of what ships.
	collectCoverageFrom: ['nodes/**/*.ts', 'credentials/**/*.ts'],
	coverageDirectory: '<rootDir>/.run/coverage',
	coverageReporters: ['text-summary', 'json'],
	coverageThreshold: { global: { lines: 95, branches: 90 } },
};
