import { runSteps, runTool } from './tools';

/** What the nodes put out is written by the test that holds the schemas against it. */
const write = async () =>
	await runTool(
		'jest/bin/jest.js',
		['--selectProjects', 'integration', '--testPathPatterns', 'integration/schemas.test'],
		{ env: { SIGNVERIFY_SCHEMAS: 'write' } },
	);

const format = async () =>
	await runTool('prettier/bin/prettier.cjs', [
		'--write',
		'--log-level=warn',
		'nodes/SignVerify/__schema__',
	]);

void runSteps([
	{ name: 'Schemas of what the nodes put out', run: write },
	{ name: 'Format', run: format },
]);
