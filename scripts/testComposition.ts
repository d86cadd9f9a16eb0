import { packageBuild, realN8n } from './hostSteps';
import { runJest } from './jest';
import { runSteps } from './tools';

/** Every cell of the composition matrix, at each slowed endpoint; test:e2e runs a sample of these. */
process.env.SIGNVERIFY_COMPOSITION = 'all';

void runSteps([
	realN8n,
	packageBuild,
	{
		name: 'Composition matrix',
		run: async () => {
			const file = 'test/e2e/composition.test.ts';
			return await runJest('composition', ['e2e'], ['--runInBand', file, ...process.argv.slice(2)]);
		},
	},
]);
