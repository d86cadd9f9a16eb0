import type { Browser, BrowserContext, Page } from 'playwright-core';

import { openEditor, startBrowser } from '../../../host/browser';
import type { useStage } from './stage';

/** A test file's browser window, logged in to n8n. */
export interface LoggedInBrowser {
	/**
	 * Opens a tab. Tabs share the window's cache, so n8n's editor loads in three quarters of the processor
	 * time that it takes in a new window.
	 */
	newPage(): Promise<Page>;
}

/** Starts a browser and logs in before a file's first test, and closes the browser after the last one. */
export function useLoggedInBrowser(stage: ReturnType<typeof useStage>): LoggedInBrowser {
	let browser: Browser;
	let window: BrowserContext;
	beforeAll(async () => {
		browser = await startBrowser();
		const page = await openEditor(browser, stage);
		window = page.context();
		await page.close();
	});
	afterAll(async () => await browser?.close());
	return {
		async newPage() {
			const page = await window.newPage();
			page.setDefaultTimeout(60_000);
			return page;
		},
	};
}
