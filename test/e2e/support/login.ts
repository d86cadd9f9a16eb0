import type { Browser, BrowserContextOptions } from 'playwright-core';

import { openEditor, startBrowser } from '../../../host/browser';
import type { useStage } from './stage';

/** A test file's browser, and the n8n login that all of the browser's pages share. */
export interface LoggedInBrowser {
	browser: Browser;
	login: NonNullable<BrowserContextOptions['storageState']>;
}

/** Starts a browser and logs in before a file's first test, and closes the browser after the last one. */
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
