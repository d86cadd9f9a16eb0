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
	/** The folder that contains the entire installation. */
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
 * Installs the pinned n8n, or the version in `SIGNVERIFY_N8N_VERSION`, into the installation folder
 * (`.run/host`, or `SIGNVERIFY_HOST_DIR`). If this machine does not have Node 24, installs that as well. Does
 * nothing if both are installed. If this process is already installing, the call joins that installation. If
 * another process is installing, the call waits for it. An interrupted installation is started again.
 * @throws InstallError, whose message describes the failure and what to do next.
 */
export function ensureHost(options: { log: (line: string) => void }): Promise<HostInstallation>;

/** Returns the n8n versions that can be installed, which are those for which the project has a lock file. */
export function n8nVersions(): string[];

/**
 * Installs only the Node 24 that would run n8n, if it is missing.
 * @throws InstallError as {@link ensureHost} does.
 */
export function ensureNode24(options: { log: (line: string) => void }): Promise<NodeInstallation>;
