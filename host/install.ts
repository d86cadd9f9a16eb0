import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import path from 'node:path';

import { fingerprint, InstallError, isStamped, runNpm, withLock } from '../scripts/install.cjs';
import { chooseNode, needsPackagedNode, type NodeInstallation } from './node';
import type { Log } from './types';

const sources = __dirname;
const repository = path.dirname(sources);

/** n8n and its dependencies take 2.2 GB; npm needs room for its cache beside them. */
const NEEDED_BYTES = 4e9;

/** An n8n that can be started, and the Node to start it with. */
export interface HostInstallation {
	/** The folder that holds everything. */
	folder: string;
	/** The Node executable to run n8n under. */
	node: string;
	/** Its version, without a leading `v`. */
	nodeVersion: string;
	/** n8n's own entry file. */
	n8n: string;
	n8nVersion: string;
}

/** The folder that the host is kept in: `SIGNVERIFY_HOST_DIR`, or `.run/host` in the repository. */
export function hostFolder(): string {
	const chosen = process.env.SIGNVERIFY_HOST_DIR;
	return chosen ? path.resolve(chosen) : path.join(repository, '.run', 'host');
}

async function checkDiskSpace(folder: string): Promise<void> {
	const { bavail, bsize } = await statfs(folder);
	const free = bavail * bsize;
	if (free < NEEDED_BYTES) {
		throw new InstallError(
			`Installing n8n needs about 4 GB of free disk space in ${folder}; there are ` +
				`${(free / 1e9).toFixed(1)} GB. Free some, or set SIGNVERIFY_HOST_DIR to a folder on another disk.`,
		);
	}
}

/** Copies the manifest, lock and settings of one part into the cache folder. */
function copyManifest(part: string, target: string): void {
	mkdirSync(target, { recursive: true });
	for (const file of ['package.json', 'package-lock.json', '.npmrc']) {
		copyFileSync(path.join(sources, part, file), path.join(target, file));
	}
}

interface Part {
	/** Sub-folder of `host/` with the manifest, and of the cache folder. */
	part: 'n8n' | 'node';
	label: string;
	estimate: string;
}

/** `npm ci` of one part, unless its stamp says that this very lock is installed. */
async function ensurePart(
	{ part, label, estimate }: Part,
	folder: string,
	log: Log,
): Promise<void> {
	const target = path.join(folder, part);
	// Inside node_modules, which npm ci empties first: an interrupted one leaves no stamp.
	const stampFile = path.join(target, 'node_modules', '.signverify-installed');
	const stamp = partStamp(part);
	if (isStamped(stampFile, stamp)) return;
	if (part === 'n8n') await checkDiskSpace(folder);
	copyManifest(part, target);
	await runNpm({
		args: [
			'ci',
			'--ignore-scripts',
			'--legacy-peer-deps',
			'--no-fund',
			'--no-audit',
			'--loglevel=error',
		],
		cwd: target,
		label,
		estimate,
		log,
	});
	mkdirSync(path.dirname(stampFile), { recursive: true });
	writeFileSync(stampFile, stamp);
}

function partStamp(part: 'n8n' | 'node'): string {
	const files = ['package-lock.json', '.npmrc'].map((file) =>
		readFileSync(path.join(sources, part, file)),
	);
	return fingerprint(...files, process.platform, process.arch);
}

/** n8n's database driver is the one native part that has to be fetched or compiled. */
async function ensureSqlite(folder: string, node: NodeInstallation, log: Log): Promise<void> {
	const target = path.join(folder, 'n8n');
	const stampFile = path.join(target, 'node_modules', 'sqlite3', '.signverify-built');
	const stamp = sqliteStamp(node);
	if (isStamped(stampFile, stamp)) return;
	const advice =
		'n8n keeps its data in SQLite. Where no ready-made build can be downloaded, npm compiles it: ' +
		'that needs Python 3, make and a C++ compiler (Debian: apt-get install python3 make g++). ' +
		'Install what is missing, then run the same command again.';
	await runNpm({
		args: [
			'rebuild',
			'sqlite3',
			'--ignore-scripts=false',
			'--foreground-scripts',
			'--no-fund',
			'--no-audit',
		],
		cwd: target,
		node: node.executable,
		env: node.headers ? { npm_config_nodedir: node.headers } : {},
		label: "n8n's database driver",
		estimate: 'up to a minute',
		log,
		advice,
	});
	const check = spawnSync(node.executable, ['-e', "require('sqlite3')"], {
		cwd: target,
		encoding: 'utf8',
	});
	if (check.status !== 0) {
		throw new InstallError(
			`n8n's database driver was built but does not load under Node ${node.version}:\n\n` +
				`${check.stderr.trim()}\n\n${advice}`,
		);
	}
	writeFileSync(stampFile, stamp);
}

function sqliteStamp(node: NodeInstallation): string {
	return fingerprint(partStamp('n8n'), node.version);
}

function describe(folder: string, node: NodeInstallation): HostInstallation {
	const n8nFolder = path.join(folder, 'n8n', 'node_modules', 'n8n');
	const manifest = JSON.parse(readFileSync(path.join(n8nFolder, 'package.json'), 'utf8')) as {
		version: string;
	};
	return {
		folder,
		node: node.executable,
		nodeVersion: node.version,
		n8n: path.join(n8nFolder, 'bin', 'n8n'),
		n8nVersion: manifest.version,
	};
}

function pinnedN8nVersion(): string {
	const manifest = JSON.parse(readFileSync(path.join(sources, 'n8n', 'package.json'), 'utf8')) as {
		dependencies: { n8n: string };
	};
	return manifest.dependencies.n8n;
}

/** True when nothing is left to install, without taking the lock. */
function isComplete(folder: string): boolean {
	const stamp = (part: 'n8n' | 'node'): boolean =>
		isStamped(path.join(folder, part, 'node_modules', '.signverify-installed'), partStamp(part));
	if (!stamp('n8n') || (needsPackagedNode() && !stamp('node'))) return false;
	const built = path.join(folder, 'n8n', 'node_modules', 'sqlite3', '.signverify-built');
	return existsSync(built) && isStamped(built, sqliteStamp(chooseNode(path.join(folder, 'node'))));
}

/**
 * Installs the pinned n8n, and a Node 24 for it where this machine's Node is another, into a
 * folder of the project's own. Does nothing and prints nothing when they are there; an
 * installation that was interrupted is redone; two processes never install at once.
 *
 * @param options.log takes the lines of progress
 * @throws InstallError whose message says what failed and what to do
 */
export async function ensureHost({ log }: { log: Log }): Promise<HostInstallation> {
	const folder = hostFolder();
	const nodeFolder = path.join(folder, 'node');
	if (isComplete(folder)) return describe(folder, chooseNode(nodeFolder));
	mkdirSync(folder, { recursive: true });
	return await withLock(
		path.join(folder, 'install.lock'),
		async () => {
			// n8n first: its dependencies are not optional, so an unreachable registry fails loudly
			// here, where npm would pass over the Node package in silence.
			await ensurePart(
				{
					part: 'n8n',
					label: `Installing n8n ${pinnedN8nVersion()}`,
					estimate: 'about 2 minutes, 2.2 GB',
				},
				folder,
				log,
			);
			if (needsPackagedNode()) {
				await ensurePart(
					{
						part: 'node',
						label: 'Installing a Node 24 for n8n',
						estimate: 'a few seconds, 200 MB',
					},
					folder,
					log,
				);
			}
			const node = chooseNode(nodeFolder);
			await ensureSqlite(folder, node, log);
			return describe(folder, node);
		},
		log,
	);
}
