import { startBrowser } from '../host/browser';
import { ensureHost } from '../host/install';
import { buildPackage } from './build';
import { runJest } from './jest';
import { runSteps } from './tools';

void runSteps([
	{
		name: 'Real n8n',
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
		// The first start after an installation fills caches and takes far longer than any test may.
		name: 'Browser',
		run: async () => {
			const browser = await startBrowser();
			const page = await browser.newPage();
			await page.setContent('<h1>Łucja</h1><button>Sign</button>');
			await page.getByRole('button').click({ timeout: 120_000 });
			await page.screenshot({ timeout: 120_000 });
			await browser.close();
			return 0;
		},
	},
	{
		name: 'End-to-end tests',
		run: async () => await runJest('e2e', ['e2e'], ['--runInBand', ...process.argv.slice(2)]),
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
