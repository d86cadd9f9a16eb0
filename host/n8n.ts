import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import axios from 'axios';

import { N8nApi } from './api';
import { n8nEnvironment } from './environment';
import type { HostInstallation } from './install.cjs';
import { checkPort, freePorts, LOOPBACK, PortTakenError } from './ports';
import { endGroup, trackChild } from './processes';

/** A fresh start runs every database migration: 10 s on a fast machine, far more on a slow one. */
const READY_TIMEOUT_MS = 180_000;
const READY_POLL_MS = 150;
/** Ready for requests, yet published workflows are only activated before the log says this. */
const MAIN_READY_LINE = 'Editor is now accessible';
/** n8n itself gives running executions 30 s to end. */
const STOP_TIMEOUT_MS = 35_000;
const LOG_LINES_IN_ERROR = 25;

/** How to start an n8n. */
export interface N8nOptions {
	installation: HostInstallation;
	/** n8n's N8N_USER_FOLDER: its data is in `.n8n` below it, and is kept over a restart. */
	userFolder: string;
	/** HTTP port on loopback; 0 or absent takes a free one. */
	port?: number;
	/** The variable that the user chooses `port` with, for messages. Default N8N_PORT. */
	portVariable?: string;
	/** Port of n8n's task broker on loopback; 0 or absent takes a free one. */
	brokerPort?: number;
	/** The address that the outside reaches webhooks at; n8n's own address when absent. */
	webhookUrl?: string;
	/** Environment variables over the host's own. */
	env?: Record<string, string>;
	/** The file that n8n's output is appended to. */
	logFile: string;
	/** n8n's command and flags. Default `['start']`. */
	args?: string[];
	/**
	 * What its log says when it does its work; besides, its health endpoint has to answer 200.
	 * Default: what the main process says.
	 */
	readyLine?: string;
	/** Gives up the wait for readiness, in milliseconds. Default 180000. */
	readyTimeoutMs?: number;
}

/** A running n8n. */
export interface N8n {
	/** `http://127.0.0.1:PORT`, without a slash at the end. */
	url: string;
	port: number;
	brokerPort: number;
	userFolder: string;
	logFile: string;
	pid: number;
	/** A client of its REST interface, not logged in yet. */
	api: N8nApi;
	/** Settles when n8n has ended, for whatever reason. */
	ended: Promise<void>;
	/** Ends it in order: SIGTERM, and SIGKILL where that does not do. Safe to call twice. */
	stop(): Promise<void>;
	/** Ends it as a crash would: SIGKILL to it and all that it started. */
	kill(): Promise<void>;
}

/** n8n did not start; the message holds its log's last lines. */
export class N8nStartError extends Error {
	override name = 'N8nStartError';
}

interface Running {
	child: ChildProcess;
	/** The log from where this start began. */
	log(): Promise<string>;
	ended: Promise<void>;
	hasEnded(): boolean;
}

async function launch(options: N8nOptions, port: number, brokerPort: number): Promise<Running> {
	const { installation, userFolder, logFile } = options;
	mkdirSync(userFolder, { recursive: true });
	mkdirSync(path.dirname(logFile), { recursive: true });
	const before = await readFile(logFile).then(
		(content) => content.length,
		() => 0,
	);
	const output = openSync(logFile, 'a');
	const guard = path.join(__dirname, 'guard.cjs');
	const child = spawn(
		installation.node,
		['--require', guard, installation.n8n, ...(options.args ?? ['start'])],
		{
			cwd: userFolder,
			env: n8nEnvironment({
				node: installation.node,
				userFolder,
				port,
				brokerPort,
				webhookUrl: options.webhookUrl ?? `http://${LOOPBACK}:${port}/`,
				env: options.env,
			}),
			// Its output goes to the file without passing through here. Descriptor 3 is what
			// guard.cjs watches: it closes when this process is gone.
			stdio: ['ignore', output, output, 'pipe'],
			// A group of its own, so that Ctrl-C in the terminal reaches us alone, and we end it in order.
			detached: process.platform !== 'win32',
		},
	);
	closeSync(output);
	let over = false;
	const ended = new Promise<void>((resolve) => {
		const settle = (): void => {
			over = true;
			resolve();
		};
		child.once('exit', settle);
		child.once('error', settle);
	});
	trackChild(child);
	return {
		child,
		ended,
		hasEnded: () => over,
		log: async () => (await readFile(logFile)).subarray(before).toString('utf8'),
	};
}

