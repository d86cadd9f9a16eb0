import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';

import { root } from '../../scripts/tools';
import { startSandbox } from '../../sandbox/index';
import { importTemplateFile } from '../../sandbox/startUp';
import { N8nApi } from '../api';
import { CleanupStack } from '../cleanupStack';
import { ensureHost } from '../install.cjs';
import { installPackage } from '../package';
import { loopback } from '../ports';
import type { SupervisedProcess } from './supervise';
import { keepEvents } from './postgres';
import {
	copyPackage,
	mainRole,
	portsFor,
	raiseProcess,
	webhookRole,
	workerRole,
	type Common,
	type Ports,
	type Role,
} from './processes';
import { startProxy } from './proxy';
import type { Service } from './service';
import { raiseStores, requireStorePrograms, secretsOf } from './stores';
import { setUpWorkflows } from '../setUp';
import { signIn, type Stage, type StageOptions } from '../stage';

/** The settings of n8n that are taken from deploy/compose.yaml, where each has its reason. */
const deployedSettings = [
	'DB_POSTGRESDB_POOL_SIZE',
	'N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE',
	'N8N_EXECUTIONS_QUEUE_RECOVERY_INTERVAL',
	'N8N_EXECUTIONS_QUEUE_RECOVERY_BATCH',
];

async function deployedEnvironment(): Promise<Record<string, string>> {
	const compose = parse(await readFile(path.join(root, 'deploy/compose.yaml'), 'utf8')) as {
		'x-environment': Record<string, unknown>;
	};
	const settings = compose['x-environment'];
	const missing = deployedSettings.filter((name) => settings[name] === undefined);
	if (missing.length > 0) throw new Error(`deploy/compose.yaml doesn't set ${missing.join(', ')}.`);
	return Object.fromEntries(deployedSettings.map((name) => [name, String(settings[name])]));
}

export interface QueueStageOptions extends StageOptions {
	/** The number of workers. The default is 2. */
	workers?: number;
	/** The number of webhook processors. The default is 1. */
	webhooks?: number;
	/** Environment variables for all n8n processes. They override those that the host sets. */
	env?: Record<string, string>;
	/**
	 * Whether to run `deploy/keep-events.sql` in the PostgreSQL server that this process starts. The default
	 * is true.
	 */
	keepEvents?: boolean;
}

/** A sandbox and an n8n instance in queue mode, with the package, the credentials and the workflows. */
export interface QueueStage extends Omit<Stage, 'n8n'> {
	/** The URL of the proxy for the main process and the webhook processors, without a trailing slash. */
	url: string;
	/** A client for the main process's REST API, logged in as the owner. */
	api: N8nApi;
	main: SupervisedProcess;
	workers: SupervisedProcess[];
	webhooks: SupervisedProcess[];
	/** Undefined if the environment variables specify an existing PostgreSQL server. */
	postgres?: Service | undefined;
	/** Undefined if the environment variables specify an existing Redis server. */
	redis?: Service | undefined;
	/** The folder with each process's data and log. */
	folder: string;
	/** n8n's environment variables for connecting to PostgreSQL and Redis, including secrets. */
	env: Record<string, string>;
}

/**
 * Starts everything that queue mode needs on this machine: PostgreSQL and Redis (unless `DB_POSTGRESDB_HOST`
 * and `QUEUE_BULL_REDIS_HOST` specify existing servers), the sandbox, n8n's processes (main, webhook
 * processor and workers, each with the package installed), and a reverse proxy in front of them. Then sets up
 * the workflows. If the folder contains data from an earlier run, that data is used.
 * @throws MissingProgramError if PostgreSQL or Redis is not installed, PortTakenError if a port is taken, and
 * any error from installing or starting. After an error, nothing is left running.
 */
export async function raiseQueueStage(options: QueueStageOptions): Promise<QueueStage> {
	const { folder, ports = {}, log } = options;
	requireStorePrograms();
	const installation = await ensureHost({ log });
	await mkdir(folder, { recursive: true });
	const secrets = await secretsOf(folder);
	await installPackage({ userFolder: path.join(folder, 'main'), log });

	const closing = new CleanupStack();
	const close = async (): Promise<void> => await closing.run();
	try {
		log('Starting the sandbox, PostgreSQL, and Redis…');
		const sandbox = await startSandbox({
			port: ports.sandbox ?? 0,
			smtpPort: ports.smtp ?? 0,
			dataFolder: path.join(folder, 'sandbox'),
			...options.account,
		});
		closing.add(async () => await sandbox.close());
		if (options.templates)
			importTemplateFile(sandbox, options.templates).forEach((line) => log(line));
		const stores = await raiseStores(folder, secrets, closing);

		const count = options.workers ?? 2;
		const webhookCount = options.webhooks ?? 1;
		const [proxyPorts, mainPorts, ...otherPorts] = (await portsFor(2 + webhookCount + count)) as [
			Ports,
			Ports,
			...Ports[],
		];
		const webhookPorts = otherPorts.slice(0, webhookCount);
		const workerPorts = otherPorts.slice(webhookCount);
		const publicPort = ports.n8n || proxyPorts.port;
		const common: Common = {
			installation,
			folder,
			url: `http://${loopback}:${publicPort}`,
			env: {
				...stores.env,
				EXECUTIONS_MODE: 'queue',
				...(await deployedEnvironment()),
				N8N_ENCRYPTION_KEY: secrets.encryptionKey,
				...options.env,
			},
		};
		const raise = async (role: Role): Promise<SupervisedProcess> => {
			if (role.name !== 'main') await copyPackage(folder, role.name);
			const kept = await raiseProcess(common, role, log);
			closing.add(async () => await kept.stop());
			return kept;
		};

		log("Starting n8n's main process…");
		// Start the main process first and wait until it is ready, because it migrates the database.
		const main = await raise(mainRole(mainPorts));
		if (stores.postgres && options.keepEvents !== false) await keepEvents(stores.env);
		log(`Starting n8n's webhook processor and ${count} worker${count === 1 ? '' : 's'}…`);
		const roles = [...webhookPorts.map(webhookRole), ...workerPorts.map(workerRole)];
		// Before throwing an error, wait until every process has either started or failed. Otherwise, `close`
		// would miss a process that starts later.
		const settled = await Promise.allSettled(roles.map(raise));
		const started = settled.map((outcome) => {
			if (outcome.status === 'rejected') throw outcome.reason;
			return outcome.value;
		});
		const webhooks = started.slice(0, webhookCount);
		const workers = started.slice(webhookCount);
		let calls = 0;
		const proxy = await startProxy(publicPort, (isProduction) => {
			if (!isProduction) return main.isUp() ? mainPorts.port : undefined;
			// The webhook processors take turns, so that two calls in a row reach different processes.
			const up = webhookPorts.filter((_, index) => webhooks[index]?.isUp());
			return up[calls++ % up.length]?.port;
		});
		closing.add(async () => await proxy.close());

		log('Setting up the account, the credentials, and the workflows…');
		const api = new N8nApi(proxy.url);
		const owner = await signIn(api, folder);
		const setUp = await setUpWorkflows(api, sandbox, owner, options);
		const { postgres, redis } = stores;
		const { url } = proxy;
		return {
			sandbox,
			url,
			api,
			owner,
			...setUp,
			folder,
			close,
			main,
			workers,
			webhooks,
			postgres,
			redis,
			env: stores.env,
		};
	} catch (error) {
		await close().catch(() => undefined);
		throw error;
	}
}
