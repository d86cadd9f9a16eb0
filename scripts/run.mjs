// node scripts/run.mjs path/to/file.ts [args…]
//
// Runs one of the project's TypeScript files. If the project's dependencies are missing or outdated, installs
// them first. If they are up to date, prints nothing.
import fs from 'node:fs';
import Module, { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const minimumNode = 20;
const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const require = createRequire(import.meta.url);
const modules = path.join(root, 'node_modules');
const stampFile = path.join(modules, '.signverify-installed');

function fail(message) {
	console.error(message);
	process.exit(1);
}

/** Returns a hash of everything that determines the installed dependencies. */
function wantedStamp({ fingerprint }) {
	const lock = fs.readFileSync(path.join(root, 'package-lock.json'));
	return fingerprint(lock, process.versions.node.split('.')[0], process.platform, process.arch);
}

/** Whether a plain `npm ci` or `npm install` has already installed the packages in the lock file. */
function isInstalledByHand() {
	try {
		const read = (file) => JSON.parse(fs.readFileSync(file, 'utf8')).packages;
		const wanted = read(path.join(root, 'package-lock.json'));
		const present = read(path.join(modules, '.package-lock.json'));
		return Object.entries(wanted).every(
			([name, entry]) =>
				name === '' ||
				entry.optional ||
				entry.peer ||
				(present[name] && present[name].version === entry.version),
		);
	} catch {
		return false;
	}
}

async function ensureDependencies() {
	const stamp = wantedStamp(install);
	if (install.isStamped(stampFile, stamp)) return;
	const log = install.screen;
	await install.withLock(
		path.join(root, '.run', 'install.lock'),
		async () => {
			// Another process may have installed the dependencies while this one waited for the lock.
			if (install.isStamped(stampFile, stamp)) return;
			if (fs.existsSync(stampFile) || !isInstalledByHand()) {
				await install.runNpm({
					args: ['ci', '--prefer-offline', '--loglevel=error', '--no-fund', '--no-audit'],
					cwd: root,
					label: "Installing the project's dependencies",
					estimate: 'about a minute',
					log,
				});
			}
			// The stamp is written last. npm ci empties node_modules first, so an interrupted installation
			// has no stamp and is repeated.
			fs.writeFileSync(stampFile, stamp);
		},
		log,
	);
}

const major = Number(process.versions.node.split('.')[0]);
if (major < minimumNode) {
	fail(
		`This command needs Node ${minimumNode} or newer, but this is Node ${process.versions.node}. ` +
			'Install a newer version from https://nodejs.org and run the same command again.',
	);
}
if (process.argv.length < 3) fail('Usage: node scripts/run.mjs path/to/file.ts [arguments…]');
const file = path.resolve(process.argv[2]);
if (!fs.existsSync(file)) fail(`File ${process.argv[2]} not found.`);

const install = require('./install.cjs');
try {
	const dependencies = ensureDependencies();
	if (file.startsWith(path.join(root, 'host') + path.sep)) {
		// Installing n8n takes far longer than installing the dependencies, so start now. The file that this
		// script runs calls ensureHost again, and that call waits for the same installation.
		const host = require('../host/install.cjs').ensureHost({ log: install.screen });
		await Promise.race([dependencies, host.then(() => dependencies)]);
	} else {
		await dependencies;
	}
} catch (error) {
	// install.cjs is about to end this process because of the signal, so print nothing.
	if (error.name === 'InterruptedError') await new Promise(() => {});
	fail(error.message);
}

require('tsx/cjs/api').register();
process.argv = [process.argv[0], file, ...process.argv.slice(3)];
// Node makes the same call for its main file, so `require.main` becomes the file that this script runs.
Module._load(file, null, true);