async function isReady(url: string, readyLine: string, running: Running): Promise<boolean> {
	try {
		const { status } = await axios.get<unknown>(`${url}/healthz/readiness`, {
			proxy: false,
			timeout: 2000,
			validateStatus: () => true,
		});
		return status === 200 && (await running.log()).includes(readyLine);
	} catch {
		return false;
	}
}

function startError(what: string, log: string, logFile: string): N8nStartError {
	const tail = log.trimEnd().split('\n').slice(-LOG_LINES_IN_ERROR).join('\n');
	return new N8nStartError(`${what} The last lines of its log (${logFile}):\n\n${tail}`);
}

async function waitUntilReady(
	options: N8nOptions,
	url: string,
	running: Running,
	ports: Array<{ port: number; variable: string }>,
): Promise<void> {
	const timeout = options.readyTimeoutMs ?? READY_TIMEOUT_MS;
	const deadline = Date.now() + timeout;
	while (!(await isReady(url, options.readyLine ?? MAIN_READY_LINE, running))) {
		if (running.hasEnded()) {
			const log = await running.log();
			// Taken between our look and n8n's.
			const taken = ports.find(({ port }) => log.includes(`port ${port} is already in use`));
			if (taken) throw new PortTakenError(taken.port, taken.variable);
			throw startError('n8n ended before it was ready.', log, options.logFile);
		}
		if (Date.now() > deadline) {
			const log = await running.log();
			throw startError(
				`n8n was not ready within ${Math.round(timeout / 1000)} s.`,
				log,
				options.logFile,
			);
		}
		await Promise.race([delay(READY_POLL_MS), running.ended]);
	}
}

/**
 * Starts n8n and waits until it takes requests and its published workflows listen.
 *
 * @returns the running n8n; it ends with this process, also when this one is killed
 * @throws PortTakenError for a taken port; N8nStartError when n8n ends or is not ready in time
 */
export async function startN8n(options: N8nOptions): Promise<N8n> {
	const [freePort, freeBrokerPort] = (await freePorts(2)) as [number, number];
	const port = options.port || freePort;
	const brokerPort = options.brokerPort || freeBrokerPort;
	const ports = [
		{ port, variable: options.portVariable ?? 'N8N_PORT' },
		{ port: brokerPort, variable: 'N8N_RUNNERS_BROKER_PORT' },
	];
	for (const entry of ports) await checkPort(entry.port, entry.variable);

	const url = `http://${LOOPBACK}:${port}`;
	const running = await launch(options, port, brokerPort);
	const { child, ended } = running;

	const kill = async (): Promise<void> => {
		endGroup(child, 'SIGKILL');
		if (child.pid !== undefined) await ended;
	};
	const stop = async (): Promise<void> => {
		if (!running.hasEnded()) {
			// To n8n alone: it ends its task runners itself.
			child.kill('SIGTERM');
			const timer = new AbortController();
			await Promise.race([
				ended,
				delay(STOP_TIMEOUT_MS, undefined, { signal: timer.signal }).catch(() => undefined),
			]);
			timer.abort();
		}
		// Whatever it left behind, itself included.
		await kill();
	};

	try {
		await waitUntilReady(options, url, running, ports);
	} catch (error) {
		await kill();
		throw error;
	}
	return {
		url,
		port,
		brokerPort,
		userFolder: options.userFolder,
		logFile: options.logFile,
		pid: child.pid as number,
		api: new N8nApi(url),
		ended,
		stop,
		kill,
	};
}
