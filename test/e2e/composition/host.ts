import { setTimeout as delay } from 'node:timers/promises';
import type { IDataObject } from 'n8n-workflow';

import type { N8nApi } from '../../../host/api';
import type { N8nClient } from '../../../host/apiClient';
import type { Credential, Execution } from '../../../host/apiTypes';
import { isRunning } from '../../../host/executions';
import type { Stage } from '../../../host/stage';
import type { Sandbox } from '../../../sandbox';
import { waitMs } from '../../support/until';
import { loggedIn } from '../support/trigger';

/** A real n8n for many workflows at once, each with a service of its own. */
export interface Host {
	n8n: Stage['n8n'];
	/** What its REST interface can do beyond `n8n.api`. */
	client: N8nClient;
	watch: ReturnType<typeof watchExecutions>;
	/** Stores a credential for a service. */
	credentialFor(sandbox: Sandbox, limits?: IDataObject): Promise<Credential>;
}

/** The n8n of a stage as such a host. */
export async function hostOf({ n8n, owner }: Stage): Promise<Host> {
	return {
		n8n,
		client: await loggedIn(n8n.url, owner),
		watch: watchExecutions(n8n.api),
		credentialFor: async ({ baseUrl, account }, limits = {}) =>
			await n8n.api.createCredential({
				name: 'SignVerify sandbox',
				type: 'signVerifyApi',
				data: { baseUrl, ...account, ...limits },
			}),
	};
}

/** How often (ms) n8n is asked. */
const interval = 120;

/** Tells when executions are through. */
function watchExecutions(api: N8nApi) {
	let asked: Promise<Map<string, string>> | undefined;
	/**
	 * The executions that are not over, with their status. One question to n8n serves all who want to know:
	 * to ask for each execution would keep n8n busier than the executions do.
	 */
	async function openOnes(): Promise<Map<string, string>> {
		await delay(interval);
		// Whoever comes from now on needs another answer.
		asked = undefined;
		const status = ['new', 'running', 'waiting'] as const;
		const open = await api.executions({ status: [...status], limit: 100 });
		return new Map(open.map((execution) => [execution.id, execution.status]));
	}
	async function through(id: string, alsoWaiting: boolean): Promise<Execution> {
		const deadline = Date.now() + waitMs;
		for (;;) {
			const status = (await (asked ??= openOnes())).get(id);
			if (status === undefined || (status === 'waiting' && !alsoWaiting)) {
				const execution = await api.execution(id);
				const waits = alsoWaiting && execution.status === 'waiting';
				if (!isRunning(execution) && !waits) return execution;
			}
			if (Date.now() > deadline) throw new Error(`Execution ${id} is not through in time.`);
		}
	}
	return {
		/**
		 * Waits until an execution waits or has ended.
		 * @throws Error when it still runs after the time.
		 */
		settled: async (id: string) => await through(id, false),
		/**
		 * Waits until an execution has ended.
		 * @throws Error when it still runs or waits after the time.
		 */
		ended: async (id: string) => await through(id, true),
	};
}
