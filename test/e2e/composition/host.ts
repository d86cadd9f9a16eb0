import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import { setTimeout as delay } from 'node:timers/promises';

import type { N8nClient } from '../../../host/apiClient';
import type { Credential, Execution } from '../../../host/apiTypes';
import { ensureHost } from '../../../host/install.cjs';
import { startN8n, type N8n } from '../../../host/n8n';
import { copyNewN8n } from '../../../host/newN8n';
import { signIn } from '../../../host/stage';
import { root } from '../../../scripts/tools';
import type { Sandbox } from '../../../sandbox';
import { knownSecrets } from '../../support/secrets';
import { leaksOf } from '../support/leaks';
import { loggedIn } from '../support/trigger';
import type { N8nApi } from '../../../host/api';
import { isRunning } from '../../../host/executions';
import { waitMs } from '../../support/until';

/** A real n8n for many workflows at once, each with a service of its own. */
export interface Host {
	n8n: N8n;
	/** What its REST interface can do beyond `n8n.api`. */
	client: N8nClient;
	watch: ExecutionWatch;
	/** Stores a credential for a service. */
	credentialFor(sandbox: Sandbox, limits?: IDataObject): Promise<Credential>;
	/** Stops it; gives the secrets that it has written anywhere. */
	close(): Promise<string[]>;
}

/** Starts an n8n with the package, on free ports. */
export async function startHost(name: string): Promise<Host> {
	const folder = path.join(root, '.run', `e2e-${name}`);
	await rm(folder, { recursive: true, force: true });
	const userFolder = path.join(folder, 'n8n');
	await copyNewN8n(userFolder);
	const installation = await ensureHost({ log: () => undefined });
	const logFile = path.join(folder, 'n8n.log');
	const n8n = await startN8n({ installation, userFolder, logFile });
	const owner = await signIn(n8n.api, folder);
	const watch = new ExecutionWatch(n8n.api);
	return {
		n8n,
		client: await loggedIn(n8n.url, owner),
		watch,
		credentialFor: async ({ baseUrl, account }, limits = {}) =>
			await n8n.api.createCredential({
				name: 'SignVerify sandbox',
				type: 'signVerifyApi',
				data: { baseUrl, ...account, ...limits },
			}),
		async close() {
			watch.close();
			await n8n.stop();
			const { node, n8n: entry } = installation;
			const leaks = await leaksOf({ node, n8n: entry, userFolder, logFile }, knownSecrets());
			await rm(folder, { recursive: true, force: true });
			return leaks;
		},
	};
}

/**
 * Works on a list, so many at once.
 * @returns What came of each, in the order of the list.
 */
export async function inParallel<Input, Output>(
	list: Input[],
	atOnce: number,
	work: (each: Input) => Promise<Output>,
): Promise<Output[]> {
	const results: Output[] = [];
	let next = 0;
	const worker = async (): Promise<void> => {
		while (next < list.length) {
			const index = next++;
			results[index] = await work(list[index] as Input);
		}
	};
	await Promise.all(Array.from({ length: Math.min(atOnce, list.length) }, worker));
	return results;
}

const interval = 120;

interface Watcher {
	id: string;
	alsoWaiting: boolean;
	deadline: number;
	resolve(): void;
	reject(error: Error): void;
}

/**
 * Tells when executions are through. One question to n8n serves all: to ask for each of them would
 * keep n8n busier than the executions do.
 */
export class ExecutionWatch {
	private watchers: Watcher[] = [];
	private asking = false;
	private closed = false;

	constructor(private readonly api: N8nApi) {}

	/**
	 * Waits until an execution waits or has ended.
	 * @throws Error when it still runs after the time.
	 */
	async settled(id: string): Promise<Execution> {
		return await this.whole(id, false, Date.now() + waitMs);
	}

	/**
	 * Waits until an execution has ended.
	 * @throws Error when it still runs or waits after the time.
	 */
	async ended(id: string): Promise<Execution> {
		return await this.whole(id, true, Date.now() + waitMs);
	}

	/** Ends all of it. */
	close(): void {
		this.closed = true;
	}

	private async whole(id: string, alsoWaiting: boolean, deadline: number): Promise<Execution> {
		for (;;) {
			await new Promise<void>((resolve, reject) => {
				this.watchers.push({ id, alsoWaiting, deadline, resolve, reject });
				void this.ask();
			});
			const execution = await this.api.execution(id);
			if (!isRunning(execution) && !(alsoWaiting && execution.status === 'waiting'))
				return execution;
			if (Date.now() > deadline) throw new Error(`Execution ${id} is not through in time.`);
			await delay(interval);
		}
	}

	private async ask(): Promise<void> {
		if (this.asking) return;
		this.asking = true;
		while (this.watchers.length > 0 && !this.closed) {
			await delay(interval);
			const asked = this.watchers;
			try {
				const status = ['new', 'running', 'waiting'] as const;
				const open = await this.api.executions({ status: [...status], limit: 100 });
				const statusOf = new Map(open.map((each) => [each.id, each.status]));
				for (const watcher of asked) this.look(watcher, statusOf.get(watcher.id));
			} catch (error) {
				for (const watcher of asked) watcher.reject(error as Error);
				this.watchers = this.watchers.filter((each) => !asked.includes(each));
			}
		}
		this.asking = false;
	}

	private look(watcher: Watcher, status: string | undefined): void {
		const { id, alsoWaiting, deadline, resolve, reject } = watcher;
		const open = status !== undefined && (alsoWaiting || status !== 'waiting');
		if (open && Date.now() <= deadline) return;
		this.watchers = this.watchers.filter((each) => each !== watcher);
		if (open) reject(new Error(`Execution ${id} is ${status} after its time.`));
		else resolve();
	}
}
