import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import { startSandbox } from '../../sandbox';
import type { N8nApi } from '../../host/api';
import type { N8nClient } from '../../host/apiClient';
import { storeAccount } from '../../host/setUp';
import { until } from '../support/until';
import type { Group } from './groups.cjs';
import { expectNoLeaks, shareStage, startAgain } from './support/stage';
import { loggedIn } from './support/trigger';
import { stopExecution } from './support/wait';

// Jest runs this file once for each group in groups.cjs (jest.config.js).
declare const group: Group;

const { name, files } = group;
const pathOf = (file: string) => `test/e2e/${file}`;
const lastFile = files.at(-1) ?? '';
const stage = shareStage(name.replace(/\W+/g, '-'), pathOf(lastFile));
/** What n8n stores when the first file begins. */
let kept: string[];
beforeAll(async () => (kept = await storedIn(await loggedIn(stage.n8n.url, stage.owner))));

for (const file of files) {
	// With the file's path in front, a failed test's name shows which file to run.
	describe(pathOf(file), () => {
		jest.requireActual(`./${file}`);
		if (file !== lastFile) afterAll(async () => await leaveStage(pathOf(file)));
	});
}

/** The paths of the workflows, the credentials, and the data tables that n8n stores. */
async function storedIn(client: N8nClient): Promise<string[]> {
	const project = await client.call<{ id: string }>('GET', '/projects/personal');
	const tables = `/projects/${project.id}/data-tables`;
	type Stored = Array<{ id: string }>;
	const [workflows, credentials, { data }] = await Promise.all([
		client.call<Stored>('GET', '/workflows'),
		client.call<Stored>('GET', '/credentials'),
		client.call<{ data: Stored }>('GET', tables),
	]);
	return [
		...workflows.map(({ id }) => `/workflows/${id}`),
		...credentials.map(({ id }) => `/credentials/${id}`),
		...data.map(({ id }) => `${tables}/${id}`),
	];
}

/**
 * Leaves the stage to the next file as the first one found it: n8n runs, nothing in it is published, runs, or waits,
 * it stores nothing more than at the start, and the sandbox is new. Searches for leaks before anything is deleted.
 */
async function leaveStage(file: string): Promise<void> {
	// The stage didn't start, which is the error of each test.
	if (!stage.n8n) return;
	const { ended } = stage.n8n;
	if (await Promise.race([ended.then(() => true), delay(0, false)])) await startAgain(stage);
	stage.sandbox.faults.clear();
	const { api, url } = stage.n8n;
	const client = await loggedIn(url, stage.owner);
	for (const { id, active } of await api.listWorkflows()) if (active) await api.unpublish(id);
	await until('all executions have ended', async () => {
		const open = await api.executions({ status: ['new', 'running', 'waiting'] });
		for (const { id } of open) await stopExecution(api, client, id);
		return open.length === 0;
	});
	try {
		await expectNoLeaks(stage, file);
	} finally {
		await deleteAdded(client);
		await renewSandbox(api);
	}
}

async function deleteAdded(client: N8nClient): Promise<void> {
	await until('n8n stores nothing more than at the start', async () => {
		const added = (await storedIn(client)).filter((stored) => !kept.includes(stored));
		for (const stored of added) {
			// n8n deletes only archived workflows.
			if (stored.startsWith('/workflows/')) await client.call('POST', `${stored}/archive`);
			await client.call('DELETE', stored);
		}
		return added.length === 0;
	});
}

/**
 * Starts a sandbox with the same address and a new account. The node reuses an account's templates for ten seconds,
 * so with the same account the next file could get those of this one.
 */
async function renewSandbox(api: N8nApi): Promise<void> {
	const { url, smtp } = stage.sandbox;
	await stage.sandbox.close();
	const port = Number(new URL(url).port);
	const userId = `sandbox-user-${randomUUID()}`;
	stage.sandbox = await startSandbox({ port, smtpPort: smtp.port, userId });
	await storeAccount(api, stage.sandbox);
}
