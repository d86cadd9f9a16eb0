import { setTimeout as delay } from 'node:timers/promises';

import type { N8n } from '../n8n';
import type { Log } from '../types';

const PAUSE_MS = 1_000;

/** A process of n8n that is started again whenever it ends, as a container or service would be. */
export interface SupervisedProcess {
	name: string;
	/** How often it ended by itself or was killed. */
	ends(): number;
	/** True while it is ready. */
	isUp(): boolean;
	/** The running process, after waiting for a start that is under way. */
	running(): Promise<N8n>;
	/** Has a listener called whenever it has ended (`false`) and when it is ready again (`true`). */
	onChange(listener: (isUp: boolean) => void): void;
	/**
	 * Ends it as a crash would; it comes up again by itself.
	 *
	 * @param downMs for so long it is not started, on top of the usual pause
	 */
	crash(downMs?: number): Promise<void>;
	/** Ends it for good. Safe to call twice. */
	stop(): Promise<void>;
}

/**
 * Starts a process of n8n and keeps it running. n8n relies on that: it ends itself when it loses
 * Redis or the database for too long.
 *
 * @param name what it is, for the screen
 * @param start starts it, on the same ports each time
 * @throws what the first start throws; later ones are tried again until one works
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
	await current;
	let isUp = true;
	let pauseMs = PAUSE_MS;
	const listeners: Array<(isUp: boolean) => void> = [];
	const change = (now: boolean): void => {
		isUp = now;
		for (const listener of listeners) listener(now);
	};

	const again = async (): Promise<N8n> => {
		for (;;) {
			await delay(pauseMs, undefined, { signal: stopping.signal });
			pauseMs = PAUSE_MS;
			try {
				return await start();
			} catch (error) {
				if (isStopping) throw error;
				log(`The ${name} didn't start. Trying again…`);
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
			log(`The ${name} has stopped. Starting it again…`);
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
			pauseMs = PAUSE_MS + downMs;
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
