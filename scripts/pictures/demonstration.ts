import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { Locator, Page } from 'playwright-core';

import { nodePanel, openEditor, startBrowser } from '../../host/browser';
import { colleague, readSignedMail, readSigningMail } from '../../host/onboarding';
import { raiseStage, type Stage } from '../../host/stage';
import { lineOf } from '../../host/workflow';
import { root } from '../tools';
import { Recorder } from './video';

/** The demonstration that n8n asks for before it verifies a package, played in a real n8n and recorded. */
const file = path.join(root, '.run/demonstration/demonstration.webm');
const size = { width: 1440, height: 900 };
/** So that people can read what has appeared. */
const readingMs = 2500;

/** What each part of it shows; a picture of its end is kept beside the video. */
interface Scene {
	title: string;
	description: string;
	play: (page: Page, stage: Stage) => Promise<void>;
}

const scenes: Scene[] = [
	{
		title: 'The credential',
		description: 'Enter the account of the service. n8n tests it when it is saved.',
		play: enterCredential,
	},
	{
		title: 'Send a document',
		description: 'Choose a template, fill in its fields, and name the signatory.',
		play: sendDocument,
	},
	{
		title: 'Sign it',
		description: 'The signatory opens the link in the e-mail and signs.',
		play: signDocument,
	},
	{
		title: 'The next workflow starts',
		description: 'SignVerify Trigger gets the event, and the workflow mails the signed document.',
		play: showExecution,
	},
];

async function fillSlowly(field: Locator, text: string): Promise<void> {
	await field.click();
	await field.fill('');
	await field.pressSequentially(text, { delay: 15 });
}

async function enterCredential(page: Page, { n8n, sandbox }: Stage): Promise<void> {
	await page.goto(`${n8n.url}/home/credentials/create`);
	await page.getByPlaceholder('Search for app...').fill('SignVerify');
	await page.locator('.el-select-dropdown__item').filter({ hasText: 'SignVerify API' }).click();
	await page.locator('[data-test-id="new-credential-type-button"]').click();
	const { input } = nodePanel(page);
	await fillSlowly(input('baseUrl'), sandbox.baseUrl);
	await fillSlowly(input('userId'), sandbox.account.userId);
	await fillSlowly(input('apiKey'), sandbox.account.apiKey);
	await page.locator('[data-test-id="credential-save-button"]').click();
	await page.getByText('Connection tested successfully').waitFor();
}

async function sendDocument(page: Page, { n8n, sandbox }: Stage): Promise<void> {
	const [newest] = (await n8n.api.listCredentials())
		.filter(({ type }) => type === 'signVerifyApi')
		.reverse();
	if (!newest) throw new Error('The credential was not saved.');
	const step = {
		name: 'SignVerify',
		type: 'n8n-nodes-signverify.signVerify',
		typeVersion: 1.1,
		parameters: {},
		credentials: { signVerifyApi: { id: newest.id, name: newest.name } },
	};
	const { id } = await n8n.api.createWorkflow(lineOf('Send a contract', [step]));
	await page.goto(`${n8n.url}/workflow/${id}`);
	await page.locator('[data-test-id="canvas-node"][data-node-name="SignVerify"]').dblclick();
	const { byTestId, input, list } = nodePanel(page);
	await list('templateId').click();
	const template = sandbox.templates().find(({ name }) => name.startsWith('Employment contract'));
	await byTestId('rlc-item').filter({ hasText: template?.name }).click();
	for (const { key } of template?.slots ?? []) {
		await fillSlowly(input(`${key}.name`), colleague.name);
		await fillSlowly(input(`${key}.email`), colleague.email);
	}
	await fillSlowly(input('employee_name'), colleague.name);
	await fillSlowly(input('role'), colleague.role);
	await fillSlowly(input('start_date'), colleague.startDate);
	await list('country').click();
	await byTestId('rlc-search').fill('Sweden');
	await byTestId('rlc-item').filter({ hasText: 'Sweden' }).click();
	await byTestId('node-execute-button').click();
	await byTestId('output-panel').getByText('PENDING').waitFor();
}

async function signDocument(page: Page, { sandbox }: Stage): Promise<void> {
	const { link } = await readSigningMail(sandbox.url);
	await page.goto(link);
	await page.locator('[data-shown]').first().waitFor();
	await page.waitForTimeout(readingMs);
	await fillSlowly(page.locator('#text'), colleague.name);
	await page.getByRole('button', { name: /^Sign/ }).click();
	await page
		.getByText(/signed/i)
		.first()
		.waitFor();
}

async function showExecution(page: Page, { n8n, sandbox, workflows }: Stage): Promise<void> {
	await readSignedMail(sandbox.url);
	await page.goto(`${n8n.url}/workflow/${workflows.signed}/executions`);
	await page.locator('[data-test-id="execution-list-item"], .execution-card').first().waitFor();
	await page.waitForTimeout(readingMs);
	await page.goto(`${sandbox.url}/mailbox`);
	await page.getByText('Signed: ').first().waitFor();
}

async function record(stage: Stage, log: (line: string) => void): Promise<Buffer> {
	const browser = await startBrowser();
	try {
		const page = await openEditor(browser, stage);
		await page.setViewportSize(size);
		const recorder = await Recorder.start(page, size);
		await page.screencast.showActions({ duration: 600, style: { title: 'display: none' } });
		for (const [index, { title, description, play }] of scenes.entries()) {
			log(`${index + 1}. ${title}`);
			await page.screencast.showChapter(title, { description, duration: readingMs });
			await play(page, stage).catch(async (error: unknown) => {
				await page.screenshot({ path: path.join(path.dirname(file), 'failed.png') });
				throw error;
			});
			await page.waitForTimeout(readingMs);
			await page.screenshot({ path: path.join(path.dirname(file), `scene-${index + 1}.png`) });
		}
		log('Making the video. This takes as long as the demonstration.');
		return await recorder.stop(browser);
	} finally {
		await browser.close();
	}
}

/** Records the demonstration into `.run/demonstration`. */
export async function recordDemonstration(): Promise<void> {
	const log = (line: string) => console.log(line);
	await mkdir(path.dirname(file), { recursive: true });
	const folder = await mkdtemp(path.join(root, '.run', 'demonstration-'));
	const stage = await raiseStage({ folder, log });
	try {
		await writeFile(file, await record(stage, log));
		log(path.relative(root, file));
	} finally {
		await stage.close();
		await rm(folder, { recursive: true, force: true });
	}
}
