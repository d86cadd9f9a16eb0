const { TestEnvironment } = require('jest-environment-node');

/** Stryker's number for the last change that made a test fail. */
let noticed;

/** These tests measure time or memory, and Stryker's counters multiply both. */
const measured =
	/responds quickly to|does not block n8n|at most 100 of 40,000|The memory for downloaded files/;

/** Returns a test's name, preceded by the names of its groups. */
const fullName = ({ name, parent }) => (parent ? `${fullName(parent)} ${name}` : name);

/**
 * Skips the tests that measure time or memory, and all tests after the first failure. A single failure is
 * enough to detect a change, but Jest itself can stop only between files.
 */
module.exports = class StopAtFailure extends TestEnvironment {
	handleTestEvent({ name, test }) {
		if (name === 'test_start' && measured.test(fullName(test))) test.mode = 'skip';
		const change = this.global.__stryker__?.activeMutant;
		if (change === undefined) return;
		if (name === 'test_done' && test.errors.length > 0) noticed = change;
		if (name === 'test_start' && change === noticed) test.mode = 'skip';
	}
};
