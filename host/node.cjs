'use strict';
// Chooses which Node runs n8n and builds its database driver.

const fs = require('node:fs');
const path = require('node:path');

const { InstallError } = require('../scripts/install.cjs');

/** n8n 2.41 and its prebuilt native modules need this major version of Node. */
const nodeMajor = 24;

/**
 * Returns the folder that contains an executable's headers in `include/node`, or undefined if the headers are
 * missing or their version differs from the executable's.
 */
function headersBeside(executable, version) {
	const folder = path.dirname(path.dirname(executable));
	const include = path.join(folder, 'include', 'node');
	try {
		// A Linux distribution's headers may be older than its Node.
		const text = fs.readFileSync(path.join(include, 'node_version.h'), 'utf8');
		const number = (name) => new RegExp(`#define NODE_${name}_VERSION (\\d+)`).exec(text)?.[1];
		const found = `${number('MAJOR')}.${number('MINOR')}.${number('PATCH')}`;
		return found === version ? folder : undefined;
	} catch {
		return undefined;
	}
}

/** Describes the Node that runs this process. */
function ownNode() {
	const version = process.versions.node;
	return {
		executable: process.execPath,
		version,
		headers: headersBeside(process.execPath, version),
	};
}

/**
 * Whether a separate Node must be installed, because the Node that runs this process cannot build and run
 * n8n.
 */
function needsPackagedNode() {
	const { version, headers } = ownNode();
	return Number(version.split('.')[0]) !== nodeMajor || headers === undefined;
}

/** Describes the Node package for this platform that was installed from host/node/, if there is one. */
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
		// Only the Windows package comes without headers. On any other platform, a package without headers is
		// broken.
		if (!headers && process.platform !== 'win32') {
			throw new InstallError(
				`The Node ${version} in ${path.join(modules, name)} doesn't have any headers (include/node), ` +
					`which are needed to build n8n's database driver. Delete ${folder} and run the same command again.`,
			);
		}
		return { executable, version, headers };
	}
	return undefined;
}

/**
 * Chooses the Node for n8n. The first choice is the Node that runs this process, if it is Node 24 and has
 * headers. The second choice is the Node that was installed from host/node/. The last choice is the Node that
 * runs this process, if it is Node 24 or newer, even without headers.
 * @param folder The folder into which host/node/ was installed.
 * @throws InstallError if none of these is available.
 */
function chooseNode(folder) {
	const own = ownNode();
	if (!needsPackagedNode()) return own;
	const packaged = packagedNode(folder);
	if (packaged) return packaged;
	if (Number(own.version.split('.')[0]) >= nodeMajor) return own;
	throw new InstallError(
		`n8n needs Node ${nodeMajor}, but npm couldn't find a build for ${process.platform}-${process.arch}. ` +
			`Install Node ${nodeMajor} from https://nodejs.org and run the same command again. ` +
			`If your platform is listed in host/node/package.json, delete ${folder} and try again.`,
	);
}

module.exports = { chooseNode, needsPackagedNode };
