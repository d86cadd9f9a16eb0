import type { Browser, BrowserContextOptions } from 'playwright-core';

import { openEditor, startBrowser } from '../../../host/browser';
import type { useStage } from './stage';

/** The browser of a test file, and the n8n login that all of its pages share. */
export interface LoggedInBrowser {
	browser: Browser;
	login: NonNullable<BrowserContextOptions['storageState']>;
}

/** Starts a browser and logs in before the file's first test, and closes the browser after its last one. */
export function useLoggedInBrowser(stage: ReturnType<typeof useStage>): LoggedInBrowser {
	const own = {} as LoggedInBrowser;
	beforeAll(async () => {
		own.browser = await startBrowser();
		const page = await openEditor(own.browser, stage);
		own.login = await page.context().storageState();
		await page.close();
	});
	afterAll(async () => await own.browser?.close());
	return own;
}
