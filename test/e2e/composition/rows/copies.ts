import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

import type { INode } from 'n8n-workflow';

import type { WorkflowInput } from '../../../../host/apiTypes';
import { n8nEnvironment } from '../../../../host/environment';
import { ensureHost } from '../../../../host/install';
import { freePorts } from '../../../../host/ports';
import { until } from '../../support/stage';
import type { Host } from '../host';
import { sendDocument, signDocument } from '../service';
import { connect, nodeOf } from '../workflow';
import type { Scene, SingleRow } from './scene';

/** A workflow as `export:workflow` writes it: its state comes with it. */
type Exported = WorkflowInput & { id: string; nodes: INode[] };

/** Runs a command of n8n beside the running one. */
async function command({ n8n }: Host, args: string[]): Promise<void> {
	const { node, n8n: entry } = await ensureHost({ log: () => undefined });
	const [port = 0, brokerPort = 0] = await freePorts(2);
	await promisify(execFile)(node, [entry, ...args], {
		env: n8nEnvironment({
			node,
			userFolder: n8n.userFolder,
			port,
			brokerPort,
			webhookUrl: `${n8n.url}/`,
		}),
	});
}

/** Copies a workflow by export and import, with its state; gives the ID of the copy. */
async function exportAndImport(host: Host, id: string): Promise<string> {
	const folder = await mkdtemp(path.join(os.tmpdir(), 'signverify-copy-'));
	try {
		const file = path.join(folder, 'workflow.json');
		await command(host, ['export:workflow', `--id=${id}`, `--output=${file}`]);
		const [exported] = JSON.parse(await readFile(file, 'utf8')) as Exported[];
		const copy = {
			...exported,
			id: randomUUID().replaceAll('-', '').slice(0, 16),
			name: 'Copy',
			active: false,
			// n8n does not publish two workflows at one address.
			nodes: exported?.nodes.map((node) => ({ ...node, webhookId: randomUUID() })),
		};
		for (const key of [
			'versionId',
			'activeVersionId',
			'activeVersion',
			'versionCounter',
			'shared',
		]) {
			delete (copy as Record<string, unknown>)[key];
		}
		await writeFile(file, JSON.stringify([copy]));
		await command(host, ['import:workflow', `--input=${file}`]);
		return copy.id;
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

function triggerWorkflow({ credential }: Scene): WorkflowInput {
	const trigger = nodeOf({
		name: 'SignVerify Trigger',
		type: 'n8n-nodes-signverify.signVerifyTrigger',
		typeVersion: 1.1,
		parameters: { events: ['completedDocument'] },
		webhookId: randomUUID(),
		credentials: { signVerifyApi: { id: credential.id, name: credential.name } },
	});
	return {
		name: 'Original',
		nodes: [trigger, nodeOf({ name: 'Next', type: 'n8n-nodes-base.noOp' })],
		connections: connect([[trigger.name, 'Next']]),
		settings: { executionOrder: 'v1' },
	};
}

/** A document is completed; gives how many executions each workflow then has more. */
async function completeOne(scene: Scene, workflows: string[], more: number): Promise<number[]> {
	const { api } = scene.host.n8n;
	const counts = async () =>
		await Promise.all(
			workflows.map(async (workflowId) => (await api.executions({ workflowId })).length),
		);
	const before = await counts();
	const id = await sendDocument(scene.service, 'somebody.else@example.com');
	await signDocument(scene.service.sandbox, id);
	const sum = (list: number[]) => list.reduce((all, each) => all + each, 0);
	await until('the executions', async () => sum(await counts()) >= sum(before) + more).catch(
		() => undefined,
	);
	return (await counts()).map((count, index) => count - (before[index] ?? 0));
}

/** A copy holds the state of its original: publishing it must not touch what the original has. */
async function checkCopy(scene: Scene): Promise<void> {
	const { host } = scene;
	const { api } = host.n8n;
	const original = await scene.add(triggerWorkflow(scene));
	await api.activate(original);
	const own = () => {
		const all = scene.service.sandbox.webhooks();
		return all.filter(({ webHookUrl }) => webHookUrl.startsWith(host.n8n.url));
	};
	const registered = own().map(({ webHookID }) => webHookID);
	const stays = (when: string) => {
		const there = own().map(({ webHookID }) => webHookID);
		const gone = registered.filter((id) => !there.includes(id));
		scene.checks.same('othersStay', `webhooks gone ${when}`, gone, []);
	};
	const copy = await exportAndImport(host, original);
	await api.activate(copy);
	stays('when the copy is published');
	const both = await completeOne(scene, [original, copy], 2);
	scene.checks.same('outcome', 'executions of original and copy', both, [1, 1]);
	await api.deactivate(copy);
	stays('when the copy is unpublished');
	const one = await completeOne(scene, [original, copy], 1);
	scene.checks.same('outcome', 'executions after the copy was unpublished', one, [1, 0]);
	await api.deactivate(original);
}

/** The copy in another n8n, and a restored database, are in triggerCopies.test.ts. */
const exportedAndImported: SingleRow = {
	what: 'A workflow that is exported, and imported into the same n8n',
	triedWith: 'SignVerify Trigger',
	expected: 'the original keeps its webhook when the copy is published and unpublished',
	run: async (scene) => await checkCopy(scene),
};

export const copyRows = [exportedAndImported];
