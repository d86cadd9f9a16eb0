/** A mistake of whoever typed the command: shown as it is, without a stack. */
export class CommandRefusal extends Error {}

/** Calls a running sandbox below `/sandbox`. */
export class SandboxClient {
	/** @param url Of the sandbox, without a slash at the end. */
	constructor(private readonly url: string) {}

	/**
	 * @param path Below `/sandbox`.
	 * @throws CommandRefusal when nobody answers, or the sandbox refuses.
	 */
	async call<T>(
		method: 'GET' | 'POST' | 'PUT' | 'DELETE',
		path: string,
		body?: unknown,
	): Promise<T> {
		const sent =
			body === undefined
				? {}
				: { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
		const answer = await fetch(`${this.url}/sandbox${path}`, { method, ...sent }).catch(() => {
			throw new CommandRefusal(
				`No sandbox answers at ${this.url}. Start one with "npm run sandbox" or "npm start", ` +
					'or name the port of the one that runs with SANDBOX_PORT.',
			);
		});
		const text = await answer.text();
		const data = isJson(answer) ? (JSON.parse(text) as T & { error?: string }) : undefined;
		if (answer.ok && data !== undefined) return data;
		throw new CommandRefusal(
			data?.error === undefined
				? `What answers at ${this.url} is not a sandbox.`
				: `The sandbox refuses this: ${data.error}.`,
		);
	}
}

function isJson(answer: Response): boolean {
	return (answer.headers.get('content-type') ?? '').startsWith('application/json');
}
