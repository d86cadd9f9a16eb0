import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { fingerprint, InstallError, isStamped, runNpm, withLock } from '../scripts/install.cjs';
import { chooseNode, needsPackagedNode, type NodeInstallation } from './node';
import type { Log } from './types';

const sources = __dirname;
const repository = path.dirname(sources);

/** n8n and its dependencies take 2.2 GB; npm needs room for its cache beside them. */
const NEEDED_BYTES = 4e9;

/** The sub-folders of `host/` with the manifests that pin what is installed. */
type Part = 'n8n' | 'node';

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
function hostFolder(): string {
	const chosen = process.env.SIGNVERIFY_HOST_DIR;
	return chosen ? path.resolve(chosen) : path.join(repository, '.run', 'host');
}

/**
 * Held while one process installs this part. Each part has its own: who needs only a Node does not
 * wait for the minutes that n8n takes.
 */
function lockOf(folder: string, part: Part): string {
	return path.join(folder, `${part}.lock`);
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

/**
 * The compiler's tools split paths at spaces and take some characters for commands. Said before
 * minutes go into an installation that cannot end well.
 */
function checkPath(folder: string): void {
	const [bad] = /[^\p{L}\p{N}\\/._:@+~-]/u.exec(folder) ?? [];
	if (bad === undefined || process.platform === 'win32') return;
	throw new InstallError(
		`n8n's database driver cannot be compiled in a folder whose path holds ${bad === ' ' ? 'a space' : `"${bad}"`}: ` +
			`${folder}. Set SIGNVERIFY_HOST_DIR to a folder without such characters, for example\n\n` +
			`  SIGNVERIFY_HOST_DIR=${path.join(os.homedir(), 'signverify-host')} npm start`,
	);
}

/** Copies the manifest, lock and settings of one part into the cache folder. */
function copyManifest(part: Part, target: string): void {
	mkdirSync(target, { recursive: true });
	for (const file of ['package.json', 'package-lock.json', '.npmrc']) {
		copyFileSync(path.join(sources, part, file), path.join(target, file));
	}
}

/** A step that writes down what it was done for, and is passed over when that is so already. */
interface StepOfInstallation {
	/** In a folder that the step itself empties or makes anew: an interrupted one leaves none. */
	stampFile: string;
	stamp: string;
	run: () => Promise<void>;
}

async function ensure({ stampFile, stamp, run }: StepOfInstallation): Promise<void> {
	if (isStamped(stampFile, stamp)) return;
	await run();
	mkdirSync(path.dirname(stampFile), { recursive: true });
	writeFileSync(stampFile, stamp);
}

const quiet = ['--no-fund', '--no-audit'];

/** `npm ci` of one sub-folder of `host/` into the folder of the same name in the cache. */
function installPart(
	part: Part,
	{ label, estimate }: { label: string; estimate: string },
	folder: string,
	log: Log,
): StepOfInstallation {
	const target = path.join(folder, part);
	return {
		stampFile: path.join(target, 'node_modules', '.signverify-installed'),
		stamp: partStamp(part),
		run: async () => {
			if (part !== 'node') {
				checkPath(folder);
				await checkDiskSpace(folder);
			}
			copyManifest(part, target);
			const args = ['ci', '--ignore-scripts', '--legacy-peer-deps', ...quiet, '--loglevel=error'];
			await runNpm({ args, cwd: target, label, estimate, log });
		},
	};
}

function partStamp(part: Part): string {
	const files = ['package-lock.json', '.npmrc'].map((file) =>
		readFileSync(path.join(sources, part, file)),
	);
	return fingerprint(...files, process.platform, process.arch);
}

/** n8n's database driver is the one native part that has to be fetched or compiled. */
function buildSqlite(folder: string, node: NodeInstallation, log: Log): StepOfInstallation {
	const cwd = path.join(folder, 'n8n');
	const advice =
		'n8n keeps its data in SQLite. Where no ready-made build can be downloaded, npm compiles it: ' +
		'that needs Python 3, make and a C++ compiler (Debian: apt-get install python3 make g++). ' +
		'Install what is missing, then run the same command again.';
	return {
		stampFile: path.join(cwd, 'node_modules', 'sqlite3', '.signverify-built'),
		stamp: fingerprint(partStamp('n8n'), node.version),
		run: async () => {
			await runNpm({
				args: ['rebuild', 'sqlite3', '--ignore-scripts=false', '--foreground-scripts', ...quiet],
				cwd,
				node: node.executable,
				env: node.headers ? { npm_config_nodedir: node.headers } : {},
				label: "n8n's database driver",
				estimate: 'up to a minute',
				log,
				advice,
			});
			const load = ['-e', "require('sqlite3')"];
			const check = spawnSync(node.executable, load, { cwd, encoding: 'utf8' });
			if (check.status === 0) return;
			throw new InstallError(
				`n8n's database driver was built but does not load under Node ${node.version}:\n\n` +
					`${check.stderr.trim()}\n\n${advice}`,
			);
		},
	};
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
	const install = async (): Promise<HostInstallation> => {
		// n8n first: its dependencies are not optional, so an unreachable registry fails loudly
		// here, where npm would pass over the Node package in silence.
		const label = `Installing n8n ${pinnedN8nVersion()}`;
		const words = { label, estimate: 'about 2 minutes, 2.2 GB' };
		await ensure(installPart('n8n', words, folder, log));
		await ensurePackagedNode(folder, log);
		const node = chooseNode(path.join(folder, 'node'));
		await ensure(buildSqlite(folder, node, log));
		return describe(folder, node);
	};
	mkdirSync(folder, { recursive: true });
	return await withLock(lockOf(folder, 'n8n'), install, log);
}

/** Installs the Node 24 of `host/node/`, where this machine's Node is another. */
async function ensurePackagedNode(folder: string, log: Log): Promise<void> {
	if (!needsPackagedNode()) return;
	const words = { label: 'Installing a Node 24 for n8n', estimate: 'a few seconds, 200 MB' };
	const step = installPart('node', words, folder, log);
	await withLock(lockOf(folder, 'node'), async () => await ensure(step), log);
}

/**
 * Installs the Node 24 that n8n runs under here, without n8n, where it is missing.
 *
 * @throws InstallError as {@link ensureHost}
 */
export async function ensureNode24({ log }: { log: Log }): Promise<NodeInstallation> {
	const folder = hostFolder();
	mkdirSync(folder, { recursive: true });
	await ensurePackagedNode(folder, log);
	return chooseNode(path.join(folder, 'node'));
}
