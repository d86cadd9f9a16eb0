import type { Browser, Page } from 'playwright-core';

/** A picture of the recorded page, and when it was taken. */
interface Frame {
	jpeg: Buffer;
	/** Milliseconds since the first one. */
	at: number;
}

/** Where the page that makes the video fetches the pictures and leaves the result; nothing listens there. */
const origin = 'http://127.0.0.1:9';

/** The last picture stays this long (ms). */
const endMs = 2000;

/** Draws each picture when its time has come, and records the canvas. */
const program = (
	frames: number[],
	size: { width: number; height: number },
): string => `(async () => {
	const canvas = document.createElement('canvas');
	Object.assign(canvas, ${JSON.stringify(size)});
	const pen = canvas.getContext('2d');
	const recorder = new MediaRecorder(canvas.captureStream(15), {
		mimeType: 'video/webm;codecs=vp8',
		videoBitsPerSecond: 4_000_000,
	});
	const parts = [];
	recorder.ondataavailable = ({ data }) => parts.push(data);
	const stopped = new Promise((done) => (recorder.onstop = done));
	recorder.start(1000);
	const start = performance.now();
	const until = (at) => new Promise((done) => setTimeout(done, at - (performance.now() - start)));
	const times = ${JSON.stringify(frames)};
	for (const [index, at] of times.entries()) {
		const picture = await createImageBitmap(await (await fetch('/frame/' + index)).blob());
		await until(at);
		pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
	}
	await until(times.at(-1) + ${endMs});
	recorder.stop();
	await stopped;
	await fetch('/video', { method: 'POST', body: new Blob(parts) });
})()`;

/** Records what a page shows, and makes a video of it in the browser: no other program is needed. */
export class Recorder {
	private readonly frames: Frame[] = [];

	private constructor(
		private readonly page: Page,
		private readonly size: { width: number; height: number },
	) {}

	/** Begins to record. */
	static async start(page: Page, size: { width: number; height: number }): Promise<Recorder> {
		const recorder = new Recorder(page, size);
		let first: number | undefined;
		await page.screencast.start({
			size,
			quality: 90,
			onFrame: ({ data, timestamp }) => {
				first ??= timestamp;
				recorder.frames.push({ jpeg: data, at: timestamp - first });
			},
		});
		return recorder;
	}

	/**
	 * Ends the recording. Takes as long as what was recorded.
	 * @returns The video as WebM.
	 * @throws Error when nothing was recorded, or the browser makes no video.
	 */
	async stop(browser: Browser): Promise<Buffer> {
		await this.page.screencast.stop();
		if (this.frames.length === 0) throw new Error('The browser delivered no pictures.');
		const page = await browser.newPage();
		try {
			return await this.encode(page);
		} finally {
			await page.close();
		}
	}

	private async encode(page: Page): Promise<Buffer> {
		let video: Buffer = Buffer.alloc(0);
		await page.route(`${origin}/**`, async (route) => {
			const { pathname } = new URL(route.request().url());
			const frame = this.frames[Number(/^\/frame\/(\d+)$/.exec(pathname)?.[1] ?? -1)];
			if (pathname === '/video') video = route.request().postDataBuffer() ?? video;
			await route.fulfill(
				frame ? { contentType: 'image/jpeg', body: frame.jpeg } : { body: '<!doctype html>' },
			);
		});
		await page.goto(origin);
		await page.evaluate(
			program(
				this.frames.map(({ at }) => Math.round(at)),
				this.size,
			),
		);
		if (video.length === 0) throw new Error('The browser made no video.');
		return video;
	}
}
