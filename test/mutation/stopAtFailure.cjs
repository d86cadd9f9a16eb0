const { TestEnvironment } = require('jest-environment-node');

/** Stryker's number for the last change that a test has noticed. */
let noticed;

/** These tests measure time or memory, both of which Stryker's counters multiply. */
const measured =
	/responds quickly to|does not block n8n|at most 100 of 40,000|The memory for downloaded files/;

/** Returns a test's name, with the names of its groups. */
const fullName = ({ name, parent }) => (parent ? `${fullName(parent)} ${name}` : name);

/**
 * Skips the tests that measure, and all tests after a failed one. One failure is enough to notice a change, and
 * Jest itself stops only between files.
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
