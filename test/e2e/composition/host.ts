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

/** A real n8n that runs many workflows at the same time, each with its own service. */
export interface Host {
	n8n: Stage['n8n'];
	/** A client for calls to n8n's REST API that `n8n.api` does not cover. */
	client: N8nClient;
	watch: ReturnType<typeof watchExecutions>;
	credentialFor(sandbox: Sandbox, limits?: IDataObject): Promise<Credential>;
}

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

/** The time (ms) between requests to n8n. */
const interval = 120;

/** Watches executions until they are waiting or have ended. */
function watchExecutions(api: N8nApi) {
	let asked: Promise<Map<string, string>> | undefined;
	/**
	 * The executions that have not ended, with their status. All callers share one request, because a request
	 * for each execution would keep n8n busier than the executions themselves.
	 */
	async function openOnes(): Promise<Map<string, string>> {
		await delay(interval);
		// Callers that ask after this point need a newer response.
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
		 * Waits until an execution is waiting or has ended.
		 * @throws Error if the execution is still running after the time limit.
		 */
		settled: async (id: string) => await through(id, false),
		/**
		 * Waits until an execution has ended.
		 * @throws Error if the execution is still running or waiting after the time limit.
		 */
		ended: async (id: string) => await through(id, true),
	};
}
