import { existsSync } from 'node:fs';

import type { INode } from 'n8n-workflow';
import { chromium, type Browser, type Locator, type Page } from 'playwright-core';

import type { Owner } from './apiTypes';
import type { Stage } from './stage';

/** Where to look for Chromium. CHROMIUM_PATH takes precedence. */
const places = [
	process.env.CHROMIUM_PATH,
	'/usr/bin/chromium',
	'/usr/bin/chromium-browser',
	'/usr/bin/google-chrome',
	'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/**
 * Starts headless Chromium and disables its own calls to the internet.
 * @throws Error if Chromium is not installed.
 */
export async function startBrowser(): Promise<Browser> {
	const executablePath = places.find((place) => place && existsSync(place));
	if (!executablePath) {
		throw new Error('Chromium not found. Install it, or set CHROMIUM_PATH to its executable.');
	}
	return await chromium.launch({
		executablePath,
		timeout: 120_000,
		args: [
			'--no-sandbox',
			'--disable-gpu',
			'--disable-quic',
			'--no-first-run',
			'--disable-background-networking',
			'--disable-component-update',
			'--disable-sync',
		],
	});
}

/** Opens n8n's editor in a new window, logged in as the owner. */
export async function openEditor(
	browser: Browser,
	stage: Pick<Stage, 'n8n' | 'owner'>,
): Promise<Page> {
	const window = await browser.newContext({ viewport: { width: 1400, height: 900 } });
	const page = await window.newPage();
	page.setDefaultTimeout(60_000);
	await page.goto(`${stage.n8n.url}/signin`);
	await logIn(page, stage.owner);
	// After the login, n8n goes to its overview by itself.
	await page.getByRole('button', { name: 'Create workflow' }).waitFor();
	return page;
}

/** Logs in on n8n's sign-in page, which then goes on to what the user wanted to open. */
export async function logIn(page: Page, { email, password }: Owner): Promise<void> {
	await page.locator('input[type="email"], input[name="emailOrLdapLoginId"]').first().fill(email);
	await page.locator('input[type="password"]').fill(password);
	await page.keyboard.press('Enter');
}

/** The ✕ of an open node, a dialog, and a message. */
const closeButtons =
	'[data-test-id="ndv-close-button"], .el-dialog__headerbtn, .el-notification__closeBtn';
/** "Leave without saving", if n8n hasn't saved a change yet. */
const leaveButton = '.el-message-box .btn--cancel';
const canvas = '[data-test-id="canvas-wrapper"]';
const clickingMs = 100;
const maxClicks = 30;
const drawingMs = 30_000;
/** If n8n hasn't asked for a workflow by then, loading n8n anew is quicker than waiting. */
const askingMs = 10_000;
/** A page without an editor, which takes little processor time. */
const listPath = '/home/credentials';

/** Goes to another page of n8n, as a link in the editor does. */
const follow = async (page: Page, path: string): Promise<void> =>
	await page.evaluate(
		`history.pushState({}, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'))`,
	);

/**
 * Clicks buttons, whenever there are any, until what they close is gone. Clicks without Playwright's waits, because a
 * button can disappear at any moment.
 * @param opened What the buttons close. The default is the buttons themselves.
 * @returns Whether it's gone.
 */
async function clickAway(page: Page, buttons: string, opened = buttons): Promise<boolean> {
	const visible = page.locator(opened).filter({ visible: true });
	for (let clicks = 0; (await visible.count()) > 0; clicks++) {
		if (clicks === maxClicks) return false;
		await page.evaluate(
			`document.querySelectorAll(${JSON.stringify(buttons)}).forEach((button) => button.click())`,
		);
		await page.waitForTimeout(clickingMs);
	}
	return true;
}

/**
 * Leaves the editor without saving. What is open in it is closed first, because n8n changes the address when a node
 * closes, and would then stay. Loading n8n again would take five times the processor time, so that's done only if
 * something stays open.
 */
async function leaveEditor(page: Page): Promise<void> {
	const isClosed = await clickAway(page, closeButtons);
	if (isClosed) await follow(page, listPath);
	if (!isClosed || !(await clickAway(page, leaveButton, canvas)))
		await page.goto(new URL(listPath, page.url()).href);
	await page.locator('[data-test-id="project-tabs"]').waitFor();
}

/**
 * Shows another page of n8n, or the same one anew, in a tab that shows the editor. Each workflow is opened from a list
 * that n8n has finished showing. Otherwise n8n can show the workflow without ever saving changes in it.
 * @param path For example `/workflow/ID`.
 */
export async function showPage(page: Page, path: string): Promise<void> {
	await leaveEditor(page);
	await (path.startsWith('/workflow/') ? followToWorkflow(page, path) : follow(page, path));
}

/**
 * Follows a link to a workflow, and waits until n8n has drawn its nodes. n8n sometimes never drew all of them while
 * this file left workflows with a node open; whether it still can isn't known. The workflow is then loaded anew, as a
 * user would do, and the message shows where n8n was and what didn't come.
 */
async function followToWorkflow(page: Page, path: string): Promise<void> {
	const missing = async () => {
		const response = await page.waitForResponse(
			(got) => new URL(got.url()).pathname.endsWith(path.replace('/workflow/', '/rest/workflows/')),
			{ timeout: askingMs },
		);
		const { data } = (await response.json()) as { data: { nodes: INode[] } };
		const nodes = data.nodes.filter(({ type }) => type !== 'n8n-nodes-base.stickyNote');
		for (const { name } of nodes) await canvasNode(page, name).waitFor({ timeout: drawingMs });
		return new URL(page.url()).pathname.startsWith(path) ? undefined : 'another address';
	};
	const searching = missing().catch(String);
	await follow(page, path);
	const reason = await searching;
	if (reason === undefined) return;
	console.warn(`n8n didn't show ${path}, but ${page.url()}, so it's loaded anew. ${reason}`);
	await page.goto(new URL(path, page.url()).href);
}

const openingMs = 10_000;
const maxTriesToOpen = 6;

/** Returns functions that locate parts of n8n's forms by n8n's test IDs. */
export function nodePanel(page: Page): {
	byTestId: (id: string) => Locator;
	input: (name: string) => Locator;
	/** Finds a resource locator's drop-down list. */
	list: (name: string) => Locator;
	/**
	 * Opens a resource locator's list and waits for its first entry. n8n closes a list if it then draws the form anew, so
	 * a list that doesn't stay open is clicked again.
	 */
	openList: (name: string) => Promise<void>;
} {
	const byTestId = (id: string) => page.locator(`[data-test-id="${id}"]`);
	const list = (name: string) =>
		byTestId(`resource-locator-${name}`).locator('[data-test-id="rlc-input"]');
	return {
		byTestId,
		input: (name) => byTestId(`parameter-input-${name}`).locator('input, textarea').first(),
		list,
		openList: async (name) => {
			const entry = byTestId('rlc-item').filter({ visible: true }).first();
			for (let tries = 1; !(await entry.isVisible()); tries++) {
				if (tries > maxTriesToOpen) throw new Error(`The list "${name}" didn't open.`);
				await list(name)
					.click({ timeout: openingMs })
					.catch(() => undefined);
				await entry.waitFor({ timeout: openingMs }).catch(() => undefined);
			}
		},
	};
}

export const canvasNode = (page: Page, name: string): Locator =>
	page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`);

/**
 * Opens a node of the workflow on the page. The editor can miss a double-click while it still lays out the
 * canvas, so a node that doesn't open is clicked again.
 */
export async function openNodePanel(page: Page, name: string): Promise<void> {
	const panel = nodePanel(page).byTestId('ndv');
	await canvasNode(page, name).waitFor();
	for (let tries = 1; !(await panel.isVisible()); tries++) {
		if (tries > maxTriesToOpen) throw new Error(`The node "${name}" didn't open.`);
		await canvasNode(page, name)
			.dblclick({ timeout: openingMs })
			.catch(() => undefined);
		await panel.waitFor({ timeout: openingMs }).catch(() => undefined);
	}
}

/** Drags the handle above an open node's parameters to the left, so that its output gets wider. */
export async function widenOutput(page: Page): Promise<void> {
	const handle = page.locator('[data-test-id="panel-drag-button"]');
	const place = await handle.boundingBox();
	if (!place) throw new Error("The node's panel can't be dragged.");
	const y = place.y + place.height / 2;
	await page.mouse.move(place.x + place.width / 2, y);
	await page.mouse.down();
	await page.mouse.move(0, y, { steps: 20 });
	await page.mouse.up();
}
