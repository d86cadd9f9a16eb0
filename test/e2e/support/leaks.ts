import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

import { leaksIn, type Secret } from '../../support/secrets';

/** What an n8n leaves behind. */
export interface Remains {
	/** The Node executable that it ran under. */
	node: string;
	/** n8n's own entry file. */
	n8n: string;
	userFolder: string;
	logFile: string;
}

/**
 * Looks for secrets in what an n8n has written: its log, every table of its database (executions,
 * workflows and their history; credentials are encrypted), and the files of its folder, binary data
 * included.
 * @returns What was found and where, without the secrets themselves.
 */
export async function leaksOf(remains: Remains, secrets: Secret[]): Promise<string[]> {
	const { userFolder, logFile } = remains;
	const folder = path.join(userFolder, '.n8n');
	const database = path.join(folder, 'database.sqlite');
	const leaks = leaksIn("n8n's log", await readFile(logFile, 'utf8'), secrets);
	if (existsSync(database)) leaks.push(...leaksInDatabase(database, remains, secrets));
	for (const file of await filesOf(folder)) {
		const name = path.relative(folder, file);
		leaks.push(...leaksIn(name, await readFile(file, 'latin1'), secrets));
	}
	return leaks;
}

function leaksInDatabase(database: string, { node, n8n }: Remains, secrets: Secret[]): string[] {
	const script = path.join(__dirname, 'searchDatabase.cjs');
	const { status, stdout, stderr } = spawnSync(node, [script, n8n, database], {
		input: JSON.stringify(secrets.map(({ value }) => value)),
		encoding: 'utf8',
	});
	if (status !== 0) throw new Error(`n8n's database cannot be read: ${stderr}`);
	const found = JSON.parse(stdout) as Array<[place: string, index: number]>;
	return found.map(([place, index]) => `${place}: ${secrets[index]?.kind}`);
}

/** All files but the database, which is read as such, and the nodes that are installed. */
async function filesOf(folder: string): Promise<string[]> {
	const entries = await readdir(folder, { withFileTypes: true, recursive: true });
	return entries
		.filter((entry) => entry.isFile() && !entry.name.startsWith('database.sqlite'))
		.map((entry) => path.join(entry.parentPath, entry.name))
		.filter((file) => !file.startsWith(path.join(folder, 'nodes')));
}
