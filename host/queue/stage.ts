import { mkdir } from 'node:fs/promises';
import path from 'node:path';

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
import { signIn, setUpWorkflows, type Stage, type StageOptions } from '../stage';

/**
 * The number of database connections per n8n process. With n8n's default of 2, executions in one process
 * would wait for each other.
 */
const poolSize = 8;

/** The options of an n8n in queue mode. */
export interface QueueStageOptions extends StageOptions {
	/** The number of workers. The default is 2. */
	workers?: number;
	/** Environment variables for every n8n process, which take precedence over the host's own. */
	env?: Record<string, string>;
	/**
	 * Whether `deploy/keep-events.sql` is run in the PostgreSQL that this process starts. The default is
	 * true.
	 */
	keepEvents?: boolean;
}

/** A sandbox and an n8n in queue mode, with the package, the credentials and the workflows. */
export interface QueueStage extends Omit<Stage, 'n8n'> {
	/** The URL of the proxy for the main process and the webhook processor, without a trailing slash. */
	url: string;
	/** A client for the main process's REST API, logged in as the owner. */
	api: N8nApi;
	main: SupervisedProcess;
	workers: SupervisedProcess[];
	webhook: SupervisedProcess;
	/** Undefined if the environment names a running PostgreSQL. */
	postgres?: Service | undefined;
	/** Undefined if the environment names a running Redis. */
	redis?: Service | undefined;
	/** The folder with each process's data and log. */
	folder: string;
	/** n8n's variables for the connections to PostgreSQL and Redis, including secrets. */
	env: Record<string, string>;
}

/**
 * Starts everything for queue mode on this machine: PostgreSQL and Redis (unless `DB_POSTGRESDB_HOST` and
 * `QUEUE_BULL_REDIS_HOST` name running ones), the sandbox, n8n's main process, workers and webhook processor
 * with the package installed in each, and a reverse proxy for them. Then sets up the workflows. Uses the data
 * that an earlier run left in the folder.
 * @throws MissingProgramError if PostgreSQL or Redis is not installed, PortTakenError if a port is taken, and
 * the errors of installing and starting. After an error, nothing is left running.
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
		const [proxyPorts, mainPorts, webhookPorts, ...workerPorts] = (await portsFor(3 + count)) as [
			Ports,
			Ports,
			Ports,
			...Ports[],
		];
		const publicPort = ports.n8n || proxyPorts.port;
		const common: Common = {
			installation,
			folder,
			url: `http://${loopback}:${publicPort}`,
			env: {
				...stores.env,
				EXECUTIONS_MODE: 'queue',
				// As in deploy/compose.yaml, n8n creates an engine for expressions only if there is an
				// expression to evaluate.
				N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true',
				N8N_ENCRYPTION_KEY: secrets.encryptionKey,
				DB_POSTGRESDB_POOL_SIZE: String(poolSize),
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
		// The main process starts first and alone, because it migrates the database.
		const main = await raise(mainRole(mainPorts));
		if (stores.postgres && options.keepEvents !== false) await keepEvents(stores.env);
		log(`Starting n8n's webhook processor and ${count} worker${count === 1 ? '' : 's'}…`);
		const roles = [webhookRole(webhookPorts), ...workerPorts.map(workerRole)];
		// Wait for all starts before throwing an error, because `close` must know which processes did start.
		const settled = await Promise.allSettled(roles.map(raise));
		const started = settled.map((outcome) => {
			if (outcome.status === 'rejected') throw outcome.reason;
			return outcome.value;
		});
		const [webhook, ...workers] = started as [SupervisedProcess, ...SupervisedProcess[]];
		const proxy = await startProxy(publicPort, (isProduction) => {
			const [target, at] = isProduction ? [webhook, webhookPorts] : [main, mainPorts];
			return target.isUp() ? at.port : undefined;
		});
		closing.add(async () => await proxy.close());

		log('Setting up the account, the credentials, and the workflows…');
		const api = new N8nApi(proxy.url);
		const owner = await signIn(api, folder);
		const workflows = await setUpWorkflows(api, sandbox, owner, options.examples);
		const { postgres, redis } = stores;
		const formUrl = `${proxy.url}/form/onboarding`;
		const { url } = proxy;
		return {
			sandbox,
			url,
			api,
			owner,
			workflows,
			formUrl,
			folder,
			close,
			main,
			workers,
			webhook,
			postgres,
			redis,
			env: stores.env,
		};
	} catch (error) {
		await close().catch(() => undefined);
		throw error;
	}
}
