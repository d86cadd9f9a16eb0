import { setTimeout as delay } from 'node:timers/promises';

import type { N8n } from '../n8n';
import type { Log } from '../types';

const firstPauseMs = 1_000;

/** An n8n process that is restarted whenever it exits, as a container or a system service would be. */
export interface SupervisedProcess {
	name: string;
	/** Returns how many times the process has exited on its own or has been killed. */
	ends(): number;
	isUp(): boolean;
	/** Returns the running process. If the process is starting, waits until it is ready. */
	running(): Promise<N8n>;
	/**
	 * Registers a listener, which is called with `false` when the process exits, and with `true` when the
	 * process is ready again.
	 */
	onChange(listener: (isUp: boolean) => void): void;
	/**
	 * Simulates a crash by killing the process, which is then restarted.
	 * @param downMs How much longer than usual to wait before the restart, in milliseconds.
	 */
	crash(downMs?: number): Promise<void>;
	/** Stops the process without restarting it. Safe to call more than once. */
	stop(): Promise<void>;
}

/**
 * Starts an n8n process and restarts it whenever it exits. n8n relies on being restarted, because it exits if
 * it cannot reach Redis or the database for too long.
 * @param name The name of the process in messages to the user.
 * @param start Starts the process on the same ports every time.
 * @throws The error from the first start. Later starts are retried until one succeeds.
 */
export async function supervise(
	name: string,
	start: () => Promise<N8n>,
	log: Log,
): Promise<SupervisedProcess> {
	let isStopping = false;
	let ends = 0;
	const stopping = new AbortController();
	let current: Promise<N8n> = start();
	const { logFile } = await current;
	/** How messages to the user refer to the process. */
	const title = `n8n's process "${name}"`;
	const where = `(log: ${logFile})`;
	let isUp = true;
	let pauseMs = firstPauseMs;
	const listeners: Array<(isUp: boolean) => void> = [];
	const change = (now: boolean): void => {
		isUp = now;
		for (const listener of listeners) listener(now);
	};

	const again = async (): Promise<N8n> => {
		for (;;) {
			await delay(pauseMs, undefined, { signal: stopping.signal });
			pauseMs = firstPauseMs;
			try {
				return await start();
			} catch (error) {
				if (isStopping) throw error;
				log(`${title} didn't start. Trying again… ${where}`);
			}
		}
	};
	const watch = async (): Promise<void> => {
		for (;;) {
			await (
				await current
			).ended;
			change(false);
			if (isStopping) return;
			ends++;
			log(`${title} has stopped. Starting it again… ${where}`);
			current = again();
			await current;
			change(true);
		}
	};
	const watching = watch().catch(() => undefined);

	return {
		name,
		ends: () => ends,
		isUp: () => isUp,
		running: async () => await current,
		onChange: (listener) => void listeners.push(listener),
		crash: async (downMs = 0) => {
			const running = await current;
			pauseMs = firstPauseMs + downMs;
			await running.kill();
		},
		stop: async () => {
			isStopping = true;
			stopping.abort();
			const last = await current.catch(() => undefined);
			await last?.stop();
			await watching;
		},
	};
}
