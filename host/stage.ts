import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { startSandbox, type Sandbox } from '../sandbox';
import { importTemplateFile, type TemplateFile } from '../sandbox/startUp';
import { step } from '../scripts/install.cjs';
import type { N8nApi } from './api';
import type { CredentialInput, Owner } from './apiTypes';
import { importExamples } from './examples';
import { ensureHost } from './install.cjs';
import { startN8n, type N8n } from './n8n';
import { installPackage } from './package';
import { PortTakenError } from './ports';
import type { Log } from './types';

/** Names of what is set up in n8n; the editor shows them. */
const credentialName = 'SignVerify sandbox';
const mailCredentialName = 'Sandbox mail';

/** How to raise an n8n with a sandbox. */
export interface StageOptions {
	/** Where n8n and the sandbox keep their data; made when it is missing. */
	folder: string;
	/** Ports on loopback; 0 or absent takes a free one. */
	ports?: { n8n?: number; sandbox?: number; smtp?: number };
	/** The account at the sandbox; made up when absent. */
	account?: { userId?: string; apiKey?: string };
	/** Templates that the sandbox imports. */
	templates?: TemplateFile;
	/** Environment variables for n8n. */
	env?: Record<string, string>;
	/** Which examples n8n gets, besides the two that send a contract and mail the signed one. */
	examples?: 'all';
	log: Log;
}

/** A sandbox and a real n8n with the package, the credentials and the two workflows of the onboarding. */
export interface Stage {
	sandbox: Sandbox;
	n8n: N8n;
	/** The login of the editor. */
	owner: Owner;
	/** IDs of the two workflows of the onboarding, both published. */
	workflows: { send: string; signed: string };
	/** The address of the onboarding form. */
	formUrl: string;
	/** Ends n8n, then the sandbox. Safe to call twice. */
	close(): Promise<void>;
}

/**
 * Brings up everything that a person needs to try the package: starts the sandbox, installs what is
 * missing, starts n8n, sets up owner, credentials and the onboarding workflows, and activates these.
 * What an earlier run left in the folder is used again.
 *
 * @throws FolderInUseError when another one runs on the folder; PortTakenError when a port is in use; what installing or starting throws. Nothing is left
 * running then.
 */
export async function raiseStage(options: StageOptions): Promise<Stage> {
	const { folder, ports = {}, log } = options;
	const userFolder = path.join(folder, 'n8n');
	await mkdir(userFolder, { recursive: true });
	// First, because its data folder is locked: two n8n on one database break each other for good.
	const sandbox = await startSandbox({
		port: ports.sandbox ?? 0,
		smtpPort: ports.smtp ?? 0,
		dataFolder: path.join(folder, 'sandbox'),
		...options.account,
	}).catch((error: unknown) => {
		throw portError(error, ports);
	});
	let n8n: N8n | undefined;
	const close = async (): Promise<void> => {
		await n8n?.stop();
		await sandbox.close();
	};
	try {
		if (options.templates)
			importTemplateFile(sandbox, options.templates).forEach((line) => log(line));
		const [installation] = await Promise.all([
			ensureHost({ log }),
			installPackage({ userFolder, log }),
		]);
		const logFile = path.join(folder, 'n8n.log');
		const { env } = options;
		const port = ports.n8n ?? 0;
		const started = await step(
			{ label: 'Starting n8n', log },
			async () => await startN8n({ installation, userFolder, port, env, logFile }),
		);
		n8n = started;
		const { owner, workflows } = await step(
			{ label: 'Setting up the account, the credentials and the workflows', log },
			async () => {
				const signedIn = await signIn(started.api, folder);
				const ids = await setUpWorkflows(started.api, sandbox, signedIn, options.examples);
				return { owner: signedIn, workflows: ids };
			},
		);
		return { sandbox, n8n, owner, workflows, formUrl: `${n8n.url}/form/onboarding`, close };
	} catch (error) {
		await close();
		throw error;
	}
}

