import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import type { Entry } from './entries';

/** An entry that may leave out its moment, which is then now. */
type Noted<Each extends Entry = Entry> = Each extends Entry
	? Omit<Each, 'at'> & { at?: number }
	: never;

/**
 * A history while it is made. Each entry is written to a file at once, as a line of JSON, so that
 * the history of a run that was broken off can be read.
 */
export class History {
	private readonly noted: Entry[] = [];
	private seen: Entry[] = [];
	private isOver = false;

	/** @param file what it is written to; an older one is replaced */
	constructor(readonly file: string) {
		mkdirSync(path.dirname(file), { recursive: true });
		writeFileSync(file, '');
	}

	/** Notes what happens now. */
	note(entry: Noted): void {
		if (this.isOver) return;
		const whole = { at: Date.now(), ...entry };
		this.noted.push(whole);
		appendFileSync(this.file, lineOf(whole));
	}

	/**
	 * Notes what n8n and the service show at the end, each entry with its own moment. Replaces what
	 * they showed before. The file is then in the order of time.
	 */
	show(entries: Entry[]): void {
		this.seen = entries;
		writeFileSync(this.file, this.entries().map(lineOf).join(''));
	}

	/** What happens from now on, such as the end of all processes, is no part of it. */
	end(): void {
		this.isOver = true;
	}

	/** All that happened, in the order of time. */
	entries(): Entry[] {
		return [...this.noted, ...this.seen].sort((a, b) => a.at - b.at);
	}
}

function lineOf(entry: Entry): string {
	return `${JSON.stringify(entry)}\n`;
}

/** Reads a history from its file. */
export function readHistory(file: string): Entry[] {
	const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
	return lines.map((line) => JSON.parse(line) as Entry);
}
