import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import type { IDataObject } from 'n8n-workflow';

import type { Owner, Workflow } from '../../../host/apiTypes';
import { n8nEnvironment } from '../../../host/environment';
import { ensureHost } from '../../../host/install.cjs';
import { startN8n, type N8n } from '../../../host/n8n';
import { installPackage } from '../../../host/package';
import { freePorts } from '../../../host/ports';

/** A workflow with what n8n keeps for its nodes. */
export type WholeWorkflow = Workflow & { staticData: IDataObject | null };

const quiet = { log: () => undefined };

/** Starts another, empty n8n beside the one of the stage. */
export async function anotherN8n(owner: Owner): Promise<N8n> {
	const installation = await ensureHost(quiet);
	const userFolder = await mkdtemp(path.join(os.tmpdir(), 'signverify-copy-'));
	// Not a copy of the n8n of all tests, which has the same instance ID.
	await installPackage({ userFolder, ...quiet });
	const logFile = path.join(userFolder, 'n8n.log');
	const n8n = await startN8n({ installation, userFolder, logFile });
	await n8n.api.setupOwner(owner);
	return n8n;
}

/** Ends another n8n, and removes its folder. */
export async function endAnother(n8n: N8n | undefined): Promise<void> {
	await n8n?.stop();
	if (n8n) await rm(n8n.userFolder, { recursive: true, force: true });
}

/** Runs a command of n8n's own command line on the data of an n8n, which may be running. */
export async function commandLine({ userFolder }: N8n, ...args: string[]): Promise<void> {
	const { node, n8n } = await ensureHost(quiet);
	const [port = 0, brokerPort = 0] = await freePorts(2);
	const webhookUrl = `http://127.0.0.1:${port}/`;
	const options = { node, userFolder, port, brokerPort, webhookUrl };
	const { status, stdout, stderr } = spawnSync(node, [n8n, ...args], {
		cwd: userFolder,
		env: n8nEnvironment(options),
		encoding: 'utf8',
	});
	if (status !== 0) throw new Error(`n8n ${args[0] ?? ''} failed: ${stdout}${stderr}`);
}

/** What `export:workflow` writes about a workflow. */
export async function exportWorkflow(n8n: N8n, id: string, file: string): Promise<WholeWorkflow> {
	await commandLine(n8n, 'export:workflow', `--id=${id}`, `--output=${file}`);
	const [exported] = JSON.parse(await readFile(file, 'utf8')) as WholeWorkflow[];
	if (!exported) throw new Error('n8n exported nothing.');
	return exported;
}
