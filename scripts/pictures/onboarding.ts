import { mkdtemp, readFile, rm } from 'node:fs/promises';
import path from 'node:path';

import type { Browser, Page } from 'playwright-core';

import { openEditor, startBrowser } from '../../host/browser';
import { colleague, fetchFile, readSignedMail, readSigningMail } from '../../host/onboarding';
import { raiseStage, type Stage } from '../../host/stage';
import { root } from '../tools';

/** The picture in the README shows the whole process, from the form to the signed PDF. */
const target = path.join(root, 'docs/images/onboarding.png');
const size = { width: 1000, height: 640 };
/** The width of one scene in the picture, which is a grid of three columns. */
const part = { width: 480, gap: 12, columns: 3 };

/** Nothing listens at this URL. {@link showPdf} intercepts the browser's requests and responds to them. */
const nowhere = 'http://127.0.0.1:1';
const viewer = `<body style="margin:0;background:#e5e7eb;text-align:center"><script type="module">
	import * as library from '/pdf.min.mjs';
	library.GlobalWorkerOptions.workerSrc = '/pdf.worker.min.mjs';
	const file = await library.getDocument('/file.pdf').promise;
	const page = await file.getPage(file.numPages);
	const { width } = page.getViewport({ scale: 1 });
	const viewport = page.getViewport({ scale: ${size.width * 0.8} / width });
	const canvas = document.createElement('canvas');
	Object.assign(canvas, { width: viewport.width, height: viewport.height });
	await page.render({ canvas, viewport }).promise;
	document.body.append(canvas);
</script></body>`;

/** A screenshot (PNG, Base64) and its caption. */
interface Scene {
	picture: string;
	words: string;
}

class Camera {
	readonly scenes: Scene[] = [];

	async take(page: Page, words: string): Promise<void> {
		this.scenes.push({ picture: (await page.screenshot()).toString('base64'), words });
	}
}

async function walkThrough(camera: Camera, stage: Stage): Promise<void> {
	const browser = await startBrowser();
	try {
		const editor = await openEditor(browser, stage);
		await editor.setViewportSize(size);
		await editor.goto(`${stage.n8n.url}/workflow/${stage.workflows.send}`);
		await editor.locator('[data-test-id="canvas-node"]').nth(1).waitFor();
		await editor.locator('[data-test-id="zoom-to-fit"]').click();
		// The workflow now fills the window, so zoom out. Otherwise, n8n's Execute button would cover a node.
		await editor.locator('[data-test-id="zoom-out-button"]').click();
		await editor.waitForTimeout(1500);
		await camera.take(editor, 'A workflow in n8n sends a contract from a form');

		const page = await browser.newPage({ viewport: size });
		await fillForm(page, camera, stage);
		await signContract(page, camera, stage);
		await showSigned(page, camera, stage);
		await writeGrid(browser, camera.scenes);
	} finally {
		await browser.close();
	}
}

async function fillForm(page: Page, camera: Camera, stage: Stage): Promise<void> {
	await page.goto(stage.formUrl);
	const { name, email, role, startDate } = colleague;
	for (const [index, value] of [name, email, role, startDate].entries()) {
		await page.locator(`[name="field-${index}"]`).fill(value);
	}
	await camera.take(page, 'Someone fills in the form');
	await page.locator('button').first().click();
}

async function signContract(page: Page, camera: Camera, stage: Stage): Promise<void> {
	const { link } = await readSigningMail(stage.sandbox.url);
	await page.goto(`${stage.sandbox.url}/mailbox`);
	await page.waitForTimeout(1000);
	await camera.take(page, 'The signatory gets an email with a link');
	await page.goto(link);
	await page.locator('[data-shown]').first().waitFor();
	await camera.take(page, 'The contract, filled in from the form');
	const form = page.locator('form').last();
	await form.scrollIntoViewIfNeeded();
	await form.locator('input[name="text"]').fill(colleague.name);
	await form.locator('button[type="submit"]').click();
	await page.waitForLoadState();
}

async function showSigned(page: Page, camera: Camera, stage: Stage): Promise<void> {
	const { link } = await readSignedMail(stage.sandbox.url);
	await page.goto(`${stage.sandbox.url}/mailbox`);
	await page.waitForTimeout(1000);
	await camera.take(page, 'A second workflow emails the signed files');
	await showPdf(page, await fetchFile(link));
	await camera.take(page, 'The signed contract');
}

/** Shows the last page of a PDF with pdf.js, because headless Chromium has no PDF viewer. */
async function showPdf(page: Page, file: Buffer): Promise<void> {
	const library = path.join(
		path.dirname(require.resolve('pdfjs-dist/package.json')),
		'legacy/build',
	);
	await page.route(`${nowhere}/**`, async (route) => {
		const { pathname } = new URL(route.request().url());
		if (pathname === '/') await route.fulfill({ contentType: 'text/html', body: viewer });
		else if (pathname === '/file.pdf') await route.fulfill({ body: file });
		else {
			const body = await readFile(path.join(library, path.basename(pathname)));
			await route.fulfill({ contentType: 'text/javascript', body });
		}
	});
	await page.goto(`${nowhere}/`);
	await page.locator('canvas').waitFor();
}

/** Arranges the scenes in a grid, each above its caption, and writes the picture. */
async function writeGrid(browser: Browser, scenes: Scene[]): Promise<void> {
	const { width, gap, columns } = part;
	const page = await browser.newPage({
		viewport: { width: columns * (width + gap) + gap, height: 100 },
	});
	const figures = scenes.map(
		({ picture, words }) => `<figure style="margin:0;background:#1f2937;color:#fff">
			<img src="data:image/png;base64,${picture}" width="${width}" style="display:block">
			<figcaption style="padding:7px;text-align:center">${words}</figcaption>
		</figure>`,
	);
	await page.setContent(
		`<body style="margin:0;padding:${gap}px;display:grid;gap:${gap}px;grid-template-columns:repeat(${columns},${width}px);font:21px sans-serif">${figures.join('')}</body>`,
	);
	await page.screenshot({ path: target, fullPage: true });
	console.log(path.relative(root, target));
}

export async function takeOnboarding(): Promise<void> {
	const folder = await mkdtemp(path.join(root, '.run', 'onboarding-'));
	const stage = await raiseStage({ folder, log: (line) => console.log(line) });
	try {
		await walkThrough(new Camera(), stage);
	} finally {
		await stage.close();
		await rm(folder, { recursive: true, force: true });
	}
}
