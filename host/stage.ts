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

const credentialName = 'SignVerify sandbox';
const mailCredentialName = 'Sandbox mail';

export interface StageOptions {
	/** The folder for the data of n8n and the sandbox, which is created if missing. */
	folder: string;
	/** The ports on loopback. For each port that is 0 or missing, a free port is used. */
	ports?: { n8n?: number; sandbox?: number; smtp?: number };
	/**
	 * The user ID and the API key of the sandbox's account. If they are missing, the sandbox chooses them.
	 */
	account?: { userId?: string; apiKey?: string };
	templates?: TemplateFile;
	env?: Record<string, string>;
	/**
	 * `all` stores all examples in n8n. By default, only two are stored: the one that sends a contract, and
	 * the one that emails the signed copy.
	 */
	examples?: 'all' | undefined;
	log: Log;
}

/** A sandbox, and a real n8n with the package, the credentials and the first two examples. */
export interface Stage {
	sandbox: Sandbox;
	n8n: N8n;
	owner: Owner;
	/** The IDs of the first two examples, which are published. */
	workflows: { send: string; signed: string };
	formUrl: string;
	/** Stops n8n, then the sandbox. Safe to call more than once. */
	close(): Promise<void>;
}

/**
 * Starts everything that a user needs to try the package: the sandbox, and an n8n instance with the package,
 * an owner, the credentials, and the first two examples, both published. Installs whatever is missing. If the
 * folder contains data from an earlier run, that data is used.
 * @throws FolderInUseError if another stage uses the folder, PortTakenError if a port is taken, and any error
 * from installing or starting. After an error, nothing is left running.
 */
export async function raiseStage(options: StageOptions): Promise<Stage> {
	const { folder, ports = {}, log } = options;
	const userFolder = path.join(folder, 'n8n');
	await mkdir(userFolder, { recursive: true });
	// Start the sandbox first, because it locks its data folder. The lock also protects n8n's database, which
	// would be damaged if two n8n processes used it.
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
			{ label: 'Setting up the account, the credentials, and the workflows', log },
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

/**
 * If an error says that a port is taken, returns an error that names the environment variable for choosing a
 * different port. Otherwise, returns the error unchanged.
 */
function portError(error: unknown, { sandbox, smtp }: NonNullable<StageOptions['ports']>): unknown {
	const { code, port } = error as { code?: string; port?: number };
	if (code !== 'EADDRINUSE' || port === undefined) return error;
	if (port === smtp) return new PortTakenError(port, 'SANDBOX_SMTP_PORT');
	return port === sandbox ? new PortTakenError(port, 'SANDBOX_PORT') : error;
}

/**
 * Creates the owner in a new n8n or logs in as the owner that an earlier run created.
 * @param folder The folder that stores the login in `login.json`.
 * @throws Error if the file is missing, or if n8n rejects the login. The message tells the user what to do.
 */
export async function signIn(api: N8nApi, folder: string): Promise<Owner> {
	const file = path.join(folder, 'login.json');
	const result = 'This deletes all workflows and data of this n8n instance and its sandbox.';
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
		throw new Error(
			`The file with the login for this n8n instance is missing (${file}). To start over, delete the folder ${folder}. ${result}`,
		);
	}
	const owner = JSON.parse(await readFile(file, 'utf8')) as Owner;
	try {
		await api.login(owner);
	} catch {
		throw new Error(
			`n8n rejected the login for ${owner.email}. If you've changed the password, change it back to the one in ${file}. ` +
				`If you can't, delete the folder ${folder} to start over. ${result}`,
		);
	}
	return owner;
}

/**
 * The file names of the first two examples: one sends the contract from a form, the other emails the
 * signed copy.
 */
const pair = { send: 'send-from-form', signed: 'email-signed-copy' };
/** The file name of the workflow that reports the other workflows' failures. */
const telling = 'tell-when-it-fails';
/** The file names of the signing desk, and of the workflows that tell it who hasn't signed. */
const desk = ['keep-a-register', 'who-hasnt-signed', 'signing-desk'];

/**
 * Stores the credentials and the examples, and publishes the two workflows that send a contract and email the
 * signed copy. If all examples are stored, also publishes the workflow that reports the other workflows'
 * failures, and the signing desk.
 */
export async function setUpWorkflows(
	api: N8nApi,
	sandbox: Sandbox,
	{ email: user, password }: Owner,
	examples?: 'all',
): Promise<Stage['workflows']> {
	const credentialIds = {
		// The forms in the other examples require the same login as the editor.
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
	// n8n starts an error workflow only if that workflow is published. Unlike the two workflows below, it
	// does not need to be published again on every start, because it does not register a webhook.
	if (told && !(await api.getWorkflow(told)).active) await api.publish(told);
	const ofDesk = desk.flatMap((file) => ids[file] ?? []);
	for (const id of [send, signed, ...ofDesk]) await publish(api, id);
	return { send, signed };
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

/**
 * Publishes a workflow. If it is already published, unpublishes it first so that its trigger registers its
 * webhook again. n8n does not run any hooks when it restarts, so if the ports have changed, the webhook in the
 * sandbox still has the old URL.
 */
async function publish(api: N8nApi, id: string): Promise<void> {
	if ((await api.getWorkflow(id)).active) await api.unpublish(id);
	await api.publish(id);
}
