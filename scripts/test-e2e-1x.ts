import { ensureHost } from '../host/install';
import { buildPackage } from './build';
import { runJest } from './jest';
import { runSteps } from './tools';

/** What has to hold on an n8n 1.x, too (docs/compatibility.md); the rest is for the current one. */
const core = ['credential-and-lists', 'operations', 'trigger', 'wait'];

process.env.SIGNVERIFY_N8N = '1x';

void runSteps([
	{
		name: 'Real n8n 1.x',
		run: async () => {
			await ensureHost({ log: (line) => console.log(line) });
			return 0;
		},
	},
	{
		name: 'Build',
		run: async () => {
			await buildPackage();
			return 0;
		},
	},
	{
		name: 'End-to-end tests',
		run: async () => {
			const given = process.argv.slice(2);
			const files = core.map((name) => `test/e2e/${name}.test.ts`);
			const chosen = given.length > 0 ? given : files;
			// A test that fails may leave an n8n running, which keeps Jest from ending.
			return await runJest('e2e-1x', ['e2e'], ['--runInBand', '--forceExit', ...chosen]);
		},
	},
]).then(
	(code) => {
		process.exitCode = code;
	},
	(error: unknown) => {
		console.error(error instanceof Error ? error.message : error);
		process.exitCode = 1;
	},
);
