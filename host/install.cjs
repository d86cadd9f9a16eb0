'use strict';
// Installs n8n and the Node that runs it. `npm start` may load this file before the project's own
// dependencies are installed, so it uses only Node's built-in modules.

const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const {
	InstallError,
	fingerprint,
	isStamped,
	runNpm,
	withLock,
} = require('../scripts/install.cjs');
const { chooseNode, needsPackagedNode } = require('./node.cjs');

/** n8n and its dependencies take 2.2 GB, and npm's cache needs additional space. */
const neededBytes = 4e9;
const quiet = ['--no-fund', '--no-audit', '--loglevel=error'];

/** Returns the installation folder: `SIGNVERIFY_HOST_DIR`, or `.run/host` in the repository. */
function hostFolder() {
	const chosen = process.env.SIGNVERIFY_HOST_DIR;
	return chosen ? path.resolve(chosen) : path.join(path.dirname(__dirname), '.run', 'host');
}

/**
 * Returns the subfolders of `host/` that contain manifests for n8n, keyed by the version of n8n that each
 * subfolder installs.
 */
function n8nParts() {
	const parts = fs
		.readdirSync(__dirname)
		.filter((part) => fs.existsSync(path.join(__dirname, part, '.npmrc')) && part !== 'node')
		.map((part) => [readJson(__dirname, part, 'package.json').dependencies.n8n, part]);
	return Object.fromEntries(parts);
}

/**
 * Returns the subfolder of `host/` with the manifests for installing n8n: the one for the version in
 * `SIGNVERIFY_N8N_VERSION`, or `n8n` by default. In the cache, each version is installed in a separate
 * folder.
 */
function n8nPart() {
	const wanted = process.env.SIGNVERIFY_N8N_VERSION;
	if (!wanted) return 'n8n';
	const parts = n8nParts();
	if (Object.hasOwn(parts, wanted)) return parts[wanted];
	const known = Object.keys(parts).join(', ');
	throw new InstallError(
		`Can't install n8n ${wanted}, because host/ doesn't contain a lock file for it. Choose from: ${known}.`,
	);
}

/**
 * Returns the path of the lock that a process holds while it installs a part. A part is a subfolder of
 * `host/` with manifests: `node`, or a version of n8n. Each part has a separate lock so that a process that
 * needs only Node does not have to wait minutes for n8n to be installed.
 */
const lockOf = (folder, part) => path.join(folder, `${part}.lock`);

function readJson(...file) {
	return JSON.parse(fs.readFileSync(path.join(...file), 'utf8'));
}

async function checkDiskSpace(folder) {
	const { bavail, bsize } = await fs.promises.statfs(folder);
	const free = bavail * bsize;
	if (free >= neededBytes) return;
	throw new InstallError(
		`Installing n8n needs about 4 GB of free disk space in ${folder}, but only ` +
			`${(free / 1e9).toFixed(1)} GB is free. Free some space, or set SIGNVERIFY_HOST_DIR to a folder on another disk.`,
	);
}

/**
 * Rejects a path that the build tools cannot handle, because they split paths at spaces and interpret some
 * characters as commands. Without this check, the installation would run for several minutes before it
 * failed.
 */
function checkPath(folder) {
	const [bad] = /[^\p{L}\p{N}\\/._:@+~-]/u.exec(folder) ?? [];
	if (bad === undefined || process.platform === 'win32') return;
	throw new InstallError(
		`n8n's database driver can't be compiled in a folder whose path contains ${bad === ' ' ? 'a space' : `"${bad}"`}: ` +
			`${folder}. Set SIGNVERIFY_HOST_DIR to a folder whose path doesn't contain such characters, for example:\n\n` +
			`  SIGNVERIFY_HOST_DIR=${path.join(os.homedir(), 'signverify-host')} npm start`,
	);
}

/**
 * Runs a step unless its stamp shows that the step is already done and up to date. Every step empties or
 * creates the folder that contains its stamp, so an interrupted step leaves no stamp behind.
 */
async function ensure({ stampFile, stamp, run }) {
	if (isStamped(stampFile, stamp)) return;
	await run();
	fs.mkdirSync(path.dirname(stampFile), { recursive: true });
	fs.writeFileSync(stampFile, stamp);
}

function partStamp(part) {
	const files = ['package-lock.json', '.npmrc'].map((file) =>
		fs.readFileSync(path.join(__dirname, part, file)),
	);
	return fingerprint(...files, process.platform, process.arch);
}

/**
 * Adds each package's URL to the lock file. Without the URLs, npm would request the metadata of all 2,100
 * packages, which takes half of npm's processor time. If the registry uses different URLs, it responds with
 * 404, and the caller then retries the installation without URLs.
 */
async function fillInAddresses(folder, run) {
	const { stdout } = await runNpm({ ...run, args: ['config', 'get', 'registry'], cwd: folder });
	const registry = stdout.trim().replace(/\/$/, '');
	const lock = readJson(folder, 'package-lock.json');
	for (const [place, entry] of Object.entries(lock.packages)) {
		if (place === '') continue;
		const name = entry.name ?? place.split('node_modules/').at(-1);
		entry.resolved = `${registry}/${name}/-/${name.split('/').at(-1)}-${entry.version}.tgz`;
	}
	fs.writeFileSync(path.join(folder, 'package-lock.json'), JSON.stringify(lock));
}

