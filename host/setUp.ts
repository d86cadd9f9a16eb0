import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { Sandbox } from '../sandbox';
import type { N8nApi } from './api';
import type { CredentialInput, Owner, Workflow } from './apiTypes';
import { exampleFiles, importExamples } from './examples';
import type { Log } from './types';

const credentialName = 'SignVerify sandbox';
const mailCredentialName = 'Sandbox mail';
const triggerType = 'n8n-nodes-signverify.signVerifyTrigger';

/**
 * The file names of the first two examples: one sends the contract from a form, the other emails the
 * signed copy.
 */
const pair = { send: 'send-from-form', signed: 'email-signed-copy' };
/** The file names of the first two examples, in the order in which they run. */
export const firstExamples = Object.values(pair);
/** The file name of the workflow that AI apps call. */
const desk = 'signing-desk';
/**
 * The file names of the examples to publish, each after those that it needs: the workflow that reports the
 * other workflows' failures, the first two, and the signing desk with those that look up who hasn't signed.
 */
const publishedFiles = [
	'tell-when-it-fails',
	...firstExamples,
	'keep-a-register',
	'who-hasnt-signed',
	desk,
];

/** The published examples. Each text is '' if the user has unpublished, archived, or deleted the example. */
export interface SetUp {
	/** The IDs of the first two examples. */
	workflows: { send: string; signed: string };
	/** The URL of the first example's form. */
	formUrl: string;
	/** The URL of the signing desk. Also '' if only the first two examples are stored. */
	deskUrl: string;
}

export interface SetUpOptions {
	/** The folder with the record of the examples that earlier starts have set up. */
	folder: string;
	/**
	 * `all` stores all examples in n8n. By default, only two are stored: the one that sends a contract, and
	 * the one that emails the signed copy.
	 */
	examples?: 'all' | undefined;
	log: Log;
}

/**
 * Stores the credentials and the examples, and publishes the examples in {@link publishedFiles}. Each example is
 * set up only once: from then on, it belongs to the user, who may change, rename, unpublish, or delete it. If a
 * workflow can't be published, a line in the log names the reason.
 */
export async function setUpWorkflows(
	api: N8nApi,
	sandbox: Sandbox,
	{ email: user, password }: Owner,
	{ folder, examples, log }: SetUpOptions,
): Promise<SetUp> {
	const credentialIds = {
		// The forms in the other examples require the same login as the editor.
		httpBasicAuth: await storeCredential(api, {
			name: 'Form login',
			type: 'httpBasicAuth',
			data: { user, password },
		}),
		signVerifyApi: await storeAccount(api, sandbox),
		smtp: await storeCredential(api, {
			name: mailCredentialName,
			type: 'smtp',
			data: { ...sandbox.smtp, user: '', password: '', secure: false, disableStartTls: true },
		}),
	};
	await registerTriggersAgain(api, log);
	const recorded = await readRecord(folder);
	const wanted = examples === 'all' ? await exampleFiles() : firstExamples;
	const added = await importExamples(
		api,
		credentialIds,
		wanted.filter((file) => !(file in recorded)),
	);
	for (const id of publishedFiles.flatMap((file) => added[file] ?? [])) {
		const workflow = await api.getWorkflow(id);
		// An earlier start that was interrupted may have published it.
		if (!workflow.active) await tryToPublish(workflow, log, async () => await api.publish(id));
	}
	const ids = { ...recorded, ...added };
	await writeFile(recordFile(folder), JSON.stringify(ids, null, 2));
	return await findPublished(api, ids);
}

/** The file with the IDs of the workflows that starts have set up, by the example's file name. */
function recordFile(folder: string): string {
	return path.join(folder, 'examples.json');
}

/** If the file is missing or damaged, the next setup finds the examples by their names. */
async function readRecord(folder: string): Promise<Record<string, string>> {
	try {
		return JSON.parse(await readFile(recordFile(folder), 'utf8')) as Record<string, string>;
	} catch {
		return {};
	}
}

/** Deletes the record of the examples that earlier starts have set up. */
export async function forgetExamples(folder: string): Promise<void> {
	await rm(recordFile(folder), { force: true });
}

/**
 * Stores a credential. Replaces any credential with the same name, because the sandbox may have used different
 * ports and a different API key in the last run.
 */
async function storeCredential(api: N8nApi, credential: CredentialInput): Promise<string> {
	const existing = (await api.listCredentials()).find((stored) => stored.name === credential.name);
	if (!existing) return (await api.createCredential(credential)).id;
	await api.updateCredential(existing.id, credential);
	return existing.id;
}

/** Stores the credential for the sandbox's account. */
export async function storeAccount(api: N8nApi, sandbox: Sandbox): Promise<string> {
	const data = { baseUrl: sandbox.baseUrl, ...sandbox.account };
	return await storeCredential(api, { name: credentialName, type: 'signVerifyApi', data });
}

/**
 * Publishes each published workflow that starts with a SignVerify Trigger once more, in its published version,
 * so that the trigger registers its webhook again. n8n does not run any hooks when it restarts, so if a port or
 * the API key has changed, the sandbox still has the old URL with the old secret. Other triggers register nothing
 * outside n8n.
 */
async function registerTriggersAgain(api: N8nApi, log: Log): Promise<void> {
	for (const { id, active } of await api.listWorkflows()) {
		if (!active) continue;
		const workflow = await api.getWorkflow(id);
		const { activeVersion, activeVersionId } = workflow;
		if (!activeVersionId || !activeVersion?.nodes.some(({ type }) => type === triggerType))
			continue;
		await tryToPublish(workflow, log, async () => {
			// n8n runs no hooks if the version that it publishes is already published.
			await api.unpublish(id);
			await api.publish(id, activeVersionId);
		});
	}
}

/** Publishes a workflow. A failure must not end the start, because the user can fix it only in a running n8n. */
async function tryToPublish(
	{ name }: Pick<Workflow, 'name'>,
	log: Log,
	publish: () => Promise<void>,
): Promise<void> {
	try {
		await publish();
	} catch (error) {
		log(
			`Couldn't publish "${name}". Open it in n8n, and publish it there. The reason: ${(error as Error).message}`,
		);
	}
}

/** @param ids The IDs of the workflows that starts have set up, by the example's file name. */
async function findPublished(api: N8nApi, ids: Record<string, string>): Promise<SetUp> {
	const listed = await api.listWorkflows();
	const published = (file: string): string =>
		listed.find(({ id, active }) => active && id === ids[file])?.id ?? '';
	const urlOf = async (file: string, triggerEnding: string, route: string): Promise<string> => {
		if (!published(file)) return '';
		const { activeVersion } = await api.getWorkflow(published(file));
		const trigger = activeVersion?.nodes.find(
			({ type, disabled }) => type.endsWith(triggerEnding) && !disabled,
		);
		const { path: ownPath, options } = (trigger?.parameters ?? {}) as Paths;
		const pathInUrl = ownPath ?? options?.path ?? trigger?.webhookId;
		return pathInUrl ? `${api.url}/${route}/${pathInUrl}` : '';
	};
	return {
		workflows: { send: published(pair.send), signed: published(pair.signed) },
		formUrl: await urlOf(pair.send, '.formTrigger', 'form'),
		deskUrl: await urlOf(desk, '.mcpTrigger', 'mcp'),
	};
}

/** Where a form and an MCP server keep their path. */
interface Paths {
	path?: string;
	options?: { path?: string };
}
