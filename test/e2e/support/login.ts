import type { Browser, Page } from 'playwright-core';

import { openEditor, showPage, startBrowser } from '../../../host/browser';
import type { useStage } from './stage';

/** Turns off a page's animations, which take processor time, and move what a test clicks. */
const turnOffAnimations = `(() => {
	const sheet = new CSSStyleSheet();
	sheet.replaceSync('*, ::before, ::after { animation: none !important; transition: none !important }');
	document.adoptedStyleSheets.push(sheet);
})()`;

/** A test file's browser window, logged in to n8n. */
export interface LoggedInBrowser {
	/** Shows a page of n8n in the tab that all tests of the file use for n8n, for example `/workflow/ID`. */
	show(path: string): Promise<Page>;
	/** Opens a window that is not logged in. */
	newWindow(): Promise<Page>;
}

/** Starts a browser and logs in before a file's first test, and closes the browser after the last one. */
export function useLoggedInBrowser(stage: ReturnType<typeof useStage>): LoggedInBrowser {
	let browser: Browser;
	let editor: Page;
	beforeAll(async () => {
		browser = await startBrowser();
		editor = await openEditor(browser, stage);
		// In every page that is loaded from now on, and in this one.
		await editor.context().addInitScript(turnOffAnimations);
		await editor.evaluate(turnOffAnimations);
	});
	afterAll(async () => await browser?.close());
	return {
		async show(path) {
			await showPage(editor, path);
			return editor;
		},
		newWindow: async () => await browser.newPage(),
	};
}
