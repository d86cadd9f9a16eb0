import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';

import type { Browser, Page } from 'playwright-core';

import { openEditor, startBrowser } from '../../host/browser';
import { colleague, readSignedMail, readSigningMail, submitForm } from '../../host/onboarding';
import { raiseStage, type Stage } from '../../host/stage';
import { root } from '../tools';
import { pictureFile, printPicture } from './folder';
import { openFilledForm } from './screenshots';

/** The name of the picture in the README: the node's form, the page where people sign, and the signed files. */
export const onboardingPicture = 'onboarding';
/** The part of the node's form that the picture shows, from the template to its fields. */
const formHeight = 790;
const gap = 12;
const captionHeight = 36;
/**
 * The size of the two pages next to the form. They are small so that people can read them on GitHub, and
 * together as high as the form.
 */
const size = { width: 520, height: (formHeight - captionHeight - gap) / 2 };

/** A screenshot (PNG, Base64), its width, and its caption. */
interface Scene {
	picture: string;
	width: number;
	words: string;
}

async function walkThrough(stage: Stage): Promise<void> {
	const browser = await startBrowser();
	try {
		const scenes = [await showForm(browser, stage)];
		const page = await browser.newPage({ viewport: size });
		await submitForm(stage.formUrl);
		scenes.push(await signContract(page, stage), await showSigned(page, stage));
		await writeGrid(browser, scenes);
	} finally {
		await browser.close();
	}
}

async function sceneOf(page: Page, words: string): Promise<Scene> {
	const picture = (await page.screenshot()).toString('base64');
	return { picture, width: size.width, words };
}

async function showForm(browser: Browser, stage: Stage): Promise<Scene> {
	const editor = await openEditor(browser, stage);
	await openFilledForm(editor, stage);
	const panel = await editor
		.locator('[data-test-id="ndv-parameters-panel"], .node-parameters-wrapper')
		.first()
		.boundingBox();
	const label = await editor.locator('[data-test-id="resource-locator-templateId"]').boundingBox();
	if (!panel || !label) throw new Error("The editor doesn't show the node's form.");
	const clip = { x: panel.x, y: label.y - 28, width: panel.width, height: formHeight };
	const picture = (await editor.screenshot({ clip })).toString('base64');
	return { picture, width: clip.width, words: "Fill in your template's fields" };
}

async function signContract(page: Page, stage: Stage): Promise<Scene> {
	const { link } = await readSigningMail(stage.sandbox.url);
	await page.goto(link);
	const form = page.locator('form').last();
	await form.locator('input[name="text"]').fill(colleague.name);
	await form.locator('button[type="submit"]').scrollIntoViewIfNeeded();
	const scene = await sceneOf(page, 'People sign, today or in three weeks');
	await form.locator('button[type="submit"]').click();
	await page.waitForLoadState();
	return scene;
}

async function showSigned(page: Page, stage: Stage): Promise<Scene> {
	await readSignedMail(stage.sandbox.url);
	await page.goto(`${stage.sandbox.url}/mailbox`);
	await page.getByText('Please sign:').scrollIntoViewIfNeeded();
	await page.mouse.wheel(0, size.height);
	await page.waitForTimeout(1000);
	return await sceneOf(page, 'They get the signed files');
}

/** Arranges the form to the left of the two pages, each above its caption, and writes the picture. */
async function writeGrid(browser: Browser, scenes: Scene[]): Promise<void> {
	const widths = [...new Set(scenes.map(({ width }) => width))];
	const whole = widths.reduce((sum, width) => sum + width + gap, gap);
	const page = await browser.newPage({ viewport: { width: Math.ceil(whole), height: 100 } });
	const figures = scenes.map(
		(
			{ picture, width, words },
			index,
		) => `<figure style="margin:0;background:#1f2937;color:#fff;${index === 0 ? 'grid-row:span 2' : ''}">
			<img src="data:image/png;base64,${picture}" width="${width}" style="display:block">
			<figcaption style="line-height:${captionHeight}px;text-align:center">${words}</figcaption>
		</figure>`,
	);
	const columns = widths.map((width) => `${width}px`).join(' ');
	await page.setContent(
		`<body style="margin:0;padding:${gap}px;display:grid;gap:${gap}px;grid-template-columns:${columns};font:19px sans-serif">${figures.join('')}</body>`,
	);
	await page.screenshot({ path: pictureFile(onboardingPicture), fullPage: true });
	printPicture(onboardingPicture);
}

export async function takeOnboarding(): Promise<void> {
	const folder = await mkdtemp(path.join(root, '.run', 'onboarding-'));
	const stage = await raiseStage({ folder, log: (line) => console.log(line) });
	try {
		await walkThrough(stage);
	} finally {
		await stage.close();
		await rm(folder, { recursive: true, force: true });
	}
}
