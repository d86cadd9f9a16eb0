import { packageBuild, realN8n } from './hostSteps';
import { runJest } from './jest';
import { runSteps } from './tools';

/** What has to hold on an n8n 1.x, too (docs/compatibility.md); the rest is for the current one. */
const core = [
	'credentialAndLists',
	'operations',
	'trigger',
	'triggerCopies',
	'wait',
	'agent',
	'examples/fromEvents',
	'composition',
];

process.env.SIGNVERIFY_N8N = '1x';

void runSteps([
	realN8n,
	packageBuild,
	{
		name: 'End-to-end tests on n8n 1.x',
		run: async () => {
			const given = process.argv.slice(2);
			const files = core.map((name) => `test/e2e/${name}.test.ts`);
			const chosen = given.length > 0 ? given : files;
			// A test that fails may leave an n8n running, which keeps Jest from ending.
			return await runJest('e2e-1x', ['e2e'], ['--runInBand', '--forceExit', ...chosen]);
		},
	},
]);
