const { writeFileSync } = require('node:fs');

/**
 * Writes how many tests passed and failed. Jest's own `--json` writes every failure as well, and can't do so if an
 * error refers to itself, as the HTTP client's errors do.
 */
module.exports = class {
	/** @param {unknown} _contexts @param {import('@jest/reporters').AggregatedResult} results */
	onRunComplete(_contexts, { numPassedTests, numFailedTests }) {
		writeFileSync(
			process.env.SIGNVERIFY_TEST_COUNTS,
			JSON.stringify({ numPassedTests, numFailedTests }),
		);
	}
};
