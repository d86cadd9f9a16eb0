import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';

import type { IDataObject } from 'n8n-workflow';

import type { N8nClient } from '../../../host/apiClient';
import type { Credential } from '../../../host/apiTypes';
import { ensureHost } from '../../../host/install.cjs';
import { startN8n, type N8n } from '../../../host/n8n';
import { installPackage } from '../../../host/package';
import { signIn } from '../../../host/stage';
import { root } from '../../../scripts/tools';
import type { Sandbox } from '../../../sandbox';
import { knownSecrets } from '../../support/secrets';
import { leaksOf } from '../support/leaks';
import { loggedIn } from '../support/trigger';
import { ExecutionWatch } from './watch';

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

/** Starts an n8n with the package, on free ports and an empty folder. */
export async function startHost(name: string): Promise<Host> {
	const folder = path.join(root, '.run', `e2e-${name}`);
	await rm(folder, { recursive: true, force: true });
	const userFolder = path.join(folder, 'n8n');
	await mkdir(userFolder, { recursive: true });
	const log = () => undefined;
	await installPackage({ userFolder, log });
	const installation = await ensureHost({ log });
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
