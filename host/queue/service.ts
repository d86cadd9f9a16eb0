import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { chownSync, closeSync, existsSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { loopback } from '../ports';
import { trackChild } from '../processes';

const readyTimeoutMs = 60_000;
const stopTimeoutMs = 20_000;
const pollMs = 50;

/**
 * PostgreSQL refuses to run as root. If this process runs as root, the services run as the first of these
 * users that exists.
 */
const unprivileged = ['postgres', 'nobody'];

export class MissingProgramError extends Error {
	override name = 'MissingProgramError';

	constructor(program: string) {
		super(
			`${program} wasn't found on this machine. Install PostgreSQL and Redis, then run the same command again:

  sudo apt-get install postgresql redis-server

To use servers that are already running instead, set DB_POSTGRESDB_HOST (with DB_POSTGRESDB_PORT,
_DATABASE, _USER, and _PASSWORD) and QUEUE_BULL_REDIS_HOST (with QUEUE_BULL_REDIS_PORT and _PASSWORD).`,
		);
	}
}

/** A user account on this machine. */
interface User {
	name: string;
	uid: number;
	gid: number;
}

/** Returns the user that runs the services, or undefined if this process does not run as root. */
function serviceUser(): User | undefined {
	if (process.getuid?.() !== 0) return undefined;
	const users = readFileSync('/etc/passwd', 'utf8')
		.split('\n')
		.map((line) => line.split(':'));
	for (const wanted of unprivileged) {
		const found = users.find(([name]) => name === wanted);
		if (found) return { name: wanted, uid: Number(found[2]), gid: Number(found[3]) };
	}
	throw new Error(
		"PostgreSQL can't run as root. Log in as another user and run the same command again, or create a user named postgres.",
	);
}

/** Creates a folder that only the services' user can read. */
export function serviceFolder(folder: string): void {
	mkdirSync(folder, { recursive: true, mode: 0o700 });
	giveToService(folder);
}

export function giveToService(file: string): void {
	const user = serviceUser();
	if (user) chownSync(file, user.uid, user.gid);
}

/**
 * Builds the command line that runs a program as the services' user. The program stops when this process
 * ends, even if this process is killed.
 */
function wrapped(command: string, args: string[]): [string, string[]] {
	const user = serviceUser();
	const as = user ? ['--reuid', user.name, '--regid', String(user.gid), '--init-groups'] : [];
	return ['setpriv', [...as, '--pdeathsig', 'INT', '--', command, ...args]];
}

/**
 * Runs a program as the services' user until it exits.
 * @throws Error with the program's output, if it failed.
 */
export function runAsService(command: string, args: string[], cwd: string): void {
	const [program, all] = wrapped(command, args);
	const { status, stderr, error } = spawnSync(program, all, { cwd, encoding: 'utf8' });
	if (status === 0) return;
	const user = serviceUser();
	const who = user ? ` as the user ${user.name} (this user needs access to ${cwd})` : '';
	throw new Error(`${path.basename(command)} failed${who}: ${(error?.message ?? stderr).trim()}`);
}

export interface ServiceOptions {
	name: string;
	command: string;
	args: string[];
	folder: string;
	/** The port on loopback that the service listens on once it is ready. */
	port: number;
	/** The signal that shuts down the service without waiting for its clients. */
	stopSignal: NodeJS.Signals;
	logFile: string;
	/**
	 * Throws as long as the service does not accept requests. Without a probe, the service is considered
	 * ready as soon as its port is open.
	 */
	probe?: () => void;
}

/** A PostgreSQL or Redis server on loopback that this process has started. */
export interface Service {
	name: string;
	port: number;
	logFile: string;
	/** Restarts the service after it has been stopped or killed. The port and the data remain the same. */
	start(): Promise<void>;
	/** Stops the service. Safe to call more than once. */
	stop(): Promise<void>;
	/** Simulates a crash by stopping the service with SIGKILL. */
	kill(): Promise<void>;
}

/** A service that this process has started, and the environment variables that n8n needs to connect to it. */
export interface OwnService {
	service: Service;
	/** n8n's environment variables for the connection, including the password. */
	env: Record<string, string>;
}

async function isOpen(port: number): Promise<boolean> {
	return await new Promise((resolve) => {
		const socket = connect({ port, host: loopback });
		const settle = (open: boolean): void => {
			socket.destroy();
			resolve(open);
		};
		socket.once('connect', () => settle(true));
		socket.once('error', () => settle(false));
	});
}

function isAnswering(probe: ServiceOptions['probe']): boolean {
	try {
		probe?.();
		return true;
	} catch {
		return false;
	}
}

/**
 * Starts a service and waits until it accepts requests.
 * @throws Error with the last lines of its log, if the service exits or is not ready within a minute.
 */
export async function startService(options: ServiceOptions): Promise<Service> {
	let child: ChildProcess | undefined;
	let ended: Promise<void> = Promise.resolve();

	const start = async (): Promise<void> => {
		const output = openSync(options.logFile, 'a');
		const [program, args] = wrapped(options.command, options.args);
		const started = spawn(program, args, {
			cwd: options.folder,
			stdio: ['ignore', output, output],
			// Ctrl-C must reach only this process, because n8n has to stop before the services that it needs.
			detached: true,
		});
		closeSync(output);
		child = started;
		let over = false;
		ended = new Promise((resolve) => {
			const settle = (): void => {
				over = true;
				resolve();
			};
			started.once('exit', settle);
			started.once('error', settle);
		});
		trackChild(started);
		const deadline = Date.now() + readyTimeoutMs;
		while (!(await isOpen(options.port)) || !isAnswering(options.probe)) {
			if (over || Date.now() > deadline) {
				await end('SIGKILL');
				const log = existsSync(options.logFile) ? readFileSync(options.logFile, 'utf8') : '';
				const tail = log.trimEnd().split('\n').slice(-10).join('\n');
				throw new Error(
					`${options.name} didn't start. From its log (${options.logFile}):\n\n${tail}`,
				);
			}
			await delay(pollMs);
		}
	};
	const end = async (signal: NodeJS.Signals): Promise<void> => {
		if (child?.exitCode !== null || child.signalCode !== null) return;
		child.kill(signal);
		await Promise.race([ended, delay(stopTimeoutMs, undefined, { ref: false })]);
		child.kill('SIGKILL');
		await ended;
	};

	await start();
	return {
		name: options.name,
		port: options.port,
		logFile: options.logFile,
		start,
		stop: async () => await end(options.stopSignal),
		kill: async () => await end('SIGKILL'),
	};
}
