const { statSync } = require('node:fs');
const path = require('node:path');

const Sequencer = require('@jest/test-sequencer').default;

/** @param {import('@jest/test-result').Test} test */
function bytesOf({ path: file, context }) {
	const { group } = context.config.globals;
	const files = group ? group.files.map((one) => path.join(__dirname, one)) : [file];
	return files.reduce((bytes, one) => bytes + statSync(one).size, 0);
}

/**
 * Starts the largest files and groups first, because they take longest. Jest goes by the size of group.ts, so it would
 * start the groups last, and one worker would still run the longest of them when the others have nothing left to do.
 */
module.exports = class LargestFirst extends Sequencer {
	/** @param {import('@jest/test-result').Test[]} tests */
	sort(tests) {
		return [...tests].sort((one, other) => bytesOf(other) - bytesOf(one));
	}
};
