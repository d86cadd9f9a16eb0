const [unit] = require('./jest.config').projects;

/**
 * For Stryker (stryker.config.mjs), which runs the tests anew for each change that it makes to the
 * code: the unit tests, which need no sandbox.
 * @type {import('jest').Config}
 */
module.exports = {
	...unit,
	setupFiles: [],
	testPathIgnorePatterns: [
		// Thousands of random values or calls, which take seconds for each change, the forms of all
		// operations, and what does not look at the code that is changed.
		'/(notifications\\.property|created\\.property|clientLimited|operations)\\.test\\.ts$',
		'/(queue|deploy)[^/]*\\.test\\.ts$',
	],
	moduleNameMapper: { '^n8n-workflow$': '<rootDir>/test/support/slimWorkflow.cjs' },
};
