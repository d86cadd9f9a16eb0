/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
	mutate: [
		'nodes/SignVerify/transport/**/*.ts',
		'nodes/SignVerify/notifications/**/*.ts',
		'nodes/SignVerify/reading/**/*.ts',
		'credentials/**/*.ts',
	],
	testRunner: 'jest',
	jest: { configFile: 'jest.mutation.config.js' },
	coverageAnalysis: 'perTest',
	ignorePatterns: ['/.run', '/build', '/dist', '/bench', '/docs', '/examples'],
	tempDirName: '.run/stryker',
	incremental: true,
	incrementalFile: '.run/mutation.json',
	ignoreStatic: true,
	concurrency: 2,
	timeoutMS: 15_000,
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
