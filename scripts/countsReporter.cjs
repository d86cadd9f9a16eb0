const { writeFileSync } = require('node:fs');

/**
 * Prints how many tests of each file passed and failed if several files share one n8n (test/e2e/group.ts), and writes
 * the totals. Jest's own `--json` writes every failure as well, and can't do so if an error refers to itself, as the
 * HTTP client's errors do.
 */
module.exports = class {
	/** @param {import('@jest/reporters').Test} test @param {import('@jest/reporters').TestResult} result */
	onTestResult({ context }, { testResults, perfStats }) {
		let startMs = perfStats.start;
		for (const file of context.config.globals.group?.files ?? []) {
			const title = `test/e2e/${file}`;
			const own = testResults.filter(({ ancestorTitles }) => ancestorTitles[0] === title);
			const count = (wanted) => own.filter(({ status }) => status === wanted).length;
			const ends = own.map(({ startAt, duration }) => (startAt ?? 0) + (duration ?? 0));
			const endMs = Math.max(startMs, ...ends);
			const seconds = ((endMs - startMs) / 1000).toFixed(0);
			startMs = endMs;
			console.log(
				`  ${title}: ${count('passed')} passed, ${count('failed')} failed (${seconds} s)`,
			);
		}
	}

	/** @param {unknown} _contexts @param {import('@jest/reporters').AggregatedResult} results */
	onRunComplete(_contexts, { numPassedTests, numFailedTests }) {
		writeFileSync(
			process.env.SIGNVERIFY_TEST_COUNTS,
			JSON.stringify({ numPassedTests, numFailedTests }),
		);
	}
};
