import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import path from 'node:path';

import type { Page } from 'playwright-core';

import { canvasNode, openEditor, openNodePanel, startBrowser } from '../../host/browser';
import { exampleFiles, readExample } from '../../host/examples';
import {
	colleague,
	contractForm,
	readSignedMail,
	readSigningMail,
	sign,
	submitForm,
} from '../../host/onboarding';
import { raiseStage, type Stage } from '../../host/stage';
import { actionSteps, lineOf } from '../../host/workflow';
import { keepFingerprints, noteFingerprint } from './fingerprints';
import { pictureFile, picturesFolder, printPicture } from './folder';
import { shootForms } from './formShots';
import { root } from '../tools';

const size = { width: 1200, height: 640 };

async function shoot(page: Page, name: string): Promise<void> {
	await page.screenshot({ path: pictureFile(name) });
	printPicture(name);
}

/** Opens a workflow in the editor and zooms it to fit the window. */
async function openCanvas(page: Page, stage: Stage, id: string): Promise<void> {
	await page.goto(`${stage.n8n.url}/workflow/${id}`);
	await page.locator('[data-test-id="canvas-node"]').nth(1).waitFor();
	// Close the suggestions that n8n shows to a workflow's owner, because they would cover the workflow.
	const advice = page
		.locator('[data-test-id="suggested-action-close"], [aria-label="Close"]')
		.first();
	if (await advice.isVisible()) await advice.click();
	await page.locator('[data-test-id="zoom-to-fit"]').click();
	await page.waitForTimeout(800);
}

/**
 * The examples need these credentials only because n8n flags nodes without a credential. The credentials are
 * never used.
 */
const unusedCredentials = [
	{ name: 'S3 account', type: 's3', data: { endpoint: 'http://127.0.0.1:9' } },
	{
		name: 'OpenAI account',
		type: 'openAiApi',
		data: { apiKey: 'none', url: 'http://127.0.0.1:9' },
	},
	{
		name: 'Header Auth account',
		type: 'httpHeaderAuth',
		data: { name: 'X-Secret', value: 'none' },
	},
	{ name: 'Form login', type: 'httpBasicAuth', data: { user: 'none', password: 'none' } },
	...['googleSheetsOAuth2Api', 'googleDriveOAuth2Api'].map((type) => ({
		name: `${type} account`,
		type,
		data: { clientId: 'none', clientSecret: 'none', oauthTokenData: { access_token: 'none' } },
	})),
];

/** Returns the file name of an example's picture, without its extension. */
const pictureOf = (example: string) => `example-${example}`;

/** Deletes the pictures of examples that no longer exist. */
async function forgetOthers(examples: string[]): Promise<void> {
	const folder = picturesFolder();
	const pictures = (await readdir(folder)).filter((file) => file.startsWith(pictureOf('')));
	const current = examples.map((name) => `${pictureOf(name)}.png`);
	for (const file of pictures) if (!current.includes(file)) await rm(path.join(folder, file));
	keepFingerprints(examples);
}

/** Takes a screenshot of each example, cropped to its nodes and notes. */
async function shootExamples(page: Page, stage: Stage, wanted: string[]): Promise<void> {
	const { api } = stage.n8n;
	for (const credential of unusedCredentials) await api.createCredential(credential);
	const credentials = Object.fromEntries(
		(await api.listCredentials()).map(({ id, type }) => [type, id]),
	);
	await page.setViewportSize({ width: size.width, height: 760 });
	const examples = await exampleFiles();
	await forgetOthers(examples);
	for (const name of examples) {
		if (wanted.length > 0 && !wanted.includes(name)) continue;
		const workflow = await readExample(name, credentials);
		const { id } = await api.createWorkflow(workflow);
		await openCanvas(page, stage, id);
		await expectWholeNotes(page, name);
		// Zoom out, because when the workflow fills the window, some node names may be cut off.
		await page.locator('[data-test-id="zoom-out-button"]').click();
		// Move the pointer away, because a node under the pointer would show its buttons.
		await page.mouse.move(size.width / 2, 0);
		await page.waitForTimeout(800);
		// Hide the editor's buttons, which would cover part of the canvas.
		const buttons =
			'.vue-flow__panel, [class*="Buttons"], [data-test-id^="execute-workflow-button"]';
		await page.addStyleTag({ content: `${buttons} { display: none }` });
		await page.screenshot({
			path: pictureFile(pictureOf(name)),
			clip: await areaOfNodes(page),
		});
		printPicture(pictureOf(name));
		noteFingerprint(name, workflow);
		await api.deleteWorkflow(id);
	}
}

