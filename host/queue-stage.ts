import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { startSandbox } from '../sandbox';
import { N8nApi } from './api';
import { ensureHost, type HostInstallation } from './install';
import { startN8n, type N8n } from './n8n';
import { installPackage } from './package';
import { freePorts, LOOPBACK } from './ports';
import { keepRunning, type Kept } from './queue-keep';
import { keepEvents, postgresPrograms, startPostgres } from './queue-postgres';
import { startProxy } from './queue-proxy';
import { redisProgram, startRedis } from './queue-redis';
import type { Service } from './queue-service';
import { enter, setUpWorkflows, type Stage, type StageOptions } from './stage';

/** How many executions a worker runs at once; n8n's own default. */
const CONCURRENCY = 10;
/** n8n's default, 2 connections to the database, makes executions of one process wait for each other. */
const POOL_SIZE = 8;

/** How to raise a queue-mode n8n. */
export interface QueueStageOptions extends StageOptions {
	/** How many workers. Default 2. */
	workers?: number;
	/** Environment variables for every process of n8n, over the host's own. */
	env?: Record<string, string>;
	/** Whether `deploy/keep-events.sql` is put into our own PostgreSQL. Default true. */
	keepEvents?: boolean;
}

/** A sandbox and an n8n in queue mode, with the package, the credentials and the workflows. */
export interface QueueStage extends Omit<Stage, 'n8n'> {
	/** The one address in front of main and webhook processor, without a slash at the end. */
	url: string;
	/** A client of main's REST interface, logged in as the owner. */
	api: N8nApi;
	main: Kept;
	workers: Kept[];
	webhook: Kept;
	/** Undefined where a running one was named by environment. */
	postgres?: Service;
	/** Undefined where a running one was named by environment. */
	redis?: Service;
	/** The folder that holds each process's data and log. */
	folder: string;
	/** How the processes reach PostgreSQL and Redis, in n8n's own variables. Holds secrets. */
	env: Record<string, string>;
}

interface Secrets {
	encryptionKey: string;
	postgres: string;
	redis: string;
}

/** The secrets of this n8n, made up at its first start. */
async function secretsOf(folder: string): Promise<Secrets> {
	const file = path.join(folder, 'secrets.json');
	if (existsSync(file)) return JSON.parse(await readFile(file, 'utf8')) as Secrets;
	const secret = (): string => randomBytes(24).toString('hex');
	const secrets = { encryptionKey: secret(), postgres: secret(), redis: secret() };
	await writeFile(file, JSON.stringify(secrets), { mode: 0o600 });
	return secrets;
}

/** The variables of this process's environment with such a beginning. */
function given(beginning: string): Record<string, string> {
	const found = Object.entries(process.env).filter(([name]) => name.startsWith(beginning));
	return Object.fromEntries(found.map(([name, value]) => [name, value ?? '']));
}

/** What stops, the last started first. */
class Closing {
	private readonly steps: Array<() => Promise<void>> = [];

	add(step: () => Promise<void>): void {
		this.steps.unshift(step);
	}

	/** Every step is tried, also when one before it failed. */
	async run(): Promise<void> {
		const failures: unknown[] = [];
		for (const step of this.steps.splice(0)) {
			await step().catch((error: unknown) => failures.push(error));
		}
		if (failures.length > 0) throw failures[0];
	}
}

interface Services {
	env: Record<string, string>;
	postgres?: Service;
	redis?: Service;
}

/** PostgreSQL and Redis: those that the environment names, else our own. */
async function raiseServices(
	folder: string,
	secrets: Secrets,
	closing: Closing,
): Promise<Services> {
	const isPostgresGiven = Boolean(process.env.DB_POSTGRESDB_HOST);
	const isRedisGiven = Boolean(process.env.QUEUE_BULL_REDIS_HOST);
	const [postgresPort, redisPort] = (await freePorts(2)) as [number, number];
	const services: Services = { env: { DB_TYPE: 'postgresdb' } };
	if (isPostgresGiven) Object.assign(services.env, given('DB_POSTGRESDB_'));
	else {
		const postgres = await startPostgres({
			folder: path.join(folder, 'postgres'),
			port: postgresPort,
			password: secrets.postgres,
		});
		closing.add(async () => await postgres.service.stop());
		services.postgres = postgres.service;
		Object.assign(services.env, postgres.env);
	}
	if (isRedisGiven) Object.assign(services.env, given('QUEUE_BULL_'));
	else {
		const redis = await startRedis({
			folder: path.join(folder, 'redis'),
			port: redisPort,
			password: secrets.redis,
		});
		closing.add(async () => await redis.service.stop());
		services.redis = redis.service;
		Object.assign(services.env, redis.env);
	}
	return services;
}

/** What the processes of one n8n have in common. */
interface Common {
	installation: HostInstallation;
	folder: string;
	/** The address in front of them. */
	url: string;
	env: Record<string, string>;
}

interface Ports {
	port: number;
	brokerPort: number;
}

interface Role extends Ports {
	/** The name of its folder and log. */
	name: string;
	args: string[];
	readyLine?: string;
	env?: Record<string, string>;
}

/** Installs the package for a process, as it is installed for the main one. */
async function copyPackage(folder: string, name: string): Promise<void> {
	const nodes = (process: string): string => path.join(folder, process, '.n8n', 'nodes');
	await rm(nodes(name), { recursive: true, force: true });
	await cp(nodes('main'), nodes(name), { recursive: true });
}

