import path from 'node:path';

import { loopback } from './ports';

/** The settings that differ between n8n instances. */
export interface EnvironmentOptions {
	/** The Node executable that runs n8n. */
	node: string;
	userFolder: string;
	port: number;
	brokerPort: number;
	/** The public URL of n8n's webhooks. */
	webhookUrl: string;
	/** Environment variables that override all others. */
	env?: Record<string, string> | undefined;
}

/**
 * Matches environment variables that this n8n must not inherit: those meant for a different n8n on this
 * machine, and those that npm adds.
 */
const foreign =
	/^(N8N_|DB_|EXECUTIONS_|QUEUE_|WEBHOOK_URL$|VUE_APP_|npm_|INIT_CWD$|NODE_OPTIONS$|NODE_PATH$|NODE_ENV$)/i;

/**
 * Returns the environment variables for an n8n instance that makes no calls to the internet (no telemetry,
 * version check, templates or list of verified nodes) and listens only on loopback.
 */
export function n8nEnvironment(options: EnvironmentOptions): Record<string, string> {
	// Windows ignores case in the names of variables, so it may spell PATH as Path. process.env also ignores
	// case there, but a copy doesn't.
	const { PATH = '', NO_PROXY, no_proxy: noProxy, GENERIC_TIMEZONE } = process.env;
	const direct = [loopback, 'localhost', NO_PROXY ?? noProxy].filter(Boolean).join(',');
	const own: Record<string, string> = {
		// n8n starts its task runner as `node`, which must be the same Node that runs n8n.
		PATH: `${path.dirname(options.node)}${path.delimiter}${PATH}`,
		// The service and the mailbox are on this machine, so calls to them must not go through a proxy.
		NO_PROXY: direct,
		no_proxy: direct,
		// n8n's default is New York time, but the sandbox and its documents use UTC.
		GENERIC_TIMEZONE: GENERIC_TIMEZONE || 'UTC',
		N8N_USER_FOLDER: options.userFolder,
		N8N_PORT: String(options.port),
		N8N_LISTEN_ADDRESS: loopback,
		N8N_HOST: loopback,
		N8N_PROTOCOL: 'http',
		N8N_EDITOR_BASE_URL: `http://${loopback}:${options.port}/`,
		N8N_WEBHOOK_URL: options.webhookUrl,
		N8N_RUNNERS_BROKER_PORT: String(options.brokerPort),
		// The editor is served over plain HTTP, so a browser would reject a secure cookie.
		N8N_SECURE_COOKIE: 'false',
		N8N_DIAGNOSTICS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
		N8N_TEMPLATES_ENABLED: 'false',
		N8N_PERSONALIZATION_ENABLED: 'false',
		N8N_DYNAMIC_BANNERS_ENABLED: 'false',
		N8N_DISABLED_MODULES: 'mcp-registry',
		N8N_VERIFIED_PACKAGES_ENABLED: 'false',
		// SQLite runs in n8n's process, so on a busy machine, it can be slow to respond. By default, n8n
		// would consider the database lost after 5 seconds and respond to every call with 503.
		...(options.env?.DB_TYPE ? {} : { DB_PING_TIMEOUT_MS: '60000' }),
		EXTERNAL_FRONTEND_HOOKS_URLS: '',
		...options.env,
	};
	// Inherit no other spelling of a variable that is set here, because on Windows, both are the same variable.
	const names = new Set(Object.keys(own).map((name) => name.toUpperCase()));
	const inherited = Object.entries(process.env).filter(
		(entry): entry is [string, string] =>
			entry[1] !== undefined && !foreign.test(entry[0]) && !names.has(entry[0].toUpperCase()),
	);
	return { ...Object.fromEntries(inherited), ...own };
}
