import type { Page } from 'playwright-core';
import sharp from 'sharp';

import { filmFile, filmName, picturesFolder } from './folder';
import { notePicture } from './studio';

const still = { width: 1000, height: 640 };
const stillMs = 1500;
const captionHeight = 48;
/** The part of a still above its caption. */
export const frame = { width: still.width, height: still.height - captionHeight };

/** The stills of the film, each a PNG. */
export class Film {
	private readonly stills: Buffer[] = [];

	/** @param page An empty page, on which each still gets its caption. */
	constructor(private readonly page: Page) {}

	/** Adds a screenshot (PNG), as large as it fits. @param caption What happens, in a few words. */
	async add(picture: Buffer, caption: string): Promise<void> {
		await this.page.setViewportSize(still);
		await this.page.setContent(
			`<body style="margin:0;background:#1f2937;color:#fff;font:24px sans-serif">
				<img src="data:image/png;base64,${picture.toString('base64')}" style="display:block;width:${frame.width}px;height:${frame.height}px;object-fit:contain;background:#f1f5f7">
				<p style="margin:0;line-height:${captionHeight}px;text-align:center">${caption}</p>
			</body>`,
		);
		this.stills.push(await this.page.screenshot());
	}

	/** Writes the film, which starts again after its last still. */
	async write(): Promise<void> {
		const file = filmFile(picturesFolder());
		await sharp(this.stills, { join: { animated: true } })
			.webp({
				lossless: true,
				effort: 6,
				loop: 0,
				delay: this.stills.map(() => stillMs),
			})
			.toFile(file);
		await notePicture(filmName, file);
	}
}