/** Runs `npm ci` for a subfolder of `host/`, in the folder with the same name in the cache. */
function installPart(part, folder, run) {
	const target = path.join(folder, part);
	const copyManifests = () => {
		fs.mkdirSync(target, { recursive: true });
		for (const file of ['package.json', 'package-lock.json', '.npmrc']) {
			fs.copyFileSync(path.join(__dirname, part, file), path.join(target, file));
		}
	};
	const args = ['ci', '--ignore-scripts', '--legacy-peer-deps', '--prefer-offline', ...quiet];
	const install = async () => await runNpm({ ...run, args, cwd: target });
	return {
		stampFile: path.join(target, 'node_modules', '.signverify-installed'),
		stamp: partStamp(part),
		run: async () => {
			copyManifests();
			if (part === 'node') return void (await install());
			await fillInAddresses(target, { signal: run.signal });
			await install().catch(async (error) => {
				if (!/\bE404\b/.test(error.message)) throw error;
				copyManifests();
				await install();
			});
		},
	};
}

/**
 * Installs the dependencies of host/node/: the Node that n8n needs, and the source of the database driver.
 */
async function ensureNodePart(folder, { log, signal }) {
	const label = 'Installing Node 24 for n8n';
	const run = { label, estimate: 'a few seconds, 200 MB', log, signal };
	await withLock(
		lockOf(folder, 'node'),
		async () => await ensure(installPart('node', folder, run)),
		log,
	);
	return chooseNode(path.join(folder, 'node'));
}

const compiled = path.join('node_modules', 'sqlite3', 'build', 'Release', 'node_sqlite3.node');

/** Builds n8n's database driver, which is the only native module that has to be downloaded or compiled. */
function buildDriver(folder, node, { log, signal }) {
	const cwd = path.join(folder, 'node');
	const advice =
		"n8n stores its data in SQLite. If npm can't find a prebuilt copy of SQLite, it compiles one, which " +
		'requires Python 3, make and a C++ compiler (Debian: sudo apt-get install python3 make g++). ' +
		'Install whatever is missing, then run the same command again.';
	return {
		stampFile: path.join(cwd, 'node_modules', 'sqlite3', '.signverify-built'),
		stamp: fingerprint(partStamp('node'), node.version),
		run: async () => {
			await runNpm({
				args: ['rebuild', 'sqlite3', '--ignore-scripts=false', '--foreground-scripts', ...quiet],
				cwd,
				node: node.executable,
				env: {
					...(node.headers ? { npm_config_nodedir: node.headers } : {}),
					// With full optimization, compiling SQLite would take twice as long.
					CFLAGS: '-O1',
					CXXFLAGS: '-O1',
				},
				label: "Building n8n's database driver",
				estimate: 'about a minute',
				log,
				signal,
				advice,
			});
			const load = ['-e', "require('sqlite3')"];
			const check = spawnSync(node.executable, load, { cwd, encoding: 'utf8' });
			if (check.status === 0) return;
			throw new InstallError(
				`n8n's database driver was built, but doesn't load in Node ${node.version}:\n\n` +
					`${check.stderr.trim()}\n\n${advice}`,
			);
		},
	};
}

/**
 * Copies the database driver, which was built while n8n was being installed, into n8n's own sqlite3 package.
 */
function copyDriver(folder, n8nPart) {
	const [own, of8n] = ['node', n8nPart].map((part) => path.join(folder, part));
	const [pinned, wanted] = [own, of8n].map(
		(place) => readJson(place, 'node_modules', 'sqlite3', 'package.json').version,
	);
	if (pinned !== wanted) {
		throw new InstallError(
			`n8n needs sqlite3 ${wanted}, but host/node/package.json lists ${pinned}. Enter n8n's version there.`,
		);
	}
	const target = path.join(of8n, compiled);
	const source = fs.readFileSync(path.join(own, compiled));
	if (fs.existsSync(target) && fs.readFileSync(target).equals(source)) return;
	fs.mkdirSync(path.dirname(target), { recursive: true });
	fs.writeFileSync(target, source);
}

async function install(folder, part, log) {
	const ending = new AbortController();
	const run = { log, signal: ending.signal };
	const version = readJson(__dirname, part, 'package.json').dependencies.n8n;
	const words = { label: `Installing n8n ${version}`, estimate: 'one to three minutes, 2.2 GB' };
	const n8n = installPart(part, folder, { ...words, ...run });
	if (!isStamped(n8n.stampFile, n8n.stamp)) {
		checkPath(folder);
		await checkDiskSpace(folder);
	}
	const beside = async () => {
		const node = await ensureNodePart(folder, run);
		await ensure(buildDriver(folder, node, run));
		return node;
	};
	// If one step fails, the other is stopped, and the first error is rethrown.
	const work = [ensure(n8n), beside()];
	const [, node] = await Promise.all(work).catch(async (error) => {
		ending.abort();
		await Promise.allSettled(work);
		throw error;
	});
	copyDriver(folder, part);
	const n8nFolder = path.join(folder, part, 'node_modules', 'n8n');
	return {
		folder,
		node: node.executable,
		nodeVersion: node.version,
		n8n: path.join(n8nFolder, 'bin', 'n8n'),
		n8nVersion: readJson(n8nFolder, 'package.json').version,
	};
}

/** The promise for the installation, if this process has started one. */
let host;

async function ensureHost({ log }) {
	const folder = hostFolder();
	fs.mkdirSync(folder, { recursive: true });
	const part = n8nPart();
	host ??= withLock(lockOf(folder, part), async () => await install(folder, part, log), log);
	return await host;
}

async function ensureNode24({ log }) {
	const folder = hostFolder();
	if (!needsPackagedNode()) return chooseNode(path.join(folder, 'node'));
	fs.mkdirSync(folder, { recursive: true });
	return await ensureNodePart(folder, { log });
}

module.exports = { ensureHost, ensureNode24, n8nVersions: () => Object.keys(n8nParts()) };
