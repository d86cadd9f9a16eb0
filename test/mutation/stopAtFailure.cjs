const { TestEnvironment } = require('jest-environment-node');

/** The change that a test has noticed last, as Stryker counts them. */
let noticed;

/** They measure time or memory, which the code that counts for Stryker multiplies. */
const measured = /answered at once|does not block n8n|at most 100 of 40,000|memory of files/;

/** The name of a test with the names of the groups that it is in. */
const fullName = ({ name, parent }) => (parent ? `${fullName(parent)} ${name}` : name);

/**
 * Leaves out the tests that measure, and skips what follows a test that failed. One failure is enough to notice a change, and Jest itself only
 * stops between files.
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
