const [unit] = require('./jest.config').projects;

/**
 * For Stryker (stryker.config.mjs), which runs the tests anew for each change that it makes to the
 * code: the unit tests, which need no sandbox.
 * @type {import('jest').Config}
 */
module.exports = {
	...unit,
	testMatch: ['<rootDir>/test/mutation/*.test.ts'],
	testEnvironment: './test/mutation/stopAtFailure.cjs',
	setupFiles: [],
	moduleNameMapper: { '^n8n-workflow$': '<rootDir>/test/support/slimWorkflow.cjs' },
};
