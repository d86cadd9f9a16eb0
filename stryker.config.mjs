/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
	mutate: [
		'nodes/SignVerify/http/**/*.ts',
		'nodes/SignVerify/events/**/*.ts',
		'nodes/SignVerify/registrations/**/*.ts',
		'nodes/SignVerify/api/**/*.ts',
		'nodes/SignVerify/trigger/**/*.ts',
		'nodes/SignVerify/util/**/*.ts',
		'credentials/**/*.ts',
	],
	testRunner: 'jest',
	// The tests are named while they run, so Jest cannot know what they use.
	jest: { configFile: 'jest.mutation.config.js', enableFindRelatedTests: false },
	coverageAnalysis: 'perTest',
	ignorePatterns: ['/.run', '/dist', '/bench', '/docs', '/examples'],
	tempDirName: '.run/stryker',
	incremental: true,
	incrementalFile: '.run/mutation.json',
	ignoreStatic: true,
	// Many tests wait for time to pass, so two cores carry six processes.
	concurrency: 6,
	timeoutMS: 15_000,
	// All tests once, with counting code: over five minutes beside other work.
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
