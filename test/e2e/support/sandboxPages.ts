import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AxeResults } from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

import { startBrowser } from '../../../host/browser';
import type { Sandbox } from '../../../sandbox';
import {
	type Http,
	receiver,
	type Receiver,
	signedIn,
	start,
	stopAll,
} from '../../sandbox/serviceKit';
import { waitMs } from '../../support/until';

const IMAGES = join(__dirname, '..', '..', '..', 'docs', 'images');
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

export const DESKTOP = { width: 1200, height: 900 };
export const PHONE = { width: 390, height: 844 };

/** What the tests of the sandbox's pages work with. */
export interface PageStage {
	browser: Browser;
	sandbox: Sandbox;
	/** A client of the service with a token. */
	http: Http;
	/** Somebody who receives notifications. */
	hook: Receiver;
	page: Page;
	/** Whatever the page complained about. */
	complaints: string[];
}

/** One browser for the tests of the calling file; a sandbox and a page for each of them. */
export function usePage(): PageStage {
	const stage = {} as PageStage;
	beforeAll(async () => {
		stage.browser = await startBrowser();
	});
	afterAll(async () => await stage.browser?.close());
	beforeEach(async () => {
		// Pictures of the console show the key.
		stage.sandbox = await start({ apiKey: 'key-of-this-sandbox' });
		stage.http = await signedIn(stage.sandbox);
		stage.hook = await receiver();
		Object.assign(stage, await openPage(stage.browser));
	});
	afterEach(async () => {
		await stage.page.context().close();
		await stopAll();
	});
	return stage;
}

/** A page in a context of its own, and whatever it and its like complain about. */
export async function openPage(
	browser: Browser,
	options: BrowserContextOptions = {},
): Promise<{ page: Page; complaints: string[] }> {
	const context = await browser.newContext({ viewport: DESKTOP, ...options });
	const complaints: string[] = [];
	context.on('page', (page) => {
		page.setDefaultTimeout(waitMs);
		page.on('console', (message) => {
			if (message.type() === 'error') complaints.push(message.text());
		});
		page.on('pageerror', (error) => complaints.push(error.message));
	});
	return { page: await context.newPage(), complaints };
}

/** Keeps a picture for the documentation, when SANDBOX_PICTURES is set: they differ at every run. */
export async function picture(page: Page, name: string, size = DESKTOP): Promise<void> {
	if (!process.env.SANDBOX_PICTURES) return;
	mkdirSync(IMAGES, { recursive: true });
	await page.setViewportSize(size);
	await page.screenshot({ path: join(IMAGES, `sandbox-${name}.png`) });
	await page.setViewportSize(DESKTOP);
}

/** The addresses of all pages that do not belong to one document, mail or person. */
export function pagesOf({ url }: Sandbox): string[] {
	const lists = ['documents', 'identityRequests', 'deliveries', 'registrations', 'requests'];
	return [
		`${url}/`,
		`${url}/events`,
		`${url}/faults`,
		`${url}/mailbox`,
		...[...lists, 'templates'].map((name) => `${url}/lists/${name}`),
		`${url}/no/such/page`,
	];
}

/**
 * Looks at a page as people with other eyes, ears and hands have it.
 * @returns What axe-core finds, of any level, with the place of each.
 */
export async function accessibilityProblems(page: Page): Promise<string[]> {
	await page.evaluate(AXE);
	// A mail's own HTML is whatever somebody sent: only the page around it is looked at.
	const results = await page.evaluate<AxeResults>(
		`axe.run({ exclude: [['iframe']] }, { resultTypes: ['violations'] })`,
	);
	return results.violations.flatMap(({ id, nodes }) =>
		nodes.map(({ target }) => `${page.url()} ${id}: ${target.join(' ')}`),
	);
}
