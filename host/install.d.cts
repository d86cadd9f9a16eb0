/** A Node to run n8n under. */
export interface NodeInstallation {
	executable: string;
	/** Without a leading `v`. */
	version: string;
	/** The folder that holds `include/node`; undefined where node-gyp has to fetch the headers. */
	headers?: string;
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
}

/**
 * Installs the pinned n8n, or the one in `SIGNVERIFY_N8N_VERSION`, and a Node 24 for it where this machine's Node is another, into a
 * folder of the project's own. Does nothing and prints nothing when they are there; joins an
 * installation that this process has begun, waits for one of another process, and redoes one that
 * was interrupted.
 *
 * @throws InstallError whose message says what failed and what to do
 */
export function ensureHost(options: { log: (line: string) => void }): Promise<HostInstallation>;

/**
 * Installs the Node 24 that n8n runs under here, without n8n, where it is missing.
 *
 * @throws InstallError as {@link ensureHost}
 */
export function ensureNode24(options: { log: (line: string) => void }): Promise<NodeInstallation>;
