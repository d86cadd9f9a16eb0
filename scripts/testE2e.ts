import { startBrowser } from '../host/browser';
import { packageBuild, realN8n } from './hostSteps';
import { runJest } from './jest';
import { runSteps } from './tools';

void runSteps([
	realN8n,
	packageBuild,
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
]);
