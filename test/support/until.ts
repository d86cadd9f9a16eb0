/**
 * How long (ms) a test with a real n8n waits for something to happen. A busy machine needs several times as
 * long as an idle one.
 */
export const waitMs = 120_000;

/**
 * How long (ms) a test without n8n waits for something to happen. This is less than Jest's limit for a test
 * (jest.config.js).
 */
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
