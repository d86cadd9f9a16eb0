import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';

import type { INode } from 'n8n-workflow';
import type { Page } from 'playwright-core';

import type { N8n } from '../../host/n8n';
import { exampleFiles, readExample } from '../../host/examples';
import {
	canvasFingerprint,
	examplesIn,
	isNote,
	keepFingerprints,
	noteFingerprint,
} from './fingerprints';
import { canvasPrefix, pictureFile, picturesFolder, printPicture, resultPrefix } from './folder';
import { size, type Studio } from './studio';

/** Deletes the pictures of examples that no longer exist. */
async function forgetOthers(examples: string[]): Promise<void> {
	const folder = picturesFolder();
	const current = [canvasPrefix, resultPrefix].flatMap((prefix) =>
		examples.map((name) => `${prefix}${name}.png`),
	);
	const files = await readdir(folder);
	for (const file of files) {
		const isOfExample = file.startsWith(canvasPrefix) || file.startsWith(resultPrefix);
		if (isOfExample && !current.includes(file)) await rm(path.join(folder, file));
	}
	keepFingerprints((key) => [key, ...examplesIn(key)].some((name) => examples.includes(name)));
}

/** Takes a picture of each wanted example, cropped to its nodes. Its note, which n8n shows, is left out. */
export async function shootCanvases({ stage, editor }: Studio, wanted: string[]): Promise<void> {
	await forgetOthers(await exampleFiles());
	if (wanted.length === 0) return;
	const { n8n } = stage;
	const credentials = await credentialsFor(n8n);
	await editor.setViewportSize({ width: size.width, height: 760 });
	const notes: INode[] = [];
	for (const name of wanted) {
		const workflow = await readExample(name, credentials);
		notes.push(...workflow.nodes.filter(isNote));
		const nodes = workflow.nodes.filter((node) => !isNote(node));
		await openCanvas(editor, n8n, nodes, workflow.connections);
		// Zoom out, because when the workflow fills the window, some node names may be cut off.
		await editor.locator('[data-test-id="zoom-out-button"]').click();
		// Move the pointer away, because a node under the pointer would show its buttons.
		await editor.mouse.move(size.width / 2, 0);
		await editor.waitForTimeout(800);
		// Hide the editor's buttons, which would cover part of the canvas.
		const buttons =
			'.vue-flow__panel, [class*="Buttons"], [data-test-id^="execute-workflow-button"]';
		await editor.addStyleTag({ content: `${buttons} { display: none }` });
		const picture = `${canvasPrefix}${name}`;
		await editor.screenshot({ path: pictureFile(picture), clip: await areaOfNodes(editor) });
		printPicture(pictureFile(picture));
		noteFingerprint(name, canvasFingerprint(workflow));
	}
	await expectWholeNotes(editor, n8n, notes);
}

/** Opens a new workflow in the editor and zooms it to fit the window. */
async function openCanvas(
	page: Page,
	{ api, url }: N8n,
	nodes: INode[],
	connections = {},
): Promise<void> {
	const { id } = await api.createWorkflow({ name: 'Picture', nodes, connections });
	await page.goto(`${url}/workflow/${id}`);
	await page.locator('.vue-flow__node').first().waitFor();
	// Close the suggestions that n8n shows to a workflow's owner, because they would cover the workflow.
	const advice = page
		.locator('[data-test-id="suggested-action-close"], [aria-label="Close"]')
		.first();
	if (await advice.isVisible()) await advice.click();
	await page.locator('[data-test-id="zoom-to-fit"]').click();
	await page.waitForTimeout(800);
}

/**
 * Stores a credential of each type that the examples need, because n8n flags nodes without one. The new ones are never
 * used.
 * @returns Their IDs, by type.
 */
async function credentialsFor({ api }: N8n): Promise<Record<string, string>> {
	const unused = [
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
		...['googleSheetsOAuth2Api', 'googleDriveOAuth2Api'].map((type) => ({
			name: `${type} account`,
			type,
			data: { clientId: 'none', clientSecret: 'none', oauthTokenData: { access_token: 'none' } },
		})),
	];
	for (const credential of unused) await api.createCredential(credential);
	return Object.fromEntries((await api.listCredentials()).map(({ id, type }) => [type, id]));
}

const notesInRow = 7;
/** The distance between two notes in each direction, which is more than the size of any of them. */
const notesApart = 1000;

/** @throws Error if one of the notes isn't high enough for its text. */
async function expectWholeNotes(page: Page, n8n: N8n, notes: INode[]): Promise<void> {
	const inRows = notes.map((note, index) => ({
		...note,
		name: `Note ${index}`,
		position: [
			(index % notesInRow) * notesApart,
			Math.floor(index / notesInRow) * notesApart,
		] as INode['position'],
	}));
	await openCanvas(page, n8n, inRows);
	const shown = page.locator('[data-test-id="sticky"]');
	if ((await shown.count()) < notes.length) throw new Error("The editor doesn't show all notes.");
	for (const note of await shown.all()) {
		const missing = await note
			.locator('*')
			.evaluateAll((parts) =>
				Math.max(...parts.map(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)),
			);
		if (missing <= 1) continue;
		const [title = ''] = (await note.innerText()).trim().split('\n');
		throw new Error(`The note "${title}" is cut off. Make it ${missing} higher.`);
	}
}

const margin = 16;

/** Returns the part of the window that contains all nodes, with their names, and the connections between them. */
async function areaOfNodes(
	page: Page,
): Promise<{ x: number; y: number; width: number; height: number }> {
	const boxes = await page
		.locator('.vue-flow__node, .vue-flow__node *, .vue-flow__edge path')
		.evaluateAll((parts) =>
			parts
				.filter((part) => part.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }))
				.map((part) => {
					const { left, top, right, bottom } = part.getBoundingClientRect();
					return { left, top, right, bottom };
				})
				.filter(({ left, right }) => right > left),
		);
	const x = Math.min(...boxes.map(({ left }) => left)) - margin;
	const y = Math.min(...boxes.map(({ top }) => top)) - margin;
	const right = Math.max(...boxes.map((box) => box.right)) + margin;
	const bottom = Math.max(...boxes.map((box) => box.bottom)) + margin;
	return { x, y, width: right - x, height: bottom - y };
}
