import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { realNow } from '../util/clock';

const FILE = 'in-use.json';
const TOUCH_MS = 2000;
/** A lock that nobody touched for this long belongs to a process that is gone. */
const STALE_MS = 20_000;

/** Who uses a folder. */
export interface LockOwner {
	pid: number;
	host: string;
	/** epoch-ms */
	since: number;
	/** Where to find it, as soon as that is known. */
	url?: string;
}

/** Somebody else uses the folder. */
export class FolderInUseError extends Error {
	constructor(
		readonly folder: string,
		readonly owner: LockOwner,
	) {
		super(`${folder} is in use by ${ownerText(owner)}.`);
		this.name = 'FolderInUseError';
	}
}

/** A folder that this process alone uses until it is released. */
export interface FolderLock {
	/** Says where the owner can be found. */
	announce(url: string): void;
	release(): void;
}

/** The owner for people: process, time and address. */
export function ownerText({ pid, host, since, url }: LockOwner): string {
	const where = host === hostname() ? '' : ` on ${host}`;
	const time = new Date(since).toLocaleString('en-GB');
	return `process ${pid}${where}, which runs since ${time}${url ? ` at ${url}` : ''}`;
}

/**
 * Takes a folder for this process. The lock of a process that was killed counts for nothing.
 * @param folder Must exist.
 * @throws FolderInUseError when another process, or this one, has it.
 */
export function lockFolder(folder: string): FolderLock {
	const file = join(folder, FILE);
	const owner: LockOwner = { pid: process.pid, host: hostname(), since: realNow() };
	for (let tries = 0; ; tries += 1) {
		try {
			writeFileSync(file, JSON.stringify(owner), { flag: 'wx', mode: 0o600 });
			break;
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
			const other = liveOwner(file);
			if (other) throw new FolderInUseError(folder, other);
			if (tries > 2) throw error;
			rmSync(file, { force: true });
		}
	}
	const touch = setInterval(() => {
		const now = new Date(realNow());
		try {
			utimesSync(file, now, now);
		} catch {
			// The folder was deleted meanwhile: there is nothing left to guard.
		}
	}, TOUCH_MS);
	touch.unref();
	let released = false;
	const release = () => {
		// A second call must not take away the lock of whoever came next.
		if (released) return;
		released = true;
		clearInterval(touch);
		process.off('exit', release);
		rmSync(file, { force: true });
	};
	process.on('exit', release);
	return {
		announce: (url) => writeFileSync(file, JSON.stringify({ ...owner, url }), { mode: 0o600 }),
		release,
	};
}

/** The owner of a lock; undefined when it is certainly gone. */
function liveOwner(file: string): LockOwner | undefined {
	try {
		if (realNow() - statSync(file).mtimeMs > STALE_MS) return undefined;
		const owner = JSON.parse(readFileSync(file, 'utf8')) as LockOwner;
		// A process ID means nothing on another machine or in another container.
		return owner.host !== hostname() || isAlive(owner.pid) ? owner : undefined;
	} catch {
		return undefined;
	}
}

function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === 'EPERM';
	}
}
