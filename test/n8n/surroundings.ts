import type { ICredentialType, IHttpRequestOptions, INodeType } from 'n8n-workflow';

/** The nodes and the credential that one n8n process has loaded. */
export interface NodeCode {
	action: INodeType;
	trigger: INodeType;
	credential: ICredentialType;
}

/** Time, randomness and the order of events, either real or simulated. */
export interface Clock {
	/** Milliseconds since the epoch. */
	now(): number;
	/** A random number from 0 (inclusive) to 1 (exclusive). */
	random(): number;
	sleep(ms: number): Promise<void>;
	after(ms: number, work: () => void): void;
	/** Marks an action that takes time outside the nodes' code, such as a write to the database. */
	step(label: string): Promise<void>;
	/** Records what happens so that a failure can be explained. */
	note(line: string): void;
}

/** The clock of this machine. Its timers do not keep a process alive. */
export const realClock: Clock = {
	now: () => Date.now(),
	random: () => Math.random(),
	sleep: async (ms) => await new Promise((resolve) => setTimeout(resolve, ms)),
	after: (ms, work) => void setTimeout(work, Math.min(ms, 2 ** 31 - 1)).unref(),
	step: async () => await new Promise((resolve) => setImmediate(resolve)),
	note: () => undefined,
};

/** The caller of a request: an n8n process acting on behalf of an execution, a hook or an event. */
export interface Caller {
	/** The caller's name in the history. */
	readonly name: string;
	/**
	 * The caller's n8n. The fields below identify the process, and the execution or trigger that it works
	 * for.
	 */
	readonly instance: string;
	readonly process: string;
	readonly execution?: string;
	readonly trigger?: string;
	/** The account of the caller's credential. */
	readonly account: number | 'byItem';
	/** What the process does: it runs an execution, receives an event, or calls a hook. */
	readonly role: 'run' | 'event' | 'hook';
	/** Whether the process is still running. A response to a dead process is lost. */
	isAlive(): boolean;
}

/** n8n's `helpers.httpRequest`, over HTTP or over a simulated network. */
export interface Http {
	request(caller: Caller, options: IHttpRequestOptions): Promise<unknown>;
}

/** Never settles, because the process that would receive the result is dead. */
const never = new Promise<never>(() => undefined);

/**
 * Waits for work that a process has started. If the process dies in the meantime, the result never arrives.
 */
export async function aliveAfter<Value>(caller: Caller, work: Promise<Value>): Promise<Value> {
	const value = await work.catch(async (error: unknown) => {
		if (!caller.isAlive()) return await never;
		throw error;
	});
	return caller.isAlive() ? value : await never;
}
