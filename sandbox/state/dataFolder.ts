import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { ClassicLevel } from 'classic-level';
import { realNow } from '../util/clock';
import { writtenTime } from '../util/time';

/** Folders that are open in this process, by their real path. */
const openHere = new Set<string>();

/** The records of the folder cannot be read. */
export class FolderUnreadableError extends Error {
	override readonly name = 'FolderUnreadableError';
}

/** Another sandbox uses the folder. */
export class FolderInUseError extends Error {
	override readonly name = 'FolderInUseError';
}

/**
 * The records of a sandbox on the disk, in a LevelDB. LevelDB locks its folder, and the system frees
 * that lock when the process ends, in whatever way; a file beside it says who has it.
 */
export class DataFolder {
	private constructor(
		private readonly path: string,
		private readonly level: ClassicLevel<string, unknown>,
	) {}

	/**
	 * Opens a folder and reads what is there.
	 * @param folder Created when missing, readable by its owner only: it holds the account's key.
	 * @returns With all records in the order of their keys.
	 * @throws FolderInUseError naming who uses the folder; FolderUnreadableError; the file system's
	 *   error.
	 */
	static async open(
		folder: string,
	): Promise<{ opened: DataFolder; records: Array<[key: string, record: unknown]> }> {
		const inside = join(folder, 'records');
		await mkdir(inside, { recursive: true, mode: 0o700 });
		const path = await realpath(folder);
		// LevelDB would refuse this, too, but closing the lock's file a second time frees the lock.
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
				`${folder} cannot be read (${message}). Name another data folder.`,
			);
		}
	}

	/**
	 * Writes all of these, or none; they are on the disk when it resolves.
	 * @param changes By key; undefined removes.
	 * @throws Error that names the file and what is wrong with it.
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
			// What LevelDB appends to a log that ends in the middle of a record, as on a full disk, is lost
			// at the next start. Opening anew begins a new log.
			await this.level.close();
			throw reasonOf(error);
		}
	}

	/** Tells whoever finds the folder in use who uses it, and where. */
	announce(url?: string): void {
		const owner = { pid: process.pid, since: realNow(), url };
		writeFileSync(ownerFile(this.path), JSON.stringify(owner), { mode: 0o600 });
	}

	/** Lets others use the folder. */
	async close(): Promise<void> {
		rmSync(ownerFile(this.path), { force: true });
		await this.level.close();
		openHere.delete(this.path);
	}
}

/** What LevelDB says, where the library only says that it did not open. */
function reasonOf(error: unknown): unknown {
	return (error as Error).cause ?? error;
}

function ownerFile(folder: string): string {
	return join(folder, 'in-use.json');
}

/** Who uses a folder, for people: process, time and address, as far as it can be read. */
function inUseText(folder: string): string {
	try {
		const { pid, since, url } = JSON.parse(readFileSync(ownerFile(folder), 'utf8')) as {
			pid: number;
			since: number;
			url?: string;
		};
		const time = writtenTime(since);
		const where = url ? ` at ${url}` : '';
		return `${folder} is in use by process ${pid}, which runs since ${time}${where}.`;
	} catch {
		return `${folder} is in use by another process.`;
	}
}
