import { cp, mkdir, rm } from 'node:fs/promises';
import path from 'node:path';

import { root } from '../scripts/tools';
import { ensureHost } from './install.cjs';
import { startN8n } from './n8n';
import { installPackage } from './package';

/** The prepared folder of a new n8n instance. */
export const newN8nFolder = path.join(root, '.run', 'new-n8n');
const log = () => undefined;

/**
 * Prepares the folder of a new n8n instance: the database with its tables, and the installed package, but no
 * account. This is the slowest part of starting n8n, so it is done only once for all end-to-end tests.
 */
export async function makeNewN8n(): Promise<void> {
	await rm(newN8nFolder, { recursive: true, force: true });
	await mkdir(newN8nFolder, { recursive: true });
	await installPackage({ userFolder: newN8nFolder, log });
	const installation = await ensureHost({ log });
	const logFile = path.join(newN8nFolder, 'n8n.log');
	const n8n = await startN8n({ installation, userFolder: newN8nFolder, logFile });
	await n8n.stop();
	await rm(logFile);
}

/**
 * Copies the prepared folder of a new n8n instance. All copies have the same encryption key, and therefore
 * the same instance ID. If a test needs a different instance, start n8n in an empty folder.
 */
export async function copyNewN8n(userFolder: string): Promise<void> {
	await rm(userFolder, { recursive: true, force: true });
	await cp(newN8nFolder, userFolder, { recursive: true, verbatimSymlinks: true });
}
