import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import path from 'node:path';

import { fingerprint, InstallError, isStamped, runNpm, withLock } from '../scripts/install.cjs';
import { chooseNode, needsPackagedNode, ownNode, type NodeInstallation } from './node';
import type { Log } from './types';

const sources = __dirname;
const repository = path.dirname(sources);

/** n8n and its dependencies take 2.2 GB; npm needs room for its cache beside them. */
const NEEDED_BYTES = 4e9;

/** An n8n that the host can be: a sub-folder of `host/` with the manifest that pins it. */
interface Release {
	part: 'n8n' | 'n8n-1x';
	estimate: string;
	/** Whether it needs the Node 24 that `host/node/` pins; else it runs under this process's own. */
	needsNode24: boolean;
	/** What it needs in its environment to start. */
	env: Record<string, string>;
}

const current: Release = {
	part: 'n8n',
	estimate: 'about 2 minutes, 2.2 GB',
	needsNode24: true,
	env: {},
};

const version1: Release = {
	part: 'n8n-1x',
	estimate: 'about 2 minutes, 1.4 GB',
	needsNode24: false,
	env: {
		// Its other engine is a native part, and none of these is built but the database driver.
		N8N_EXPRESSION_ENGINE: 'legacy',
		// It does not start when it is to leave out a module that it does not have.
		N8N_DISABLED_MODULES: 'mcp',
	},
};

/**
 * Which n8n the host is: the current one, unless `SIGNVERIFY_N8N` is `1x`.
 * @throws InstallError when it is set to anything else
 */
function chosenRelease(): Release {
	const chosen = process.env.SIGNVERIFY_N8N;
	if (!chosen) return current;
	if (chosen === '1x') return version1;
	throw new InstallError(`SIGNVERIFY_N8N is "${chosen}". Leave it empty, or set it to 1x.`);
}

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
	/** What this n8n needs in its environment to start. */
	env: Record<string, string>;
}

/** The folder that the host is kept in: `SIGNVERIFY_HOST_DIR`, or `.run/host` in the repository. */
function hostFolder(): string {
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
	part: Release['part'] | 'node';
	label: string;
	estimate: string;
}

/** The Node 24 of host/node/. */
const nodePart: Part = {
	part: 'node',
	label: 'Installing a Node 24 for n8n',
	estimate: 'a few seconds, 200 MB',
};

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
	if (part !== 'node') await checkDiskSpace(folder);
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

function partStamp(part: Part['part']): string {
	const files = ['package-lock.json', '.npmrc'].map((file) =>
		readFileSync(path.join(sources, part, file)),
	);
	return fingerprint(...files, process.platform, process.arch);
}

/** n8n's database driver is the one native part that has to be fetched or compiled. */
async function ensureSqlite(
	{ part }: Release,
	folder: string,
	node: NodeInstallation,
	log: Log,
): Promise<void> {
	const target = path.join(folder, part);
	const stampFile = sqliteStampFile(part, folder);
	const stamp = sqliteStamp(part, node);
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

function sqliteStampFile(part: Release['part'], folder: string): string {
	return path.join(folder, part, 'node_modules', 'sqlite3', '.signverify-built');
}

function sqliteStamp(part: Release['part'], node: NodeInstallation): string {
	return fingerprint(partStamp(part), node.version);
}

function describe(
	{ part, env }: Release,
	folder: string,
	node: NodeInstallation,
): HostInstallation {
	const n8nFolder = path.join(folder, part, 'node_modules', 'n8n');
	const manifest = JSON.parse(readFileSync(path.join(n8nFolder, 'package.json'), 'utf8')) as {
		version: string;
	};
	return {
		folder,
		node: node.executable,
		nodeVersion: node.version,
		n8n: path.join(n8nFolder, 'bin', 'n8n'),
		n8nVersion: manifest.version,
		env,
	};
}

function pinnedN8nVersion({ part }: Release): string {
	const manifest = JSON.parse(readFileSync(path.join(sources, part, 'package.json'), 'utf8')) as {
		dependencies: { n8n: string };
	};
	return manifest.dependencies.n8n;
}

/** Whether a Node has to be installed for it. */
function installsNode(release: Release): boolean {
	return release.needsNode24 && needsPackagedNode();
}

function nodeFor(release: Release, folder: string): NodeInstallation {
	return release.needsNode24 ? chooseNode(path.join(folder, 'node')) : ownNode();
}

/** True when nothing is left to install, without taking the lock. */
function isComplete(release: Release, folder: string): boolean {
	const { part } = release;
	const isThere = (each: Part['part']): boolean =>
		isStamped(path.join(folder, each, 'node_modules', '.signverify-installed'), partStamp(each));
	if (!isThere(part) || (installsNode(release) && !isThere('node'))) return false;
	const built = sqliteStampFile(part, folder);
	return existsSync(built) && isStamped(built, sqliteStamp(part, nodeFor(release, folder)));
}

/**
 * Installs the pinned n8n, and a Node 24 for it where this machine's Node is another, into a
 * folder of the project's own. Does nothing and prints nothing when they are there; an
 * installation that was interrupted is redone; two processes never install at once.
 * With `SIGNVERIFY_N8N=1x` it is an n8n of version 1, beside the current one.
 *
 * @param options.log takes the lines of progress
 * @throws InstallError whose message says what failed and what to do
 */
export async function ensureHost({ log }: { log: Log }): Promise<HostInstallation> {
	const release = chosenRelease();
	const folder = hostFolder();
	if (isComplete(release, folder)) return describe(release, folder, nodeFor(release, folder));
	mkdirSync(folder, { recursive: true });
	return await withLock(
		path.join(folder, 'install.lock'),
		async () => {
			// n8n first: its dependencies are not optional, so an unreachable registry fails loudly
			// here, where npm would pass over the Node package in silence.
			const label = `Installing n8n ${pinnedN8nVersion(release)}`;
			await ensurePart({ part: release.part, label, estimate: release.estimate }, folder, log);
			if (installsNode(release)) await ensurePart(nodePart, folder, log);
			const node = nodeFor(release, folder);
			await ensureSqlite(release, folder, node, log);
			return describe(release, folder, node);
		},
		log,
	);
}

/**
 * Installs the Node 24 that n8n runs under here, without n8n, where it is missing.
 *
 * @throws InstallError as {@link ensureHost}
 */
export async function ensureNode24({ log }: { log: Log }): Promise<NodeInstallation> {
	const folder = hostFolder();
	if (needsPackagedNode()) {
		mkdirSync(folder, { recursive: true });
		await withLock(
			path.join(folder, 'install.lock'),
			async () => await ensurePart(nodePart, folder, log),
			log,
		);
	}
	return chooseNode(path.join(folder, 'node'));
}