/** Starts one process of n8n and keeps it running, on the same ports. */
async function raiseProcess(
	{ installation, folder, url, env }: Common,
	role: Role,
	log: StageOptions['log'],
): Promise<Kept> {
	const start = async (): Promise<N8n> =>
		await startN8n({
			installation,
			userFolder: path.join(folder, role.name),
			port: role.port,
			brokerPort: role.brokerPort,
			webhookUrl: `${url}/`,
			logFile: path.join(folder, `${role.name}.log`),
			args: role.args,
			readyLine: role.readyLine,
			env: { ...env, ...role.env, N8N_EDITOR_BASE_URL: `${url}/` },
		});
	return await keepRunning(role.name, start, log);
}

/** Free ports for so many processes of n8n, all different. */
async function portsFor(processes: number): Promise<Ports[]> {
	const found = await freePorts(2 * processes);
	return Array.from({ length: processes }, (_, index) => ({
		port: found[2 * index] as number,
		brokerPort: found[2 * index + 1] as number,
	}));
}

function mainRole(ports: Ports): Role {
	// Each production webhook is the webhook processor's.
	const env = { N8N_DISABLE_PRODUCTION_MAIN_PROCESS: 'true' };
	return { ...ports, name: 'main', args: ['start'], env };
}

function webhookRole(ports: Ports): Role {
	const readyLine = 'Webhook listener waiting for requests';
	return { ...ports, name: 'webhook', args: ['webhook'], readyLine };
}

function workerRole(ports: Ports, index: number): Role {
	return {
		...ports,
		name: `worker-${index + 1}`,
		args: ['worker', `--concurrency=${CONCURRENCY}`],
		readyLine: 'n8n worker is now ready',
		env: {
			// A worker listens on nothing but this.
			QUEUE_HEALTH_CHECK_ACTIVE: 'true',
			QUEUE_HEALTH_CHECK_PORT: String(ports.port),
			N8N_WORKER_SERVER_ADDRESS: LOOPBACK,
		},
	};
}

/**
 * Brings up the whole of queue mode on this machine: PostgreSQL and Redis (or those that
 * `DB_POSTGRESDB_HOST` and `QUEUE_BULL_REDIS_HOST` name), n8n's main process, workers and a webhook
 * processor with the package installed in each, a reverse proxy in front of them, the sandbox, and
 * the onboarding workflows. What an earlier run left in the folder is used again.
 *
 * @throws MissingProgramError without PostgreSQL or Redis; PortTakenError; what installing or
 * starting throws. Nothing is left running then.
 */
export async function raiseQueueStage(options: QueueStageOptions): Promise<QueueStage> {
	const { folder, ports = {}, log } = options;
	if (!process.env.DB_POSTGRESDB_HOST) postgresPrograms();
	if (!process.env.QUEUE_BULL_REDIS_HOST) redisProgram();
	const installation = await ensureHost({ log });
	await mkdir(folder, { recursive: true });
	const secrets = await secretsOf(folder);
	log('Building the nodes and installing them into n8n…');
	await installPackage({ userFolder: path.join(folder, 'main'), log });

	const closing = new Closing();
	const close = async (): Promise<void> => await closing.run();
	try {
		log('Starting the sandbox, PostgreSQL and Redis…');
		const sandbox = await startSandbox({
			port: ports.sandbox ?? 0,
			smtpPort: ports.smtp ?? 0,
			dataFolder: path.join(folder, 'sandbox'),
			...options.account,
		});
		closing.add(async () => await sandbox.close());
		const services = await raiseServices(folder, secrets, closing);

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
			url: `http://${LOOPBACK}:${publicPort}`,
			env: {
				...services.env,
				EXECUTIONS_MODE: 'queue',
				N8N_ENCRYPTION_KEY: secrets.encryptionKey,
				DB_POSTGRESDB_POOL_SIZE: String(POOL_SIZE),
				...options.env,
			},
		};
		const raise = async (role: Role): Promise<Kept> => {
			if (role.name !== 'main') await copyPackage(folder, role.name);
			const kept = await raiseProcess(common, role, log);
			closing.add(async () => await kept.stop());
			return kept;
		};

		log('Starting n8n: main…');
		// First, and alone: it brings the database up to date.
		const main = await raise(mainRole(mainPorts));
		if (services.postgres && options.keepEvents !== false) await keepEvents(services.env);
		log(`Starting n8n: the webhook processor and ${count} workers…`);
		const roles = [webhookRole(webhookPorts), ...workerPorts.map(workerRole)];
		// All settle before any failure is thrown: closing has to know what did start.
		const settled = await Promise.allSettled(roles.map(raise));
		const started = settled.map((each) => {
			if (each.status === 'rejected') throw each.reason;
			return each.value;
		});
		const [webhook, ...workers] = started as [Kept, ...Kept[]];
		const proxy = await startProxy(publicPort, (isProduction) => {
			const [target, at] = isProduction ? [webhook, webhookPorts] : [main, mainPorts];
			return target.isUp() ? at.port : undefined;
		});
		closing.add(async () => await proxy.close());

		log('Setting up the account, the credentials and the workflows…');
		const api = new N8nApi(proxy.url);
		const owner = await enter(api, folder);
		const workflows = await setUpWorkflows(api, sandbox);
		const { postgres, redis } = services;
		const formUrl = `${proxy.url}/form/onboarding`;
		const { url } = proxy;
		return {
			...{ sandbox, url, api, owner, workflows, formUrl, folder, close },
			...{ main, workers, webhook, postgres, redis, env: services.env },
		};
	} catch (error) {
		await close().catch(() => undefined);
		throw error;
	}
}
