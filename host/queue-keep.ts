import { setTimeout as delay } from 'node:timers/promises';

import type { N8n } from './n8n';
import type { Log } from './types';

const PAUSE_MS = 1_000;

/** A process of n8n that is started again whenever it ends, as a container or service would be. */
export interface Kept {
	name: string;
	/** How often it ended by itself or was killed. */
	ends(): number;
	/** True while it is ready. */
	isUp(): boolean;
	/** The running process, after waiting for a start that is under way. */
	running(): Promise<N8n>;
	/** Ends it as a crash would; it comes up again by itself. */
	crash(): Promise<void>;
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
export async function keepRunning(
	name: string,
	start: () => Promise<N8n>,
	log: Log,
): Promise<Kept> {
	let isStopping = false;
	let ends = 0;
	const stopping = new AbortController();
	let current: Promise<N8n> = start();
	await current;
	let isUp = true;

	const again = async (): Promise<N8n> => {
		for (;;) {
			await delay(PAUSE_MS, undefined, { signal: stopping.signal });
			try {
				return await start();
			} catch (error) {
				if (isStopping) throw error;
				log(`The ${name} did not start; trying again.`);
			}
		}
	};
	const watch = async (): Promise<void> => {
		for (;;) {
			await (
				await current
			).ended;
			isUp = false;
			if (isStopping) return;
			ends++;
			log(`The ${name} has ended; starting it again.`);
			current = again();
			await current;
			isUp = true;
		}
	};
	const watching = watch().catch(() => undefined);

	return {
		name,
		ends: () => ends,
		isUp: () => isUp,
		running: async () => await current,
		crash: async () => await (await current).kill(),
		stop: async () => {
			isStopping = true;
			stopping.abort();
			const last = await current.catch(() => undefined);
			await last?.stop();
			await watching;
		},
	};
}
