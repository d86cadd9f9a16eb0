import { cp, rm } from 'node:fs/promises';
import path from 'node:path';

import type { HostInstallation } from '../install.cjs';
import { startN8n, type N8n } from '../n8n';
import { freePorts, loopback } from '../ports';
import { supervise, type SupervisedProcess } from './supervise';
import type { StageOptions } from '../stage';

/** How many executions a worker runs in parallel. This is also n8n's default. */
const concurrency = 10;

/** The settings that all processes of an n8n instance share. */
export interface Common {
	installation: HostInstallation;
	folder: string;
	/** The URL of the proxy that forwards calls to the processes. */
	url: string;
	env: Record<string, string>;
}

export interface Ports {
	port: number;
	brokerPort: number;
}

export interface Role extends Ports {
	/** The name of the process's folder and log. */
	name: string;
	args: string[];
	readyLine?: string;
	env?: Record<string, string>;
	/** Whether the process starts without the event log of its last run, like the workers in deploy/compose.yaml. */
	forgetsEvents?: boolean;
}

/** Installs the package for a process by copying the main process's installation. */
export async function copyPackage(folder: string, name: string): Promise<void> {
	const nodes = (process: string): string => path.join(folder, process, '.n8n', 'nodes');
	await rm(nodes(name), { recursive: true, force: true });
	await cp(nodes('main'), nodes(name), { recursive: true });
}

/** Starts an n8n process and restarts it on the same ports whenever it exits. */
export async function raiseProcess(
	{ installation, folder, url, env }: Common,
	role: Role,
	log: StageOptions['log'],
): Promise<SupervisedProcess> {
	const userFolder = path.join(folder, role.name);
	const events = path.join(userFolder, 'events');
	const eventLog = role.forgetsEvents && {
		N8N_EVENTBUS_LOGWRITER_LOGFULLPATH: path.join(events, 'events.log'),
	};
	const start = async (): Promise<N8n> => {
		await rm(events, { recursive: true, force: true });
		return await startN8n({
			installation,
			userFolder,
			port: role.port,
			brokerPort: role.brokerPort,
			webhookUrl: `${url}/`,
			logFile: path.join(folder, `${role.name}.log`),
			log: (line) => log(`${role.name}: ${line}`),
			args: role.args,
			readyLine: role.readyLine,
			env: { ...env, ...role.env, ...eventLog, N8N_EDITOR_BASE_URL: `${url}/` },
		});
	};
	return await supervise(role.name, start, log);
}

export async function portsFor(processes: number): Promise<Ports[]> {
	const found = await freePorts(2 * processes);
	return Array.from({ length: processes }, (_, index) => ({
		port: found[2 * index] as number,
		brokerPort: found[2 * index + 1] as number,
	}));
}

/** Describes the main process, which is the only process with the editor and the timers. */
export function mainRole(ports: Ports): Role {
	// The webhook processor handles all calls to production webhooks.
	const env = { N8N_DISABLE_PRODUCTION_MAIN_PROCESS: 'true' };
	return { ...ports, name: 'main', args: ['start'], env };
}

/**
 * Describes a process that handles calls to production webhooks and forms.
 * @param index The number of the webhook processor, from 0.
 */
export function webhookRole(ports: Ports, index: number): Role {
	const readyLine = 'Webhook listener waiting for requests';
	const name = index === 0 ? 'webhook' : `webhook-${index + 1}`;
	return { ...ports, name, args: ['webhook'], readyLine };
}

/**
 * Describes a process that runs executions.
 * @param index The number of the worker, from 0.
 */
export function workerRole(ports: Ports, index: number): Role {
	return {
		...ports,
		name: `worker-${index + 1}`,
		args: ['worker', `--concurrency=${concurrency}`],
		readyLine: 'n8n worker is now ready',
		forgetsEvents: true,
		env: {
			// A worker's only HTTP server is for health checks, and it is off by default.
			QUEUE_HEALTH_CHECK_ACTIVE: 'true',
			QUEUE_HEALTH_CHECK_PORT: String(ports.port),
			N8N_WORKER_SERVER_ADDRESS: loopback,
		},
	};
}
