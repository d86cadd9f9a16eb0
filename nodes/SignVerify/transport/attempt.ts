/** How a piece of work ended. */
export type Attempt<Value> = { ok: true; value: Value } | { ok: false; error: unknown };

/** Waits for work that may fail in a way that is no error yet: there is another place to look. */
export async function attempt<Value>(work: Promise<Value>): Promise<Attempt<Value>> {
	try {
		return { ok: true, value: await work };
	} catch (error) {
		return { ok: false, error };
	}
}