/** @throws Error if a note isn't high enough for its text. */
async function expectWholeNotes(page: Page, example: string): Promise<void> {
	const missing = await page
		.locator('[data-test-id="sticky"] *')
		.evaluateAll((parts) =>
			Math.max(...parts.map(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)),
		);
	if (missing > 1) {
		throw new Error(`The note in "${example}" is cut off. Make it ${missing} higher.`);
	}
}

/** Returns the part of the window that contains all nodes and notes, including the names under the nodes. */
async function areaOfNodes(
	page: Page,
): Promise<{ x: number; y: number; width: number; height: number }> {
	const boxes = [];
	for (const node of await page.locator('.vue-flow__node').all()) {
		const box = await node.boundingBox();
		if (box) boxes.push(box);
	}
	const x = Math.max(0, Math.min(...boxes.map((box) => box.x)) - 72);
	const y = Math.min(...boxes.map((box) => box.y)) - 24;
	const right = Math.max(...boxes.map((box) => box.x + box.width)) + 72;
	const bottom = Math.max(...boxes.map((box) => box.y + box.height)) + 72;
	return { x, y, width: right - x, height: bottom - y };
}

/** The parameters of a node that sends the example contract, even in the editor. The signatory is entered by role. */
const contractByRole = {
	resource: 'document',
	...contractForm,
	fields: {
		...contractForm.fields,
		value: { ...contractForm.fields.value, start_date: colleague.startDate },
	},
	templateId: {
		...contractForm.templateId,
		mode: 'list',
		cachedResultName: 'Employment contract – Full-time employment, signed by the new hire.',
	},
	specifySignatories: 'byRole',
	signatoryRoles: {
		mappingMode: 'defineBelow',
		value: { 'employee.name': colleague.name, 'employee.email': colleague.email },
	},
	country: { ...contractForm.country, mode: 'list', cachedResultName: 'United States' },
	options: { writeDatesIn: 'en-US' },
};

/** Opens a node that sends the example contract, with its form filled in. */
export async function openFilledForm(page: Page, { n8n }: Stage): Promise<void> {
	await page.setViewportSize({ width: 1200, height: 1640 });
	const action = await actionSteps(n8n.api);
	const parameters = { ...contractByRole, operation: 'send', inTestRuns: 'nothing' };
	const line = lineOf('Send a contract', [action('Send the contract', parameters)]);
	const { id } = await n8n.api.createWorkflow(line);
	await page.goto(`${n8n.url}/workflow/${id}`);
	await openNodePanel(page, 'Send the contract');
	await page.locator('[data-test-id="parameter-input-employee_name"]').waitFor();
	await page.waitForTimeout(2000);
}

/** Takes pictures of the action node's filled-in form, and of the document that the node created. */
async function shootNode(page: Page, stage: Stage): Promise<void> {
	await openFilledForm(page, stage);
	await shoot(page, 'editor-fields');
	await page.locator('[data-test-id="parameter-input-inTestRuns"]').click();
	await page.getByRole('option', { name: /^To the Real People/ }).click();
	await page.setViewportSize({ width: 1200, height: 860 });
	await page.locator('[data-test-id="node-execute-button"]').click();
	await page.locator('[data-test-id="output-panel"]').getByText('PENDING').waitFor();
	// Wait until n8n's success message has disappeared.
	await page.waitForTimeout(6000);
	await shoot(page, 'editor-output');
}

/** Takes a picture of the output for a document that was sent although its value looks like a mistake. */
async function shootWarning(page: Page, { n8n }: Stage): Promise<void> {
	await page.setViewportSize({ width: 1200, height: 700 });
	const action = await actionSteps(n8n.api);
	const { value } = contractByRole.fields;
	const fields = { ...contractByRole.fields, value: { ...value, role: 'Jefa de administraciÃ³n' } };
	const options = { ...contractByRole.options, sendDespiteWarnings: true };
	const parameters = { ...contractByRole, fields, operation: 'send', options };
	const line = lineOf('Send a contract', [action('Send the contract', parameters)]);
	const { id } = await n8n.api.createWorkflow(line);
	await page.goto(`${n8n.url}/workflow/${id}`);
	await openNodePanel(page, 'Send the contract');
	await page.locator('[data-test-id="parameter-input-employee_name"]').waitFor();
	await page.locator('[data-test-id="node-execute-button"]').click();
	const output = page.locator('[data-test-id="output-panel"]');
	await output.getByText('PENDING').waitFor();
	await output.getByText('read in the wrong encoding').first().waitFor();
	// Wait until n8n's success message has disappeared.
	await page.waitForTimeout(6000);
	await shoot(page, 'editor-warning');
}

