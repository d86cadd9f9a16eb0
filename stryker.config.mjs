/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
	mutate: [
		'nodes/SignVerify/account/**/*.ts',
		'nodes/SignVerify/http/**/*.ts',
		'nodes/SignVerify/files/**/*.ts',
		'nodes/SignVerify/events/**/*.ts',
		'nodes/SignVerify/registrations/**/*.ts',
		'nodes/SignVerify/api/**/*.ts',
		'nodes/SignVerify/trigger/**/*.ts',
		'nodes/SignVerify/util/**/*.ts',
		'credentials/**/*.ts',
	],
	testRunner: 'jest',
	// test/mutation/unit.test.ts loads the test files at run time, so Jest cannot know which tests use a
	// file.
	jest: { configFile: 'jest.mutation.config.js', enableFindRelatedTests: false },
	coverageAnalysis: 'perTest',
	ignorePatterns: ['/.run', '/dist', '/bench', '/docs', '/examples'],
	tempDirName: '.run/stryker',
	incremental: true,
	incrementalFile: '.run/mutation.json',
	ignoreStatic: true,
	// Many tests spend most of their time waiting, so two cores can run six processes.
	concurrency: 6,
	timeoutMS: 15_000,
	// The dry run runs all tests once, with instrumented code. On a busy machine, this takes more than five
	// minutes.
	dryRunTimeoutMinutes: 20,
	reporters: ['clear-text', 'html', 'json', 'progress-append-only'],
	clearTextReporter: {
		reportTests: false,
		reportScoreTable: true,
		reportMutants: true,
		allowColor: false,
	},
	htmlReporter: { fileName: '.run/mutation/report.html' },
	jsonReporter: { fileName: '.run/mutation/report.json' },
	thresholds: { high: 95, low: 90, break: 85 },
};
