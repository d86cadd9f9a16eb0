import type { Browser, Locator, Page } from 'playwright-core';

import { colleague } from '../../host/onboarding';
import type { Stage } from '../../host/stage';
import { until } from '../../test/support/until';
import { Film, frame } from './film';
import { isNote } from './fingerprints';
import { openFilledForm } from './nodeShots';
import {
	areaOfWorkflow,
	hideTimes,
	mailWith,
	openMail,
	openWindow,
	shoot,
	size,
	type Take,
	uncoverCanvas,
} from './studio';

/** The part of the node's form that the still picture of the walk shows, from the template to its fields. */
const formHeight = 790;
const gap = 12;
const captionHeight = 36;
/**
 * The size of the two pages next to the form. They are small so that people can read them on GitHub, and
 * together as high as the form.
 */
const pane = { width: 520, height: (formHeight - captionHeight - gap) / 2 };

/** A screenshot (PNG, Base64), the size at which it's shown, and its caption. */
interface Scene {
	picture: string;
	width: number;
	height: number;
	words: string;
}

/**
 * Sends a contract from the form of the first example, signs it, and opens the signed copy. On the way, takes the film,
 * the still picture that stands for it, and pictures of the pages.
 */
export const takeWalk: Take = async (studio) => {
	const { stage, browser, editor } = studio;
	await removeNotes(stage);
	const scenes = [await showNode(editor, stage)];
	const page = await openWindow(studio, frame);
	const film = new Film(await browser.newPage());
	await fillInForm(page, film, stage);
	await showExecution(editor, film, stage, 'send', 'This workflow sends the contract');
	const link = await readInvitation(page, film, stage);
	scenes.push(await signContract(page, film, link));
	await showExecution(editor, film, stage, 'signed', 'n8n continues, even weeks later');
	scenes.push(await showSigned(page, film, stage));
	await film.write();
	await writeGrid(browser, scenes);
	await page.context().close();
};

/** Takes a screenshot with the film's proportions. @param width The narrower, the larger is what it shows. */
async function stillOf(page: Page, width: number): Promise<Buffer> {
	await page.setViewportSize({ width, height: Math.round((width * frame.height) / frame.width) });
	await page.waitForTimeout(500);
	return await page.screenshot();
}

/** Removes the notes from the two workflows, whose nodes are larger in the film without them. */
async function removeNotes({ n8n: { api }, workflows }: Stage): Promise<void> {
	for (const id of Object.values(workflows)) {
		const { nodes, connections } = await api.getWorkflow(id);
		await api.updateWorkflow(id, { nodes: nodes.filter((node) => !isNote(node)), connections });
		await api.publish(id);
	}
}

/** Shows the form of a node that sends the contract. */
async function showNode(editor: Page, stage: Stage): Promise<Scene> {
	await openFilledForm(editor, stage);
	const panel = await editor
		.locator('[data-test-id="ndv-parameters-panel"], .node-parameters-wrapper')
		.first()
		.boundingBox();
	const label = await editor.locator('[data-test-id="resource-locator-templateId"]').boundingBox();
	if (!panel || !label) throw new Error("The editor doesn't show the node's form.");
	const clip = { x: panel.x, y: label.y - 28, width: panel.width, height: formHeight };
	const picture = (await editor.screenshot({ clip })).toString('base64');
	return {
		picture,
		width: clip.width,
		height: formHeight,
		words: "You fill in your template's fields",
	};
}

async function fillInForm(page: Page, film: Film, { formUrl }: Stage): Promise<void> {
	await page.goto(formUrl);
	await page.getByLabel('Employee name').fill(colleague.name);
	await page.getByLabel('Email').fill(colleague.email);
	await page.getByLabel('Job title').fill(colleague.role);
	await page.getByLabel('Start date').fill(colleague.startDate);
	await page.getByLabel('Start date').blur();
	await film.add(await stillOf(page, 1060), 'You fill in a form');
	await page.getByRole('button', { name: 'Send the contract' }).click();
	await page.getByText('The contract is on its way').waitFor();
	await film.add(await stillOf(page, 620), 'The form confirms your entry');
	await shoot(page.locator('.card').first(), 'result-send-from-form');
}

