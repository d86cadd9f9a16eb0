import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { InstallError } from '../scripts/install.cjs';

/** The Node that n8n 2.41 asks for, and that its prebuilt native parts were made for. */
const NODE_MAJOR = 24;

/** A Node to run n8n under. */
export interface NodeInstallation {
	executable: string;
	/** Without a leading `v`. */
	version: string;
	/** The folder that holds `include/node`; undefined where node-gyp has to fetch the headers. */
	headers?: string;
}

/** The folder above `include/node`, when the headers beside an executable fit its version. */
function headersBeside(executable: string, version: string): string | undefined {
	const folder = path.dirname(path.dirname(executable));
	const include = path.join(folder, 'include', 'node');
	try {
		// A distribution's headers may lag behind the Node that runs.
		const text = readFileSync(path.join(include, 'node_version.h'), 'utf8');
		const number = (name: string): string | undefined =>
			new RegExp(`#define NODE_${name}_VERSION (\\d+)`).exec(text)?.[1];
		const found = `${number('MAJOR')}.${number('MINOR')}.${number('PATCH')}`;
		return found === version ? folder : undefined;
	} catch {
		return undefined;
	}
}

/** The Node that this process runs under. */
function ownNode(): NodeInstallation {
	const version = process.versions.node;
	return {
		executable: process.execPath,
		version,
		headers: headersBeside(process.execPath, version),
	};
}

/** True unless this process runs under a Node 24 that n8n can be built and run with. */
export function needsPackagedNode(): boolean {
	const { version, headers } = ownNode();
	return Number(version.split('.')[0]) !== NODE_MAJOR || headers === undefined;
}

/** The installed package for this platform, if there is one for it. */
function packagedNode(folder: string): NodeInstallation | undefined {
	const modules = path.join(folder, 'node_modules');
	if (!existsSync(modules)) return undefined;
	const binary = process.platform === 'win32' ? 'node.exe' : 'node';
	for (const name of readdirSync(modules)) {
		const executable = path.join(modules, name, 'bin', binary);
		if (name.startsWith('.') || !existsSync(executable)) continue;
		const manifest = JSON.parse(readFileSync(path.join(modules, name, 'package.json'), 'utf8')) as {
			version: string;
		};
		const { version } = manifest;
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
export function chooseNode(folder: string): NodeInstallation {
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
