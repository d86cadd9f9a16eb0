import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { ClassicLevel } from 'classic-level';
import { realNow } from '../util/clock';
import { writtenTime } from '../util/time';

/** The folders that are open in this process, as paths without symbolic links. */
const openHere = new Set<string>();

export class FolderUnreadableError extends Error {
	override readonly name = 'FolderUnreadableError';
}

export class FolderInUseError extends Error {
	override readonly name = 'FolderInUseError';
}

/**
 * Stores a sandbox's records on disk, in a LevelDB database. LevelDB locks its folder, and the operating
 * system releases the lock no matter how the process exits. The file in-use.json names the process that holds
 * the lock.
 */
export class DataFolder {
	private constructor(
		private readonly path: string,
		private readonly level: ClassicLevel<string, unknown>,
	) {}

	/**
	 * Opens a folder and reads its records.
	 * @param folder The folder, which is created if it does not exist. A new folder is readable only by its
	 * owner, because it contains the account's key.
	 * @returns The folder and all records, ordered by key.
	 * @throws FolderInUseError if the folder is already in use, FolderUnreadableError if its records cannot
	 * be read, or a file system error.
	 */
	static async open(
		folder: string,
	): Promise<{ opened: DataFolder; records: Array<[key: string, record: unknown]> }> {
		const inside = join(folder, 'records');
		await mkdir(inside, { recursive: true, mode: 0o700 });
		const path = await realpath(folder);
		// LevelDB would also refuse to open a folder that is already open in this process. But when it fails,
		// it closes the lock file, and this would release the existing lock.
		if (openHere.has(path)) throw new FolderInUseError(inUseText(folder));
		const level = new ClassicLevel<string, unknown>(inside, { valueEncoding: 'json' });
		openHere.add(path);
		try {
			await level.open();
			const opened = new DataFolder(path, level);
			opened.announce();
			return { opened, records: await level.iterator().all() };
		} catch (error) {
			openHere.delete(path);
			await level.close();
			const { code = '', message } = reasonOf(error) as NodeJS.ErrnoException;
			if (code === 'LEVEL_LOCKED') throw new FolderInUseError(inUseText(folder));
			if (!code.startsWith('LEVEL_')) throw reasonOf(error);
			throw new FolderUnreadableError(
				`${folder} can't be read (${message}). Choose another data folder.`,
			);
		}
	}

	/**
	 * Writes either all changes or none of them. The changes are on disk when the promise resolves.
	 * @param changes The new values by key; undefined removes a record.
	 * @throws Error that names the file and the reason.
	 */
	async write(changes: Map<string, unknown>): Promise<void> {
		try {
			if (this.level.status !== 'open') await this.level.open();
			await this.level.batch(
				[...changes].map(([key, value]) =>
					value === undefined ? { type: 'del', key } : { type: 'put', key, value },
				),
				{ sync: true },
			);
		} catch (error) {
			// If LevelDB's log contains a truncated record (for example, because the disk was full),
			// everything appended after this record is lost at the next start. Close the folder here so that
			// the next write opens it again and begins a new log.
			await this.level.close();
			throw reasonOf(error);
		}
	}

	/**
	 * Records the process and the URL of the sandbox that uses the folder so that a second sandbox can name
	 * them in its error message.
	 */
	announce(url?: string): void {
		const owner = { pid: process.pid, since: realNow(), url };
		writeFileSync(ownerFile(this.path), JSON.stringify(owner), { mode: 0o600 });
	}

	/** Releases the folder for other processes. */
	async close(): Promise<void> {
		rmSync(ownerFile(this.path), { force: true });
		await this.level.close();
		openHere.delete(this.path);
	}
}

/**
 * Returns LevelDB's own error, because the error from classic-level states only that the folder could not be
 * opened.
 */
function reasonOf(error: unknown): unknown {
	return (error as Error).cause ?? error;
}

function ownerFile(folder: string): string {
	return join(folder, 'in-use.json');
}

/**
 * Returns the error message for a folder that is in use. If possible, the message names the process, its
 * start time and its URL.
 */
function inUseText(folder: string): string {
	try {
		const { pid, since, url } = JSON.parse(readFileSync(ownerFile(folder), 'utf8')) as {
			pid: number;
			since: number;
			url?: string;
		};
		const time = writtenTime(since);
		const where = url ? ` (${url})` : '';
		return `${folder} is in use by process ${pid}${where}, which has been running since ${time}.`;
	} catch {
		return `${folder} is in use by another process.`;
	}
}
