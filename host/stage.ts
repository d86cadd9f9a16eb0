import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { startSandbox, type Sandbox } from '../sandbox';
import { importTemplateFile, type TemplateFile } from '../sandbox/startUp';
import { step } from '../scripts/install.cjs';
import type { N8nApi } from './api';
import type { Owner } from './apiTypes';
import { ensureHost } from './install.cjs';
import { startN8n, type N8n } from './n8n';
import { installPackage } from './package';
import { PortTakenError } from './ports';
import { forgetExamples, setUpWorkflows, type SetUp, type SetUpOptions } from './setUp';

export interface StageOptions extends SetUpOptions {
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
}

/** A sandbox, and a real n8n with the package, the credentials and the first two examples. */
export interface Stage extends SetUp {
	sandbox: Sandbox;
	n8n: N8n;
	owner: Owner;
	/** Stops this stage's current n8n, then its current sandbox. Safe to call more than once. */
	close(): Promise<void>;
}

/**
 * Starts everything that a user needs to try the package: the sandbox, and an n8n instance with the package,
 * an owner, the credentials, and the first two examples, both published. Installs whatever is missing. If the
 * folder contains data from an earlier run, that data is used, and the examples are as the user has left them.
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
			async () => await startN8n({ installation, userFolder, port, env, logFile, log }),
		);
		n8n = started;
		const { owner, setUp } = await step(
			{ label: 'Setting up the account, the credentials, and the workflows', log },
			async () => {
				const signedIn = await signIn(started.api, folder);
				return {
					owner: signedIn,
					setUp: await setUpWorkflows(started.api, sandbox, signedIn, options),
				};
			},
		);
		return {
			sandbox,
			n8n,
			owner,
			...setUp,
			async close(this: Stage) {
				await this.n8n.stop();
				await this.sandbox.close();
			},
		};
	} catch (error) {
		await n8n?.stop();
		await sandbox.close();
		throw error;
	}
}

/**
 * If an error is about a port that is taken, returns an error that names the environment variable for choosing a
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
 * @throws Error if the file is missing, or if n8n rejects the login. The message names the next step.
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
		// A new n8n has no examples, even if the folder still has the record of an earlier one.
		await forgetExamples(folder);
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
