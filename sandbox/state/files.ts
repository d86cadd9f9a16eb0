import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Writes a record whole or not at all: a reader, or the next start after a crash, finds either the
 * old file or the new one.
 */
export async function writeRecord(path: string, record: unknown): Promise<void> {
	const temporary = `${path}.tmp`;
	await writeFile(temporary, JSON.stringify(record), { mode: 0o600 });
	await rename(temporary, path);
}

/** Removes a record; it is no fault when it is not there. */
export async function removeRecord(path: string): Promise<void> {
	await rm(path, { force: true });
}

/**
 * Reads all records of a folder, in the order of their ids.
 * @throws Error naming the file that is not JSON.
 */
export async function readRecords(folder: string): Promise<Array<{ id: string; record: unknown }>> {
	const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();
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
