/**
 * A test with a real n8n waits this long for something to happen, in milliseconds. A busy machine needs
 * several times as long as a free one.
 */
export const waitMs = 120_000;

/** A test without n8n waits this long. It is less than the time limit of such a test (jest.config.js). */
let limitMs = 25_000;

/** Makes every test wait as long as a test with a real n8n does (longLimit.ts). */
export function waitLong(): void {
	limitMs = waitMs;
}

/** Repeats a check every 50 ms until it returns a value. */
export async function until<Value>(
	what: string,
	look: () => Promise<Value | undefined | false> | Value | undefined | false,
): Promise<Value> {
	const deadline = Date.now() + limitMs;
	for (;;) {
		const value = await look();
		if (value) return value;
		if (Date.now() > deadline) throw new Error(`It did not happen in time: ${what}`);
		await new Promise((resolve) => setTimeout(resolve, 50));
	}
}
