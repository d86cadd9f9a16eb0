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
		// Ten thousand random notifications, and the forms of all operations.
		'/(notifications\\.property|operations)\\.test\\.ts$',
	],
	moduleNameMapper: { '^n8n-workflow$': '<rootDir>/test/support/slimWorkflow.cjs' },
};
