import { open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Ending of a record that is being written. */
const TEMPORARY = '.tmp';

/**
 * Writes a record whole or not at all: a reader, or the next start after a crash, finds either the
 * old file or the new one. The content is on the disk before the file gets its name, so a power cut
 * leaves no empty file either; see `syncFolder` for the name.
 */
export async function writeRecord(path: string, record: unknown): Promise<void> {
	const temporary = path + TEMPORARY;
	const file = await open(temporary, 'w', 0o600);
	try {
		await file.writeFile(JSON.stringify(record));
		await file.datasync();
	} catch (error) {
		// An open file's errors do not say which file it is.
		throw Object.assign(error as Error, { path });
	} finally {
		await file.close();
	}
	await rename(temporary, path);
}

/** Removes a record; it is no fault when it is not there. */
export async function removeRecord(path: string): Promise<void> {
	await rm(path, { force: true });
}

/** Has the disk keep which files there are; to be called after writing and removing records. */
export async function syncFolder(folder: string): Promise<void> {
	// Windows opens no folder; its file system keeps names by itself.
	if (process.platform === 'win32') return;
	const handle = await open(folder, 'r');
	try {
		await handle.sync();
	} finally {
		await handle.close();
	}
}

/**
 * Reads all records of a folder, in the order of their ids, and removes what a crash left half
 * written.
 * @throws Error naming the file that is not JSON.
 */
export async function readRecords(folder: string): Promise<Array<{ id: string; record: unknown }>> {
	const all = await readdir(folder);
	for (const name of all.filter((one) => one.endsWith(TEMPORARY))) await rm(join(folder, name));
	const names = all.filter((name) => name.endsWith('.json')).sort();
	const records: Array<{ id: string; record: unknown }> = [];
	for (let from = 0; from < names.length; from += 64) {
		const some = names.slice(from, from + 64).map(async (name) => {
			const path = join(folder, name);
			const text = await readFile(path, 'utf8');
			try {
				return { id: name.slice(0, -'.json'.length), record: JSON.parse(text) as unknown };
			} catch {
				throw new Error(`The data folder holds a file that is not JSON: ${path}`);
			}
		});
		records.push(...(await Promise.all(some)));
	}
	return records;
}
