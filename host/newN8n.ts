import { cp, mkdir, rm } from 'node:fs/promises';
import path from 'node:path';

import { root } from '../scripts/tools';
import { ensureHost } from './install.cjs';
import { startN8n } from './n8n';
import { installPackage } from './package';

const folder = path.join(root, '.run', 'new-n8n');
const log = () => undefined;

/**
 * Makes the folder of a new n8n: its database with all tables, the package installed, and nobody's
 * account. Once before all end-to-end tests, because it takes longer than all else in a start.
 */
export async function makeNewN8n(): Promise<void> {
	await rm(folder, { recursive: true, force: true });
	await mkdir(folder, { recursive: true });
	await installPackage({ userFolder: folder, log });
	const installation = await ensureHost({ log });
	const logFile = path.join(folder, 'n8n.log');
	const n8n = await startN8n({ installation, userFolder: folder, logFile });
	await n8n.stop();
	await rm(logFile);
}

/**
 * Puts a new n8n into a folder. All of them have the same encryption key, and with it the same
 * instance ID: an n8n that has to be another one is started in an empty folder.
 */
export async function copyNewN8n(userFolder: string): Promise<void> {
	await rm(userFolder, { recursive: true, force: true });
	await cp(folder, userFolder, { recursive: true, verbatimSymlinks: true });
}