/** Takes a picture of the error that the editor shows when the second of three rows is wrong. */
async function shootError(page: Page, { n8n }: Stage): Promise<void> {
	await page.setViewportSize({ width: 1200, height: 700 });
	const action = await actionSteps(n8n.api);
	const people = ['ana@example.com', 'ben.example.com', 'zoe@example.com'];
	const list = people.map((email) => ({ json: { email } }));
	const rows = {
		name: 'Rows',
		type: 'n8n-nodes-base.code',
		typeVersion: 2,
		parameters: { jsCode: `return ${JSON.stringify(list)};` },
	};
	const { value } = contractByRole.signatoryRoles;
	const signatoryRoles = {
		...contractByRole.signatoryRoles,
		value: { ...value, 'employee.email': '={{ $json.email }}' },
	};
	const parameters = { ...contractByRole, signatoryRoles, operation: 'send' };
	const line = lineOf('Three rows', [rows, action('Send the contracts', parameters)]);
	const { id } = await n8n.api.createWorkflow(line);
	await page.goto(`${n8n.url}/workflow/${id}`);
	await openNodePanel(page, 'Send the contracts');
	await page.locator('[data-test-id="parameter-input-employee_name"]').waitFor();
	await page.locator('[data-test-id="node-execute-button"]').click();
	await page.locator('[data-test-id="node-error-description"]').first().waitFor();
	await page.locator('.el-notification__closeBtn').first().click();
	await page.waitForTimeout(1000);
	await shoot(page, 'editor-error');
}

async function shootWaiting(page: Page, { n8n }: Stage): Promise<void> {
	const action = await actionSteps(n8n.api);
	const parameters = { ...contractByRole, operation: 'sendAndWait' };
	const line = lineOf('Send a contract and wait', [action('Send the contract', parameters)]);
	const { id } = await n8n.api.createWorkflow(line);
	await page.goto(`${n8n.url}/workflow/${id}`);
	await canvasNode(page, 'Send the contract').waitFor();
	await page.locator('[data-test-id="execute-workflow-button"]').click();
	await openNodePanel(page, 'Send the contract');
	await page.locator('[data-test-id="output-panel"]').getByText('everyone has signed').waitFor();
	await page.waitForTimeout(800);
	await shoot(page, 'editor-waiting');
}

/** The pictures of single nodes, each with the function that takes it. */
export const nodePictures: Record<string, (page: Page, stage: Stage) => Promise<void>> = {
	'editor-output': shootNode,
	'editor-warning': shootWarning,
	'editor-error': shootError,
	'editor-waiting': shootWaiting,
};

/**
 * Retakes the pictures. They are taken in a running n8n so that they show what users see.
 * @param wanted The names of the examples, or of pictures of single nodes, whose pictures are retaken. If the
 * list is empty, all pictures are retaken.
 */
export async function takeScreenshots(wanted: string[]): Promise<void> {
	await mkdir(picturesFolder(), { recursive: true });
	const data = await mkdtemp(path.join(root, '.run', 'screenshots-'));
	const stage = await raiseStage({ folder: data, log: (line) => console.log(line) });
	const browser = await startBrowser();
	try {
		if (wanted.length > 0) {
			const editor = await openEditor(browser, stage);
			await shootExamples(editor, stage, wanted);
			for (const name of wanted) await nodePictures[name]?.(editor, stage);
			return;
		}
		const page = await browser.newPage({ viewport: size });
		await submitForm(stage.formUrl);
		const { link } = await readSigningMail(stage.sandbox.url);
		await page.goto(link);
		await page.locator('[data-shown]').first().waitFor();
		await shoot(page, 'signing');
		await sign(link);
		await readSignedMail(stage.sandbox.url);
		await page.goto(`${stage.sandbox.url}/mailbox`);
		await shoot(page, 'mailbox');
		const editor = await openEditor(browser, stage);
		await editor.setViewportSize(size);
		await shootExamples(editor, stage, wanted);
		for (const take of Object.values(nodePictures)) await take(editor, stage);
		await shootForms(editor, stage, shoot);
	} finally {
		await browser.close();
		await stage.close();
		await rm(data, { recursive: true, force: true });
	}
}
