'use strict';
// Which Node n8n is run and its database driver is built with.

const fs = require('node:fs');
const path = require('node:path');

const { InstallError } = require('../scripts/install.cjs');

/** The Node that n8n 2.41 asks for, and that its prebuilt native parts were made for. */
const NODE_MAJOR = 24;

/** The folder above `include/node`, when the headers beside an executable fit its version. */
function headersBeside(executable, version) {
	const folder = path.dirname(path.dirname(executable));
	const include = path.join(folder, 'include', 'node');
	try {
		// A distribution's headers may lag behind the Node that runs.
		const text = fs.readFileSync(path.join(include, 'node_version.h'), 'utf8');
		const number = (name) => new RegExp(`#define NODE_${name}_VERSION (\\d+)`).exec(text)?.[1];
		const found = `${number('MAJOR')}.${number('MINOR')}.${number('PATCH')}`;
		return found === version ? folder : undefined;
	} catch {
		return undefined;
	}
}

/** The Node that this process runs under. */
function ownNode() {
	const version = process.versions.node;
	return {
		executable: process.execPath,
		version,
		headers: headersBeside(process.execPath, version),
	};
}

/** True unless this process runs under a Node 24 that n8n can be built and run with. */
function needsPackagedNode() {
	const { version, headers } = ownNode();
	return Number(version.split('.')[0]) !== NODE_MAJOR || headers === undefined;
}

/** The installed package for this platform, if there is one for it. */
function packagedNode(folder) {
	const modules = path.join(folder, 'node_modules');
	if (!fs.existsSync(modules)) return undefined;
	const binary = process.platform === 'win32' ? 'node.exe' : 'node';
	for (const name of fs.readdirSync(modules)) {
		const executable = path.join(modules, name, 'bin', binary);
		if (name.startsWith('.') || !fs.existsSync(executable)) continue;
		const manifest = path.join(modules, name, 'package.json');
		const { version } = JSON.parse(fs.readFileSync(manifest, 'utf8'));
		const headers = headersBeside(executable, version);
		// The package for Windows is the one that comes without headers.
		if (!headers && process.platform !== 'win32') {
			throw new InstallError(
				`The Node ${version} in ${path.join(modules, name)} has no headers (include/node), ` +
					`which n8n's database driver is built with. Delete ${folder} and run the same command again.`,
			);
		}
		return { executable, version, headers };
	}
	return undefined;
}

/**
 * The Node for n8n: this process's own where it is a Node 24 with its headers, else the one
 * installed from host/node/, else any newer one this process runs under.
 *
 * @param folder where host/node/ was installed
 * @throws InstallError when there is none
 */
function chooseNode(folder) {
	const own = ownNode();
	if (!needsPackagedNode()) return own;
	const packaged = packagedNode(folder);
	if (packaged) return packaged;
	if (Number(own.version.split('.')[0]) >= NODE_MAJOR) return own;
	throw new InstallError(
		`n8n needs Node ${NODE_MAJOR}, and npm installed none for ${process.platform}-${process.arch}. ` +
			`Install Node ${NODE_MAJOR} from https://nodejs.org and run the same command again. ` +
			`If your platform is listed in host/node/package.json, delete ${folder} and try once more.`,
	);
}

module.exports = { chooseNode, needsPackagedNode };
