import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';

import type { Page } from 'playwright-core';
import sharp from 'sharp';

import { openEditor, startBrowser } from '../../host/browser';
import { colleague, fetchFile, readSignedMail, readSigningMail } from '../../host/onboarding';
import { raiseStage, type Stage } from '../../host/stage';
import { root } from '../tools';

/**
 * The animation in the README shows the whole process, from the form to the signed PDF. The still picture
 * shows its main scenes.
 */
const moving = path.join(root, 'docs/images/onboarding.webp');
const still = path.join(root, 'docs/images/onboarding.png');
const size = { width: 1000, height: 640 };
/** The size of one scene in the still picture, which is a grid of three columns. */
const part = { width: 480, height: 307, gap: 12, columns: 3 };
/** GitHub loads the animation with the page, so it must stay small. */
const maxBytes = 2_000_000;

const captionHeight = 48;
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

/** A picture in the animation, and how long (ms) it is shown. */
interface Scene {
	picture: Buffer;
	lasts: number;
	/** Whether the still picture includes this scene. */
	isMain: boolean;
}

/** Takes pictures of a page and adds a caption at the bottom of each. */
class Camera {
	readonly scenes: Scene[] = [];

	async take(page: Page, words: string, { lasts = 1800, isMain = true } = {}): Promise<void> {
		const input = Buffer.from(captionOf(words));
		const top = size.height - captionHeight;
		const picture = await sharp(await page.screenshot())
			.composite([{ input, left: 0, top }])
			.png()
			.toBuffer();
		this.scenes.push({ picture, lasts, isMain });
	}
}

function captionOf(words: string): string {
	return `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${captionHeight}">
		<rect width="100%" height="100%" fill="#1f2937"/>
		<text x="50%" y="32" text-anchor="middle" font-family="sans-serif" font-size="21" fill="#fff">${words}</text>
	</svg>`;
}

async function film(camera: Camera, stage: Stage): Promise<void> {
	const browser = await startBrowser();
	try {
		const editor = await openEditor(browser, stage);
		await editor.setViewportSize(size);
		await editor.goto(`${stage.n8n.url}/workflow/${stage.workflows.send}`);
		await editor.locator('[data-test-id="canvas-node"]').nth(1).waitFor();
		await editor.locator('[data-test-id="zoom-to-fit"]').click();
		// The workflow now fills the window, so zoom out. Otherwise, the caption would cover part of the
		// workflow.
		await editor.locator('[data-test-id="zoom-out-button"]').click();
		await editor.waitForTimeout(1500);
		await camera.take(editor, 'A workflow in n8n sends a contract from a form');

		const page = await browser.newPage({ viewport: size });
		await fillForm(page, camera, stage);
		await signContract(page, camera, stage);
		await showSigned(page, camera, stage);
	} finally {
		await browser.close();
	}
}

async function fillForm(page: Page, camera: Camera, stage: Stage): Promise<void> {
	await page.goto(stage.formUrl);
	const { name, email, role, startDate } = colleague;
	const words = 'Someone fills in the form';
	for (const [index, value] of [name, email, role, startDate].entries()) {
		await page.locator(`[name="field-${index}"]`).fill(value);
		await camera.take(page, words, { lasts: index === 3 ? 1600 : 600, isMain: index === 3 });
	}
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
	await camera.take(page, 'The signatory types their name and signs', { isMain: false });
	await form.locator('button[type="submit"]').click();
	await page.waitForLoadState();
}

async function showSigned(page: Page, camera: Camera, stage: Stage): Promise<void> {
	const { link } = await readSignedMail(stage.sandbox.url);
	await page.goto(`${stage.sandbox.url}/mailbox`);
	await page.waitForTimeout(1000);
	await camera.take(page, 'A second workflow emails the signed files');
	await showPdf(page, await fetchFile(link));
	await camera.take(page, 'The signed contract', { lasts: 3500 });
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

async function writeMoving(scenes: Scene[]): Promise<void> {
	await sharp(
		scenes.map(({ picture }) => picture),
		{ join: { animated: true } },
	)
		.webp({ delay: scenes.map(({ lasts }) => lasts), loop: 0, quality: 80, effort: 6 })
		.toFile(moving);
	const { size: bytes } = await stat(moving);
	const megabytes = (bytes / 1e6).toFixed(1);
	console.log(`${path.relative(root, moving)}: ${megabytes} MB, ${scenes.length} pictures`);
	if (bytes > maxBytes) {
		throw new Error(
			`${path.relative(root, moving)} is larger than ${maxBytes / 1e6} MB. Take fewer pictures in scripts/pictures/movie.ts.`,
		);
	}
}

/** Writes a still picture that shows the main scenes in a grid. */
async function writeStill(scenes: Scene[]): Promise<void> {
	const main = scenes.filter(({ isMain }) => isMain);
	const rows = Math.ceil(main.length / part.columns);
	const pictures = await Promise.all(
		main.map(async ({ picture }, index) => ({
			input: await sharp(picture).resize(part.width, part.height).toBuffer(),
			left: part.gap + (index % part.columns) * (part.width + part.gap),
			top: part.gap + Math.floor(index / part.columns) * (part.height + part.gap),
		})),
	);
	await sharp({
		create: {
			width: part.columns * (part.width + part.gap) + part.gap,
			height: rows * (part.height + part.gap) + part.gap,
			channels: 3,
			background: '#ffffff',
		},
	})
		.composite(pictures)
		.png({ palette: true })
		.toFile(still);
	console.log(path.relative(root, still));
}

/** Makes the animation in the README, and the still picture with its main scenes. */
export async function makeMovie(): Promise<void> {
	const folder = await mkdtemp(path.join(root, '.run', 'movie-'));
	const stage = await raiseStage({ folder, log: (line) => console.log(line) });
	const camera = new Camera();
	try {
		await film(camera, stage);
	} finally {
		await stage.close();
		await rm(folder, { recursive: true, force: true });
	}
	await writeMoving(camera.scenes);
	await writeStill(camera.scenes);
}
