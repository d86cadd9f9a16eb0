import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';

import { ensureHost } from '../host/install.cjs';
import { N8nClient } from '../host/apiClient';
import { startN8n } from '../host/n8n';
import { installPackage } from '../host/package';
import type { Log } from '../host/types';
import { root } from '../scripts/tools';
import { startHttpClient } from './httpClient';
import type { Plan } from './plan';
import type { Bench } from './types';

const owner = {
	email: 'owner@example.com',
	firstName: 'Olivia',
	lastName: 'Owner',
	password: 'Only-for-this-run-1',
};

/**
 * Gives measurements a fresh n8n, with the package installed as users have it, and takes everything
 * away again afterwards.
 * @param env settings of n8n; all others are as n8n has them by default
 * @throws what installing or starting throws
 */
export async function withBench<Result>(
	plan: Plan,
	log: Log,
	work: (bench: Bench) => Promise<Result>,
	env: Record<string, string> = {},
): Promise<Result> {
	const installation = await ensureHost({ log });
	await mkdir(path.join(root, '.run'), { recursive: true });
	const userFolder = await mkdtemp(path.join(root, '.run', 'bench-'));
	try {
		log('Building the nodes and installing them into n8n…');
		await installPackage({ userFolder, log });
		log('Starting n8n…');
		const logFile = path.join(userFolder, 'n8n.log');
		const n8n = await startN8n({ installation, userFolder, logFile, env });
		const client = startHttpClient(installation.node);
		try {
			await n8n.api.setupOwner(owner);
			const rest = new N8nClient(n8n.url);
			await rest.call('POST', '/login', {
				body: { emailOrLdapLoginId: owner.email, password: owner.password },
			});
			const packageFolder = path.join(userFolder, '.n8n/nodes/node_modules/n8n-nodes-signverify');
			return await work({ n8n, owner, installation, packageFolder, rest, client, plan, log });
		} finally {
			client.close();
			await n8n.stop();
		}
	} finally {
		await rm(userFolder, { recursive: true, force: true });
	}
}
