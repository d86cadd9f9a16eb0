/** Waits until something is so, asking again every 20 ms. */
export async function until(what: string, look: () => boolean, timeoutMs = 25_000): Promise<void> {
	const deadline = Date.now() + timeoutMs;
	while (!look()) {
		if (Date.now() > deadline) throw new Error(`It did not happen in time: ${what}`);
		await new Promise((resolve) => setTimeout(resolve, 20));
	}
}
