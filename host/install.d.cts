/** A Node installation that can run n8n. */
export interface NodeInstallation {
	executable: string;
	/** The version, without a leading `v`. */
	version: string;
	/** The folder that contains `include/node`; undefined if node-gyp must download the headers. */
	headers?: string;
}

/** An n8n that can be started, with the Node that runs it. */
export interface HostInstallation {
	/** The folder of the whole installation. */
	folder: string;
	/** The Node executable. */
	node: string;
	/** The version of Node, without a leading `v`. */
	nodeVersion: string;
	/** The file that starts n8n. */
	n8n: string;
	n8nVersion: string;
}

/**
 * Installs the pinned n8n, or the version in `SIGNVERIFY_N8N_VERSION`, into a folder of the project. If this
 * machine does not have Node 24, installs that as well. Does nothing if both are installed. If
 * this process has already begun an installation, the call joins it. If another process is installing, the
 * call waits. An interrupted installation is repeated.
 * @throws InstallError. Its message names the failure and what to do.
 */
export function ensureHost(options: { log: (line: string) => void }): Promise<HostInstallation>;

/** Returns the versions of n8n that can be installed, because the project has a lock file for each. */
export function n8nVersions(): string[];

/**
 * Installs only the Node 24 that would run n8n, if it is missing.
 * @throws InstallError as {@link ensureHost} does.
 */
export function ensureNode24(options: { log: (line: string) => void }): Promise<NodeInstallation>;
