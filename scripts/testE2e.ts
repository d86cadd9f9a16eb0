import { startBrowser } from '../host/browser';
import { packageBuild, realN8n } from './hostSteps';
import { runJest } from './jest';
import { runSteps } from './tools';

/** Tests of load, of kill -9, and of the order in which things happen: other work would change it. */
const alone = ['trigger', 'triggerLoad', 'wait', 'waitEvents', 'waitLoad'].map(
	(name) => `test/e2e/${name}\\.test\\.ts$`,
);

/** What is named on the command line, or everything: half of it while the other half waits. */
async function runTests(given: string[]): Promise<number> {
	if (given.length > 0) return await runJest('e2e', ['e2e'], ['--runInBand', ...given]);
	const inBand = ['--runInBand', '--testPathPatterns', ...alone];
	const sideBySide = ['--maxWorkers=2', '--testPathIgnorePatterns', ...alone];
	const first = await runJest('e2e-alone', ['e2e'], inBand);
	const rest = await runJest('e2e', ['e2e'], sideBySide);
	return Math.max(first, rest);
}

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
	{ name: 'End-to-end tests', run: async () => await runTests(process.argv.slice(2)) },
]);
