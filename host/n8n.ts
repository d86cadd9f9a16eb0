import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import axios from 'axios';

import { N8nApi } from './api';
import { n8nEnvironment } from './environment';
import type { HostInstallation } from './install.cjs';
import { checkPort, freePorts, loopback, PortTakenError } from './ports';
import { endGroup, trackChild } from './processes';

/**
 * A fresh n8n runs every database migration, which takes 10 s on a fast machine and many minutes on a busy one. So
 * n8n counts as stuck only if its log has been silent for this long.
 */
const silenceLimitMs = 300_000;
/** How often a start that takes long is reported. */
const reportMs = 60_000;
const readyPollMs = 150;
/** n8n accepts requests before it logs this line, but published workflows are active only afterward. */
const mainReadyLine = 'Editor is now accessible';
/** n8n waits up to 30 s for running executions to finish, so give it a little longer to exit. */
const stopTimeoutMs = 35_000;
const logLinesInError = 25;

export interface N8nOptions {
	installation: HostInstallation;
	/**
	 * The value of N8N_USER_FOLDER. n8n keeps its data in the `.n8n` subfolder, so the data survives a
	 * restart.
	 */
	userFolder: string;
	/** The HTTP port on loopback. If it is 0 or missing, a free port is used. */
	port?: number;
	/**
	 * The name of the environment variable that sets the port, for error messages. The default is N8N_PORT.
	 */
	portVariable?: string;
	/** The port of n8n's task broker on loopback. If it is 0 or missing, a free port is used. */
	brokerPort?: number;
	/** The public URL of n8n's webhooks. The default is n8n's own URL. */
	webhookUrl?: string;
	/** Environment variables for n8n. They override those that the host sets. */
	env?: Record<string, string> | undefined;
	/** The file to which n8n's output is appended. */
	logFile: string;
	/** n8n's command and flags. The default is `['start']`. */
	args?: string[];
	/**
	 * n8n is ready when its log contains this line and its health endpoint responds with 200. The default is
	 * the line that n8n's main process logs.
	 */
	readyLine?: string | undefined;
	/** Called once a minute while n8n is still starting. */
	log?: ((line: string) => void) | undefined;
}

export interface N8n {
	/** `http://127.0.0.1:PORT`, without a trailing slash. */
	url: string;
	port: number;
	brokerPort: number;
	userFolder: string;
	logFile: string;
	pid: number;
	/** A client for n8n's REST API that is not logged in yet. */
	api: N8nApi;
	/** Resolves when n8n has exited, whatever the reason. */
	ended: Promise<void>;
	/** Stops n8n with SIGTERM, or with SIGKILL if it does not exit in time. Safe to call more than once. */
	stop(): Promise<void>;
	/** Simulates a crash by sending SIGKILL to n8n and all processes that it has started. */
	kill(): Promise<void>;
}

/** Thrown if n8n did not start. The message contains the last lines of n8n's log. */
export class N8nStartError extends Error {
	override name = 'N8nStartError';
}

interface Running {
	child: ChildProcess;
	/** Returns everything that n8n has logged since it was launched. */
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
				webhookUrl: options.webhookUrl ?? `http://${loopback}:${port}/`,
				env: options.env,
			}),
			// n8n's output goes directly to the log file. Descriptor 3 is a pipe, which guard.cjs watches
			// because it closes when this process is gone.
			stdio: ['ignore', output, output, 'pipe'],
			// n8n runs in a separate process group so that Ctrl-C reaches only this process, which then stops
			// n8n.
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

function startError(what: string, log: string, logFile: string, advice = ''): N8nStartError {
	const tail = log.trimEnd().split('\n').slice(-logLinesInError).join('\n');
	return new N8nStartError(`${what} The last lines of its log (${logFile}):\n\n${tail}${advice}`);
}

/**
 * Follows how long a start takes, by the length of n8n's log.
 * @param startMs The time at which n8n was launched, in milliseconds.
 */
export class StartProgress {
	private logLength = 0;
	private changedMs: number;
	private reportedMs: number;

	constructor(private readonly startMs: number) {
		this.changedMs = startMs;
		this.reportedMs = startMs;
	}

	/** Whether n8n's log has been silent for too long. */
	isStuck(nowMs: number, logLength: number): boolean {
		if (logLength !== this.logLength) {
			this.logLength = logLength;
			this.changedMs = nowMs;
		}
		return nowMs - this.changedMs > silenceLimitMs;
	}

	/** Returns a line about the start, once a minute; otherwise undefined. */
	report(nowMs: number): string | undefined {
		if (nowMs - this.reportedMs < reportMs) return undefined;
		this.reportedMs = nowMs;
		const minutes = Math.round((nowMs - this.startMs) / 60_000);
		return `n8n is still starting, after ${minutes === 1 ? 'a minute' : `${minutes} minutes`}. On a busy machine, this can take long.`;
	}
}

async function waitUntilReady(
	options: N8nOptions,
	url: string,
	running: Running,
	ports: Array<{ port: number; variable: string }>,
): Promise<void> {
	const progress = new StartProgress(Date.now());
	while (!(await isReady(url, options.readyLine ?? mainReadyLine, running))) {
		const log = await running.log();
		if (running.hasEnded()) {
			// Another program may have taken the port between the check and n8n's start.
			const taken = ports.find(({ port }) => log.includes(`port ${port} is already in use`));
			if (taken) throw new PortTakenError(taken.port, taken.variable);
			throw startError('n8n stopped before it was ready.', log, options.logFile);
		}
		const now = Date.now();
		if (progress.isStuck(now, log.length)) {
			throw startError(
				`n8n isn't ready, and its log has been silent for ${silenceLimitMs / 60_000} minutes.`,
				log,
				options.logFile,
				'\n\nRun the same command again. It continues where it stopped.',
			);
		}
		const line = progress.report(now);
		if (line !== undefined) options.log?.(line);
		await Promise.race([delay(readyPollMs), running.ended]);
	}
}

/**
 * Starts n8n and waits until n8n accepts requests and its published workflows are active.
 * @returns The running n8n, which stops when this process does, even if this process is killed.
 * @throws PortTakenError if a port is taken, or N8nStartError if n8n exits or its log is silent for too long.
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

	const url = `http://${loopback}:${port}`;
	const running = await launch(options, port, brokerPort);
	const { child, ended } = running;

	const kill = async (): Promise<void> => {
		endGroup(child, 'SIGKILL');
		if (child.pid !== undefined) await ended;
	};
	const stop = async (): Promise<void> => {
		if (!running.hasEnded()) {
			// The signal goes only to n8n, which shuts down its own task runners.
			child.kill('SIGTERM');
			await Promise.race([ended, delay(stopTimeoutMs, undefined, { ref: false })]);
		}
		// Kill n8n if it is still running, along with any processes that it left behind.
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
