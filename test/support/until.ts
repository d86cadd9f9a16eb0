/**
 * How long a test with a real n8n waits for what must happen, in milliseconds: a busy machine needs
 * several times what a free one needs.
 */
export const waitMs = 120_000;

/** The same without n8n: less than such a test may take (jest.config.js). */
let limitMs = 25_000;

/** For all tests with a real n8n: see longLimit.ts. */
export function waitLong(): void {
	limitMs = waitMs;
}

/** Waits until something is so, asking again every 50 ms. */
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
