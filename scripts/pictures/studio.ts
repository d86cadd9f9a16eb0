import { rm } from 'node:fs/promises';

import type { Browser, Locator, Page } from 'playwright-core';

import { openEditor, startBrowser } from '../../host/browser';
import { importExamples, readExample } from '../../host/examples';
import { raiseStage, type Stage } from '../../host/stage';
import type { MailView } from '../../sandbox/types';
import { until } from '../../test/support/until';
import { examplesIn, noteFingerprint, resultFingerprint } from './fingerprints';
import { pictureFile, printPicture } from './folder';

/** A running n8n with all examples, and a browser, in which the pictures are taken. */
export interface Studio {
	stage: Stage;
	browser: Browser;
	/** n8n's editor, logged in as the owner. */
	editor: Page;
}

/** Takes some pictures. */
export type Take = (studio: Studio) => Promise<void>;

/** The size of a picture of n8n's editor or of a page. */
export const size = { width: 1200, height: 640 };

/** Sets up a studio in a new folder, and takes it down after the work. */
export async function inStudio(folder: string, work: Take): Promise<void> {
	const log = (line: string) => console.log(line);
	const stage = await raiseStage({ folder, examples: 'all', log });
	try {
		const browser = await startBrowser();
		try {
			await work({ stage, browser, editor: await openEditor(browser, stage) });
		} finally {
			await browser.close();
		}
	} finally {
		await stage.close();
		await rm(folder, { recursive: true, force: true });
	}
}

/** A part of a window, in pixels. */
export interface Area {
	x: number;
	y: number;
	width: number;
	height: number;
}

/** Opens a window for pages of the sandbox and for forms in n8n. The film can enlarge what the window shows. */
export async function openWindow(
	{ browser, stage: { owner } }: Studio,
	viewport: { width: number; height: number },
): Promise<Page> {
	const window = await browser.newContext({
		viewport,
		deviceScaleFactor: 2,
		bypassCSP: true,
		// The forms in most examples require the same login as the editor.
		httpCredentials: { username: owner.email, password: owner.password },
	});
	const page = await window.newPage();
	page.setDefaultTimeout(60_000);
	return page;
}

/** Leaves out when the emails on a page of the sandbox arrived, because in a picture, weeks take seconds. */
export async function hideTimes(page: Page): Promise<void> {
	const content = '.mails .side, .mail-head > div:has(time) { display: none }';
	await page.addStyleTag({ content });
}

/** Takes a picture of a page, or of a part of it. */
export async function shoot(shown: Page | Locator, name: string): Promise<void> {
	const file = pictureFile(name);
	await shown.screenshot({ path: file, scale: 'css' });
	await notePicture(name, file);
}

/** Hides what n8n puts over a canvas: its buttons, and the suggestions for a workflow's owner. */
export async function uncoverCanvas(page: Page): Promise<void> {
	const covers = [
		'[data-reka-popper-content-wrapper]',
		'.el-popper',
		'.vue-flow__panel',
		'[class*="Buttons"]',
		'[data-test-id^="execute-workflow-button"]',
	];
	await page.addStyleTag({ content: `${covers.join(', ')} { display: none !important }` });
}

/** The edges of what a canvas shows, in the browser: the nodes with their names, and the connections between them. */
const edges = `(() => {
	const parts = [...document.querySelectorAll('.vue-flow__node, .vue-flow__node *, .vue-flow__edge path')];
	const boxes = parts
		.filter((part) => part.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }))
		.map((part) => part.getBoundingClientRect())
		.filter(({ width }) => width > 0);
	return {
		left: Math.min(...boxes.map((box) => box.left)),
		top: Math.min(...boxes.map((box) => box.top)),
		right: Math.max(...boxes.map((box) => box.right)),
		bottom: Math.max(...boxes.map((box) => box.bottom)),
	};
})()`;

/** Returns the part of a page that shows a workflow, and some pixels around it. */
export async function areaOfWorkflow(page: Page): Promise<Area> {
	const margin = 16;
	const { left, top, right, bottom } =
		await page.evaluate<Record<'left' | 'top' | 'right' | 'bottom', number>>(edges);
	return {
		x: left - margin,
		y: top - margin,
		width: right - left + 2 * margin,
		height: bottom - top + 2 * margin,
	};
}

/** Prints that a picture was taken, and stores its fingerprint if it has one. */
export async function notePicture(name: string, file: string): Promise<void> {
	printPicture(file);
	const examples = examplesIn(name);
	if (examples.length === 0) return;
	const workflows = await Promise.all(examples.map(async (example) => await readExample(example)));
	noteFingerprint(name, resultFingerprint(workflows));
}

/** Finds the ID of an example in the studio's n8n. */
export async function idOf({ n8n }: Stage, example: string): Promise<string> {
	return (await importExamples(n8n.api, {}, [example]))[example] ?? '';
}

/** Publishes an example, unless it's published. @returns Its ID. */
export async function publish(stage: Stage, example: string): Promise<string> {
	const { api } = stage.n8n;
	const id = await idOf(stage, example);
	if (!(await api.getWorkflow(id)).active) await api.publish(id);
	return id;
}

/** Waits for the newest email whose subject begins with these words. */
export async function mailWith({ sandbox }: Stage, beginning: string): Promise<MailView> {
	return await until(`an email "${beginning}" arrives`, () =>
		sandbox.mails().find(({ subject }) => subject.startsWith(beginning)),
	);
}

/** Opens an email in the sandbox's mailbox. @returns The part of the page with the email. */
export async function openMail(page: Page, { sandbox }: Stage, { id }: MailView): Promise<Locator> {
	await page.goto(`${sandbox.url}/mailbox/${id}`, { waitUntil: 'networkidle' });
	await hideTimes(page);
	// The HTML of an email stands in a frame, which scrolls if the email is long.
	const frame = page.frames().find((each) => each.parentFrame());
	const height = await frame?.evaluate<number>('document.documentElement.scrollHeight');
	const content = `.mail iframe { height: ${height ?? 0}px !important }`;
	await page.addStyleTag({ content });
	return page.locator('article.mail');
}