/** Says which variable chooses another port, if one was taken while everything was built. */
function portError(error: unknown, { sandbox, smtp }: NonNullable<StageOptions['ports']>): unknown {
	const { code, port } = error as { code?: string; port?: number };
	if (code !== 'EADDRINUSE' || port === undefined) return error;
	if (port === smtp) return new PortTakenError(port, 'SANDBOX_SMTP_PORT');
	return port === sandbox ? new PortTakenError(port, 'SANDBOX_PORT') : error;
}

/**
 * Creates the owner in a new n8n, or logs in as the one that an earlier run created.
 *
 * @param folder where the login is kept, as `login.json`
 * @throws Error when the login is lost or was changed, with what to do
 */
export async function signIn(api: N8nApi, folder: string): Promise<Owner> {
	const file = path.join(folder, 'login.json');
	if (await api.needsOwner()) {
		const owner = {
			email: 'owner@example.com',
			firstName: 'Olivia',
			lastName: 'Owner',
			password: `Sign-${randomBytes(6).toString('hex')}-1`,
		};
		await api.setupOwner(owner);
		await writeFile(file, JSON.stringify(owner, null, 2), { mode: 0o600 });
		return owner;
	}
	if (!existsSync(file)) {
		throw new Error(`Can't find the login for this n8n. To start over, delete the folder ${folder}.`);
	}
	const owner = JSON.parse(await readFile(file, 'utf8')) as Owner;
	try {
		await api.login(owner);
	} catch {
		throw new Error(
			`n8n rejected the login that was set up for it (${owner.email}). If you've changed the password, ` +
				`change it back to the one in ${file}. Or delete the folder ${folder} to start over.`,
		);
	}
	return owner;
}

/** What the form of {@link Stage} belongs to, and what mails the signed copy. */
const pair = { send: 'send-from-form', signed: 'email-signed-copy' };
/** Tells of the failures of the others. */
const telling = 'tell-when-it-fails';

/**
 * Stores the credentials and the examples, and publishes the pair that sends a contract and mails
 * the signed one. With all examples, n8n also tells of their failures.
 */
export async function setUpWorkflows(
	api: N8nApi,
	sandbox: Sandbox,
	{ email: user, password }: Owner,
	examples?: 'all',
): Promise<Stage['workflows']> {
	const credentialIds = {
		// The forms of the other examples ask for the login of the editor.
		httpBasicAuth: await storeCredential(api, {
			name: 'Form login',
			type: 'httpBasicAuth',
			data: { user, password },
		}),
		signVerifyApi: await storeCredential(api, {
			name: credentialName,
			type: 'signVerifyApi',
			data: { baseUrl: sandbox.baseUrl, ...sandbox.account },
		}),
		smtp: await storeCredential(api, {
			name: mailCredentialName,
			type: 'smtp',
			data: { ...sandbox.smtp, user: '', password: '', secure: false, disableStartTls: true },
		}),
	};
	const only = examples === 'all' ? undefined : Object.values(pair);
	const ids = await importExamples(api, credentialIds, only);
	const { [pair.send]: send = '', [pair.signed]: signed = '', [telling]: told } = ids;
	// n8n starts it only if it is published. It registers nothing, so a restart leaves it as it is.
	if (told && !(await api.getWorkflow(told)).active) await api.activate(told);
	for (const id of [send, signed]) await publish(api, id);
	return { send, signed };
}

/** Stores a credential, over the one of the same name: ports and keys can differ from last time. */
async function storeCredential(api: N8nApi, credential: CredentialInput): Promise<string> {
	const existing = (await api.listCredentials()).find((stored) => stored.name === credential.name);
	if (!existing) return (await api.createCredential(credential)).id;
	await api.updateCredential(existing.id, credential);
	return existing.id;
}

/**
 * Activates a workflow, one that is active already anew: a restart runs no hooks, so after a change
 * of ports its registration at the sandbox would still name the old address.
 */
async function publish(api: N8nApi, id: string): Promise<void> {
	if ((await api.getWorkflow(id)).active) await api.deactivate(id);
	await api.activate(id);
}
