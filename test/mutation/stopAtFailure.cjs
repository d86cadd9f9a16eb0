const { TestEnvironment } = require('jest-environment-node');

/** The change that a test has noticed last, as Stryker counts them. */
let noticed;

/**
 * Skips what follows a test that failed. One failure is enough to notice a change, and Jest itself only
 * stops between files.
 */
module.exports = class StopAtFailure extends TestEnvironment {
	handleTestEvent({ name, test }) {
		const change = this.global.__stryker__?.activeMutant;
		if (change === undefined) return;
		if (name === 'test_done' && test.errors.length > 0) noticed = change;
		if (name === 'test_start' && change === noticed) test.mode = 'skip';
	}
};
