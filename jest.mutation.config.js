const [unit] = require('./jest.config').projects;

/**
 * The configuration for Stryker (stryker.config.mjs), which runs the tests again for each change that it
 * makes to the code. Only the unit tests run, because they do not need a sandbox.
 * @type {import('jest').Config}
 */
module.exports = {
	...unit,
	testMatch: ['<rootDir>/test/mutation/*.test.ts'],
	testEnvironment: './test/mutation/stopAtFailure.cjs',
	setupFiles: [],
	moduleNameMapper: { '^n8n-workflow$': '<rootDir>/test/support/slimWorkflow.cjs' },
};
