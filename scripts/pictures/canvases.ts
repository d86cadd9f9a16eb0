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
import { areaOfWorkflow, uncoverCanvas, size, type Area, type Studio } from './studio';

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
		await uncoverCanvas(editor);
		// Move the pointer away, because a node under the pointer would show its buttons.
		await editor.mouse.move(size.width / 2, 0);
		const picture = `${canvasPrefix}${name}`;
		await editor.screenshot({ path: pictureFile(picture), clip: await fittingArea(editor) });
		printPicture(pictureFile(picture));
		noteFingerprint(name, canvasFingerprint(workflow));
	}
	await expectWholeNotes(editor, n8n, notes);
}

/** Zooms out until the canvas shows the whole workflow, even the names of its nodes. @returns The workflow's area. */
async function fittingArea(page: Page): Promise<Area> {
	const canvas = await page.locator('[data-test-id="canvas-wrapper"]').boundingBox();
	if (!canvas) throw new Error("The editor doesn't show a canvas.");
	for (;;) {
		await page.waitForTimeout(800);
		const area = await areaOfWorkflow(page);
		const fits =
			area.x >= canvas.x &&
			area.y >= canvas.y &&
			area.x + area.width <= canvas.x + canvas.width &&
			area.y + area.height <= canvas.y + canvas.height;
		if (fits) return area;
		await page.locator('[data-test-id="zoom-out-button"]').dispatchEvent('click');
	}
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
