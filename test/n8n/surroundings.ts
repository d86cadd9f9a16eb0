import type { ICredentialType, IHttpRequestOptions, INodeType } from 'n8n-workflow';

/** The nodes and the credential as one process of n8n has loaded them. */
export interface NodeCode {
	action: INodeType;
	trigger: INodeType;
	credential: ICredentialType;
}

/** Time, chance, and the order of things: real, or those of a simulation. */
export interface Clock {
	/** Milliseconds since the epoch. */
	now(): number;
	/** From 0 up to 1. */
	random(): number;
	/** Waits so many milliseconds. */
	sleep(ms: number): Promise<void>;
	/** Does something after a time (ms). */
	after(ms: number, work: () => void): void;
	/** Passes before whatever takes time outside of the nodes' code, such as a write to the database. */
	step(label: string): Promise<void>;
	/** Notes what happens, for whoever reads a failure. */
	note(line: string): void;
}

/** The time of this machine. Its timers keep no process alive. */
export const realClock: Clock = {
	now: () => Date.now(),
	random: () => Math.random(),
	sleep: async (ms) => await new Promise((resolve) => setTimeout(resolve, ms)),
	after: (ms, work) => void setTimeout(work, Math.min(ms, 2 ** 31 - 1)).unref(),
	step: async () => await new Promise((resolve) => setImmediate(resolve)),
	note: () => undefined,
};

/** Who makes a call: a process of n8n for an execution, a hook, or an event. */
export interface Caller {
	/** Names it in the history. */
	readonly name: string;
	/** Its n8n, and on whose behalf: the ID of an execution or of a trigger's workflow. */
	readonly instance: string;
	readonly process: string;
	readonly execution?: string;
	readonly trigger?: string;
	/** Of its credential. */
	readonly account: number | 'byItem';
	/** What it does for an execution: run it, or take an event for it. */
	readonly role: 'run' | 'event' | 'hook';
	/** Whether its process still runs; what comes back to a dead one goes nowhere. */
	isAlive(): boolean;
}

/** n8n's `helpers.httpRequest`: over HTTP, or over the network of a simulation. */
export interface Http {
	request(caller: Caller, options: IHttpRequestOptions): Promise<unknown>;
}

/** Never comes back: the process that waits for it is dead. */
const never = new Promise<never>(() => undefined);

/** Waits for something on behalf of a process: where that has died meanwhile, nothing comes back. */
export async function aliveAfter<Value>(caller: Caller, work: Promise<Value>): Promise<Value> {
	const value = await work.catch(async (error: unknown) => {
		if (!caller.isAlive()) return await never;
		throw error;
	});
	return caller.isAlive() ? value : await never;
}