/** Shows the first execution of one of the two workflows, once it has succeeded. */
async function showExecution(
	editor: Page,
	film: Film,
	{ n8n, workflows }: Stage,
	which: keyof Stage['workflows'],
	caption: string,
): Promise<void> {
	const workflowId = workflows[which];
	const { id } = await until('the workflow has succeeded', async () => {
		return (await n8n.api.executions({ workflowId, status: ['success'] })).at(-1);
	});
	await editor.setViewportSize({ width: 1500, height: 900 });
	await editor.goto(`${n8n.url}/workflow/${workflowId}/executions/${id}`);
	await editor.locator('[data-test-id="execution-preview-host"] .vue-flow__node').first().waitFor();
	await editor.waitForTimeout(3000);
	await uncoverCanvas(editor);
	await film.add(await editor.screenshot({ clip: await areaOfWorkflow(editor) }), caption);
}

/** Opens the email with the link. @returns The link. */
async function readInvitation(page: Page, film: Film, stage: Stage): Promise<string> {
	const mail = await mailWith(stage, 'Please sign:');
	await page.goto(`${stage.sandbox.url}/mailbox`);
	await hideTimes(page);
	await film.add(await stillOf(page, 840), 'The new hire gets an email');
	const invitation = await openMail(page, stage, mail);
	await film.add(await invitation.screenshot(), 'The link opens the contract');
	return /https?:\S+\/sign\/[\w-]+/.exec(mail.text)?.[0] ?? '';
}

async function signContract(page: Page, film: Film, link: string): Promise<Scene> {
	await page.goto(link);
	await page.locator('[data-shown]').first().waitFor();
	await film.add(await stillOf(page, 1000), 'The new hire reads it');
	await page.setViewportSize(size);
	await shoot(page, 'signing');
	await page.setViewportSize(pane);
	const form = page.locator('form').last();
	await form.locator('input[name="text"]').fill(colleague.name);
	const button = form.getByRole('button', { name: 'Sign the document' });
	await button.scrollIntoViewIfNeeded();
	const scene = await sceneOf(page, 'The new hire signs, today or in three weeks');
	await page.setViewportSize(size);
	await button.scrollIntoViewIfNeeded();
	await film.add(await stillOf(page, 1000), 'The new hire signs it');
	await button.click();
	await page.getByRole('heading', { name: 'You’ve signed the document' }).waitFor();
	await film.add(await stillOf(page, 900), 'The contract is signed');
	return scene;
}

async function showSigned(page: Page, film: Film, stage: Stage): Promise<Scene> {
	const mail = await mailWith(stage, 'Signed:');
	const copy = await openMail(page, stage, mail);
	await film.add(await copy.screenshot(), 'The new hire gets the signed copy');
	await shoot(copy, 'result-email-signed-copy');
	await page.goto(`${stage.sandbox.url}/mailbox`);
	await page.setViewportSize(size);
	await shoot(page, 'mailbox');
	await hideTimes(page);
	await page.setViewportSize(pane);
	return await sceneOf(page.getByLabel('Emails'), 'The new hire gets the signed copy');
}

async function sceneOf(shown: Page | Locator, words: string): Promise<Scene> {
	const picture = (await shown.screenshot()).toString('base64');
	return { picture, ...pane, words };
}

/** Arranges the form to the left of the two pages, each above its caption, and writes the picture. */
async function writeGrid(browser: Browser, scenes: Scene[]): Promise<void> {
	const widths = [...new Set(scenes.map(({ width }) => width))];
	const whole = widths.reduce((sum, width) => sum + width + gap, gap);
	const page = await browser.newPage({ viewport: { width: Math.ceil(whole), height: 100 } });
	const figures = scenes.map(
		(
			{ picture, width, height, words },
			index,
		) => `<figure style="margin:0;background:#1f2937;color:#fff;${index === 0 ? 'grid-row:span 2' : ''}">
			<img src="data:image/png;base64,${picture}" style="display:block;width:${width}px;height:${height}px;object-fit:contain;background:#f1f5f7">
			<figcaption style="line-height:${captionHeight}px;text-align:center">${words}</figcaption>
		</figure>`,
	);
	const columns = widths.map((width) => `${width}px`).join(' ');
	await page.setContent(
		`<body style="margin:0;padding:${gap}px;display:grid;gap:${gap}px;grid-template-columns:${columns};font:19px sans-serif">${figures.join('')}</body>`,
	);
	await shoot(page.locator('body'), 'onboarding');
}
