import { setTimeout as delay } from 'node:timers/promises';
import type { JournalEntry } from '../types';
import type { CommandInput } from './input';
import { moment } from './text';

const POLL_MS = 500;

/** Shows what happened in the sandbox; with `follow`, until the process ends. */
export async function showLog({ client, json, follow, print }: CommandInput): Promise<void> {
	let entries = await client.call<JournalEntry[]>('GET', '/log');
	let last = 0;
	for (;;) {
		for (const entry of entries) print(json ? JSON.stringify(entry) : lineOf(entry));
		last = entries.at(-1)?.number ?? last;
		if (!follow) return last === 0 && !json ? print('Nothing has happened yet.') : undefined;
		await delay(POLL_MS);
		entries = await client.call<JournalEntry[]>('GET', `/log?after=${last}`);
	}
}

function lineOf({ at, kind, text, isProblem }: JournalEntry): string {
	return `${moment(at)}  ${isProblem ? '!' : ' '} ${kind.padEnd(8)}  ${text}`;
}
